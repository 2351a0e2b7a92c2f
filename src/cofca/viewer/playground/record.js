// An episode as player.js shows it. As viewer/record.py.

import { depthsOf } from "./blocks.js";
import { logSoftmax, sigmoid } from "./layers.js";
import { wordsOf } from "./parser.js";
import { lastSentence, sentence } from "./sentences.js";
import { COMMANDS, PRIMITIVES, RESOURCES, SIZE, THINGS } from "./symbols.js";
import { conditions, news } from "./words.js";
import { timeLimit } from "./world.js";

const LIKELIEST = 6, LEAST = 0.0005;

/**
 * @param {string} agent who plays @param {import("./episode.js").Step[]} steps
 * @param {(state: import("./world.js").State) => string} picture of a state, as an address
 */
export function record(agent, steps, picture) {
  const states = [steps[0].state, ...steps.map(({ after }) => after)];
  const frames = states.map((state, at) => ({
    time: state.time, time_limit: timeLimit(state.program), status: state.status,
    current: state.line < state.program.lines.length ? state.line : null,
    picture: at, facts: { inventory: RESOURCES.map((thing) => `${THINGS[thing]} ${state.inventory[thing - 1]}`).join(", ") },
    place: [(state.worker % SIZE + 0.5) / SIZE, (Math.floor(state.worker / SIZE) + 0.5) / SIZE],
    pointer: at ? steps[at - 1].pointerAfter : 0,
    news: at ? news(steps[at - 1]) : conditions(state, 0),
    ...(at < steps.length ? decided(steps[at]) : { say: lastSentence(steps[at - 1]) }),
  }));
  const [{ state: { program }, decision: { depths } }] = steps;
  return { domain: "minecraft", agent, lines: listing(program), depths, frames, pictures: lazily(states, picture) };
}

/** What was decided, and what else might have been. @param {import("./episode.js").Step} step */
function decided(step) {
  const { command, primitive, logits, gate, opens, target, columns, weights, targets, value } = step.decision;
  const shares = logSoftmax(logits).map((share, at) => [COMMANDS[at], Math.exp(share)]);
  return {
    action: COMMANDS[command], response: PRIMITIVES[primitive], say: sentence(step),
    actions: shares.sort(([, one], [, other]) => other - one).slice(0, LIKELIEST),
    gate: sigmoid(gate), target: opens ? target : null, columns: columns.map(likely), weights: weights.map(Math.exp),
    targets: likely(targets), value,
  };
}

/** [line, probability], where there is any to speak of. @param {number[]} logs */
function likely(logs) {
  return logs.map((log, line) => [line, Math.exp(log)]).filter(([, share]) => share >= LEAST);
}

/** The lines with their indentation. */
export function listing({ lines }) {
  const depths = depthsOf(lines);
  return lines.map((line, at) => "    ".repeat(depths[at]) + wordsOf(line).join(" "));
}

/** Each picture is drawn when it is looked at: an episode may have thousands. */
function lazily(states, picture) {
  return new Proxy(states, { get: (all, at) => (at in all && /^\d+$/.test(String(at)) ? picture(all[at]) : all[at]) });
}
