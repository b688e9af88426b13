/** What is told of corrections: what stood there before, why it does not any more, and who says so. And of rulings. */

import { isKnown } from "./cards.js";
import { el } from "./dom.js";

/** An id, which tells nobody who that is. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an entry that does not stand any more said, as a sentence; `state` is that of the deal where it stood. */
export function saidOf(event, state, words) {
  // What it made of the deal nobody can say any more: trumps by a card that was not turned, a trick by a card not played.
  const there = { ...state, players: event.players ?? state.players };
  if (event.type === "card_played") return words.playedThen({ event, state: there });
  const sentence = words.upper(words.sentence(event.type, { event, state: { ...there, trump: null } }));
  const known = (event.cards ?? []).filter(isKnown);
  return known.length && event.type !== "cards_shown" ? `${sentence.replace(/\.$/, "")}: ${known.map(words.card).join(", ")}.` : sentence;
}

/** The corrections that belong to a step, and what a director ruled there: a line for each. */
export function mendedTexts({ mended, frame: { state, event } }, words) {
  const ruled = event.type === "ruling_made" ? words.ruled(event, state) : "";
  return [
    ...mended.map((mending) => corrected(mending, state, words)),
    ...(ruled ? [el("p", { class: "note" }, el("b", { text: `${words.ruling}. ` }), ruled)] : []),
  ];
}

function corrected({ event, before }, state, words) {
  const stood = before.map((one) => saidOf(one, state, words)).join(" ");
  const by = event.recorded_by && !ID.test(event.recorded_by) ? [" ", el("span", { class: "note-author", text: `— ${event.recorded_by}` })] : [];
  const reason = event.reason ? [" ", el("q", { text: event.reason })] : [];
  return el("p", { class: "note note-mended" },
    el("b", { text: `${words.correction}. ` }), words.stood(stood, (event.with ?? []).length), ...reason, ...by);
}
