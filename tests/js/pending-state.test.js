import assert from "node:assert/strict";
import test from "node:test";
import { applyPendingEvents } from "../../service/http/web/static/js/recorder/pending-state.js";

/** A pack of few cards is enough: hearts are trumps, with the ace of spades the best of them. */
const rules = {
  card_order: { nolos: ["nolo"] },
  trick_ladders: {
    H: [
      { led: "SAHKH2", wins: "SAHKH2" },
      { led: "CKC2", wins: "SAHKH2CKC2" },
    ],
    none: [
      { led: "SASKS2", wins: "SASKS2" },
      { led: "HKH2", wins: "HKH2" },
    ],
  },
};
const SEATS = ["forehand", "middlehand", "backhand"];
const start = (contract, trump, unknown = 9) => ({
  version: 3,
  state: {
    contract,
    trump,
    tricks: [],
    tricks_won: {},
    hands: Object.fromEntries(SEATS.map((seat) => [seat, { cards: [], unknown }])),
  },
  legal: { seat: "forehand", action: "play" },
  score: {},
  findings: [],
});
const plays = (...cards) => cards.map((card, index) => ({ type: "card_played", seat: SEATS[index], card }));

test("who takes a trick leads the next one, and the trick counts", () => {
  const { state, legal } = applyPendingEvents(start("solo", "H"), plays("CK", "C2", "H2"), rules);
  assert.equal(state.tricks[0].winner, "backhand");
  assert.deepEqual(state.tricks_won, { backhand: 1 });
  assert.deepEqual([legal.seat, legal.action], ["backhand", "play"]);
});

test("in a nolo nothing is trumps", () => {
  const { state } = applyPendingEvents(start("nolo", null), plays("H2", "SA", "HK"), rules);
  assert.equal(state.tricks[0].winner, "backhand");
});

test("who took a trick is not known with a card that nobody saw, or without ladders", () => {
  for (const [cards, served] of [
    [["CK", "??", "H2"], rules],
    [["CK", "C2", "H2"], { card_order: { nolos: [] } }],
  ]) {
    const { state, legal } = applyPendingEvents(start("solo", "H"), plays(...cards), served);
    assert.equal(state.tricks[0].winner, null);
    assert.equal(legal.seat, null);
  }
});

test("nothing is asked when all cards are played", () => {
  assert.equal(applyPendingEvents(start("solo", "H", 1), plays("CK", "C2", "H2"), rules).legal, null);
});
