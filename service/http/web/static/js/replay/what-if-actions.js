// @ts-check
/**
 * What somebody does in a what-if, as the record's event of it: plays a card, calls, names a game, discards or draws so
 * many cards. Pure: what may be done at a point, and the sign that encodes it in an address.
 */

import { HIDDEN_CARD, sortHand } from "../core/cards.js";

/** @import { DealEvent, Frame, Legal, State } from "./types.d.ts" */
/** @typedef {Pick<DealEvent, "type" | "seat"> & Partial<DealEvent>} Action */

/** @type {Record<string, any>} */
const SEATS_BY_LETTER = { f: "forehand", m: "middlehand", b: "backhand" };
const LETTERS_BY_SEAT = Object.fromEntries(Object.entries(SEATS_BY_LETTER).map(([letter, seat]) => [seat, letter]));

/** @param {number} count */
const hiddenCards = (count) => Array(count).fill(HIDDEN_CARD);

/**
 * For each event how a sign encodes it after its seat's letter: `encode` of the event, `pattern` of the sign, `decode` into fields.
 * @type {Record<string, { encode: (act: any) => string, pattern: RegExp, decode: (found: RegExpExecArray) => Record<string, any> }>}
 */
const ACTION_CODECS = {
  card_played: { encode: ({ card }) => card, pattern: /^([SHCD][A2-7JQK]|\?\?)$/, decode: ([, card]) => ({ card }) },
  bid_made: { encode: ({ bid }) => `!${bid}`, pattern: /^!([a-z\d-]+)$/, decode: ([, bid]) => ({ bid }) },
  contract_named: {
    encode: ({ contract, trump }) => `~${contract}${trump ? `*${trump}` : ""}`,
    pattern: /^~([a-z\d-]+)(?:\*([SHCD]))?$/,
    decode: ([, contract, trump]) => ({ contract, ...(trump ? { trump } : {}) }),
  },
  cards_discarded: {
    encode: ({ cards }) => `x${cards.length}`,
    pattern: /^x(\d|1[0-3])$/,
    decode: ([, count]) => ({ cards: hiddenCards(Number(count)) }),
  },
  cards_drawn: {
    encode: ({ cards }) => `d${cards.length}`,
    pattern: /^d(\d|1[0-3])$/,
    decode: ([, count]) => ({ cards: hiddenCards(Number(count)) }),
  },
};

/** Whether an event is something that a what-if can do otherwise. @param {{ type: string }} event */
export const isWhatIfAction = ({ type }) => type in ACTION_CODECS;

/** The sign of an act: the letter of its seat, and what is done. Two acts with one sign are the same. @param {Action} act @returns {string} */
export const encodeAction = (act) => LETTERS_BY_SEAT[act.seat] + ACTION_CODECS[act.type].encode(act);

/** The act of a sign; null if there is none. The trick of a card is left open. @param {string} code @returns {Action | null} */
export function decodeAction(code) {
  const seat = SEATS_BY_LETTER[code[0]];
  for (const [type, { pattern, decode }] of Object.entries(ACTION_CODECS)) {
    const found = pattern.exec(code.slice(1));
    if (seat && found) return { type, seat, ...decode(found) };
  }
  return null;
}

/** What may be done next, by the frame of a point: acts, none if it is nothing that a what-if can do. @param {Frame} frame @returns {Action[]} */
export function listLegalActions({ legal, state }) {
  return (legal && ACTION_BUILDERS[legal.action]?.(legal, state)) ?? [];
}

/** @type {Record<string, (legal: Legal, state: State) => Action[]>} */
const ACTION_BUILDERS = {
  play: (legal, state) => listPlayableCards(legal, state).map((card) => buildCardPlay(card, legal, state)),
  bid: ({ seat, calls }) => calls.map((/** @type {string} */ bid) => ({ type: "bid_made", seat, bid })),
  name: ({ seat, contracts }) =>
    contracts.flatMap((/** @type {{ contract: string, trumps: string[] }} */ { contract, trumps }) =>
      (trumps.length ? trumps : [null]).map((trump) => ({
        type: "contract_named",
        seat,
        contract,
        ...(trump ? { trump } : {}),
      })),
    ),
  exchange: ({ seat, min, max }) =>
    Array.from({ length: max - min + 1 }, (_, more) => ({
      type: "cards_discarded",
      seat,
      cards: hiddenCards(min + more),
    })),
  draw: ({ seat, count }) => [{ type: "cards_drawn", seat, cards: hiddenCards(count) }],
};

/** A card as it is played at this point, to its trick. @type {(card: string, legal: Legal, state: State) => Action} */
const buildCardPlay = (card, { seat }, state) => {
  const last = state.tricks?.at(-1);
  const open = last && last.cards.length < 3 && !last.winner;
  return { type: "card_played", seat, card, trick: last ? last.number + (open ? 0 : 1) : 1 };
};

/**
 * What may be played as far as one can tell, as a hand is held: where an unseen card was led, or a hand is not known, any that
 * surely lies there, and a card that nobody saw.
 * @param {Legal} legal
 * @param {State} state
 * @returns {string[]}
 */
function listPlayableCards(legal, state) {
  if (!legal.hidden) return sortHand(legal.cards ?? [], state.trump, state.contract);
  const { cards = [], unknown = 0 } = state.hands?.[legal.seat] ?? {};
  return [
    ...sortHand([...new Set([...(legal.cards ?? []), ...cards])], state.trump, state.contract),
    ...(unknown || !cards.length ? [HIDDEN_CARD] : []),
  ];
}
