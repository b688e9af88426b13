/** What is said of a step: its sentence, a mark that somebody gave it, and that it was entered anew; and how a text is put there. */

import { beside } from "../replay/beside-words.js";
import { el } from "./dom.js";

/** Text and elements for step `step` of `steps`. */
export function spoken({ kind, told, frame, notes, taken }, steps, words) {
  const withdrawn = taken && taken.map((event) => words.saidOf(event, frame.state, words)).join(" ");
  const event = kind === "irregularity_noted" ? { ...told, kind: beside.irregularity(told.kind) } : told;
  const sentence = words.upper(words.sentence(kind, { event, state: frame.state, withdrawn }));
  const mark = notes.find((note) => note.mark)?.mark;
  const corrected = isCorrected(frame) ? [" ", el("i", { class: "quiet", text: beside.corrected })] : [];
  return [sentence, ...(mark ? [" ", el("b", { text: mark })] : []), ...corrected];
}

/** So long a note is read out with its step; of a longer one it is said that it is there. */
const SHORT = 200;

/** What stands beside a step, for those who hear the page: the walk's sentence ends with it. */
export function heardAt({ aside, notes, mended, findings }) {
  const noted = [aside, ...notes.map(({ text }) => text)].filter(Boolean);
  const text = noted.join(" ");
  const heard = [
    noted.length ? (text.length > SHORT ? beside.hasNote : `${beside.note}: ${text}`) : notes.length ? beside.hasNote : "",
    mended.length ? beside.hasCorrection : "",
    findings.some(({ severity }) => severity !== "info") ? beside.hasFinding : "",
  ].filter(Boolean);
  return heard.length ? [el("span", { class: "unseen", text: ` ${heard.join(" ")}` })] : [];
}

/** Whether a correction put this entry in: it is called after that. */
export const isCorrected = ({ seq }) => String(seq).includes(".");

/** Puts a text into an element, where it is not there already: what is not touched is not laid out anew. */
export function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}
