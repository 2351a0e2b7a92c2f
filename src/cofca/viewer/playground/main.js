// The page: what is typed and drawn, and the episode that is played with it. Nothing leaves the browser.

import { Agent } from "./agent.js";
import { play } from "./episode.js";
import { EXAMPLES } from "./examples.js";
import { readTensors } from "./layers.js";
import { MapEditor } from "./map_editor.js";
import { drawMap, findMap, readMap, whyNot } from "./maps.js";
import { parse } from "./parser.js";
import { loadTiles, painter } from "./picture.js";
import { record } from "./record.js";
import { unlikeTraining } from "./words.js";

const MOST_LINES = 400;
const at = (id) => document.getElementById(id);
const { name, training, tiles, levels, weights } = JSON.parse(at("site").textContent);
const agent = new Agent(readTensors(Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0)).buffer));
const editor = new Editor(at("text"), at("gutter"), at("bubble"), at("complaint"));
const map = new MapEditor(at("palette"), at("map"), tiles);
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
  const wrong = whyNot(program, map.level);
  if (wrong) return editor.complain({ error: `${wrong} Choose Random map, or draw another.` });
  const told = record(name, play(agent, program, map.level.cells, map.level.worker), paint);
  told.frames[0].news.unshift(...[unlikeTraining(program, training)].filter(Boolean));
  showEpisodes(at("stage"), [told]);
  const link = new URLSearchParams({ program: at("text").value, map: drawMap(map.level).replace(/\n/g, "/") });
  history.replaceState(null, "", `#${link}`);
}

function randomMap() {
  const program = typed();
  if (!program) return;
  const found = findMap(program);
  if (!found) return editor.complain({ error: "No random map was found on which this can be carried out." });
  map.show(found);
  run();
}

/** @param {string} text @param {string} [drawing] a random map without it */
function open(text, drawing) {
  at("text").value = text;
  editor.number();
  if (!drawing) return randomMap();
  map.show(readMap(drawing));
  run();
}

function choices() {
  const kinds = Map.groupBy(levels, (level) => level.kind);
  const option = ([text, chosen]) => Object.assign(make("option", {}, text), { chosen });
  const group = (label, pairs) => make("optgroup", { label }, ...pairs.map(option));
  const own = EXAMPLES.map(([title, instruction]) => [title, { instruction }]);
  const made = [...kinds].map(([kind, some]) => group(`levels: ${kind}`, some.map((level, number) => [`${kind}, ${number + 1}`, level])));
  at("example").replaceChildren(group("examples", own), ...made);
}

at("text").addEventListener("input", typed);
at("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
at("random").addEventListener("click", randomMap);
at("example").addEventListener("change", ({ target: { selectedOptions: [{ chosen }] } }) => open(chosen.instruction, chosen.map));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
});

choices();
paint = painter(await loadTiles(tiles));
const link = new URLSearchParams(location.hash.slice(1));
const [[, first]] = EXAMPLES;
open(link.get("program") || first, (link.get("map") || (link.has("program") ? "" : levels[0].map)).replaceAll("/", "\n"));
