/** What is said of the points of a deal: notes, findings, rulings, and what else happened than bids and cards. */

import { el } from "../core/dom.js";
import { findingWords } from "./finding-words.js";
import { noteText } from "./notes.js";
import { isCorrected, spoken } from "../core/spoken.js";

/** What is told by the tables of a column; anything else is told where it stands. */
const TABLED = new Set(["deal", "deal_opened", "bid_made", "contract_named", "trump_named", "cards_discarded", "cards_drawn", "card_played", "hand_held", "hand_dealt", "talon_laid", "result_recorded", "deal_settled"]);

/** The remarks of a deal, numbered as they follow. `pictured(index)` is a diagram of a point, or null where none is due. */
export class Remarks {
  constructor({ steps, replay, words, more, pictured }) {
    Object.assign(this, { steps, replay, words, more, pictured });
    const said = steps.map((step, index) => ({ step, index })).filter(({ step, index }) => index && isRemarkable(step));
    this.numbers = new Map(said.map(({ index }, place) => [index, place + 1]));
  }

  /** The sign in a table at a step of which something is said: its mark, and the number of the remark. */
  signAt(index) {
    const number = this.numbers.get(index);
    if (!number) return [];
    const mark = this.steps[index].notes.find((note) => note.mark)?.mark;
    const link = el("a", { href: `#remark-${number}`, "aria-label": `${this.more.remark} ${number}`, text: number });
    return [...(mark ? [" ", el("b", { text: mark })] : []), el("sup", {}, link)];
  }

  /** What is said of the steps of a part, from one to another. */
  between(from, to) {
    return this.steps.slice(from, to + 1).flatMap((step, place) => {
      const index = from + place;
      if (index && !this.numbers.has(index)) return [];
      return index ? [this.remark(step, index)] : this.texts(step);
    });
  }

  /** What is found of the deal as a whole. */
  ofAll() {
    return (this.replay.findings ?? []).filter((finding) => finding.seq === null || finding.seq === undefined).map((finding) => this.finding(finding));
  }

  remark(step, index) {
    const number = this.numbers.get(index);
    // The sentence has the mark already.
    const marked = step.notes.find((note) => note.mark);
    const texts = this.texts({ ...step, notes: step.notes.map((note) => (note === marked ? { ...note, mark: null } : note)) });
    const picture = step.notes.length || step.findings.length ? this.pictured(index) : null;
    return el("div", { class: "remark", id: `remark-${number}` },
      el("p", { class: "remark-head" }, el("span", { class: "remark-number", text: number }), " ", ...spoken(step, this.steps, this.words)),
      picture, ...texts);
  }

  texts(step) {
    const { aside, notes, findings } = step;
    return [...(aside ? [el("p", { class: "note", text: aside })] : []), ...(this.words.mendedTexts?.(step, this.words) ?? []), ...notes.map(noteText), ...findings.map((finding) => this.finding(finding))];
  }

  finding(finding) {
    return el("p", { class: "column-finding" }, ...findingWords(finding, this.words));
  }
}

const isRemarkable = ({ kind, aside, notes, findings, mended, frame }) =>
  Boolean(aside || mended.length || notes.length || findings.length || isCorrected(frame) || !TABLED.has(kind));
