import assert from "node:assert/strict";
import test from "node:test";
import { buildSteps, nextStop, stepAt } from "../../service/http/web/static/js/replay/steps.js";

const LONG = "That was so plainly the wrong card that everybody at the table laughed.";
const frame = (seq, type, fields = {}, tricks = []) => ({ seq, event: { type, ...fields }, state: { tricks } });
const trick = (number, count, winner = null) => [{ number, cards: Array(count).fill("??"), winner }];

const REPLAY = {
  frames: [
    frame(1, "deal_opened"),
    frame(2, "hand_dealt"),
    frame(3, "bid_made"),
    frame(4, "contract_named"),
    frame(5, "card_played", {}, trick(1, 1)),
    frame(6, "note_added", { text: "A quiet lead.", on: 5 }, trick(1, 1)),
    frame("7.1", "card_played", {}, trick(1, 2)),
    frame(8, "card_played", {}, trick(1, 3, "forehand")),
    frame(9, "ruling_made", { text: LONG }, trick(1, 3, "forehand")),
    frame(10, "deal_closed", {}, trick(1, 3, "forehand")),
  ],
  notes: [
    { seq: 6, on: 5, text: "A quiet lead." },
    { seq: "x", on: 3, text: "From a book." },
  ],
  findings: [
    { seq: 8, severity: "error", message: "" },
    { seq: null, severity: "info", message: "" },
  ],
  mendings: [
    { at: 8, event: { seq: 11, type: "action_withdrawn" }, before: [{ seq: 12, type: "bid_made" }] },
    { at: "7.1", event: { seq: 7, type: "correction_made" }, before: [] },
  ],
};

test("the deal is one step, every entry another, and what is said of it stands there", () => {
  const steps = buildSteps(REPLAY);
  const kinds = [
    "deal",
    "bid_made",
    "contract_named",
    "card_played",
    "card_played",
    "card_played",
    "action_withdrawn",
    "ruling_made",
  ];
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    kinds,
  );
  assert.deepEqual(
    steps.map(({ notes }) => notes.length),
    [0, 1, 0, 1, 0, 0, 0, 0],
  );
  assert.deepEqual(
    steps.map(({ findings }) => findings.length),
    [0, 0, 0, 0, 0, 1, 0, 0],
  );
  assert.deepEqual(
    steps.map(({ corrections }) => corrections.length),
    [0, 0, 0, 0, 1, 0, 0, 0],
  );
  assert.deepEqual(steps[6].withdrawnEvents, REPLAY.mendings[0].before);
  assert.equal(steps[7].marginText, LONG);
  assert.equal(steps[7].sentenceEvent.text, null);
});

test("an entry's number leads to its step, any other to the last step before it", () => {
  const steps = buildSteps(REPLAY);
  const places = { 1: 0, 2: 0, 3: 1, 6: 3, 7: 4, 7.1: 4, 10: 7, 99: 7, x: 0 };
  for (const [seq, place] of Object.entries(places)) assert.equal(stepAt(steps, seq), place, seq);
});

test("stepping by tricks halts at the contract, before the lead and after each trick", () => {
  const steps = buildSteps(REPLAY);
  assert.equal(nextStop(steps, 0, 1), 2);
  assert.equal(nextStop(steps, 2, 1), 5);
  assert.equal(nextStop(steps, 5, -1), 2);
  assert.equal(nextStop(steps, 7, 1), 7);
});
