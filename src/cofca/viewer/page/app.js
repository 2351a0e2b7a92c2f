"use strict";
// The form: what is chosen, what is asked of the server, and what it answers.

const at = (id) => document.getElementById(id);
const editor = new Editor(at("text"), at("gutter"), at("bubble"), at("complaint"));
const map = new MapEditor(at("palette"), at("map"));
let domains = [];
let typed = 0;

async function ask(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const page = await answer.json();
  if (!answer.ok) throw page;
  return page;
}

function options(select, names) {
  select.replaceChildren(...names.map(([value, text]) => make("option", { value }, text)));
}

function chooseDomain() {
  const chosen = domains.find((domain) => domain.name === at("domain").value);
  const agents = chosen.agents.map((name) => [name, name]);
  options(at("agent"), agents);
  options(at("other"), [["", "nobody"], ...agents]);
  at("text").value = chosen.example;
  at("run").disabled = !agents.length;
  editor.number();
  editor.complain(agents.length ? null : { error: `No trained agent of ${chosen.name} comes with this version; start with --agent DIR to add your own.` });
  map.open(chosen.name);
}

async function check() {
  const turn = ++typed;
  try {
    await ask("/api/check", { domain: at("domain").value, instruction: at("text").value });
    if (turn === typed) editor.complain(null);
  } catch (error) {
    if (turn === typed) editor.complain(error.error ? error : { error: "The server does not answer." });
  }
}

async function busy(work) {
  at("run").disabled = at("draw").disabled = true;
  at("stage").setAttribute("aria-busy", "true");
  try {
    await work();
    editor.complain(null);
  } catch (error) {
    editor.complain(error.error ? error : { error: "The server does not answer." });
  } finally {
    at("run").disabled = at("draw").disabled = false;
    at("stage").removeAttribute("aria-busy");
  }
}

function run() {
  return busy(async () => {
    editor.complaint.textContent = "Playing …";
    const level = {
      domain: at("domain").value, instruction: at("text").value, seed: Number(at("seed").value) || 0,
      greedy: at("greedy").checked, map: at("world").value === "drawn" ? map.text() : "",
    };
    const agents = [at("agent").value, at("other").value].filter((name) => name);
    const records = await Promise.all(agents.map((agent) => ask("/api/episode", { ...level, agent })));
    const link = make("a", { id: "export", href: `/api/export/${records.map((record) => record.number).join("+")}`, download: "episode.html" }, "Save as HTML");
    showEpisodes(at("stage"), records, [link]);
  });
}

function draw() {
  return busy(async () => {
    editor.complaint.textContent = "Making a level …";
    const wish = { domain: at("domain").value, length: Number(at("length").value) || 8, seed: Number(at("seed").value) || 0 };
    const level = await ask("/api/draw", wish);
    at("text").value = level.instruction;
    editor.number();
    map.read(level.map);
    at("world").value = "drawn";
    at("drawing").hidden = false;
  });
}

let waiting = null;
at("text").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(check, 250); });
at("domain").addEventListener("change", chooseDomain);
at("world").addEventListener("change", () => { at("drawing").hidden = at("world").value !== "drawn"; });
at("form").addEventListener("submit", (event) => { event.preventDefault(); run(); });
at("draw").addEventListener("click", draw);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!at("run").disabled) run(); }
});

fetch("/api/choices").then((answer) => answer.json()).then((page) => {
  domains = page.domains;
  options(at("domain"), domains.map((domain) => [domain.name, domain.name]));
  chooseDomain();
});
