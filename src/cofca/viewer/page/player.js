"use strict";
// Shows recorded episodes: one, or two side by side, moved through time together. Everything is put in as text, never
// as markup.

class Player {
  constructor(record) {
    this.record = record;
    this.listing = new Listing(record);
    this.scene = new Scene(record);
    this.tree = record.standings ? new Tree(record) : null;
    this.status = make("span", { class: "status" });
    this.say = make("p", { class: "say", tabindex: 0 });
    this.held = make("p", { class: "held", "aria-label": "inventory" });
    this.facts = make("dl", { class: "facts" });
    this.choices = make("div", { class: "choices" });
    this.news = make("p", { class: "news", tabindex: 0 });
    this.root = make("article", { class: "player" },
      make("h2", {}, make("span", {}, record.agent), this.status),
      this.say,
      make("div", { class: "world" },
        make("div", { class: "map-side" }, this.scene.root, this.held, this.facts, this.news),
        make("div", { class: "lines-side" }, this.listing.root, ...(this.tree ? [this.tree.root] : []))),
      make("div", { class: "reasons" }, make("h3", {}, "The likeliest actions"), this.choices));
  }

  get last() { return this.record.frames.length - 1; }

  show(time) {
    const at = Math.min(time, this.last), frame = this.record.frames[at];
    this.scene.show(at);
    this.status.textContent = frame.status;
    this.status.dataset.status = frame.status;
    this.say.textContent = frame.say || "";
    this.say.dataset.status = frame.status;
    this.news.textContent = frame.news.filter((text) => !this.say.textContent.includes(text)).join("; ");
    this.showFacts(frame);
    this.showChoices(frame);
    this.listing.show(frame);
    if (this.tree) this.tree.show(frame);
  }

  showFacts(frame) {
    const { inventory, ...others } = frame.facts || {};
    this.held.replaceChildren(...(inventory || "").split(", ").filter(Boolean).map(held));
    this.held.hidden = !inventory;
    const opened = frame.target !== null && frame.target !== undefined;
    const reasons = {
      gate: frame.gate === undefined ? "-" : `${percent(frame.gate)}, ${opened ? `opens to line ${frame.target + 1}` : "stays shut"}`,
      value: frame.value === undefined ? "-" : frame.value.toFixed(2),
    };
    const facts = { step: `${frame.time} of at most ${frame.time_limit}`, ...others, action: frame.action || "-", answer: frame.response || "-", ...reasons };
    this.facts.replaceChildren(...Object.entries(facts).flatMap(([name, text]) => {
      const kind = name in reasons ? "reason" : "";
      return [make("dt", { class: kind }, name), make("dd", { title: text, class: kind }, text)];
    }));
  }

  showChoices(frame) {
    this.choices.replaceChildren(...(frame.actions || []).flatMap(([name, share]) => {
      const bar = make("i");
      bar.style.width = `${100 * share}%`;
      return [make("span", {}, name), make("span", {}, bar), make("span", {}, percent(share))];
    }));
  }
}

const ICONS = {
  iron: [["#77869A", "M2 13 5 6 10 3 16 6 19 12 17 17 5 18z"], ["#D7E0EA", "M6 12 9 7 14 8 12 14z"]],
  gold: [["#C98A08", "M6 8 8 3 13 2 16 5 15 9z M1 17 3 11 8 11 10 14 9 18 3 19z M11 17 13 11 18 11 20 14 19 18 13 19z"], ["#FFE98A", "M8 6 10 4 13 4 12 7z M4 15 5 12 7 13z M14 15 15 12 17 13z"]],
  wood: [["#8A5A33", "M3 7 15 5 15 14 3 16z"], ["#F0CF9C", "M15 5 A3.5 4.5 0 1 1 15 14 A3.5 4.5 0 1 1 15 5z"]],
};

function held(text) {
  const [name, count] = text.split(" ");
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 21 21");
  icon.setAttribute("aria-hidden", "true");
  for (const [fill, d] of ICONS[name] || []) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("fill", fill);
    path.setAttribute("d", d);
    icon.append(path);
  }
  return make("span", { class: count === "0" ? "none" : "" }, icon, make("span", {}, name), make("b", {}, count));
}

