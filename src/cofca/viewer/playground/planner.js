// The exact worker: one primitive for a command, along shortest paths. As envs/minecraft/worker.py.

import {
  INSPECT, INSPECTS, MERCHANT, MINES, MOVES, RESOURCES, SELL, SELLS, STAYS, WALL, WATER, WOOD,
} from "./symbols.js";
import { neighbour } from "./world.js";

/** A bridge only where nothing else leads to the target. @param {import("./world.js").World} world @param {number} command */
export function planner({ cells, worker, inventory }, command) {
  const verb = Math.floor(command / RESOURCES.length) + 1, noun = RESOURCES[command % RESOURCES.length];
  const target = verb === SELL && inventory[noun - 1] > 0 ? MERCHANT : noun;
  const here = cells[worker], hasWood = inventory[WOOD - 1] > 0;
  if (here === target) return target === MERCHANT ? SELLS : verb === INSPECT ? INSPECTS : MINES;

  const dry = (cell) => cell !== WALL && cell !== WATER;
  const byLand = firstMove(cells, worker, target, dry);
  if (byLand !== STAYS) return byLand;
  const byBridge = firstMove(cells, worker, target, (cell) => cell !== WALL);
  if (byBridge === STAYS || hasWood) return byBridge;
  return here === WOOD ? MINES : firstMove(cells, worker, WOOD, dry);
}

/** The first of the eight moves that leads nearer to the nearest goal; `STAYS` if no way leads there. */
export function firstMove(cells, worker, goal, passable) {
  const distances = distancesTo(cells, goal, passable);
  const ways = MOVES.map((_, move) => distances[neighbour(worker, move)] ?? Infinity);
  const nearest = Math.min(...ways);
  return nearest === Infinity ? STAYS : ways.indexOf(nearest);
}

/** Moves from each cell to the nearest goal, breadth first. @returns {number[]} */
function distancesTo(cells, goal, passable) {
  const distances = cells.map((cell) => (cell === goal ? 0 : Infinity));
  const queue = [...cells.keys()].filter((at) => cells[at] === goal);
  for (const at of queue) {
    for (const move of MOVES.keys()) {
      const next = neighbour(at, move);
      if (next < 0 || distances[next] < Infinity || !passable(cells[next])) continue;
      distances[next] = distances[at] + 1;
      queue.push(next);
    }
  }
  return distances;
}
