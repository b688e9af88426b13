/** The remarks on a deal: notes, findings, rulings, and other events than bids and cards. */

import { el } from "../core/dom.js";
import { toNodes } from "../core/nodes.js";
import { html } from "../vendor/preact.js";
import { Corrections } from "./correction-text.js";
import { buildFindingText } from "./finding-text.js";
import { NoteText } from "./notes-panel.js";
import { isCorrected, Sentence } from "./step-sentence.js";

/** What the tables of a column show; everything else appears in its place. */
const KINDS_IN_TABLES = new Set(["deal", "deal_opened", "bid_made", "contract_named", "trump_named", "cards_discarded", "cards_drawn", "card_played", "hand_held", "hand_dealt", "talon_laid", "result_recorded", "deal_settled"]);

/** The remarks of a deal, numbered as they follow. `buildDiagram(index)` is a diagram of a point, or null if none is due. */
export class Remarks {
  constructor({ steps, replay, words, columnWords, buildDiagram }) {
    Object.assign(this, { steps, replay, words, columnWords, buildDiagram });
    const remarked = steps.map((step, index) => ({ step, index })).filter(({ step, index }) => index && hasRemark(step));
    this.numbers = new Map(remarked.map(({ index }, before) => [index, before + 1]));
  }

  /** The sign in a table at a step with a remark: its mark, and the number of the remark. */
  buildSignAt(index) {
    const number = this.numbers.get(index);
    if (!number) return [];
    const mark = this.steps[index].notes.find((note) => note.mark)?.mark;
    const link = el("a", { href: `#remark-${number}`, "aria-label": `${this.columnWords.remark} ${number}`, text: number });
    return [...(mark ? [" ", el("b", { text: mark })] : []), el("sup", {}, link)];
  }

  /** The remarks on a range of steps. */
  listBetween(from, to) {
    return this.steps.slice(from, to + 1).flatMap((step, offset) => {
      const index = from + offset;
      if (index && !this.numbers.has(index)) return [];
      return index ? [this.buildRemark(step, index)] : this.buildTexts(step);
    });
  }

  /** What is found of the deal as a whole. */
  listGeneralFindings() {
    return (this.replay.findings ?? []).filter((finding) => finding.seq === null || finding.seq === undefined).map((finding) => this.buildFinding(finding));
  }

  buildRemark(step, index) {
    const number = this.numbers.get(index);
    // The sentence has the mark already.
    const markedNote = step.notes.find((note) => note.mark);
    const texts = this.buildTexts({ ...step, notes: step.notes.map((note) => (note === markedNote ? { ...note, mark: null } : note)) });
    const picture = step.notes.length || step.findings.length ? this.buildDiagram(index) : null;
    return el("div", { class: "remark", id: `remark-${number}` },
      el("p", { class: "remark-head" }, el("span", { class: "remark-number", text: number }), " ", ...toNodes(html`<${Sentence} step=${step} />`)),
      picture, ...texts);
  }

  buildTexts(step) {
    const { marginText, notes, findings } = step;
    const texts = html`
      ${marginText && html`<p class="note">${marginText}</p>`}
      <${Corrections} step=${step} />
      ${notes.map((note) => html`<${NoteText} note=${note} />`)}`;
    return [...toNodes(texts), ...findings.map((finding) => this.buildFinding(finding))];
  }

  buildFinding(finding) {
    return el("p", { class: "column-finding" }, ...buildFindingText(finding));
  }
}

const hasRemark = ({ kind, marginText, notes, findings, corrections, frame }) =>
  Boolean(marginText || corrections.length || notes.length || findings.length || isCorrected(frame) || !KINDS_IN_TABLES.has(kind));
