"use strict";
// The map that can be drawn: choose a tile, then click, drag over cells, or use the keyboard.

const SIDE = 6, START = "@", EMPTY = ".";

/** @typedef {{letter: string, name: string, picture: string}} Tile its picture as an address */

class MapEditor {
  constructor(palette, grid) {
    Object.assign(this, { palette, grid, tiles: new Map(), letters: Array(SIDE ** 2).fill(EMPTY).with(0, START), chosen: EMPTY });
    Object.assign(this, { stroke: "", carried: "", from: null });
    this.cells = this.letters.map((_, at) => make("button", { type: "button", tabindex: at ? -1 : 0 }));
    grid.replaceChildren(...this.cells);
    grid.addEventListener("pointerdown", (event) => this.press(event));
    grid.addEventListener("pointermove", (event) => this.drag(event));
    grid.addEventListener("click", (event) => { if (!event.detail) this.put(this.under(event.target), this.chosen); }); // by keyboard
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => this.release(event));
    rove(grid, SIDE);
    rove(palette, 1);
  }

  /** @param {Tile[]} tiles */
  open(tiles) {
    this.tiles = new Map(tiles.map((tile) => [tile.letter, tile]));
    this.palette.replaceChildren(...tiles.map((tile) => this.choice(tile)));
    this.choose(tiles.length > 1 ? tiles[1].letter : EMPTY);
    this.cells.forEach((_, at) => this.label(at, this.letters[at]));
  }

  choice({ letter, name }) {
    const node = make("button", { type: "button", title: name, "aria-label": `draw ${name}` }, this.image(letter));
    node.addEventListener("click", () => this.choose(letter));
    node.addEventListener("pointerdown", (event) => {
      node.releasePointerCapture(event.pointerId);
      this.choose(this.carried = letter);
    });
    return node;
  }

  choose(letter) {
    this.chosen = letter;
    this.palette.dataset.chosen = (this.tiles.get(letter) || { name: "" }).name;
    [...this.tiles.keys()].forEach((known, at) => {
      this.palette.children[at].setAttribute("aria-pressed", String(known === letter));
      this.palette.children[at].setAttribute("tabindex", known === letter ? 0 : -1);
    });
  }

  under(node) {
    return this.cells.findIndex((cell) => cell.contains(node));
  }

  /** A stroke begins. One that begins at the start moves it, whatever is chosen. */
  press(event) {
    const at = this.under(event.target);
    if (at < 0 || event.button) return;
    event.target.releasePointerCapture(event.pointerId); // a finger, too, goes on to other cells
    this.from = [event.clientX, event.clientY];
    this.stroke = this.letters[at] === START ? START : this.chosen;
    this.put(at, this.stroke);
  }

  /** A quick hand is seen a few times on its way: what lies between is drawn too. */
  drag({ buttons, clientX, clientY }) {
    if (!buttons || !this.stroke) return;
    const [x, y] = this.from, parts = Math.ceil(Math.hypot(clientX - x, clientY - y) / 8);
    for (let part = 1; part <= parts; part += 1) {
      const share = part / parts;
      this.put(this.under(document.elementFromPoint(x + share * (clientX - x), y + share * (clientY - y))), this.stroke);
    }
    this.from = [clientX, clientY];
  }

  /** A tile that was dragged from the palette is dropped. */
  release({ type, clientX, clientY }) {
    if (type === "pointerup" && this.carried) this.put(this.under(document.elementFromPoint(clientX, clientY)), this.carried);
    this.stroke = this.carried = "";
  }

  /** There is one start: it moves, and nothing else takes its place. */
  put(at, letter) {
    const start = this.letters.indexOf(START);
    if (at < 0 || at === start || this.letters[at] === letter) return;
    if (letter === START && start >= 0) this.label(start, EMPTY);
    this.label(at, letter);
    this.grid.dispatchEvent(new Event("input", { bubbles: true }));
  }

  image(letter) {
    const tile = this.tiles.get(letter);
    return tile ? make("img", { src: tile.picture, alt: "", draggable: "false" }) : letter;
  }

  label(at, letter) {
    const { name } = this.tiles.get(letter) || { name: letter };
    this.letters[at] = letter;
    this.cells[at].dataset.letter = letter;
    this.cells[at].setAttribute("aria-label", `row ${Math.floor(at / SIDE) + 1}, column ${(at % SIDE) + 1}: ${name}`);
    this.cells[at].replaceChildren(this.image(letter));
  }

  read(drawing) {
    [...drawing.replace(/\s/g, "")].slice(0, SIDE ** 2).forEach((letter, at) => this.label(at, letter));
  }

  text() {
    return [...Array(SIDE).keys()].map((row) => this.letters.slice(row * SIDE, (row + 1) * SIDE).join("")).join("\n");
  }
}

/** One stop of the Tab key for all buttons of a group; arrow keys move among them, up and down by whole rows. */
function rove(group, columns) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const stop = (chosen) => { for (const node of group.children) node.setAttribute("tabindex", node === chosen ? 0 : -1); };
  group.addEventListener("focusin", (event) => stop(event.target));
  group.addEventListener("keydown", (event) => {
    const nodes = [...group.children], from = nodes.indexOf(document.activeElement), step = steps[event.key];
    if (from < 0 || !step) return;
    event.preventDefault();
    const to = from + step, leaves = Math.abs(step) === 1 && columns > 1 && Math.floor(to / columns) !== Math.floor(from / columns);
    if (nodes[to] && !leaves) nodes[to].focus();
  });
}
