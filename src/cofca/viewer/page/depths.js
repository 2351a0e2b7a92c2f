"use strict";
// How deep first returns take every line to be: L, a curve along the program, and where the search from the pointer ends.

const DEPTH_ROOM = 58, DEPTH_STEP = 14;

/** The return that counts most where the gate opens. The columns of P are the next line, all returns ahead, all behind. */
function usedReturn({ depths, frames }) {
  const weight = (frame, at) => (frame.weights ? frame.weights[1 + at] + frame.weights[1 + depths.length + at] : 0);
  const used = depths.map((_, at) => frames.reduce((sum, frame) => sum + (frame.gate || 0) * weight(frame, at), 0));
  return used.indexOf(Math.max(...used));
}

function drawn(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

class Depths {
  constructor(record) {
    this.number = usedReturn(record);
    this.returns = record.depths.length;
    this.L = record.depths[this.number];
    const least = Math.min(...this.L), most = Math.max(...this.L, least + 1);
    const step = Math.min(DEPTH_STEP, DEPTH_ROOM / (most - least + 0.5));
    this.x = (depth) => 8 + step * (depth - least);
    this.head = make("th", { scope: "col", class: "depth" }, "L");
    this.curve = drawn("svg", { class: "depths", "aria-hidden": "true" });
  }

  cell(line) {
    return make("td", { class: "depth" }, String(Number(this.L[line].toFixed(2))));
  }

  /** The line where a column of P most likely lands. */
  landing(frame, column) {
    const pairs = (frame.columns || [])[column] || [];
    return pairs.length ? pairs.reduce((best, pair) => (pair[1] > best[1] ? pair : best))[0] : null;
  }

  /** @param {(line: number) => number} middle of a line's row, from the top */
  show(frame, middle) {
    const { pointer } = frame, ahead = this.landing(frame, 1 + this.number), behind = this.landing(frame, 1 + this.returns + this.number);
    const dot = (line, r, kind) => drawn("circle", { cx: this.x(this.L[line]), cy: middle(line), r, class: kind });
    // Ahead the pointer lands behind the line that ends the search.
    const ends = [[ahead === null || ahead <= pointer ? null : ahead - 1, 1, "ahead"], [behind === null || behind >= pointer ? null : behind, -1, "behind"]];
    const limit = this.x(this.L[pointer] + 0.5);
    this.curve.style.left = `${this.head.offsetLeft}px`;
    this.curve.style.height = `${middle(this.L.length - 1) + 12}px`;
    this.curve.replaceChildren(
      drawn("path", { d: `M ${limit} ${middle(0) - 10} V ${middle(this.L.length - 1) + 10}`, class: "limit" }),
      drawn("path", { d: `M ${this.L.map((depth, line) => `${this.x(depth)} ${middle(line)}`).join(" L ")}`, class: "curve" }),
      ...this.L.map((_, line) => dot(line, 2.5, "line")),
      dot(pointer, 5, "pointer"),
      ...ends.filter(([line]) => line !== null).map(([line, way, kind]) =>
        drawn("path", { d: `M ${this.x(this.L[line]) + 6} ${middle(line) - 4 * way} h 9 l -4.5 ${8 * way} z`, class: kind })));
  }
}
