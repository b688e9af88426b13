/** The list below a cell: what the letters in it can mean. The cell keeps the focus; the list only tells, and is tapped. */

import { el } from "../core/dom.js";
import { meant } from "./pile-ahead.js";

const MOST = 9;

export class ChoiceList {
  /** `choose(name)` is called with what is tapped; the list lies within `frame`. */
  constructor(frame, { label, choose }) {
    this.frame = frame;
    this.choose = choose;
    this.input = null;
    this.found = [];
    this.at = 0;
    this.root = el("ul", { class: "pile-list", id: "pile-list", role: "listbox", "aria-label": label, hidden: true });
    // A finger on the list leaves the focus where it is.
    this.root.addEventListener("pointerdown", (event) => event.preventDefault());
    frame.append(this.root);
    window.addEventListener("resize", () => this.close());
  }

  get open() {
    return !this.root.hidden;
  }

  /** The name of the choice that is marked, or null. */
  get marked() {
    return this.open ? this.found[this.at]?.name ?? null : null;
  }

  /** Shows what `text` can mean below `input`; nothing where it can mean nothing. */
  show(input, choices, text) {
    this.found = meant(choices, text).slice(0, MOST);
    if (!this.found.length) return this.close();
    this.input = input;
    this.at = 0;
    this.draw();
    this.root.hidden = false;
    input.setAttribute("aria-expanded", "true");
    return this.place();
  }

  draw() {
    this.root.replaceChildren(...this.found.map((choice, place) =>
      el("li", { id: `pile-choice-${place}`, role: "option", "aria-selected": String(place === this.at), on: { click: () => this.choose(choice.name) } },
        el("span", { text: choice.name }), choice.short ? el("span", { class: "quiet", text: choice.short }) : null),
    ));
    this.input?.setAttribute("aria-activedescendant", `pile-choice-${this.at}`);
  }

  place() {
    const frame = this.frame.getBoundingClientRect();
    const cell = this.input.getBoundingClientRect();
    const { width } = this.root.getBoundingClientRect();
    const left = Math.max(0, Math.min(cell.left - frame.left, this.frame.clientWidth - width));
    this.root.style.insetInlineStart = `${left}px`;
    const { height } = this.root.getBoundingClientRect();
    // Above the cell where the bar at the foot of the screen would lie over it.
    const foot = document.querySelector(".pile-bar")?.getBoundingClientRect().top ?? window.innerHeight;
    const above = cell.bottom + height + 2 > foot && cell.top > height + 2;
    this.root.style.top = `${above ? cell.top - frame.top - height - 2 : cell.bottom - frame.top + 2}px`;
  }

  move(step) {
    this.at = (this.at + step + this.found.length) % this.found.length;
    this.draw();
    this.root.children[this.at].scrollIntoView({ block: "nearest" });
  }

  close() {
    this.root.hidden = true;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
    this.input = null;
  }
}
