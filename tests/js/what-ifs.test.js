import assert from "node:assert/strict";
import test from "node:test";
import {
  decodeAction,
  encodeAction,
  listLegalActions,
} from "../../service/http/web/static/js/replay/what-if-actions.js";
import {
  decodeWhatIf,
  encodeWhatIf,
  graftVariation,
  isActionPrefix,
} from "../../service/http/web/static/js/replay/what-if-variation.js";

const ACTS = {
  fHK: { type: "card_played", seat: "forehand", card: "HK" },
  "b??": { type: "card_played", seat: "backhand", card: "??" },
  "m!solo": { type: "bid_made", seat: "middlehand", bid: "solo" },
  "m~oros*D": { type: "contract_named", seat: "middlehand", contract: "oros", trump: "D" },
  "b~pure-nolo": { type: "contract_named", seat: "backhand", contract: "pure-nolo" },
  bx2: { type: "cards_discarded", seat: "backhand", cards: ["??", "??"] },
  fd1: { type: "cards_drawn", seat: "forehand", cards: ["??"] },
};

test("an act and its code are the same thing", () => {
  for (const [code, act] of Object.entries(ACTS)) {
    assert.equal(encodeAction(act), code);
    assert.deepEqual(decodeAction(code), act);
  }
  for (const code of ["", "f", "xHK", "fH9", "fx14", "f!", "f~solo*X"]) assert.equal(decodeAction(code), null, code);
});

test("a what-if is whole in an address, and no other address is one", () => {
  const whatIf = { at: 26, acts: [ACTS.fHK, ACTS["b??"]], name: "A & B", text: "Too early?" };
  const address = encodeWhatIf(whatIf, "26~2");
  assert.equal(address, "at=26~2&from=26&if=fHK.b%3F%3F&name=A+%26+B&text=Too+early%3F");
  assert.deepEqual(decodeWhatIf(address), whatIf);
  assert.equal(decodeWhatIf("from=26.1&if=fHK").at, "26.1");
  for (const other of [
    "",
    "at=3",
    "from=x&if=fHK",
    "from=26&if=fHK.nonsense",
    `from=1&if=${Array(82).fill("fHK").join(".")}`,
  ]) {
    assert.equal(decodeWhatIf(other), null, other);
  }
});

test("one what-if goes on where another ends", () => {
  assert.ok(isActionPrefix([ACTS.fHK], [ACTS.fHK, ACTS.bx2]));
  assert.ok(!isActionPrefix([ACTS.fHK, ACTS.bx2], [ACTS.fHK]));
});

test("what may be done next is what the service says", () => {
  const state = {
    tricks: [{ number: 4, cards: ["SK", "SJ", "H6"], winner: "forehand" }],
    trump: "S",
    contract: "play",
  };
  const legal = { action: "play", seat: "forehand", cards: ["HK"] };
  assert.deepEqual(listLegalActions({ legal, state }), [{ ...ACTS.fHK, trick: 5 }]);
  const calls = listLegalActions({ legal: { action: "bid", seat: "middlehand", calls: ["pass", "solo"] }, state });
  assert.deepEqual(calls.map(encodeAction), ["m!pass", "m!solo"]);
  const games = [
    { contract: "oros", trumps: ["D"] },
    { contract: "pure-nolo", trumps: [] },
  ];
  const named = listLegalActions({ legal: { action: "name", seat: "middlehand", contracts: games }, state });
  assert.deepEqual(named.map(encodeAction), ["m~oros*D", "m~pure-nolo"]);
  assert.deepEqual(listLegalActions({ legal: null, state }), []);
});

test("a variation is put onto its deal, its entries called after where it leaves", () => {
  const frame = (seq, type, card) => ({ seq, event: { type, card }, state: {} });
  const notes = [
    { seq: 3, on: 1, text: "early" },
    { seq: 9, on: 4, text: "late" },
  ];
  const deal = {
    frames: [frame(1, "deal_opened"), frame(2, "card_played", "SA"), frame(4, "card_played", "S2")],
    notes,
  };
  const own = [frame("1.1", "deal_opened"), frame("1.2", "card_played", "SA"), frame(2, "card_played", "HK")];
  const findings = [
    { code: "incomplete", seq: 2 },
    { code: "revoke", seq: 2, evidence: ["1.2"] },
  ];
  const grafted = graftVariation(deal, { frames: own, notes: [], findings, score: null }, 2);
  assert.deepEqual(
    grafted.frames.map(({ seq }) => seq),
    [1, 2, "2~2"],
  );
  assert.deepEqual(
    grafted.notes.map(({ text }) => text),
    ["early"],
  );
  assert.deepEqual(grafted.findings, [{ code: "revoke", seq: "2~2", evidence: [2] }]);
  const corrected = { ...deal, frames: [deal.frames[0], frame(2, "card_played", "S7"), deal.frames[2]] };
  assert.equal(graftVariation(corrected, { frames: own, notes: [], findings: [], score: null }, 2), null);
});
