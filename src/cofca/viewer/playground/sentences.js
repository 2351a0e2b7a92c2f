// A step as one plain sentence. As viewer/narrate.py and envs/minecraft/render/clauses.py.

import { wordsOf } from "./parser.js";
import { countsOf, holds } from "./program.js";
import { COMMANDS, IF, PRIMITIVES, STAYS, SUBTASK, WHILE } from "./symbols.js";
import { why } from "./words.js";
import { FAILED, RUNNING, SUCCEEDED } from "./world.js";

const DONE = { mine: "mined", sell: "sold", inspect: "inspected" };
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What was done, and where the pointer goes and why. @param {import("./episode.js").Step} step */
export function sentence(step) {
  const { after, decision, pointerAfter } = step, { lines } = after.program;
  const deed = capital(deedOf(decision));
  if (after.status !== RUNNING) return `${deed}, and the episode ends.`;
  const { cause = "", pending = "" } = reasonOf(step);
  const missed = after.line !== pointerAfter && lines[pointerAfter][0] === SUBTASK;
  const moves = decision.opens ? goes(step, cause) : stays(step, cause, pending);
  return `${deed}; ${moves}${missed ? `, but line ${after.line + 1} is to be done` : ""}.`;
}

/** How the episode ended. */
export function lastSentence({ state, decision, after }) {
  if (after.status === SUCCEEDED) return `Success: the whole instruction is carried out after ${after.time} time steps.`;
  const told = why(state, decision, after);
  return told.startsWith(after.status) ? `${capital(told)}.` : `${capital(after.status)}: ${told}.`;
}

function deedOf({ command, primitive }) {
  const told = COMMANDS[command], does = PRIMITIVES[primitive];
  if (primitive === STAYS) return `told to ${told}, the worker stays`;
  return primitive < STAYS ? `the worker ${does} to ${told}` : `the worker ${does} ${told.split(" ")[1]}`;
}

/** What moves the pointer, or what its line still waits for. */
function reasonOf({ state, pointer, after }) {
  const line = after.program.lines[pointer];
  if (line[0] === IF || line[0] === WHILE) return { cause: `the condition is ${holds(line, countsOf(after.cells))}` };
  if (line[0] !== SUBTASK || pointer !== state.line) return {};
  const [verb, noun] = wordsOf(line);
  if (after.completed && after.status !== FAILED) return { cause: `the ${noun} is ${DONE[verb]}` };
  return { pending: `the ${noun} is not ${DONE[verb]} yet` };
}

function stays({ pointer }, cause, pending) {
  if (cause) return `${cause}, and the pointer stays at line ${pointer + 1}`;
  return `the pointer waits at line ${pointer + 1}${pending && `: ${pending}`}`;
}

/** Where the pointer goes, and how sure it was of that. */
function goes({ pointer, decision: { target, targets } }, cause) {
  const distance = target - pointer, far = distance > 0 ? "jumps to" : "goes back to";
  const way = { 0: "stays at", 1: "goes on to" }[distance] || far;
  const moved = `the pointer ${way} line ${target + 1}, ${(100 * Math.exp(targets[target])).toFixed(0)} % sure`;
  return cause ? `${cause} → ${moved}` : moved;
}
