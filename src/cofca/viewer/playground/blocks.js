// How lines form blocks. As envs/minecraft/language/instruction.py.

import { ELSE, ENDIF, ENDWHILE, IF, LINE_TYPES, WHILE } from "./symbols.js";

/** @typedef {[number, number, number]} Line type, verb, and noun or condition */
/** @typedef {[number, number]} Place line and column in a text, from 1 */

/** What is wrong with an instruction, and where. */
export class InstructionError extends Error {
  constructor(message, [line, column]) {
    super(message);
    Object.assign(this, { line, column });
  }
}

/** What may end the body that a line of this type begins. */
const CLOSERS = { [IF]: [ELSE, ENDIF], [ELSE]: [ENDIF], [WHILE]: [ENDWHILE] };
const ENDS = [ELSE, ENDIF, ENDWHILE];
const STATEMENT = "a subtask, if or while";

/** Words as a choice: `a, b or c`. @param {string[]} words */
export function either(words) {
  const most = words.slice(0, -1).join(", "), last = words[words.length - 1];
  return most ? `${most} or ${last}` : last;
}

/** How many blocks each line is indented by. @param {Line[]} lines @returns {number[]} */
export function depthsOf(lines) {
  let depth = 0;
  return lines.map(([type]) => {
    const own = ENDS.includes(type) ? depth - 1 : depth;
    depth = own + (type in CLOSERS ? 1 : 0);
    return own;
  });
}

/**
 * For each line the one it is paired with: an `if` with its `else` or `endif`, an `else` with its `endif`, a `while`
 * with its `endwhile` and back, all others with themselves.
 * @param {Line[]} lines @param {Place[]} places of the lines, and then of the end @returns {number[]}
 */
export function blockMatches(lines, places) {
  const matches = [...lines.keys()];
  const bodies = []; // the lines that began those still open, the innermost last
  const innermost = () => {
    const body = bodies[bodies.length - 1], block = matches[body]; // of an `else` its `if`, of the others themselves
    const closers = either(CLOSERS[lines[body][0]].map((type) => LINE_TYPES[type]));
    return `inside the ${LINE_TYPES[lines[block][0]]} opened in line ${places[block][0]}; expected ${closers}`;
  };
  const wrongEnd = (index) => {
    const type = lines[index][0], word = LINE_TYPES[type];
    if (!bodies.length) return `${word} outside its block; expected ${STATEMENT}`;
    const body = bodies[bodies.length - 1], begun = lines[body][0];
    if (!CLOSERS[begun].includes(type)) return `${type === begun ? "second else" : word} ${innermost()}`;
    return body === index - 1 ? `empty body of ${LINE_TYPES[begun]}; expected ${STATEMENT}` : "";
  };
  lines.forEach(([type], index) => {
    if (ENDS.includes(type)) {
      const wrong = wrongEnd(index);
      if (wrong) throw new InstructionError(wrong, places[index]);
      const body = bodies.pop();
      matches[body] = index;
      if (type !== ENDIF) matches[index] = body; // an `else` keeps its `if` until its `endif` comes
    }
    if (type in CLOSERS) bodies.push(index);
  });
  if (bodies.length) throw new InstructionError(`the instruction ends ${innermost()}`, places[lines.length]);
  return matches;
}
