/**
 * What somebody does in a what-if, as the record's event of it: he plays a card, calls, names a game, lays away or draws so
 * many cards. Pure: what may be done at a point, and the sign by which an address tells it.
 */

import { HIDDEN, sortHand } from "./cards.js";

const SEATS = { f: "forehand", m: "middlehand", b: "backhand" };
const LETTERS = Object.fromEntries(Object.entries(SEATS).map(([letter, seat]) => [seat, letter]));

const hidden = (count) => Array(count).fill(HIDDEN);

/** For each event how a sign tells it behind its seat's letter: `written` of the event, `pattern` of the sign, `read` into fields. */
const SIGNS = {
  card_played: { written: ({ card }) => card, pattern: /^([SHCD][A2-7JQK]|\?\?)$/, read: ([, card]) => ({ card }) },
  bid_made: { written: ({ bid }) => `!${bid}`, pattern: /^!([a-z\d-]+)$/, read: ([, bid]) => ({ bid }) },
  contract_named: {
    written: ({ contract, trump }) => `~${contract}${trump ? `*${trump}` : ""}`,
    pattern: /^~([a-z\d-]+)(?:\*([SHCD]))?$/,
    read: ([, contract, trump]) => ({ contract, ...(trump ? { trump } : {}) }),
  },
  cards_discarded: { written: ({ cards }) => `x${cards.length}`, pattern: /^x(\d|1[0-3])$/, read: ([, count]) => ({ cards: hidden(Number(count)) }) },
  cards_drawn: { written: ({ cards }) => `d${cards.length}`, pattern: /^d(\d|1[0-3])$/, read: ([, count]) => ({ cards: hidden(Number(count)) }) },
};

/** Whether an event is something that a what-if can do otherwise. */
export const isAct = ({ type }) => type in SIGNS;

/** The sign of an act: the letter of its seat, and what is done. Two acts with one sign are the same. */
export const signOf = (act) => LETTERS[act.seat] + SIGNS[act.type].written(act);

/** The act that a sign tells; null where it tells none. Which trick a card is played to it leaves open. */
export function actFrom(sign) {
  const seat = SEATS[sign[0]];
  for (const [type, { pattern, read }] of Object.entries(SIGNS)) {
    const found = pattern.exec(sign.slice(1));
    if (seat && found) return { type, seat, ...read(found) };
  }
  return null;
}

/** What may be done next, by the frame of a point: acts, none where it is nothing that a what-if can do. */
export function actsAt({ legal, state }) {
  const make = OFFERS[legal?.action];
  return make ? make(legal, state) : [];
}

const OFFERS = {
  play: (legal, state) => playable(legal, state).map((card) => playOf(card, legal, state)),
  bid: ({ seat, calls }) => calls.map((bid) => ({ type: "bid_made", seat, bid })),
  name: ({ seat, contracts }) => contracts.flatMap(({ contract, trumps }) =>
    (trumps.length ? trumps : [null]).map((trump) => ({ type: "contract_named", seat, contract, ...(trump ? { trump } : {}) }))),
  exchange: ({ seat, min, max }) => Array.from({ length: max - min + 1 }, (_, more) => ({ type: "cards_discarded", seat, cards: hidden(min + more) })),
  draw: ({ seat, count }) => [{ type: "cards_drawn", seat, cards: hidden(count) }],
};

/** A card as it is played at this point, to its trick. */
function playOf(card, { seat }, state) {
  const last = state.tricks?.at(-1);
  const open = last && last.cards.length < 3 && !last.winner;
  return { type: "card_played", seat, card, trick: last ? last.number + (open ? 0 : 1) : 1 };
}

/**
 * What may be played as far as one can tell, as a hand is held: where an unseen card was led, or a hand is not known, any that
 * surely lies there, and a card that nobody saw.
 */
function playable(legal, state) {
  if (!legal.hidden) return sortHand(legal.cards, state.trump, state.contract);
  const { cards = [], unknown = 0 } = state.hands?.[legal.seat] ?? {};
  return [...sortHand([...new Set([...legal.cards, ...cards])], state.trump, state.contract), ...(unknown || !cards.length ? [HIDDEN] : [])];
}
