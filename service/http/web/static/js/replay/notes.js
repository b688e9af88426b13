/** What stands in the margin of the book: notes, words too long for the sentence, and what is found here. */

import { el, titled } from "../core/dom.js";
import { findingWords } from "./finding-words.js";

/** What belongs to this point of the deal. See panels.js for what a panel is. */
export function notesPanel({ steps, words }) {
  const mended = steps.map((step) => words.mendedTexts?.(step, words) ?? []);
  if (!steps.some((step, index) => step.aside || mended[index].length || step.notes.length || step.findings.length)) return null;
  const section = el("section", { class: "panel notes", "aria-label": words.notes });
  const show = (index) => {
    const { aside, notes, findings } = steps[index];
    section.hidden = !aside && !mended[index].length && !notes.length && !findings.length;
    if (section.hidden) return;
    const found = findings.map((finding) => el("p", { class: "note-finding" }, ...findingWords(finding, words)));
    section.replaceChildren(...(aside ? [el("p", { class: "note", text: aside })] : []), ...mended[index], ...notes.map(noteText), ...found);
  };
  return { section, show };
}

/** A note with its mark and who wrote it. */
export function noteText(note) {
  const mark = note.mark ? [el("b", { class: "note-mark", text: note.mark }), " "] : [];
  const author = note.author ? [" ", el("span", { class: "note-author", text: `— ${note.author}` })] : [];
  return el("p", { class: "note" }, ...mark, note.text, ...author);
}

/** On paper nobody walks: there every note up to this step stands, each with its place. Null where there is none. */
export function printedNotes({ steps, words }, upTo) {
  const rows = steps.slice(0, upTo + 1).flatMap((step) => {
    const place = step.trick ? `${words.trickNumber(step.trick)}. ` : "";
    const texts = [...(step.aside ? [{ text: step.aside }] : []), ...step.notes];
    const lines = [...texts.map(noteText), ...(words.mendedTexts?.(step, words) ?? [])];
    return lines.map((line) => el("li", {}, el("span", { class: "quiet", text: place }), line));
  });
  return rows.length ? titled(words.notes, "printed", el("ul", {}, ...rows)) : null;
}
