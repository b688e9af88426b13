// @ts-check
/**
 * Which of the forty cards lies where, at every step.
 *
 * A record names a card only when somebody saw it; on the table it is the same piece of pasteboard all along. Here
 * each piece gets one number for the whole replay, so that what moves between two steps is what really moved.
 */

import { HIDDEN_CARD, isHidden, isKnown, sortHand, suitOf } from "../core/cards.js";

/** @import { Seq, State } from "./types.d.ts" */
/**
 * The place of a card: `order` of `of` in its zone. A pile that is `spread` can be read; `later`: the card is known only later.
 * @typedef {"hand" | "talon" | "discard" | "trick" | "won" | "aside"} Zone
 * @typedef {object} Slot
 * @property {string} key
 * @property {Zone} zone
 * @property {string} seat - "" of the talon
 * @property {string} card
 * @property {number} order
 * @property {number} of
 * @property {number} [trick]
 * @property {number | null} [pile] - which of the tricks that its winner has
 * @property {Seq} [seq]
 * @property {boolean} [faceDown]
 * @property {boolean} [turned]
 * @property {boolean} [won]
 * @property {boolean} [spread]
 * @property {boolean} [later]
 */
/** Where each piece lies at a step. @typedef {Map<number, Slot>} Track */
/** @typedef {(slot: Slot, origin: Slot) => boolean} Fits */

export const SEATS = ["forehand", "middlehand", "backhand"];

/** For each state a map from a piece's number to its slot. @param {State[]} states */
export function buildCardTracks(states) {
  /** @type {Track[]} */
  const tracks = [];
  /** @type {Track} */
  let before = new Map();
  let pieces = 0;
  for (const state of states) {
    const slots = listSlots(state);
    const matched = matchPieces(slots, before);
    const now = new Map(slots.map((slot, index) => [matched[index] ?? pieces++, slot]));
    tracks.push(now);
    before = now;
  }
  return tracks;
}

/** Every card of a state, each in its place. @param {State} state */
function listSlots(state) {
  return [
    ...SEATS.flatMap((seat) => handSlots(state, seat)),
    ...talonSlots(state),
    ...discardSlots(state),
    ...trickSlots(state),
  ];
}

/** The cards of a hand, unknown ones as far as their suit is known. @type {(state: State, seat: string) => string[]} */
export function handCards(state, seat) {
  const hand = state.hands?.[seat] ?? { cards: [], unknown: 0 };
  const suits = (hand.maybe ?? []).filter((/** @type {string} */ card) => card[1] === "?").slice(0, hand.unknown ?? 0);
  const backs = Array(Math.max(0, (hand.unknown ?? 0) - suits.length)).fill(HIDDEN_CARD);
  return sortHand([...hand.cards, ...suits, ...backs], state.trump, state.contract);
}

/** @type {(state: State, seat: string) => Slot[]} */
const handSlots = (state, seat) => buildZoneSlots("hand", seat, handCards(state, seat));

/** @type {(zone: Zone, seat: string, cards: string[]) => Slot[]} */
function buildZoneSlots(zone, seat, cards) {
  return cards.map((card, order) => ({ key: `${zone}:${seat}:${order}`, zone, seat, card, order, of: cards.length }));
}

/** @type {(cards: string[], count: number | null) => string[]} */
const padWithHidden = (cards, count) => [
  ...cards,
  ...Array(Math.max(0, (count ?? cards.length) - cards.length)).fill(HIDDEN_CARD),
];

/** @param {State} state */
function talonSlots(state) {
  const talon = state.talon ?? { cards: [], count: 0, turned: null };
  const cards = padWithHidden(talon.cards, talon.count);
  const isLaidApart =
    Boolean(talon.turned) && cards.length > 0 && (cards[0] === talon.turned || cards[0] === HIDDEN_CARD);
  if (isLaidApart) cards[0] = talon.turned;
  const slots = buildZoneSlots("talon", "", cards);
  if (isLaidApart) slots[0].turned = true;
  return slots;
}

/** @param {State} state */
function discardSlots(state) {
  return SEATS.flatMap((seat) => {
    const pile = state.discards?.[seat];
    return pile ? buildZoneSlots("discard", seat, padWithHidden(pile.cards, pile.count)) : [];
  });
}

/** @param {State} state @returns {Slot[]} */
function trickSlots(state) {
  const tricks = state.tricks ?? [];
  const wonSoFar = Object.fromEntries(SEATS.map((seat) => [seat, 0]));
  return tricks.flatMap((trick, index) => {
    const lies = index === tricks.length - 1;
    const pile = lies || !trick.winner ? null : wonSoFar[trick.winner]++;
    return trick.cards.map((card, order) => ({
      key: `trick:${trick.number}:${order}`,
      zone: lies ? "trick" : trick.winner ? "won" : "aside",
      seat: lies || !trick.winner ? trick.seats[order] : trick.winner,
      card,
      order,
      pile,
      of: trick.cards.length,
      trick: trick.number,
      seq: trick.seqs?.[order],
      faceDown: !lies,
      won: lies && Boolean(trick.winner) && trick.winner === trick.seats[order],
    }));
  });
}

/** From where a card that turns up in a zone most likely came. @type {Record<Zone, Zone>} */
const LIKELY_ORIGINS = { trick: "hand", hand: "talon", discard: "hand", talon: "talon", won: "trick", aside: "trick" };

/** Whether a card most likely lay there before; from a hand a player takes only the own cards. @type {Fits} */
const isLikelyOrigin = (slot, origin) =>
  origin.zone === LIKELY_ORIGINS[slot.zone] && (origin.zone !== "hand" || origin.seat === slot.seat);

/** Whether the slot is where that card lay before. The talon is counted from the bottom: it is drawn from the top. @type {Fits} */
function isSamePlace(slot, origin) {
  if (slot.zone !== origin.zone || slot.seat !== origin.seat || slot.zone === "trick") return false;
  return slot.zone !== "talon" || slot.of - slot.order === origin.of - origin.order;
}

/** Whether both can be the same card, as far as each is known. @type {Fits} */
function canBeSameCard({ card }, { card: origin }) {
  if (isHidden(card) || isHidden(origin)) return true;
  return isKnown(card) && isKnown(origin) ? card === origin : suitOf(card) === suitOf(origin);
}

/** For each slot the number of the piece that was in another place before, or undefined for a new one. @type {(slots: Slot[], before: Track) => (number | undefined)[]} */
function matchPieces(slots, before) {
  const matched = new Array(slots.length);
  const free = new Map(before);
  /** @param {Fits} fits */
  const settle = (fits) => {
    slots.forEach((slot, index) => {
      if (matched[index] !== undefined) return;
      for (const [piece, origin] of free) {
        if (!fits(slot, origin)) continue;
        matched[index] = piece;
        free.delete(piece);
        return;
      }
    });
  };
  const wantedCards = new Set(slots.map((slot) => slot.card));
  const isSpare = (/** @type {Slot} */ origin) => !isKnown(origin.card) || !wantedCards.has(origin.card);
  settle((slot, origin) => slot.key.startsWith("trick") && slot.key === origin.key);
  settle((slot, origin) => isKnown(slot.card) && slot.card === origin.card);
  settle((slot, origin) => isSamePlace(slot, origin) && canBeSameCard(slot, origin) && isSpare(origin));
  settle((slot, origin) => isLikelyOrigin(slot, origin) && canBeSameCard(slot, origin) && isSpare(origin));
  settle((slot, origin) => canBeSameCard(slot, origin) && isSpare(origin));
  return matched;
}
