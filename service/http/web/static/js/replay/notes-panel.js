// @ts-check
/** What stands in the margin of the book: notes, words too long for the sentence, and what is found here. */

import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { Corrections, hasCorrectionText } from "./correction-text.js";
import { FindingText } from "./finding-text.js";
import { Panel } from "./markup.js";

/** @import { Note, Step } from "./types.d.ts" */

/** What belongs to this point of the deal. @param {{ step: Step }} props */
export function NotesPanel({ step }) {
  const { marginText, notes, findings } = step;
  if (!marginText && !notes.length && !findings.length && !hasCorrectionText(step)) return null;
  return html`<section class="panel notes" aria-label=${words.notes}>
    <${StepRemarks} step=${step} />
  </section>`;
}

/** @param {{ step: Step }} props */
export const StepRemarks = ({ step }) => html`
  ${step.marginText && html`<p class="note">${step.marginText}</p>`}
  <${Corrections} step=${step} />
  ${step.notes.map((note) => html`<${NoteText} note=${note} />`)}
  ${step.findings.map((finding) => html`<p class="note-finding"><${FindingText} finding=${finding} /></p>`)}`;

/** A note with its mark and who wrote it. @param {{ note: Partial<Note> }} props */
export const NoteText = ({ note: { mark, text, author } }) => html`<p class="note">
  ${mark && html`<b class="note-mark">${mark}</b> `}${text}
  ${author && html` <span class="note-author">— ${author}</span>`}
</p>`;

/** On paper nobody steps: there every note up to this step stands, each with its place. @param {{ steps: Step[] }} props */
export function PrintedNotes({ steps }) {
  const rows = steps.flatMap((step) => {
    const texts = [...(step.marginText ? [{ text: step.marginText }] : []), ...step.notes];
    const lines = texts.map((note) => html`<${NoteText} note=${note} />`);
    if (hasCorrectionText(step)) lines.push(html`<${Corrections} step=${step} />`);
    const place = step.trick ? `${words.trickNumber(step.trick)}. ` : "";
    return lines.map((line) => html`<li><span class="muted">${place}</span>${line}</li>`);
  });
  return rows.length ? html`<${Panel} name="printed-notes" title=${words.notes}><ul>${rows}</ul><//>` : null;
}
