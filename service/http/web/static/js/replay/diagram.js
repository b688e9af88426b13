/** A deal's diagram, as a bridge column has it: every hand in a row for each suit, and between them what lies on the table. */

import { buildInlineCard, isHidden, isKnown, isSuitOnly, drawPip, rankOf, sortHand, joinWithSpaces, suitOf } from "../core/cards.js";
import { el } from "../core/dom.js";
import { SEATS } from "./card-tracks.js";

const DIAGRAM_SUIT_ORDER = ["S", "H", "D", "C"];
const SIDES_BY_DIRECTION = { anticlockwise: ["bottom", "right", "left"], clockwise: ["bottom", "left", "right"] };

/**
 * The drawing of a point: `slots` are where each card lies then (card-tracks.js), `state` what the record says of it, `direction`
 * how the table plays. A card that was known only later leans. `columnWords` are the column's own words.
 */
export function buildDiagram({ slots, state, direction, words, columnWords }) {
  const cards = [...slots.values()];
  const sides = SIDES_BY_DIRECTION[direction] ?? SIDES_BY_DIRECTION.anticlockwise;
  const hands = SEATS.map((seat, index) => buildHand(cards, seat, sides[index], { state, words, columnWords }));
  return el("div", { class: "diagram" }, ...hands, buildMiddle(cards, sides, { state, words, columnWords }));
}

/** Whether there is anything to be seen of the hands at a point. */
export const hasKnownHandCards = (slots) => [...slots.values()].some(({ zone, card }) => zone === "hand" && !isHidden(card));

/** Whether some card that lies there was known only later. */
export const hasLaterKnownCards = (slots) => [...slots.values()].some(({ zone, later }) => zone === "hand" && later);

function buildHand(cards, seat, side, { state, words, columnWords }) {
  const handSlots = cards.filter((slot) => slot.zone === "hand" && slot.seat === seat);
  const later = new Set(handSlots.filter((slot) => slot.later).map(({ card }) => card));
  const seen = handSlots.map(({ card }) => card).filter((card) => !isHidden(card));
  const rows = seen.length ? DIAGRAM_SUIT_ORDER.map((suit) => buildSuitRow(suit, sortHand(seen.filter((card) => suitOf(card) === suit), state.trump, state.contract), later, words)) : [];
  const unseen = handSlots.length - seen.length;
  return el("div", { class: `diagram-hand is-${side}`, role: "group", "aria-label": `${words.player(state, seat)}, ${words.seat(seat)}` },
    el("p", { class: "diagram-name", "aria-hidden": "true" }, el("b", { text: words.player(state, seat) }), ...buildContractLabel(state, seat, words)),
    rows.length ? el("ul", {}, ...rows) : null,
    unseen ? el("p", { class: "diagram-unseen", text: words.unknownCards(unseen) }) : null,
    handSlots.length ? null : el("p", { class: "diagram-unseen", text: columnWords.noCards }));
}

/** At a hand the game that is played, where it is its player's. */
function buildContractLabel(state, seat, words) {
  if (state.declarer !== seat || !state.contract) return [];
  return [" ", el("i", {}, words.bid(state.contract), ...(state.trump ? [" ", drawPip(state.trump)] : []))];
}

/** A suit of a hand: its sign and the letters of its cards, an x where only the suit is known. */
function buildSuitRow(suit, cards, later, words) {
  const letters = cards.map((card) => {
    const letter = isSuitOnly(card) ? "x" : words.letter(rankOf(card));
    return isSuitOnly(card) || later.has(card) ? el("i", { text: letter }) : letter;
  });
  return el("li", {},
    cards.length ? el("span", { class: "visually-hidden", text: cards.map(words.card).join(", ") }) : null,
    el("span", { class: "diagram-suit", "aria-hidden": "true" }, drawPip(suit), el("span", {}, ...(letters.length ? joinWithSpaces(letters) : ["–"]))));
}

/** What lies between the hands: the trick, each card before who played it, or else the talon. */
function buildMiddle(cards, sides, { state, words, columnWords }) {
  const trick = cards.filter(({ zone }) => zone === "trick").sort((one, other) => one.order - other.order);
  if (trick.length) {
    const played = trick.map((slot) => el("span", { class: `is-${sides[SEATS.indexOf(slot.seat)]}${slot.won ? " wins" : ""}` },
      el("span", { class: "visually-hidden", text: `${words.player(state, slot.seat)}: ` }), slot.order ? null : el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }), buildInlineCard(slot.card, words)));
    return el("div", { class: "diagram-middle is-trick", role: "group", "aria-label": words.trickNumber(trick[0].trick) }, ...played);
  }
  const talon = cards.filter(({ zone }) => zone === "talon");
  if (!talon.length) return el("div", { class: "diagram-middle" });
  const known = talon.filter(({ card }) => isKnown(card)).sort((one, other) => one.order - other.order);
  return el("div", { class: "diagram-middle" },
    el("p", { class: "muted", text: known.length < talon.length ? words.talon(talon.length) : columnWords.talon }),
    known.length ? el("p", { class: "diagram-talon" }, ...joinWithSpaces(known.map(({ card }) => buildInlineCard(card, words)))) : null);
}
