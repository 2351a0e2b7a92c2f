// Maps: as text, and random ones in which an instruction can be carried out. As levels/own.py, population.py and spawn.py.

import { oracle } from "./episode.js";
import { wordsOf } from "./parser.js";
import { firstMove } from "./planner.js";
import { countsOf, walk } from "./program.js";
import { COUNTED, LETTERS, NOTHING, SIZE, STAYS, WALL, WATER, WOOD, WORKER } from "./symbols.js";
import { FAILED, OUT_OF_TIME, SUCCEEDED } from "./world.js";

const PATIENCE = 2000; // milliseconds
const MOST_OBJECTS_WITH_WATER = 30;

/** @typedef {{cells: number[], worker: number}} Level */

/** @param {string} drawing letters, row by row @returns {Level | null} nothing where it is no map */
export function readMap(drawing) {
  const letters = [...drawing.replace(/\s/g, "")];
  if (letters.length !== SIZE ** 2 || letters.filter((letter) => letter === WORKER).length !== 1) return null;
  return { cells: letters.map((letter) => Math.max(LETTERS.indexOf(letter), NOTHING)), worker: letters.indexOf(WORKER) };
}

/** @param {Level} level */
export function drawMap({ cells, worker }) {
  const letters = cells.map((thing, at) => (at === worker ? WORKER : LETTERS[thing]));
  return Array.from({ length: SIZE }, (_, row) => letters.slice(row * SIZE, (row + 1) * SIZE).join("")).join("\n");
}

/** Why an instruction can't be carried out on a map; nothing if it can. */
export function whyNot(program, { cells, worker }) {
  const end = oracle(program, cells, worker);
  if (end.status === SUCCEEDED) return "";
  if (end.status === FAILED) return "On this map the program goes round and never comes to another subtask.";
  const line = `line ${end.line + 1}, ${wordsOf(program.lines[end.line]).join(" ")}`;
  return end.status === OUT_OF_TIME ? `On this map it is still at ${line}, after ${end.time} steps.` : `On this map ${line}, can't be done.`;
}

/** A random map on which a program can be carried out; null if none is found in time. @returns {Level | null} */
export function findMap(program, random = Math.random) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const level = randomMap(random);
    const first = walk(program, 0, countsOf(level.cells));
    const idle = first.endless || first.line >= program.lines.length;
    if (!idle && !whyNot(program, level)) return level;
  }
  return null;
}

/** Things on random cells, perhaps water across the map, and walls where both row and column are even. @returns {Level} */
export function randomMap(random) {
  const below = (limit) => Math.floor(random() * limit);
  const number = below(SIZE ** 2), across = below(2 * SIZE);
  const wet = (at) => (across < SIZE ? Math.floor(at / SIZE) === across : at % SIZE === across - SIZE);
  const all = Array.from({ length: SIZE ** 2 }, (_, at) => at);
  const shuffled = all.map((at) => [random() + (wet(at) ? 1 : 0), at]).sort(([one], [other]) => one - other).map(([, at]) => at);
  const cells = Array(SIZE ** 2).fill(NOTHING), worker = shuffled[number];
  for (const at of shuffled.slice(0, number)) cells[at] = COUNTED[below(COUNTED.length)];

  const watered = cells.map((thing, at) => (wet(at) ? WATER : thing));
  const hasWater = number + 1 + SIZE <= SIZE ** 2 && number <= MOST_OBJECTS_WITH_WATER
    && firstMove(watered, worker, WOOD, (cell) => cell !== WATER) !== STAYS;
  const walled = (at) => Math.floor(at / SIZE) % 2 === 0 && (at % SIZE) % 2 === 0 && at !== worker;
  return { worker, cells: (hasWater ? watered : cells).map((thing, at) => (thing === NOTHING && walled(at) ? WALL : thing)) };
}
