// The page: what is typed and drawn, and the episode that is played with it. Nothing leaves the browser.

import { Agent } from "./agent.js";
import { play } from "./episode.js";
import { EXAMPLES } from "./examples.js";
import { readTensors } from "./layers.js";
import { drawMap, findMap, readMap, whyNot } from "./maps.js";
import { parse } from "./parser.js";
import { loadTiles, painter } from "./picture.js";
import { record } from "./record.js";
import { LETTERS, NOTHING, THINGS, WORKER } from "./symbols.js";
import { unlikeTraining } from "./words.js";

const MOST_LINES = 400;
const at = (id) => document.getElementById(id);
const { name, training, tiles, levels, weights } = JSON.parse(at("site").textContent);
const agent = new Agent(readTensors(Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0)).buffer));
const editor = new Editor(at("text"), at("gutter"), at("bubble"), at("complaint"));
const map = new MapEditor(at("palette"), at("map"));
map.open([
  ...[...LETTERS].map((letter, thing) => ({ letter, name: THINGS[thing], picture: tiles[thing][0] })),
  { letter: WORKER, name: "worker", picture: tiles[NOTHING][1] },
]);
let paint = null;

/** The program that is typed; null where there is a mistake, which is shown. */
function typed() {
  try {
    const program = parse(at("text").value, MOST_LINES);
    editor.complain(null);
    return program;
  } catch (error) {
    editor.complain({ error: error.message, line: error.line, column: error.column });
    return null;
  }
}

function run() {
  const program = typed();
  if (!program) return;
  const level = readMap(map.text()), wrong = whyNot(program, level);
  if (wrong) return editor.complain({ error: `${wrong} Choose Random map, or draw another.` });
  const told = record(name, play(agent, program, level.cells, level.worker), paint);
  told.frames[0].news.unshift(...[unlikeTraining(program, training)].filter(Boolean));
  showEpisodes(at("stage"), [told]);
  const link = new URLSearchParams({ program: at("text").value, map: map.text() });
  history.replaceState(null, "", `#${link}`);
  const [form, stage] = [at("form"), at("stage")].map((node) => node.getBoundingClientRect());
  if (stage.left < form.right) at("stage").scrollIntoView(); // on a phone they are not side by side
}

function anotherMap() {
  const program = typed();
  if (!program) return;
  const found = findMap(program);
  if (!found) return editor.complain({ error: "No random map was found on which this can be carried out. Draw one, or change the program." });
  map.read(drawMap(found));
  run();
}

/** @param {{instruction: string, map: string}} level */
function open(level) {
  at("text").value = level.instruction;
  editor.number();
  map.read(level.map);
  run();
}

function choices() {
  const option = (title, level) => Object.assign(make("option", {}, title), { level });
  const group = (label, options) => make("optgroup", { label }, ...options);
  const kinds = [...new Set(levels.map((level) => level.kind))].map((kind) => levels.filter((level) => level.kind === kind));
  at("example").replaceChildren(
    group("examples", EXAMPLES.map((example) => option(example.title, example))),
    ...kinds.map((some) => group(`random levels, ${some[0].kind}`, some.map((level, number) => option(`${level.kind}, ${number + 1}`, level)))));
}

/** What a link says, or else the first example. */
function first() {
  const link = new URLSearchParams(location.hash.slice(1));
  return link.has("program") && readMap(link.get("map") || "") ? { instruction: link.get("program"), map: link.get("map") } : EXAMPLES[0];
}

at("text").addEventListener("input", typed);
at("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
at("random").addEventListener("click", anotherMap);
at("example").addEventListener("change", ({ target: { selectedOptions: [{ level }] } }) => open(level));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
});

choices();
paint = painter(await loadTiles(tiles));
open(first());
scrollTo(0, 0);
