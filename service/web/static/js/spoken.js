/** What is said of a step: its sentence, a mark that somebody gave it, and that it was entered anew; and how a text is put there. */

import { el } from "./dom.js";
import { saidOf } from "./mended.js";

/** Text and elements for step `step` of `steps`. */
export function spoken({ kind, told, frame, notes, taken }, steps, words) {
  const withdrawn = taken && taken.map((event) => saidOf(event, frame.state, words)).join(" ");
  const sentence = words.upper(words.sentence(kind, { event: told, state: frame.state, withdrawn }));
  const mark = notes.find((note) => note.mark)?.mark;
  const corrected = isCorrected(frame) ? [" ", el("i", { class: "quiet", text: words.corrected })] : [];
  return [sentence, ...(mark ? [" ", el("b", { text: mark })] : []), ...corrected];
}

/** Whether a correction put this entry in: it is called after that. */
export const isCorrected = ({ seq }) => String(seq).includes(".");

/** Puts a text into an element, where it is not there already: what is not touched is not laid out anew. */
export function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}
