// @ts-check
/** The texts of corrections (what stood there before, why it changed, and who says so) and of rulings. */

import { ID_PATTERN } from "../core/api.js";
import { isKnown } from "../core/cards.js";
import { formatChips } from "../core/chips.js";
import words from "../messages/replayer.js";
import stepWords from "../messages/steps.js";
import { html } from "../vendor/preact.js";

/** @import { Correction, DealEvent, State, Step } from "./types.d.ts" */

/**
 * The sentence of an entry that is no longer in force; `state` is that of the deal where it was.
 * @param {DealEvent} event
 * @param {State} state
 */
export function formatReplacedEntry(event, state) {
  // Its effect on the deal is unknown: trumps by a card that was not turned, a trick by a card not played.
  const replacedState = { ...state, players: event.players ?? state.players };
  if (event.type === "card_played")
    return stepWords.played(words.player(replacedState, event.seat), words.card(event.card));
  const sentence = words.upper(words.sentence(event.type, { event, state: { ...replacedState, trump: null } }));
  const known = (event.cards ?? []).filter(isKnown);
  if (!known.length || event.type === "cards_shown") return sentence;
  return `${sentence.replace(/\.$/, "")}: ${known.map(words.card).join(", ")}.`;
}

/** Whether a step has such a text. @param {Step} step */
export const hasCorrectionText = ({ corrections, frame }) =>
  corrections.length > 0 || (frame.event.type === "ruling_made" && formatRuling(frame.event, frame.state) !== "");

/** The corrections that belong to a step, and what a director ruled there: a line for each. @param {{ step: Step }} props */
export function Corrections({ step: { corrections, frame } }) {
  const { state, event } = frame;
  const ruling = event.type === "ruling_made" ? formatRuling(event, state) : "";
  return html`
    ${corrections.map((one) => html`<${CorrectionText} correction=${one} state=${state} />`)}
    ${ruling && html`<p class="note"><b>${stepWords.ruling}. </b>${ruling}</p>`}`;
}

/**
 * What a director decided, beyond the words.
 * @param {DealEvent} event
 * @param {State} state
 */
function formatRuling({ outcome, at_fault: seat, payments, penalty }, state) {
  /** @type {(given: Record<string, number> | undefined, format: (count: number) => string) => string} */
  const formatEach = (given, format) =>
    Object.entries(given ?? {})
      .map(([who, count]) => `${words.player(state, who)} ${format(count)}`)
      .join(", ");
  const paymentsText = formatEach(payments, formatChips);
  const penaltyText = formatEach(penalty, String);
  return [
    outcome && words.outcome(outcome, words.player(state, state.declarer)),
    seat && stepWords.fault(words.player(state, seat)),
    paymentsText && stepWords.paid(paymentsText),
    penaltyText && stepWords.penalty(penaltyText),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param {{ correction: Correction, state: State }} props */
function CorrectionText({ correction: { event, before }, state }) {
  const replaced = before.map((one) => formatReplacedEntry(one, state)).join(" ");
  // An id does not reveal the person.
  const author = event.recorded_by && !ID_PATTERN.test(event.recorded_by) ? event.recorded_by : null;
  return html`<p class="note note-correction">
    <b>${stepWords.correction}. </b>${stepWords.stood(replaced, (event.with ?? []).length)}
    ${event.reason && html` <q>${event.reason}</q>`}${author && html` <span class="note-author">— ${author}</span>`}
  </p>`;
}
