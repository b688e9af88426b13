// @ts-check
/** The remarks on a deal: notes, findings, rulings, and other events than bids and cards. */

import { t } from "../core/texts.js";
import { html } from "../vendor/preact.js";
import { Corrections } from "./correction-text.js";
import { Diagram } from "./diagram.js";
import { FindingText } from "./finding-text.js";
import { NoteText } from "./notes-panel.js";
import { isCorrected, Sentence } from "./step-sentence.js";

/** @import { Finding, Step } from "./types.d.ts" */
/** @typedef {import("./print-column.js").Column} Column */

/** What the tables of a column show; everything else appears in its place. */
const KINDS_IN_TABLES = new Set([
  "deal",
  "deal_opened",
  "bid_made",
  "contract_named",
  "trump_named",
  "cards_discarded",
  "cards_drawn",
  "card_played",
  "hand_held",
  "hand_dealt",
  "talon_laid",
  "result_recorded",
  "deal_settled",
]);

/** @param {Step} step */
const hasRemark = ({ kind, marginText, notes, findings, corrections, frame }) =>
  marginText ||
  corrections.length ||
  notes.length ||
  findings.length ||
  isCorrected(frame) ||
  !KINDS_IN_TABLES.has(kind);

/** The numbers of the remarks as they follow, by the indexes of their steps. @param {Step[]} steps */
export function numberRemarks(steps) {
  const remarked = [...steps.keys()].filter((index) => index && hasRemark(steps[index]));
  return new Map(remarked.map((index, before) => [index, before + 1]));
}

/** The sign in a table at a step with a remark: its mark, and the number of the remark. @param {{ column: Column, index: number }} props */
export function RemarkSign({ column: { steps, numbers }, index }) {
  const number = numbers.get(index);
  if (!number) return null;
  const mark = steps[index].notes.find((note) => note.mark)?.mark;
  return html`${mark && html` <b>${mark}</b>`}<sup><a href="#remark-${number}" aria-label="${t("remark")} ${number}">${number}</a></sup>`;
}

/** The remarks on a range of steps. @param {Column} column @param {number} from @param {number} to */
export const listRemarks = (column, from, to) =>
  column.steps.slice(from, to + 1).flatMap((step, offset) => {
    const index = from + offset;
    if (!index) return hasRemark(step) ? html`<${RemarkTexts} step=${step} />` : [];
    return column.numbers.has(index) ? html`<${Remark} column=${column} step=${step} index=${index} />` : [];
  });

/** @param {{ column: Column, step: Step, index: number }} props */
function Remark({ column, step, index }) {
  const { replay, tracks, diagrams, numbers } = column;
  const number = numbers.get(index);
  // The sentence has the mark already.
  const marked = step.notes.find((note) => note.mark);
  const notes = step.notes.map((note) => (note === marked ? { ...note, mark: undefined } : note));
  return html`
    <div class="remark" id="remark-${number}">
      <p class="remark-head"><span class="remark-number">${number}</span> <${Sentence} step=${step} /></p>
      ${diagrams.has(index) && html`<${Diagram} slots=${tracks[index]} state=${step.frame.state} direction=${replay.direction} />`}
      <${RemarkTexts} step=${{ ...step, notes }} />
    </div>
  `;
}

/** @param {{ step: Step }} props */
const RemarkTexts = ({ step }) => html`
  ${step.marginText && html`<p class="note">${step.marginText}</p>`}
  <${Corrections} step=${step} />
  ${step.notes.map((note) => html`<${NoteText} note=${note} />`)}
  ${step.findings.map((finding) => html`<${ColumnFinding} finding=${finding} />`)}
`;

/** @param {{ finding: Finding }} props */
export const ColumnFinding = ({ finding }) => html`<p class="column-finding"><${FindingText} finding=${finding} /></p>`;
