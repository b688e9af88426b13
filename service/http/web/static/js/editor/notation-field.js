// @ts-check
/** The text of the deal editor: its lines are numbered, and what cannot be read is shown where it stands. */

import editorWords from "../messages/deal-editor.js";
import { html, render } from "../vendor/preact.js";

/** @typedef {{ line?: number, column?: number, message?: string, detail?: string }} Problem - what cannot be read */

export class NotationField {
  /** The lines in which something is wrong. @type {Set<number>} */
  faultyLines = new Set();

  /** @param {Record<string, HTMLElement>} parts - the `text`, its `lines` and the list of `problems` @param {() => void} onChange - is called when somebody has written */
  constructor({ text, lines, problems }, onChange) {
    this.text = /** @type {HTMLTextAreaElement} */ (text);
    this.lines = lines;
    this.list = problems;
    text.addEventListener("input", () => {
      this.numberLines();
      onChange();
    });
    text.addEventListener("scroll", () => {
      lines.scrollTop = text.scrollTop;
    });
  }

  get value() {
    return this.text.value;
  }

  /** @param {string} text */
  setValue(text) {
    this.text.value = text;
    this.numberLines();
  }

  /** Writes the numbers of the lines; those in which something is wrong have a sign. */
  numberLines() {
    const lines = this.text.value.split("\n");
    render(
      lines.map(
        (_, index) => html`<span class=${this.faultyLines.has(index + 1) && "has-problem"}>${index + 1}</span>`,
      ),
      this.lines,
    );
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** Lists what cannot be read, each with a link to its place. @param {Problem[]} found */
  showProblems(found) {
    this.faultyLines = new Set(found.flatMap(({ line }) => line || []));
    this.numberLines();
    this.text.setAttribute("aria-invalid", String(found.length > 0));
    render(
      found.map((one) => html`<li>${this.buildProblem(one)}</li>`),
      this.list,
    );
  }

  /** @param {Problem} problem */
  buildProblem({ line, column, message, detail = message }) {
    if (!line) return html`<span>${detail}</span>`;
    const place = /** @type {const} */ ([line, column ?? 1]);
    const select = () => this.selectPosition(...place);
    return html`<button type="button" class="plain-button" onClick=${select}><b>${editorWords.place(...place)}</b> ${detail}</button>`;
  }

  /** @param {number} line @param {number} column */
  selectPosition(line, column) {
    const before = this.text.value
      .split("\n")
      .slice(0, line - 1)
      .join("\n");
    const at = before.length + (line > 1 ? 1 : 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at);
    this.text.scrollTop = (line - 3) * parseFloat(getComputedStyle(this.text).lineHeight);
  }
}
