// CoFCA-R: how it sees, commands, and moves its pointer. As agents/cofca_r.py, encoders/counting.py and decide.py, greedy.

import { depthsOfReturn, firstReturn, IMPOSSIBLE } from "./first_return.js";
import { embedding, linear, logAddExp, logSoftmax, mode, relu, sigmoid } from "./layers.js";
import { CONDITIONS, COMMANDS, FIRST_CONDITION, LINE_TYPES, PRIMITIVES, SIZE, VERBS, WALL } from "./symbols.js";

const KERNEL = 2;
const LINE_LIMITS = [LINE_TYPES.length - 1, VERBS.length - 1, FIRST_CONDITION + CONDITIONS.length - 1];
const CHANNELS = WALL + 1; // a channel for each thing but nothing, and the worker's

/**
 * @typedef {Object} Decision
 * @property {number} command
 * @property {number} primitive the worker's answer
 * @property {boolean} opens the gate
 * @property {number} target the line the pointer moves to if it opens
 * @property {number[]} logits of the commands
 * @property {number} gate the logit of opening
 * @property {number[][]} columns P: log-probabilities of the lines, in each column
 * @property {number[]} weights φ: log-probabilities of the columns
 * @property {number[]} targets log-probabilities of the lines, the columns weighed
 * @property {number} value
 * @property {number[][]} depths L: of each return, of all lines
 */

export class Agent {
  /** @param {Object<string, import("./layers.js").Tensor>} tensors */
  constructor(tensors) {
    this.embed = embedding(tensors, "embed", LINE_LIMITS);
    this.convolution = linear(tensors, "encoder.encoder.encoder.convolution");
    this.relate = linear(tensors, "encoder.relate");
    this.join = linear(tensors, "encoder.join");
    this.act = linear(tensors, "head.act");
    this.critic = linear(tensors, "critic");
    this.actionEmbedding = embedding(tensors, "gate_phi.action_embedding", [COMMANDS.length - 1, PRIMITIVES.length - 1]);
    this.moveHidden = linear(tensors, "gate_phi.move_hidden");
    this.gate = linear(tensors, "gate_phi.gate");
    this.phi = linear(tensors, "gate_phi.phi");
    this.brackets = embedding(tensors, "brackets.symbols", LINE_LIMITS);
    this.K = Array.from(tensors["brackets.log_sharpness"].data, Math.exp);
  }

  /**
   * Choose a command, see the response, move the pointer.
   * @param {import("./world.js").State} state of which it sees cells, worker, inventory and lines
   * @param {number} p the pointer @param {(command: number) => number} respond @returns {Decision}
   */
  decide(state, p, respond) {
    const { lines } = state.program;
    const z = this.core(state, this.embed(lines[p]));
    const logits = this.act(z), command = mode(logits), primitive = respond(command);
    const hidden = relu(this.moveHidden([...z, ...this.actionEmbedding([command, primitive])]));
    const gate = this.gate(hidden)[0];
    const both = this.closesAndOpens(lines), depths = both.a.map((a, at) => depthsOfReturn(a, both.b[at]));
    const columns = this.columns(lines, p, both), weights = logSoftmax(this.phi(hidden));
    const targets = lines.map((_, line) => columns.map((column, at) => column[line] + weights[at]).reduce(logAddExp));
    const value = this.critic(z)[0];
    return { command, primitive, opens: gate > 0, target: mode(targets), logits, gate, columns, weights, targets, value, depths };
  }

  /** z, of x and M_p. */
  core(state, M_p) {
    const x = this.encode(state), related = this.relate(M_p);
    return relu(this.join([...x, ...x.map((number, at) => number * related[at]), ...M_p]));
  }

  /** x: a convolution summed over the grid, the inventory, and how many cells have a one in each channel. */
  encode({ cells, worker, inventory }) {
    const grid = cells.map((thing, at) => Array.from({ length: CHANNELS }, (_, channel) =>
      Number(channel === CHANNELS - 1 ? at === worker : thing === channel + 1)));
    let sums = null;
    for (let row = 0; row < SIZE; row += KERNEL) {
      for (let column = 0; column < SIZE; column += KERNEL) {
        const corner = row * SIZE + column;
        const patch = [corner, corner + 1, corner + SIZE, corner + SIZE + 1].flatMap((at) => grid[at]);
        const seen = relu(this.convolution(patch));
        sums = sums ? sums.map((sum, at) => sum + seen[at]) : seen;
      }
    }
    const counts = Array.from({ length: CHANNELS }, (_, channel) => grid.reduce((sum, cell) => sum + cell[channel], 0));
    return [...sums, ...inventory, ...counts];
  }

  /** What each line closes and what it opens: for each return a list of all lines. */
  closesAndOpens(lines) {
    const both = lines.map((line) => this.brackets(line).map(sigmoid)), returns = this.K.length; // all a, then all b
    const [a, b] = [0, returns].map((start) => this.K.map((_, at) => both.map((pair) => pair[start + at])));
    return { a, b };
  }

  /** The columns of P: the next line, the first returns ahead, the first returns behind. */
  columns(lines, p, { a, b }) {
    const following = Math.min(p + 1, lines.length - 1);
    const next = lines.map((_, line) => (line === following ? 0 : IMPOSSIBLE));
    const returns = this.K.map((K, at) => firstReturn(a[at], b[at], K, p));
    return [next, ...returns.map(({ ahead }) => ahead), ...returns.map(({ behind }) => behind)];
  }
}
