"use strict";
// The instruction beside an episode: its words in colour, the pointer, arrows to where it may go, and the bars of P.

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function percent(share) {
  return share >= 0.995 ? "100%" : share > 0 && share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}

const ROLES = {
  keyword: /^(if|else|endif|while|endwhile)$/, verb: /^(mine|sell|inspect|Build)$/, train: /^Train$/,
  iron: /^iron$/, gold: /^gold$/, wood: /^wood$/, merchant: /^merchants?$/, plain: /^(more|than)$/,
};

function emblem(icons, text) {
  const name = text.split(" ").at(-1);
  return icons[name] ? [make("img", { class: "emblem", src: icons[name], alt: "" })] : [];
}

function spell(text) {
  return text.split(/(\s+)/).map((word) => {
    const role = Object.keys(ROLES).find((name) => ROLES[name].test(word));
    return role ? make("span", { class: `w-${role}` }, word) : word;
  });
}

// A name and no address: in an exported page none is to be found.
const SVG = ["http:", "", "www.w3.org", "2000", "svg"].join("/");
const MARGIN = 46, LEAST = 0.02;

function arrow(from, to, share, open) {
  const path = document.createElementNS(SVG, "path"), head = document.createElementNS(SVG, "path");
  const reach = Math.min(MARGIN - 6, 12 + Math.abs(to - from) / 5), width = 1 + 6 * share, tip = 4 + 0.8 * width;
  const back = MARGIN - reach;
  path.setAttribute("d", `M ${MARGIN} ${from} C ${back} ${from}, ${back} ${to}, ${MARGIN - tip} ${to}`);
  path.setAttribute("stroke-width", width);
  head.setAttribute("d", `M ${MARGIN} ${to} l ${-tip - 2} ${-tip / 1.4} v ${1.43 * tip} z`);
  for (const node of [path, head]) node.setAttribute("opacity", 0.25 + 0.75 * open);
  head.setAttribute("class", "head");
  return [path, head];
}

class Listing {
  constructor(record) {
    const columns = Math.max(...record.frames.map((frame) => (frame.columns || []).length));
    this.columns = columns;
    this.standings = record.standings;
    this.depths = record.depths ? new Depths(record) : null;
    this.icons = record.icons || {};
    this.bars = (columns > 1 ? columns : 0) + 1;
    this.heads = [...Array(this.bars).keys()].map(() => make("th", { scope: "col", class: "bar" }));
    this.rows = record.lines.map((text, number) => this.row(text, number));
    this.arrows = document.createElementNS(SVG, "svg");
    this.arrows.setAttribute("class", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    this.table = make("table", { class: "lines" },
      make("thead", {}, make("tr", {}, make("td", { class: "mark" }), make("td"), make("td"), make("th", { scope: "col", class: "text" }, "instruction"), ...this.deep((depths) => depths.head), ...this.heads)),
      make("tbody", {}, ...this.rows.map((row) => row.node)));
    this.root = make("div", { class: "program", tabindex: 0, role: "region", "aria-label": `Instruction for ${record.agent}` }, this.arrows, this.table,
      ...this.deep((depths) => depths.curve));
    this.root.classList.toggle("ticked", Boolean(this.standings));
  }

  deep(part) {
    return this.depths ? [part(this.depths)] : [];
  }

  row(text, number) {
    const bars = [...Array(this.bars).keys()].map(() => make("i"));
    const cells = bars.map((bar, at) => make("td", { class: at === 0 ? "bar mixture" : "bar" }, bar));
    const pointer = make("td", { class: "mark" }), current = make("td", { class: "mark true" });
    const node = make("tr", {}, pointer, current, make("td", { class: "number" }, String(number + 1)),
      make("td", { class: "text", title: text.trim() }, ...emblem(this.icons, text), ...spell(text)), ...this.deep((depths) => depths.cell(number)), ...cells);
    return { node, pointer, current, bars, cells };
  }

  show(frame) {
    const several = this.columns > 1 ? frame.columns || [] : [];
    const shares = [frame.targets || [], ...several].map((pairs) => new Map(pairs));
    this.heads.forEach((head, at) => {
      const weight = (frame.weights || [])[at - 1];
      head.textContent = at === 0 ? "P φ" : `P${at}\nφ ${weight === undefined ? "-" : percent(weight)}`;
    });
    const done = this.standings ? this.standings[frame.standing].done : [];
    this.rows.forEach((row, line) => {
      row.node.classList.toggle("done", Boolean(done[line]));
      row.pointer.textContent = line === frame.pointer ? "●" : "";
      row.current.textContent = line === frame.current ? "▸" : "";
      row.node.classList.toggle("pointed", line === frame.pointer);
      row.node.classList.toggle("due", line === frame.current);
      row.bars.forEach((bar, at) => {
        const share = shares[at] ? shares[at].get(line) || 0 : 0;
        bar.style.width = `${100 * share}%`;
        row.cells[at].title = share ? percent(share) : "";
      });
    });
    this.point(frame);
  }

  point(frame) {
    const middle = (line) => this.rows[line].node.offsetTop + this.rows[line].node.offsetHeight / 2;
    const likely = (frame.targets || []).filter(([line, share]) => line !== frame.pointer && share >= LEAST && this.rows[line]);
    this.arrows.replaceChildren(...likely.flatMap(([line, share]) => arrow(middle(frame.pointer), middle(line), share, frame.gate || 0)));
    if (this.depths) this.depths.show(frame, middle);
    this.arrows.style.height = `${this.table.offsetHeight}px`;
    const at = this.rows[frame.pointer] ? middle(frame.pointer) : 0, room = this.root.clientHeight;
    if (at < this.root.scrollTop + 60 || at > this.root.scrollTop + room - 60) this.root.scrollTop = at - room / 2;
  }
}
