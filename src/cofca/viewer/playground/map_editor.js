// The map that can be drawn: choose a tile, then click, drag or use the keyboard.

import { LETTERS, NOTHING, SIZE, THINGS, WORKER } from "./symbols.js";
import { drawMap, readMap } from "./maps.js";
import { neighbour } from "./world.js";

const NAMES = { ...Object.fromEntries([...LETTERS].map((letter, thing) => [letter, THINGS[thing]])), [WORKER]: "worker" };
const ARROWS = { ArrowUp: 0, ArrowRight: 2, ArrowDown: 4, ArrowLeft: 6 };

export class MapEditor {
  /** @param {HTMLElement} palette @param {HTMLElement} grid @param {[string, string][]} tiles as addresses */
  constructor(palette, grid, tiles) {
    Object.assign(this, { tiles, letter: LETTERS[1], level: readMap(WORKER + LETTERS[0].repeat(SIZE ** 2 - 1)) });
    this.choices = Object.keys(NAMES).map((letter) => this.choice(letter));
    this.cells = this.level.cells.map((_, at) => this.cell(at));
    palette.replaceChildren(...this.choices);
    grid.replaceChildren(...this.cells);
    grid.addEventListener("pointermove", (event) => this.drag(event));
    grid.addEventListener("keydown", (event) => this.move(event));
    this.choose(this.letter);
    this.show(this.level);
  }

  choice(letter) {
    const node = make("button", { type: "button", title: NAMES[letter], "aria-label": `draw ${NAMES[letter]}` }, this.image(letter));
    node.addEventListener("click", () => this.choose(letter));
    return node;
  }

  cell(at) {
    const node = make("button", { type: "button", tabindex: at ? -1 : 0 });
    node.addEventListener("pointerdown", (event) => {
      node.releasePointerCapture(event.pointerId); // a finger, too, goes on to other cells
      this.put(at);
    });
    node.addEventListener("click", (event) => { if (!event.detail) this.put(at); }); // by keyboard
    return node;
  }

  image(letter) {
    const thing = Math.max(LETTERS.indexOf(letter), NOTHING);
    return make("img", { src: this.tiles[thing][Number(letter === WORKER)], alt: "", draggable: "false" });
  }

  choose(letter) {
    this.letter = letter;
    Object.keys(NAMES).forEach((name, at) => this.choices[at].setAttribute("aria-pressed", String(name === letter)));
  }

  drag({ buttons, clientX, clientY }) {
    const over = document.elementFromPoint(clientX, clientY);
    const at = buttons ? this.cells.findIndex((cell) => cell.contains(over)) : -1;
    if (at >= 0) this.put(at);
  }

  move(event) {
    const from = this.cells.indexOf(document.activeElement);
    const to = event.key in ARROWS ? neighbour(from, ARROWS[event.key]) : -1;
    if (to < 0) return;
    event.preventDefault();
    this.cells.forEach((cell, at) => cell.setAttribute("tabindex", at === to ? 0 : -1));
    this.cells[to].focus();
  }

  /** Put the chosen tile there. There is one worker: it moves, and stands on nothing. */
  put(at) {
    const { cells, worker } = this.level;
    if (this.letter === WORKER) this.show({ cells: cells.with(at, NOTHING), worker: at });
    else if (at !== worker) this.show({ cells: cells.with(at, LETTERS.indexOf(this.letter)), worker });
  }

  /** @param {import("./maps.js").Level} level */
  show(level) {
    this.level = level;
    [...drawMap(level).replace(/\s/g, "")].forEach((letter, at) => {
      const node = this.cells[at];
      if (node.dataset.letter === letter) return;
      node.dataset.letter = letter;
      node.setAttribute("aria-label", `row ${Math.floor(at / SIZE) + 1}, column ${(at % SIZE) + 1}: ${NAMES[letter]}`);
      node.replaceChildren(this.image(letter));
    });
  }
}
