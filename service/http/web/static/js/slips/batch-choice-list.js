/** The list below a cell: what the letters in it can mean. The cell keeps the focus; the list only shows them and can be tapped. */

import { el } from "../core/dom.js";
import { findChoices } from "./batch-completion.js";

const MAX_CHOICES = 9;

export class ChoiceList {
  /** `onChoose(name)` is called with what is tapped; the list lies within `frame`. */
  constructor(frame, { label, onChoose }) {
    this.frame = frame;
    this.onChoose = onChoose;
    this.input = null;
    this.shownChoices = [];
    this.markedIndex = 0;
    this.root = el("ul", { class: "batch-choice-list", id: "pile-list", role: "listbox", "aria-label": label, hidden: true });
    // A finger on the list leaves the focus where it is.
    this.root.addEventListener("pointerdown", (event) => event.preventDefault());
    frame.append(this.root);
    window.addEventListener("resize", () => this.close());
  }

  get isOpen() {
    return !this.root.hidden;
  }

  /** The name of the choice that is marked, or null. */
  get markedName() {
    return this.isOpen ? this.shownChoices[this.markedIndex]?.name ?? null : null;
  }

  /** Shows what `text` can mean below `input`; nothing where it can mean nothing. */
  show(input, choices, text) {
    this.shownChoices = findChoices(choices, text).slice(0, MAX_CHOICES);
    if (!this.shownChoices.length) return this.close();
    this.input = input;
    this.markedIndex = 0;
    this.draw();
    this.root.hidden = false;
    input.setAttribute("aria-expanded", "true");
    return this.placeBelowInput();
  }

  draw() {
    this.root.replaceChildren(...this.shownChoices.map((choice, index) =>
      el("li", { id: `pile-choice-${index}`, role: "option", "aria-selected": String(index === this.markedIndex), on: { click: () => this.onChoose(choice.name) } },
        el("span", { text: choice.name }), choice.short ? el("span", { class: "muted", text: choice.short }) : null),
    ));
    this.input?.setAttribute("aria-activedescendant", `pile-choice-${this.markedIndex}`);
  }

  placeBelowInput() {
    const frame = this.frame.getBoundingClientRect();
    const cell = this.input.getBoundingClientRect();
    const { width } = this.root.getBoundingClientRect();
    const left = Math.max(0, Math.min(cell.left - frame.left, this.frame.clientWidth - width));
    this.root.style.insetInlineStart = `${left}px`;
    const { height } = this.root.getBoundingClientRect();
    // Above the cell where the bar at the foot of the screen would lie over it.
    const footer = document.querySelector(".batch-bar")?.getBoundingClientRect().top ?? window.innerHeight;
    const above = cell.bottom + height + 2 > footer && cell.top > height + 2;
    this.root.style.top = `${above ? cell.top - frame.top - height - 2 : cell.bottom - frame.top + 2}px`;
  }

  moveMark(step) {
    this.markedIndex = (this.markedIndex + step + this.shownChoices.length) % this.shownChoices.length;
    this.draw();
    this.root.children[this.markedIndex].scrollIntoView({ block: "nearest" });
  }

  close() {
    this.root.hidden = true;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
    this.input = null;
  }
}
