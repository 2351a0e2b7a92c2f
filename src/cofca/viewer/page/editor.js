"use strict";
// The instruction's editor with its complaint under the right line.

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
