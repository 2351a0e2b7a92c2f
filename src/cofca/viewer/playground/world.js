// The dynamics: what a primitive of the worker does to the world and to the program counter. As envs/minecraft/world.py.

import { countsOf, walk } from "./program.js";
import {
  INSPECT, INSPECTS, MERCHANT, MINE, MINES, MOVES, NOTHING, RESOURCES, SELL, SELLS, SIZE, STAYS, WALL, WATER, WOOD,
} from "./symbols.js";

const STEPS_PER_LINE = 30;
export const RUNNING = "running", SUCCEEDED = "success", FAILED = "failed", OUT_OF_TIME = "out of time";

/**
 * @typedef {Object} World
 * @property {number[]} cells what each cell holds, row by row
 * @property {number} worker the cell it stands on
 * @property {number[]} inventory iron, gold and wood held
 *
 * @typedef {Object} Progress
 * @property {import("./parser.js").Program} program
 * @property {number} line the hidden program counter: the current subtask, or the program's length when it is done
 * @property {boolean} completed whether the latest step completed a subtask
 * @property {number} time
 * @property {string} status
 *
 * @typedef {World & Progress} State
 */

/** @returns {number} time steps at which an episode is cut off */
export function timeLimit(program) {
  return STEPS_PER_LINE * program.lines.length;
}

/** The cell a move leads to; -1 beyond the edge. @param {number} cell @param {number} move */
export function neighbour(cell, move) {
  const row = Math.floor(cell / SIZE) + MOVES[move][0], column = (cell % SIZE) + MOVES[move][1];
  return row >= 0 && row < SIZE && column >= 0 && column < SIZE ? row * SIZE + column : -1;
}

/** The state at the start of an episode. @returns {State} */
export function start(program, cells, worker) {
  const first = walk(program, 0, countsOf(cells));
  const line = first.endless ? 0 : first.line;
  return { program, cells, worker, inventory: [0, 0, 0], line, completed: false, time: 0, status: first.endless ? FAILED : RUNNING };
}

/** The state one time step later. @param {State} state @returns {State} */
export function advance(state, command, primitive) {
  const { program, line } = state;
  const noun = RESOURCES[command % RESOURCES.length];
  const { event, ...world } = act(state, noun, primitive);
  const [, verb, wanted] = program.lines[line] || [0, 0, 0];
  const completed = event.verb > 0 && event.verb === verb && event.noun === wanted;
  const fetched = event.verb === MINE && (event.noun === WOOD || (verb === SELL && event.noun === wanted));
  const outOfOrder = (event.verb === MINE || event.verb === SELL) && !completed && !fetched;

  const path = completed ? walk(program, line + 1, countsOf(world.cells)) : { line, endless: false };
  const time = state.time + 1;
  let status = time >= timeLimit(program) ? OUT_OF_TIME : RUNNING;
  if (outOfOrder || path.endless) status = FAILED;
  // Also a program that was done at the start succeeds with the first step.
  if (!path.endless && path.line >= program.lines.length) status = SUCCEEDED;
  return { ...world, program, line: path.endless ? line : path.line, completed, time, status };
}

/** Carry out a primitive. @param {World} world @returns {World & {event: {verb: number, noun: number}}} */
function act({ cells, worker, inventory }, noun, primitive) {
  const here = cells[worker], onResource = RESOURCES.includes(here);
  if (primitive === MINES && onResource) {
    return { cells: emptied(cells, worker), worker, inventory: changed(inventory, here, 1), event: { verb: MINE, noun: here } };
  }
  if (primitive === SELLS && here === MERCHANT && inventory[noun - 1] > 0) {
    return { cells, worker, inventory: changed(inventory, noun, -1), event: { verb: SELL, noun } };
  }
  const event = { verb: primitive === INSPECTS && onResource ? INSPECT : 0, noun: here };
  const target = primitive < STAYS ? neighbour(worker, primitive) : -1;
  const wet = cells[target] === WATER;
  if (target < 0 || cells[target] === WALL || (wet && !inventory[WOOD - 1])) return { cells, worker, inventory, event };
  if (wet) return { cells: emptied(cells, target), worker: target, inventory: changed(inventory, WOOD, -1), event };
  return { cells, worker: target, inventory, event };
}

const emptied = (cells, at) => cells.with(at, NOTHING);
const changed = (inventory, thing, by) => inventory.with(thing - 1, inventory[thing - 1] + by);
