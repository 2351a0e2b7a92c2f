"use strict";
// Four things to know, told on the first visit.

const STOPS = [
  [".program", "The pointer ●",
    "A trained agent carries out this program on the map. The blue dot is its pointer: the line that the agent believes is next to do. Yellow marks the line that really is. The agent is not shown this mark. It has learned to keep track from a single reward, which it gets if the whole program is carried out."],
  [".say", "One step",
    "In each step the agent gives a command and sees what comes of it at once. In Minecraft a worker answers a command such as “mine gold” with one move. Nobody tells the agent when a line is done. The command may differ from the line as long as it leads the same way. Step with ← and →."],
  [".program", "The gate",
    "After each step the agent opens or shuts a gate. While it is shut, the pointer waits: mining takes several steps if the worker has to walk there first."],
  ["#why", "P, where to",
    "If the gate opens, the pointer jumps. P is the probability of each jump: to the next line, into the branch that applies, behind a block, or back to the start of a loop. An arrow is a possible jump, and the thicker, the more probable. Pale arrows show where the pointer would go through an open gate. “98 % sure” in a sentence is the probability of that jump. “Why?” shows all numbers."],
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
