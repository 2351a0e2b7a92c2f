// An episode, step by step: the agent commands, the planner answers, the world goes on.

import { planner } from "./planner.js";
import { RESOURCES, STAYS } from "./symbols.js";
import { RUNNING, advance, start } from "./world.js";

/**
 * @typedef {Object} Step
 * @property {import("./world.js").State} state before it
 * @property {number} pointer before it
 * @property {import("./agent.js").Decision} decision
 * @property {import("./world.js").State} after
 * @property {number} pointerAfter
 */

/** Let an agent play a level to its end. @returns {Step[]} */
export function play(agent, program, cells, worker) {
  const steps = [];
  let state = start(program, cells, worker), pointer = 0;
  do {
    const now = state;
    const decision = agent.decide(now, pointer, (command) => planner(now, command));
    const after = advance(now, decision.command, decision.primitive);
    const pointerAfter = decision.opens ? decision.target : pointer;
    steps.push({ state: now, pointer, decision, after, pointerAfter });
    [state, pointer] = [after, pointerAfter];
  } while (state.status === RUNNING);
  return steps;
}

/** How far it goes when the line to do is always commanded. As envs/minecraft/oracle.py. @returns {import("./world.js").State} */
export function oracle(program, cells, worker) {
  let state = start(program, cells, worker);
  while (state.status === RUNNING) {
    const [, verb, noun] = program.lines[state.line] || [0, 1, 1];
    const command = (verb - 1) * RESOURCES.length + noun - 1;
    const primitive = planner(state, command);
    if (primitive === STAYS && state.line < program.lines.length) break; // it would stay for ever
    state = advance(state, command, primitive);
  }
  return state;
}
