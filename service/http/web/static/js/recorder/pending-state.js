/**
 * What is entered and not stored yet, laid on top of what the service knows: cards on the table, calls in their order.
 * It only lays down what was tapped. Whose turn it then is, is known without the rules where one lays after another;
 * else a person says it.
 */

import { SEATS } from "../replay/card-tracks.js";

/** Which kind of thing is asked for after an entry of that type, as long as nobody can be asked. */
const NEXT_ACTION = {
  bid_made: "bid", contract_named: "exchange", trump_named: "exchange", talon_turned: "exchange",
  cards_discarded: "draw", cards_drawn: "exchange", card_played: "play",
};

/** What may be entered without the service saying what is due. */
export const ENTRY_KINDS = ["bid", "name", "turn", "exchange", "play"];

/** How a deal stands with `events` on top: as `RecordedDeal.at` returns it, with `legal.guessed` as nothing has judged it; after a close nothing is asked. */
export function applyPendingEvents(point, events) {
  const state = structuredClone(point.state);
  let action = point.legal?.action ?? "play";
  let seat = null;
  let count = 0;
  for (const event of events) {
    applyEvent(state, event);
    action = NEXT_ACTION[event.type] ?? action;
    seat = nextSeatAfter(state, event);
    count = event.type === "cards_discarded" ? event.cards.length : 0;
  }
  if (action === "draw" && !count) [action, seat] = ["exchange", null];
  const legal = events.at(-1).type === "deal_closed" ? null : { seat, action, count, guessed: true };
  return { ...point, version: point.version + events.length, state, legal };
}

/** Whose turn it is after an entry, as far as that needs no rule. */
function nextSeatAfter(state, event) {
  if (event.type === "cards_discarded") return event.seat;
  const trick = state.tricks.at(-1);
  if (event.type !== "card_played" || !trick || trick.cards.length >= SEATS.length) return null;
  return SEATS[(SEATS.indexOf(event.seat) + 1) % SEATS.length];
}

function applyEvent(state, event) {
  if (event.type === "bid_made") state.calls.push({ seq: null, seat: event.seat, bid: event.bid, ...(event.said ? { said: event.said } : {}) });
  if (event.type === "contract_named") Object.assign(state, { declarer: event.seat, contract: event.contract, trump: event.trump ?? state.trump });
  if (event.type === "trump_named") state.trump = event.trump;
  if (event.type === "talon_turned") state.talon.turned = event.card;
  if (event.type === "cards_discarded") state.discards[event.seat] = { cards: event.cards, count: event.cards.length };
  if (event.type === "cards_drawn") {
    state.draws[event.seat] = { cards: event.cards, count: event.cards.length };
    state.talon.cards = state.talon.cards.slice(event.cards.length);
    state.talon.count -= event.cards.length;
  }
  if (event.type === "card_played") applyCardPlayed(state, event);
}

function applyCardPlayed(state, { seat, card, trick: anchor }) {
  const hand = state.hands[seat];
  if (hand) hand.cards = hand.cards.filter((one) => one !== card);
  const last = state.tricks.at(-1);
  const open = last && last.winner === null && last.cards.length < SEATS.length && !anchor;
  const trick = open ? last : { number: anchor ?? (last?.number ?? 0) + 1, leader: seat, seats: [], cards: [], seqs: [], winner: null };
  if (!open) state.tricks.push(trick);
  trick.seats.push(seat);
  trick.cards.push(card);
  trick.seqs.push(null);
  state.phase = "play";
}
