// What is said about an episode. As envs/minecraft/render/words.py and unlike.py.

import { depthsOf } from "./blocks.js";
import { wordsOf } from "./parser.js";
import { countsOf, holds, walk } from "./program.js";
import { IF, RESOURCES, SELLS, THINGS, WHILE } from "./symbols.js";
import { FAILED, OUT_OF_TIME } from "./world.js";

const lineText = ({ program, line }) => wordsOf(program.lines[line]).join(" ");

/** What each `if` and `while` on the way from a line to the next subtask turns out to be. @returns {string[]} */
export function conditions({ program, cells }, start) {
  const counts = countsOf(cells);
  return walk(program, start, counts).met
    .filter((at) => [IF, WHILE].includes(program.lines[at][0]))
    .map((at) => `line ${at + 1}, ${wordsOf(program.lines[at]).join(" ")}: ${holds(program.lines[at], counts) ? "yes" : "no"}`);
}

/** What happened in a step besides its answer. @param {import("./episode.js").Step} step @returns {string[]} */
export function news({ state, decision, after }) {
  return [...(after.completed ? conditions(after, state.line + 1) : []), why(state, decision, after)].filter(Boolean);
}

/** Why the episode ended without success: what was done, and what was due. */
function why(state, { command, primitive }, after) {
  if (after.status === OUT_OF_TIME) return `out of time: line ${after.line + 1}, ${lineText(after)}, was still to be done`;
  if (after.status !== FAILED) return "";
  if (after.completed) return "the program goes round and never comes to another subtask";
  const sold = THINGS[RESOURCES[command % RESOURCES.length]], mined = THINGS[state.cells[state.worker]];
  return `${primitive === SELLS ? `sold ${sold}` : `mined ${mined}`}, but line ${state.line + 1}, ${lineText(state)}, was to be done`;
}

/**
 * What an instruction has that training levels did not.
 * @param {import("./parser.js").Program} program
 * @param {{longest: number, max_depth: number, conditions: string[]}} training
 * @returns {string} nothing where all has been seen
 */
export function unlikeTraining({ lines }, { longest, max_depth, conditions: known }) {
  const depths = depthsOf(lines);
  const openers = [...lines.keys()].filter((at) => [IF, WHILE].includes(lines[at][0]));
  const deepest = Math.max(0, ...openers.map((at) => depths[at] + 1));
  const asked = openers.map((at) => wordsOf(lines[at]).slice(1).join(" "));
  const found = [
    ...(lines.length > longest ? [`${lines.length} lines (at most ${longest} there)`] : []),
    ...(deepest > max_depth ? [`blocks ${deepest} deep (at most ${max_depth} there)`] : []),
    ...new Set(asked.filter((condition) => !known.includes(condition))),
  ];
  return found.length ? `unlike training: ${found.join(", ")}` : "";
}
