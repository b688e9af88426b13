/** The text of the deal editor: its lines are numbered, and what cannot be read is shown where it stands. */

import { el } from "../core/dom.js";

/** `parts` has the `text`, its `lines` and the list of `problems`; `onChange` is called when somebody has written. */
export class NotationField {
  constructor({ text, lines, problems }, editorWords, onChange) {
    Object.assign(this, { text, lines, list: problems, editorWords });
    this.faultyLines = new Set();
    text.addEventListener("input", () => {
      this.numberLines();
      onChange();
    });
    text.addEventListener("scroll", () => (lines.scrollTop = text.scrollTop));
  }

  get value() {
    return this.text.value;
  }

  setValue(text) {
    this.text.value = text;
    this.numberLines();
  }

  /** Writes the numbers of the lines; those in which something is wrong have a sign. */
  numberLines() {
    const count = this.text.value.split("\n").length;
    const numbers = Array.from({ length: count }, (_, index) => el("span", { class: this.faultyLines.has(index + 1) ? "has-problem" : null, text: index + 1 }));
    this.lines.replaceChildren(...numbers);
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** Lists what cannot be read, each with a link to its place. */
  showProblems(found) {
    this.faultyLines = new Set(found.map((one) => one.line).filter(Boolean));
    this.numberLines();
    this.text.setAttribute("aria-invalid", String(found.length > 0));
    this.list.replaceChildren(...found.map((one) => el("li", {}, this.buildProblem(one))));
  }

  buildProblem({ line, column, message, detail = message }) {
    if (!line) return el("span", { text: detail });
    return el("button", { type: "button", class: "plain-button", on: { click: () => this.selectPosition(line, column ?? 1) } }, el("b", { text: this.editorWords.place(line, column ?? 1) }), " ", detail);
  }

  selectPosition(line, column) {
    const before = this.text.value.split("\n").slice(0, line - 1).join("\n");
    const at = before.length + (line > 1 ? 1 : 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at);
    this.text.scrollTop = (line - 3) * parseFloat(getComputedStyle(this.text).lineHeight);
  }
}
