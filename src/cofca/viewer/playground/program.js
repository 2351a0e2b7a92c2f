// The walk of the hidden program counter over control lines. As envs/minecraft/program.py.

import { CONDITIONS, COUNTED, ELSE, ENDWHILE, FIRST_CONDITION, IF, SUBTASK, WHILE } from "./symbols.js";

/** @typedef {import("./parser.js").Program} Program */

/** How many there are of what conditions compare, by thing. @param {number[]} cells @returns {Object<number, number>} */
export function countsOf(cells) {
  return Object.fromEntries(COUNTED.map((thing) => [thing, cells.filter((cell) => cell === thing).length]));
}

/** Whether the condition of an `if` or `while` is true. */
export function holds([, , condition], counts) {
  const [more, than] = CONDITIONS[condition - FIRST_CONDITION];
  return counts[more] > counts[than];
}

/**
 * Walk from a line to the first subtask, or to the end. No line is met twice in a walk that ends.
 * @param {Program} program @param {number} line
 * @returns {{line: number, met: number[], endless: boolean}} where it stopped, and the control lines on the way
 */
export function walk({ lines, matches }, line, counts) {
  const met = [];
  while (line < lines.length && lines[line][0] !== SUBTASK) {
    if (met.includes(line)) return { line, met, endless: true };
    met.push(line);
    line = nextLine(lines[line], line, matches[line], counts);
  }
  return { line, met, endless: false };
}

function nextLine(line, at, match, counts) {
  const [type] = line;
  if (type === ENDWHILE) return match;
  if (type === ELSE || ((type === IF || type === WHILE) && !holds(line, counts))) return match + 1;
  return at + 1;
}
