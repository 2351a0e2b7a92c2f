"use strict";
// Four things to know, told on the first visit.

const STOPS = [
  [".program", "The pointer ●",
    "An agent carries out this instruction. The blue dot is its pointer: the line it takes to be the one to do. Yellow is the line that really is. Nobody tells the agent; it has learned to keep its place from reward alone."],
  [".say", "One step",
    "In each step the agent commands something and sees what comes of it. This sentence says what happened and where the pointer goes. Step with ← and →."],
  [".program", "The gate",
    "Most lines take several steps. After each step a gate decides whether the pointer moves. While the gate is shut the pointer waits, and the arrows are pale."],
  ["#why", "P, where to",
    "If the gate opens, P decides where the pointer goes: to the next line, out of a block, or back to where a loop began. The arrows show it, as thick as they are likely. “Why?” shows the numbers behind them."],
];

class Tour {
  constructor(card) {
    this.card = card;
    this.title = make("h2", { id: "tour-title" });
    this.text = make("p", { id: "tour-text" });
    this.next = make("button", { type: "button", id: "tour-next" });
    this.skip = make("button", { type: "button", id: "tour-end" }, "Close");
    card.replaceChildren(this.title, this.text, make("div", { class: "row" }, this.next, this.skip));
    this.next.addEventListener("click", () => this.show(this.at + 1));
    this.skip.addEventListener("click", () => this.end());
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !card.hidden) this.end(); });
  }

  show(at) {
    this.mark(null);
    if (at >= STOPS.length) return this.end();
    this.at = at;
    const [where, title, text] = STOPS[at];
    this.title.textContent = `${at + 1} of ${STOPS.length}: ${title}`;
    this.text.textContent = text;
    this.next.textContent = at + 1 < STOPS.length ? "Next" : "Done";
    this.card.hidden = false;
    this.mark(where);
    if (document.activeElement === document.body) this.next.focus({ preventScroll: true });
  }

  mark(where) {
    for (const node of document.querySelectorAll(".toured")) node.classList.remove("toured");
    const marked = where ? [...document.querySelectorAll(`#stage ${where}`)] : [];
    for (const node of marked) node.classList.add("toured");
    if (marked.length) marked[0].scrollIntoView({ block: "nearest" });
  }

  end() {
    this.mark(null);
    const inside = this.card.contains(document.activeElement);
    this.card.hidden = true;
    if (inside) document.getElementById("tour").focus({ preventScroll: true });
    remember({ toured: true });
  }
}
