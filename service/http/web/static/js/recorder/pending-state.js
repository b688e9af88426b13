// @ts-check
/**
 * What is entered and not stored yet, laid on top of what the service knows: cards on the table, calls in their order.
 * It only lays down what was tapped. Who takes a trick is read from the ladders that are served with the rules; whose
 * turn it is where neither that nor the order of play says it, a person says.
 */

/** @import { DealEvent, DealState, Point, Trick } from "./recorded-deal.js" */
/** @typedef {{ led: string, wins: string }} Ladder - the cards of a suit, and all that can win when it is led, best first */
/** @typedef {{ card_order: { nolos: string[] }, trick_ladders: Record<string, Ladder[]> }} TrickRules */

const SEATS = ["forehand", "middlehand", "backhand"];

/** @type {Record<string, string>} What is asked for after an entry of that type, as long as nobody can be asked. */
const NEXT_ACTION = {
  bid_made: "bid",
  contract_named: "exchange",
  trump_named: "exchange",
  talon_turned: "exchange",
  cards_discarded: "draw",
  cards_drawn: "exchange",
  card_played: "play",
};

/** What may be entered without the service saying what is due. */
export const ENTRY_KINDS = ["bid", "name", "turn", "exchange", "play"];

/**
 * How a deal stands with `events` on top, with `legal.guessed` as nothing has judged it. Nothing is asked after a close,
 * or when all cards are played.
 * @param {Point} point
 * @param {DealEvent[]} events
 * @param {TrickRules} rules
 * @returns {Point}
 */
export function applyPendingEvents(point, events, rules) {
  const state = structuredClone(point.state);
  let action = point.legal?.action ?? "play";
  /** @type {string | null} */
  let seat = null;
  let count = 0;
  for (const event of events) {
    applyEvent(state, event, rules);
    action = NEXT_ACTION[event.type] ?? action;
    seat = nextSeatAfter(state, event);
    count = event.type === "cards_discarded" ? event.cards.length : 0;
  }
  if (action === "draw" && !count) [action, seat] = ["exchange", null];
  const isOver = events.at(-1)?.type === "deal_closed" || (action === "play" && areHandsEmpty(state));
  const legal = isOver ? null : { seat, action, count, guessed: true };
  return { ...point, version: point.version + events.length, state, legal };
}

/** @param {DealState} state */
const areHandsEmpty = ({ hands }) =>
  SEATS.every((seat) => hands[seat] && hands[seat].cards.length + hands[seat].unknown <= 0);

/** @type {(state: DealState, event: DealEvent) => string | null} Whose turn it is after an entry, as far as that is known. */
function nextSeatAfter(state, event) {
  if (event.type === "cards_discarded") return event.seat;
  const trick = state.tricks.at(-1);
  if (event.type !== "card_played" || !trick) return null;
  if (trick.cards.length >= SEATS.length) return trick.winner;
  return SEATS[(SEATS.indexOf(event.seat) + 1) % SEATS.length];
}

/** @type {(state: DealState, event: DealEvent, rules: TrickRules) => void} */
function applyEvent(state, event, rules) {
  if (event.type === "bid_made")
    state.calls.push({ seq: null, seat: event.seat, bid: event.bid, ...(event.said ? { said: event.said } : {}) });
  if (event.type === "contract_named")
    Object.assign(state, { declarer: event.seat, contract: event.contract, trump: event.trump ?? state.trump });
  if (event.type === "trump_named") state.trump = event.trump;
  if (event.type === "talon_turned") state.talon.turned = event.card;
  if (event.type === "cards_discarded") state.discards[event.seat] = { cards: event.cards, count: event.cards.length };
  if (event.type === "cards_drawn") {
    state.draws[event.seat] = { cards: event.cards, count: event.cards.length };
    state.talon.cards = state.talon.cards.slice(event.cards.length);
    state.talon.count -= event.cards.length;
  }
  if (event.type === "card_played") applyCardPlayed(state, event, rules);
}

/** @type {(state: DealState, event: DealEvent, rules: TrickRules) => void} */
function applyCardPlayed(state, { seat, card, trick: anchor }, rules) {
  const hand = state.hands[seat];
  if (hand?.cards.includes(card)) hand.cards = hand.cards.filter((one) => one !== card);
  else if (hand) hand.unknown -= 1;
  const last = state.tricks.at(-1);
  const isOpen = last && last.winner === null && last.cards.length < SEATS.length && !anchor;
  /** @type {Trick} */
  const trick = isOpen
    ? last
    : { number: anchor ?? (last?.number ?? 0) + 1, leader: seat, seats: [], cards: [], seqs: [], winner: null };
  if (!isOpen) state.tricks.push(trick);
  trick.seats.push(seat);
  trick.cards.push(card);
  trick.seqs.push(null);
  state.phase = "play";
  if (trick.cards.length < SEATS.length) return;
  trick.winner = findTrickWinner(trick, state, rules);
  if (trick.winner)
    state.tricks_won = { ...state.tricks_won, [trick.winner]: (state.tricks_won?.[trick.winner] ?? 0) + 1 };
}

/**
 * Who takes a trick: whose card comes first in the ladder of the suit that was led; null where that is not known.
 * @param {Trick} trick
 * @param {DealState} state
 * @param {TrickRules} rules
 */
function findTrickWinner({ cards, seats }, { contract, trump }, rules) {
  const ladders = rules?.trick_ladders?.[rules.card_order.nolos.includes(contract) ? "none" : trump];
  const ladder = ladders?.find(({ led }) => led.includes(cards[0]));
  if (!ladder || cards.some((card) => card.includes("?"))) return null;
  const places = cards.map((card) => ladder.wins.indexOf(card)).map((place) => (place < 0 ? Infinity : place));
  return seats[places.indexOf(Math.min(...places))];
}
