// The layers that the agent is made of, and how their weights are read. As agents/modules/layers.py.

/** @typedef {{shape: number[], data: Float32Array}} Tensor */

/** The tensors of a safetensors file, by name. @param {ArrayBuffer} buffer @returns {Object<string, Tensor>} */
export function readTensors(buffer) {
  const size = Number(new DataView(buffer).getBigUint64(0, true));
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  delete index.__metadata__;
  return Object.fromEntries(Object.entries(index).map(([name, { dtype, shape, data_offsets: [from, to] }]) => {
    if (dtype !== "F32") throw new Error(`${name}: ${dtype} where F32 was expected`);
    return [name, { shape, data: new Float32Array(buffer.slice(8 + size + from, 8 + size + to)) }];
  }));
}

/**
 * An affine map. JavaScript computes in double precision, and single precision is what weights are stored in.
 * @param {Object<string, Tensor>} tensors @param {string} name @returns {(x: number[]) => number[]}
 */
export function linear(tensors, name) {
  const { shape: [inputs, outputs], data } = tensors[`${name}.weight`];
  const bias = tensors[`${name}.bias`].data;
  return (x) => {
    const sums = new Float64Array(bias);
    for (let i = 0; i < inputs; i++) {
      if (x[i] === 0) continue;
      for (let j = 0; j < outputs; j++) sums[j] += x[i] * data[i * outputs + j];
    }
    return Array.from(sums);
  };
}

/** One table for several small integers, whose rows are summed; `limits` are the largest. @returns {(symbols: number[]) => number[]} */
export function embedding(tensors, name, limits) {
  const { shape: [, size], data } = tensors[`${name}.table`];
  const starts = limits.map((_, place) => limits.slice(0, place).reduce((sum, limit) => sum + limit + 1, 0));
  return (symbols) => {
    const rows = symbols.map((symbol, place) => (starts[place] + symbol) * size);
    return Array.from({ length: size }, (_, column) => rows.reduce((sum, row) => sum + data[row + column], 0));
  };
}

export const relu = (x) => x.map((number) => Math.max(number, 0));
export const sigmoid = (x) => 1 / (1 + Math.exp(-x));
export const logSigmoid = (x) => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));

/** @param {number[]} logits @returns {number[]} log-probabilities */
export function logSoftmax(logits) {
  const most = Math.max(...logits);
  const total = most + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0));
  return logits.map((logit) => logit - total);
}

/** log(e^a + e^b) */
export function logAddExp(a, b) {
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** The likeliest item; of several the first. @param {number[]} logits */
export const mode = (logits) => logits.indexOf(Math.max(...logits));
