"use strict";
// The form: what is chosen, what is asked of the server, and what it answers.

const at = (id) => document.getElementById(id);
const editor = new Editor(at("text"), at("gutter"), at("bubble"), at("complaint"));
const map = new MapEditor(at("palette"), at("map"));
const tour = new Tour(at("card"));
let domains = [], examples = [], domain = "";
let typed = 0, turn = 0;
let link = {};

async function answered(request) {
  const answer = await request;
  const page = await answer.json();
  if (!answer.ok) throw page;
  return page;
}

function ask(path, body) {
  return answered(fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}

function options(select, names) {
  select.replaceChildren(...names.map(([value, text]) => make("option", { value }, text)));
}

function choose(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

// The form as plain data, for links and reloads.
function filled() {
  return {
    domain, agent: at("agent").value, other: at("other").value, seed: at("seed").value, greedy: at("greedy").checked ? "1" : "",
    map: at("world").value === "drawn" ? map.text() : "", program: at("text").value,
  };
}

function fill(form) {
  choose(at("domain"), form.domain);
  chooseDomain();
  choose(at("agent"), form.agent);
  choose(at("other"), form.other || "");
  at("seed").value = form.seed || 0;
  at("greedy").checked = Boolean(form.greedy);
  at("world").value = form.map ? "drawn" : "random";
  at("drawing").hidden = !form.map;
  if (form.map) map.read(form.map);
  write(form.program);
}

function write(program) {
  at("text").value = program || "";
  editor.number();
  editor.complain(null);
}

function keep() {
  const form = filled();
  remember({ form, programs: { ...recall().programs, [domain]: form.program } });
}

function chooseDomain() {
  const chosen = domains.find((found) => found.name === at("domain").value) || domains[0];
  domain = chosen.name;
  const agents = chosen.agents.map((name) => [name, name]);
  options(at("agent"), agents);
  options(at("other"), [["", "nobody"], ...agents]);
  write((recall().programs || {})[domain] || chosen.example);
  at("run").disabled = !agents.length;
  if (!agents.length) editor.complain({ error: `No trained agent of ${domain} comes with this version; start with --agent DIR to add your own.` });
  openMap(domain);
}

const START_MAP = START + EMPTY.repeat(SIDE ** 2 - 1);
const tilesOf = {};

// Tiles are drawn by the server, which takes a moment: letters are there at once.
async function openMap(name) {
  map.open([]);
  map.read(START_MAP);
  tilesOf[name] ||= answered(fetch(`/api/tiles/${encodeURIComponent(name)}`));
  const { tiles } = await tilesOf[name].catch(() => ({ tiles: [] }));
  if (name !== domain) return;
  map.open(tiles);
  at("world").options[1].disabled = !tiles.length;
}

async function check() {
  const asked = ++typed;
  try {
    await ask("/api/check", { domain, instruction: at("text").value });
    if (asked === typed) editor.complain(null);
  } catch (error) {
    if (asked === typed) editor.complain(error.error ? error : { error: "The server does not answer." });
  }
}

async function busy(what, work) {
  const start = Date.now(), mine = ++turn;
  const seconds = make("span", { "aria-hidden": "true" });
  const clock = setInterval(() => { seconds.textContent = ` ${Math.round((Date.now() - start) / 1000)} s`; }, 250);
  at("progress").replaceChildren(what, seconds);
  at("run").disabled = at("draw").disabled = true;
  at("stage").setAttribute("aria-busy", "true");
  try {
    await work(mine);
    editor.complain(null);
  } catch (error) {
    editor.complain(error.error ? error : { error: "The server does not answer." });
  } finally {
    clearInterval(clock);
    at("progress").replaceChildren();
    at("run").disabled = at("draw").disabled = false;
    at("stage").removeAttribute("aria-busy");
  }
}

function show(records, things, step, extra = []) {
  link = things;
  showEpisodes(at("stage"), records, extra);
  shown.go(Number(step) || 0);
}

function run(step) {
  const agents = [at("agent").value, at("other").value].filter((name) => name);
  return busy(`Playing ${agents.join(" and ")}; the first time takes longest …`, async (mine) => {
    const form = filled();
    const level = { domain: form.domain, instruction: form.program, seed: Number(form.seed) || 0, greedy: Boolean(form.greedy), map: form.map };
    const records = await Promise.all(agents.map((agent) => ask("/api/episode", { ...level, agent })));
    if (mine !== turn) return;
    const save = make("a", { id: "export", href: `/api/export/${records.map((record) => record.number).join("+")}`, download: "episode.html" }, "Save as HTML");
    show(records, form, step, [save]);
    const { top } = at("stage").getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) at("stage").scrollIntoView({ block: "start" });
  });
}

async function openExample(name, step) {
  const mine = ++turn;
  const { episodes } = await answered(fetch(`/api/example/${encodeURIComponent(name)}`));
  if (mine === turn) show(episodes, { example: name }, step);
}

function fillFrom(example) {
  fill({ ...example, agent: example.agents[0], greedy: "1", program: example.instruction });
  at("example").value = example.name;
}

function play() {
  if (shown && !shown.timer && !matchMedia("(prefers-reduced-motion: reduce)").matches) shown.toggle();
}

function draw() {
  return busy("Making a level …", async () => {
    const level = await ask("/api/draw", { domain, length: Number(at("length").value) || 8, seed: Number(at("seed").value) || 0 });
    write(level.instruction);
    map.read(level.map);
    at("world").value = "drawn";
    at("drawing").hidden = false;
    keep();
  });
}

async function start() {
  const choices = await answered(fetch("/api/choices"));
  [domains, examples] = [choices.domains, choices.examples];
  options(at("domain"), domains.map((found) => [found.name, found.name]));
  options(at("example"), [["", "your own"], ...examples.map((example) => [example.name, example.title])]);
  await restore();
  if (!recall().toured && shown) tour.show(0);
}

async function restore() {
  const found = readLink(), kept = recall().form;
  const example = examples.find((one) => one.name === found.example);
  if (found.program) {
    fill(found);
    return run(found.step);
  }
  if (!example && kept) fill(kept);
  else fillFrom(example || examples[0]);
  await openExample((example || examples[0]).name, found.step);
  if (!found.step) play();
}

// Whoever changes an example makes it their own.
function own() {
  at("example").value = "";
  if (!Object.keys(link).length) return;
  link = {};
  writeLink(link);
}

let waiting = null, linking = null;
at("text").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(check, 250);
  own();
});
for (const event of ["input", "change"]) at("form").addEventListener(event, keep);
at("map").addEventListener("input", own);
at("domain").addEventListener("change", () => { at("example").value = ""; chooseDomain(); });
at("example").addEventListener("change", async () => {
  const example = examples.find((one) => one.name === at("example").value);
  if (!example) return;
  fillFrom(example);
  keep();
  await openExample(example.name);
  play();
});
at("world").addEventListener("change", () => { at("drawing").hidden = at("world").value !== "drawn"; });
at("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
at("draw").addEventListener("click", draw);
at("tour").addEventListener("click", () => tour.show(0));
at("stage").addEventListener("step", (event) => {
  clearTimeout(linking);
  // Browsers allow an address to change only so often.
  linking = setTimeout(() => { if (link.example || link.program) writeLink({ ...link, step: event.detail || "" }); }, 300);
});
addEventListener("hashchange", restore);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!at("run").disabled) run(); }
});

start().catch(() => { at("stage").replaceChildren(make("p", { id: "hint" }, "The server does not answer.")); });
