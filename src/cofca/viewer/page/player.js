"use strict";
// Shows recorded episodes: one, or two side by side, moved through time together. Everything is put in as text, never
// as markup.

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function percent(share) {
  return share >= 0.995 ? "100%" : share > 0 && share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}

class Player {
  constructor(record) {
    this.record = record;
    this.columns = Math.max(...record.frames.map((frame) => (frame.columns || []).length));
    this.image = make("img", { alt: "" });
    this.status = make("span", { class: "status" });
    this.facts = make("dl", { class: "facts" });
    this.choices = make("div", { class: "choices" });
    this.news = make("p", { class: "news" });
    this.heads = [];
    this.rows = record.lines.map((text, number) => this.row(text, number));
    this.root = make("article", { class: "player" },
      make("h2", {}, make("span", {}, record.agent), this.status),
      make("div", { class: "world" }, this.image, make("div", {}, this.facts, this.choices)),
      this.news,
      make("div", { class: "scroll" }, make("table", { class: "lines" },
        make("thead", {}, this.head()), make("tbody", {}, ...this.rows.map((row) => row.node)))),
      make("p", { class: "legend" },
        make("span", { class: "here" }, "●"), " the agent's pointer  ",
        make("span", { class: "there" }, "▸"), " the line that is to be done, which the agent is not told.  P: where each column would move the pointer; φ: how much it counts."),
    );
  }

  head() {
    const titles = [...Array(this.columns).keys()].map((number) => `P${number + 1}`);
    this.heads = [...(this.columns > 1 ? titles : []), "P φ"].map((title) => make("th", { scope: "col" }, title));
    return make("tr", {}, make("th"), make("th"), make("th"), make("th", { scope: "col" }, "instruction"), ...this.heads);
  }

  row(text, number) {
    const bars = [...Array((this.columns > 1 ? this.columns : 0) + 1).keys()].map(() => make("i"));
    const cells = bars.map((bar, at) => make("td", { class: at === bars.length - 1 ? "bar mixture" : "bar" }, bar));
    const pointer = make("td", { class: "mark" }), current = make("td", { class: "mark true" });
    const node = make("tr", {}, pointer, current, make("td", { class: "number" }, String(number + 1)),
      make("td", { class: "text" }, text), ...cells);
    return { node, pointer, current, bars, cells };
  }

  get last() { return this.record.frames.length - 1; }

  show(time) {
    const frame = this.record.frames[Math.min(time, this.last)];
    this.image.src = this.record.pictures[frame.picture];
    this.image.alt = `The map at step ${frame.time}`;
    this.status.textContent = frame.status;
    this.status.dataset.status = frame.status;
    this.news.textContent = frame.news.join("; ");
    this.showFacts(frame);
    this.showChoices(frame);
    this.showLines(frame);
  }

  showFacts(frame) {
    const opened = frame.target !== null && frame.target !== undefined;
    const facts = {
      step: `${frame.time} of at most ${frame.time_limit}`, ...frame.facts,
      commands: frame.action || "-", answer: frame.response || "-",
      gate: frame.gate === undefined ? "-" : `${percent(frame.gate)}, ${opened ? `opens to line ${frame.target + 1}` : "stays shut"}`,
      value: frame.value === undefined ? "-" : frame.value.toFixed(2),
    };
    this.facts.replaceChildren(...Object.entries(facts).flatMap(([name, text]) => [make("dt", {}, name), make("dd", { title: text }, text)]));
  }

  showChoices(frame) {
    this.choices.replaceChildren(...(frame.actions || []).flatMap(([name, share]) => {
      const bar = make("i");
      bar.style.width = `${100 * share}%`;
      return [make("span", {}, name), make("span", {}, bar), make("span", {}, percent(share))];
    }));
  }

  showLines(frame) {
    const several = this.columns > 1 ? frame.columns || [] : [];
    const shares = [...several, frame.targets || []].map((pairs) => new Map(pairs));
    this.heads.forEach((head, at) => {
      const weight = (frame.weights || [])[at];
      head.textContent = at === this.heads.length - 1 ? "P φ" : `P${at + 1}\nφ ${weight === undefined ? "-" : percent(weight)}`;
    });
    this.rows.forEach((row, line) => {
      row.pointer.textContent = line === frame.pointer ? "●" : "";
      row.current.textContent = line === frame.current ? "▸" : "";
      row.node.classList.toggle("pointed", line === frame.pointer);
      row.node.classList.toggle("target", line === frame.target && line !== frame.pointer);
      row.bars.forEach((bar, at) => {
        const share = shares[at] ? shares[at].get(line) || 0 : 0;
        bar.style.width = `${100 * share}%`;
        row.cells[at].title = share ? percent(share) : "";
      });
    });
  }
}

class Episodes {
  // Players with one set of controls.
  constructor(root, records, extra = []) {
    this.players = records.map((record) => new Player(record));
    this.last = Math.max(...this.players.map((player) => player.last));
    this.timer = null;
    this.slider = make("input", { type: "range", min: 0, max: this.last, value: 0, step: 1, "aria-label": "Step of the episode" });
    this.button = make("button", { type: "button", id: "play" }, "Play");
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
      this.slider, this.label, ...extra);
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value), false); });
    root.replaceChildren(this.controls, make("div", { class: "players" }, ...this.players.map((player) => player.root)));
    this.go(0);
  }

  go(time, stop = true) {
    if (stop && this.timer && time !== this.time + 1) this.stop();
    this.time = Math.max(0, Math.min(time, this.last));
    this.slider.value = this.time;
    this.label.textContent = `${this.time} / ${this.last}`;
    for (const player of this.players) player.show(this.time);
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
  // Keys belong to whatever is being edited or pressed; otherwise they move through time.
  if (!shown || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("textarea, select, input, button")) return;
  if (shown.key(event)) event.preventDefault();
});
