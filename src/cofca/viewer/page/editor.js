"use strict";
// The instruction's editor with its complaint under the right line, and the map that can be drawn.

const LINE = 20, TOP = 8;

class Editor {
  constructor(text, gutter, bubble, complaint) {
    Object.assign(this, { text, gutter, bubble, complaint, wrong: null });
    text.addEventListener("input", () => this.number());
    text.addEventListener("scroll", () => this.place());
    this.number();
  }

  number() {
    const count = this.text.value.split("\n").length;
    this.gutter.textContent = [...Array(count).keys()].map((line) => line + 1).join("\n");
    this.place();
  }

  complain(error) {
    this.wrong = error;
    this.complaint.textContent = !error ? "" : error.line ? `Line ${error.line}, column ${error.column}: ${error.error}` : error.error;
    this.text.setAttribute("aria-invalid", error && error.line ? "true" : "false");
    this.place();
  }

  place() {
    this.gutter.scrollTop = this.text.scrollTop;
    const line = this.wrong && this.wrong.line;
    this.bubble.hidden = !line;
    if (!line) return;
    this.bubble.textContent = this.wrong.error;
    this.bubble.style.top = `${TOP + line * LINE - this.text.scrollTop}px`;
  }
}

const SIZE = 6;
const LETTERS = {
  minecraft: { ".": "nothing", i: "iron", g: "gold", w: "wood", m: "merchant", "~": "water", "#": "wall", "@": "worker" },
  starcraft: {
    ".": "nothing", m: "minerals", g: "gas", "@": "Nexus with Probes", A: "Assimilator", a: "Assimilator on gas", C: "CyberneticsCore", D: "DarkShrine",
    F: "FleetBeacon", O: "Forge", G: "Gateway", N: "Nexus", H: "PhotonCannon", P: "Pylon", B: "RoboticsBay", R: "RoboticsFacility",
    S: "StarGate", T: "TemplarArchives", W: "TwilightCouncil",
  },
};

class MapEditor {
  constructor(palette, grid) {
    Object.assign(this, { palette, grid, chosen: ".", cells: [] });
  }

  open(domain) {
    this.letters = LETTERS[domain];
    this.palette.replaceChildren(...Object.entries(this.letters).map(([letter, name]) => {
      const node = make("button", { type: "button", role: "radio", title: name, "aria-label": name }, letter);
      node.addEventListener("click", () => this.choose(letter));
      return node;
    }));
    this.cells = [...Array(SIZE * SIZE).keys()].map((at) => {
      const node = make("button", { type: "button" });
      node.addEventListener("click", () => this.put(at, this.chosen));
      return node;
    });
    this.grid.replaceChildren(...this.cells);
    this.choose(Object.keys(this.letters)[1]);
    this.read(`@${".".repeat(SIZE * SIZE - 1)}`);
  }

  choose(letter) {
    this.chosen = letter;
    for (const node of this.palette.children) node.setAttribute("aria-checked", String(node.textContent === letter));
  }

  put(at, letter) {
    const start = this.cells.findIndex((node) => node.textContent === "@");
    if (at === start && letter !== "@") return;
    // There is one start: it moves.
    if (letter === "@" && start >= 0) this.label(start, ".");
    this.label(at, letter);
  }

  label(at, letter) {
    this.cells[at].textContent = letter;
    this.cells[at].setAttribute("aria-label", `row ${Math.floor(at / SIZE) + 1}, column ${at % SIZE + 1}: ${this.letters[letter] || letter}`);
  }

  read(drawing) {
    [...drawing.replace(/\s/g, "")].slice(0, SIZE * SIZE).forEach((letter, at) => this.label(at, letter));
  }

  text() {
    const letters = this.cells.map((node) => node.textContent);
    return [...Array(SIZE).keys()].map((row) => letters.slice(row * SIZE, (row + 1) * SIZE).join("")).join("\n");
  }
}