const LEGEND = [
  ["● and blue", "the agent's pointer: the line it takes to be the one to do. Of the instruction it reads this line, and where P leads from it."],
  ["▸ and yellow", "the line that really is to be done. The agent is not told."],
  ["gate", "how likely the pointer moves after this step. Else it stays."],
  ["P", "each column is one way to choose another line, as a distribution over all lines. φ above it is how much it counts now."],
  ["P φ", "the columns weighed by φ: where the pointer goes if the gate opens. The arrows are the same: as thick as they are likely, and pale while the gate is shut."],
  ["value", "the reward the agent expects."],
];
const OF_RETURNS = ["L", "how many blocks are open at a line, as the agent counts them. The search from the pointer ends at the first line left of the dashes: ahead ▼, and the pointer lands behind it; behind ▲."];
let explained = false;

class Episodes {
  // Players with one set of controls.
  constructor(root, records, extra = []) {
    this.root = root;
    this.players = records.map((record) => new Player(record));
    this.last = Math.max(...this.players.map((player) => player.last));
    this.timer = null;
    this.slider = make("input", { type: "range", min: 0, max: this.last, value: 0, step: 1, "aria-label": "Step of the episode" });
    this.button = make("button", { type: "button", id: "play" }, "Play");
    this.why = make("button", { type: "button", id: "why", "aria-controls": "players" }, "Why?");
    this.label = make("output", {});
    const button = (id, text, label, action) => {
      const node = make("button", { type: "button", id, "aria-label": label, title: label }, text);
      node.addEventListener("click", action);
      return node;
    };
    this.controls = make("div", { class: "controls", role: "group", "aria-label": "Time" },
      button("first", "|◀", "First step (Home)", () => this.go(0)),
      button("back", "◀", "Step back (left)", () => this.go(this.time - 1)),
      this.button,
      button("forward", "▶", "Step forward (right)", () => this.go(this.time + 1)),
      button("end", "▶|", "Last step (End)", () => this.go(this.last)),
      this.slider, this.label, this.why, ...extra);
    const explanations = [...LEGEND, ...(records.some((record) => record.depths) ? [OF_RETURNS] : [])];
    this.legend = make("dl", { class: "legend" }, ...explanations.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
    this.box = make("div", { class: "players", id: "players" }, ...this.players.map((player) => player.root));
    this.button.addEventListener("click", () => this.toggle());
    this.why.addEventListener("click", () => this.explain(!explained));
    this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value), false); });
    root.replaceChildren(this.controls, this.legend, this.box);
    this.time = 0;
    this.explain(explained);
  }

  explain(open) {
    explained = open;
    this.why.setAttribute("aria-expanded", String(open));
    this.legend.hidden = !open;
    this.box.classList.toggle("why", open);
    this.go(this.time, false);
  }

  go(time, stop = true) {
    if (stop && this.timer && time !== this.time + 1) this.stop();
    this.time = Math.max(0, Math.min(time, this.last));
    this.slider.value = this.time;
    this.label.textContent = `${this.time} / ${this.last}`;
    for (const player of this.players) player.show(this.time);
    this.root.dispatchEvent(new CustomEvent("step", { detail: this.time }));
    if (this.time === this.last) this.stop();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.time === this.last) this.go(0);
    this.button.textContent = "Pause";
    this.timer = setInterval(() => this.go(this.time + 1), 450);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play";
  }

  key(event) {
    const moves = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in moves) this.go(this.time + moves[event.key]);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.last);
    else if (event.key === " ") this.toggle();
    else return false;
    return true;
  }
}

let shown = null;

function showEpisodes(root, records, extra) {
  if (shown) shown.stop();
  shown = new Episodes(root, records, extra);
}

document.addEventListener("keydown", (event) => {
  // Keys belong to whatever is being edited. A button of the episode only needs those that press it.
  if (!shown || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("textarea, select, input")) return;
  if (event.target.closest("button, a") && (event.key === " " || !event.target.closest("#stage"))) return;
  if (shown.key(event)) event.preventDefault();
});
