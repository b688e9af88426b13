/** The texts of corrections (what stood there before, why it changed, and who says so) and of rulings. */

import stepMessages from "../messages/steps.js";
import { isKnown } from "../core/cards.js";
import { el } from "../core/dom.js";
import { formatChips } from "../core/chips.js";

/** An id that does not reveal the person. */
const ID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The sentence of an entry that is no longer in force; `state` is that of the deal where it was. */
export function formatReplacedEntry(event, state, words) {
  // Its effect on the deal is unknown: trumps by a card that was not turned, a trick by a card not played.
  const replacedState = { ...state, players: event.players ?? state.players };
  if (event.type === "card_played") return stepMessages.played(words.player(replacedState, event.seat), words.card(event.card));
  const sentence = words.upper(words.sentence(event.type, { event, state: { ...replacedState, trump: null } }));
  const known = (event.cards ?? []).filter(isKnown);
  return known.length && event.type !== "cards_shown" ? `${sentence.replace(/\.$/, "")}: ${known.map(words.card).join(", ")}.` : sentence;
}

/** The corrections that belong to a step, and what a director ruled there: a line for each. */
export function buildCorrectionTexts({ corrections, frame: { state, event } }, words) {
  const ruling = event.type === "ruling_made" ? formatRuling(event, state, words) : "";
  return [
    ...corrections.map((correction) => buildCorrection(correction, state, words)),
    ...(ruling ? [el("p", { class: "note" }, el("b", { text: `${stepMessages.ruling}. ` }), ruling)] : []),
  ];
}

/** What a director decided, beyond the words. */
function formatRuling({ outcome, at_fault: seat, payments, penalty }, state, words) {
  const formatEach = (given, format) => Object.entries(given ?? {}).map(([who, number]) => `${words.player(state, who)} ${format(number)}`).join(", ");
  const paymentsText = formatEach(payments, formatChips);
  const penaltyText = formatEach(penalty, String);
  return [
    outcome ? words.outcome(outcome, words.player(state, state.declarer)) : "", seat ? stepMessages.fault(words.player(state, seat)) : "",
    paymentsText ? stepMessages.paid(paymentsText) : "", penaltyText ? stepMessages.penalty(penaltyText) : "",
  ].filter(Boolean).join(" ");
}

function buildCorrection({ event, before }, state, words) {
  const replacedText = before.map((one) => formatReplacedEntry(one, state, words)).join(" ");
  const by = event.recorded_by && !ID_PATTERN.test(event.recorded_by) ? [" ", el("span", { class: "note-author", text: `— ${event.recorded_by}` })] : [];
  const reason = event.reason ? [" ", el("q", { text: event.reason })] : [];
  return el("p", { class: "note note-correction" },
    el("b", { text: `${stepMessages.correction}. ` }), stepMessages.stood(replacedText, (event.with ?? []).length), ...reason, ...by);
}
