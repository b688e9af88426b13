/** A deal's diagram, as a bridge column has it: every hand in a row for each suit, and between them what lies on the table. */

import { cardInText, isHidden, isKnown, isSuitOnly, pip, rankOf, sortHand, spaced, suitOf } from "./cards.js";
import { el } from "../core/dom.js";
import { SEATS } from "./tracks.js";

const SUITS = ["S", "H", "D", "C"];
const SIDES = { anticlockwise: ["bottom", "right", "left"], clockwise: ["bottom", "left", "right"] };

/**
 * The drawing of a point: `slots` are where each card lies then (tracks.js), `state` what the record says of it, `direction`
 * how the table plays. A card that was known only later leans. `more` are the column's own words.
 */
export function diagram({ slots, state, direction, words, more }) {
  const cards = [...slots.values()];
  const sides = SIDES[direction] ?? SIDES.anticlockwise;
  const hands = SEATS.map((seat, place) => hand(cards, seat, sides[place], { state, words, more }));
  return el("div", { class: "diagram" }, ...hands, middle(cards, sides, { state, words, more }));
}

/** Whether there is anything to be seen of the hands at a point. */
export const showsHands = (slots) => [...slots.values()].some(({ zone, card }) => zone === "hand" && !isHidden(card));

/** Whether some card that lies there was known only later. */
export const showsLater = (slots) => [...slots.values()].some(({ zone, later }) => zone === "hand" && later);

function hand(cards, seat, side, { state, words, more }) {
  const held = cards.filter((slot) => slot.zone === "hand" && slot.seat === seat);
  const later = new Set(held.filter((slot) => slot.later).map(({ card }) => card));
  const seen = held.map(({ card }) => card).filter((card) => !isHidden(card));
  const rows = seen.length ? SUITS.map((suit) => suitRow(suit, sortHand(seen.filter((card) => suitOf(card) === suit), state.trump, state.contract), later, words)) : [];
  const unseen = held.length - seen.length;
  return el("div", { class: `diagram-hand is-${side}`, role: "group", "aria-label": `${words.player(state, seat)}, ${words.seat(seat)}` },
    el("p", { class: "diagram-name", "aria-hidden": "true" }, el("b", { text: words.player(state, seat) }), ...declares(state, seat, words)),
    rows.length ? el("ul", {}, ...rows) : null,
    unseen ? el("p", { class: "diagram-unseen", text: words.unknownCards(unseen) }) : null,
    held.length ? null : el("p", { class: "diagram-unseen", text: more.noCards }));
}

/** At a hand the game that is played, where it is its player's. */
function declares(state, seat, words) {
  if (state.declarer !== seat || !state.contract) return [];
  return [" ", el("i", {}, words.bid(state.contract), ...(state.trump ? [" ", pip(state.trump)] : []))];
}

/** A suit of a hand: its sign and the letters of its cards, an x where only the suit is known. */
function suitRow(suit, cards, later, words) {
  const letters = cards.map((card) => {
    const letter = isSuitOnly(card) ? "x" : words.letter(rankOf(card));
    return isSuitOnly(card) || later.has(card) ? el("i", { text: letter }) : letter;
  });
  return el("li", {},
    cards.length ? el("span", { class: "unseen", text: cards.map(words.card).join(", ") }) : null,
    el("span", { class: "diagram-suit", "aria-hidden": "true" }, pip(suit), el("span", {}, ...(letters.length ? spaced(letters) : ["–"]))));
}

/** What lies between the hands: the trick, each card before who played it, or else the talon. */
function middle(cards, sides, { state, words, more }) {
  const trick = cards.filter(({ zone }) => zone === "trick").sort((one, other) => one.order - other.order);
  if (trick.length) {
    const played = trick.map((slot) => el("span", { class: `is-${sides[SEATS.indexOf(slot.seat)]}${slot.won ? " wins" : ""}` },
      el("span", { class: "unseen", text: `${words.player(state, slot.seat)}: ` }), slot.order ? null : el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }), cardInText(slot.card, words)));
    return el("div", { class: "diagram-middle is-trick", role: "group", "aria-label": words.trickNumber(trick[0].trick) }, ...played);
  }
  const talon = cards.filter(({ zone }) => zone === "talon");
  if (!talon.length) return el("div", { class: "diagram-middle" });
  const known = talon.filter(({ card }) => isKnown(card)).sort((one, other) => one.order - other.order);
  return el("div", { class: "diagram-middle" },
    el("p", { class: "quiet", text: known.length < talon.length ? words.talon(talon.length) : more.talon }),
    known.length ? el("p", { class: "diagram-talon" }, ...spaced(known.map(({ card }) => cardInText(card, words)))) : null);
}
