/** What is told of corrections: what stood there before, why it does not any more, and who says so. And of rulings. */

import { beside } from "./beside-words.js";
import { isKnown } from "./cards.js";
import { el } from "../core/dom.js";
import { chips } from "./score.js";

/** An id, which tells nobody who that is. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an entry that does not stand any more said, as a sentence; `state` is that of the deal where it stood. */
export function saidOf(event, state, words) {
  // What it made of the deal nobody can say any more: trumps by a card that was not turned, a trick by a card not played.
  const there = { ...state, players: event.players ?? state.players };
  if (event.type === "card_played") return beside.played(words.player(there, event.seat), words.card(event.card));
  const sentence = words.upper(words.sentence(event.type, { event, state: { ...there, trump: null } }));
  const known = (event.cards ?? []).filter(isKnown);
  return known.length && event.type !== "cards_shown" ? `${sentence.replace(/\.$/, "")}: ${known.map(words.card).join(", ")}.` : sentence;
}

/** The corrections that belong to a step, and what a director ruled there: a line for each. */
export function mendedTexts({ mended, frame: { state, event } }, words) {
  const ruling = event.type === "ruling_made" ? ruled(event, state, words) : "";
  return [
    ...mended.map((mending) => corrected(mending, state, words)),
    ...(ruling ? [el("p", { class: "note" }, el("b", { text: `${beside.ruling}. ` }), ruling)] : []),
  ];
}

/** What a director decided, beyond his words. */
function ruled({ outcome, at_fault: seat, payments, penalty }, state, words) {
  const each = (given, told) => Object.entries(given ?? {}).map(([who, number]) => `${words.player(state, who)} ${told(number)}`).join(", ");
  const paid = each(payments, chips);
  const fined = each(penalty, String);
  return [
    outcome ? words.outcome(outcome, words.player(state, state.declarer)) : "", seat ? beside.fault(words.player(state, seat)) : "",
    paid ? beside.paid(paid) : "", fined ? beside.penalty(fined) : "",
  ].filter(Boolean).join(" ");
}

function corrected({ event, before }, state, words) {
  const stood = before.map((one) => saidOf(one, state, words)).join(" ");
  const by = event.recorded_by && !ID.test(event.recorded_by) ? [" ", el("span", { class: "note-author", text: `— ${event.recorded_by}` })] : [];
  const reason = event.reason ? [" ", el("q", { text: event.reason })] : [];
  return el("p", { class: "note note-mended" },
    el("b", { text: `${beside.correction}. ` }), beside.stood(stood, (event.with ?? []).length), ...reason, ...by);
}
