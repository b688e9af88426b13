// @ts-check
/** The text of a step: its sentence, its mark, and whether it was entered again. */

import words from "../messages/replayer.js";
import stepWords from "../messages/steps.js";
import { html } from "../vendor/preact.js";
import { formatReplacedEntry } from "./correction-text.js";

/** @import { Frame, Step } from "./types.d.ts" */

/** The longest note that is read out with its step; a longer one is only announced. */
const MAX_SPOKEN_NOTE_LENGTH = 200;

/** @param {Step} step */
function formatSentence({ kind, sentenceEvent, frame, withdrawnEvents }) {
  const withdrawn = withdrawnEvents?.map((event) => formatReplacedEntry(event, frame.state)).join(" ") ?? null;
  const event =
    kind === "irregularity_noted"
      ? { ...sentenceEvent, kind: stepWords.irregularity(sentenceEvent.kind) }
      : sentenceEvent;
  return words.upper(words.sentence(kind, { event, state: frame.state, withdrawn }));
}

/** @param {Step} step */
const findMark = ({ notes }) => notes.find((note) => note.mark)?.mark;

/** @param {{ step: Step }} props */
export const Sentence = ({ step }) => html`
  ${formatSentence(step)}${findMark(step) && html` <b>${findMark(step)}</b>`}
  ${isCorrected(step.frame) && html` <i class="muted">${stepWords.corrected}</i>`}`;

/** What is seen of the sentence, as text. @param {Step} step */
export const formatStep = (step) =>
  [formatSentence(step), findMark(step), isCorrected(step.frame) && stepWords.corrected].filter(Boolean).join(" ");

/** What is next to a step, for screen readers: it ends the sentence of the step. @param {{ step: Step }} props */
export function SpokenRemarks({ step: { marginText, notes, corrections, findings } }) {
  const noteTexts = [marginText, ...notes.map(({ text }) => text)].filter(Boolean);
  const text = noteTexts.join(" ");
  const isSpoken = noteTexts.length && text.length <= MAX_SPOKEN_NOTE_LENGTH;
  const spokenParts = [
    isSpoken ? `${stepWords.note}: ${text}` : (noteTexts.length || notes.length) && stepWords.hasNote,
    corrections.length && stepWords.hasCorrection,
    findings.some(({ severity }) => severity !== "info") && stepWords.hasFinding,
  ].filter(Boolean);
  return spokenParts.length ? html`<span class="visually-hidden"> ${spokenParts.join(" ")}</span>` : null;
}

/** Whether a correction put this entry in: it is called after that. @param {Frame} frame */
export const isCorrected = ({ seq }) => String(seq).includes(".");

/**
 * Puts a text into an element only if it differs, which saves a new layout.
 * @param {Element} element
 * @param {string | number} text
 */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = String(text);
}
