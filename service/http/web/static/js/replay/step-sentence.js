/** The text of a step: its sentence, its mark, and whether it was entered again; and how to show a text. */

import stepMessages from "../messages/steps.js";
import { el } from "../core/dom.js";

/** Text and elements for step `step` of `steps`. */
export function buildStepSentence({ kind, sentenceEvent, frame, notes, withdrawnEvents }, steps, words) {
  const withdrawn = withdrawnEvents && withdrawnEvents.map((event) => words.formatReplacedEntry(event, frame.state, words)).join(" ");
  const event = kind === "irregularity_noted" ? { ...sentenceEvent, kind: stepMessages.irregularity(sentenceEvent.kind) } : sentenceEvent;
  const sentence = words.upper(words.sentence(kind, { event, state: frame.state, withdrawn }));
  const mark = notes.find((note) => note.mark)?.mark;
  const corrected = isCorrected(frame) ? [" ", el("i", { class: "muted", text: stepMessages.corrected })] : [];
  return [sentence, ...(mark ? [" ", el("b", { text: mark })] : []), ...corrected];
}

/** The longest note that is read out with its step; a longer one is only announced. */
const MAX_SPOKEN_NOTE_LENGTH = 200;

/** What is next to a step, for screen readers: it ends the sentence of the step. */
export function buildScreenReaderNote({ marginText, notes, corrections, findings }) {
  const noteTexts = [marginText, ...notes.map(({ text }) => text)].filter(Boolean);
  const text = noteTexts.join(" ");
  const spokenParts = [
    noteTexts.length ? (text.length > MAX_SPOKEN_NOTE_LENGTH ? stepMessages.hasNote : `${stepMessages.note}: ${text}`) : notes.length ? stepMessages.hasNote : "",
    corrections.length ? stepMessages.hasCorrection : "",
    findings.some(({ severity }) => severity !== "info") ? stepMessages.hasFinding : "",
  ].filter(Boolean);
  return spokenParts.length ? [el("span", { class: "visually-hidden", text: ` ${spokenParts.join(" ")}` })] : [];
}

/** Whether a correction put this entry in: it is called after that. */
export const isCorrected = ({ seq }) => String(seq).includes(".");

/** Puts a text into an element only if it differs, which saves a new layout. */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}
