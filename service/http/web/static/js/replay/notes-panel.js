/** What stands in the margin of the book: notes, words too long for the sentence, and what is found here. */

import { el, buildPanel } from "../core/dom.js";
import { buildFindingText } from "./finding-text.js";

/** What belongs to this point of the deal. See panels.js for what a panel is. */
export function notesPanel({ steps, words }) {
  const correctionTexts = steps.map((step) => words.buildCorrectionTexts?.(step, words) ?? []);
  if (!steps.some((step, index) => step.marginText || correctionTexts[index].length || step.notes.length || step.findings.length)) return null;
  const section = el("section", { class: "panel notes", "aria-label": words.notes });
  const show = (index) => {
    const { marginText, notes, findings } = steps[index];
    section.hidden = !marginText && !correctionTexts[index].length && !notes.length && !findings.length;
    if (section.hidden) return;
    const found = findings.map((finding) => el("p", { class: "note-finding" }, ...buildFindingText(finding, words)));
    section.replaceChildren(...(marginText ? [el("p", { class: "note", text: marginText })] : []), ...correctionTexts[index], ...notes.map(buildNote), ...found);
  };
  return { section, show };
}

/** A note with its mark and who wrote it. */
export function buildNote(note) {
  const mark = note.mark ? [el("b", { class: "note-mark", text: note.mark }), " "] : [];
  const author = note.author ? [" ", el("span", { class: "note-author", text: `— ${note.author}` })] : [];
  return el("p", { class: "note" }, ...mark, note.text, ...author);
}

/** On paper nobody walks: there every note up to this step stands, each with its place. Null where there is none. */
export function buildPrintedNotes({ steps, words }, lastIndex) {
  const rows = steps.slice(0, lastIndex + 1).flatMap((step) => {
    const prefix = step.trick ? `${words.trickNumber(step.trick)}. ` : "";
    const texts = [...(step.marginText ? [{ text: step.marginText }] : []), ...step.notes];
    const lines = [...texts.map(buildNote), ...(words.buildCorrectionTexts?.(step, words) ?? [])];
    return lines.map((line) => el("li", {}, el("span", { class: "muted", text: prefix }), line));
  });
  return rows.length ? buildPanel(words.notes, "printed-notes", el("ul", {}, ...rows)) : null;
}
