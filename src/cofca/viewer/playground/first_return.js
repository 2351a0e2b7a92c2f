// First return: where the block that a line opens is closed again, or where the one that it closes was opened.
// As agents/modules/first_return.py.

import { logSigmoid } from "./layers.js";

export const IMPOSSIBLE = -1e9;

/**
 * The log-probabilities of where to land, ahead and behind: of one return.
 * @param {number[]} a what each line closes @param {number[]} b what it opens
 * @param {number} K sharpness @param {number} p the pointer
 * @returns {{ahead: number[], behind: number[]}}
 */
export function firstReturn(a, b, K, p) {
  const length = a.length, L = depthsOfReturn(a, b);
  const d = L.map((depth) => depth - L[p]);
  const stop = (depth) => K * (0.5 - depth);

  const after = range(p, length - 1); // the lines whose coins are flipped ahead: it lands behind them
  const heads = firstHeads(after.map((k) => stop(k === p ? b[p] : d[k])));
  const ahead = spread(length, after.map((k) => k + 1), heads, p);

  const before = range(0, p).reverse();
  const behind = spread(length, before, firstHeads(before.map((k) => stop(d[k]))), p);
  return { ahead, behind };
}

/** L: how many blocks are open at each line, between what it closes and what it opens. */
export function depthsOfReturn(a, b) {
  let open = 0;
  return a.map((closed, k) => {
    const depth = open - closed;
    open = depth + b[k];
    return depth;
  });
}

/** The log-probabilities that the first heads are at each coin, in order; the last takes what is left. */
function firstHeads(logits) {
  let tails = 0;
  return logits.map((logit, at) => {
    const heads = (at === logits.length - 1 ? 0 : logSigmoid(logit)) + tails;
    tails += logSigmoid(-logit);
    return heads;
  });
}

/** From places to lines. Where there is nowhere to go the pointer stays. */
function spread(length, places, values, p) {
  const lines = Array(length).fill(IMPOSSIBLE);
  places.forEach((line, at) => { lines[line] = values[at]; });
  if (!places.length) lines[p] = 0;
  return lines;
}

const range = (from, to) => Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at);
