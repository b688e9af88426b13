import assert from "node:assert/strict";
import test from "node:test";
import {
  applyChange,
  buildResult,
  emptyFacts,
  maxTricks,
  missingFact,
  nextPlayerToCount,
  readFacts,
} from "../../service/http/web/static/js/slips/slip-facts.js";

const SEATING = { forehand: "Anna", middlehand: "Bo", backhand: "Carl", dealer: "Carl" };
const CONTRACTS = {
  solo: { trumps: ["H", "C"], outcomes: ["won", "bete", "codille"] },
  nolo: { trumps: [], outcomes: ["won", "bete"] },
};
const tap = (facts, change) => applyChange(facts, change, (id) => CONTRACTS[id], SEATING);
const filled = (...changes) => changes.reduce(tap, emptyFacts());

test("a slip asks for the declarer, the contract and the end, and then says a result", () => {
  const facts = [{ declarer: "Bo" }, { contract: "solo" }, { trump: "H" }, { outcome: "won" }];
  const asked = facts.map((_, index) => missingFact(filled(...facts.slice(0, index + 1))));
  assert.deepEqual(asked, ["contract", "end", "end", null]);
  assert.deepEqual(buildResult(filled(...facts), SEATING), {
    declarer: "middlehand",
    contract: "solo",
    trump: "H",
    outcome: "won",
  });
  assert.deepEqual(buildResult(filled({ passed: true }), SEATING), { outcome: "passed_out" });
});

test("another contract drops the trumps and the outcome that it does not have", () => {
  const facts = filled({ declarer: "Bo" }, { contract: "solo" }, { trump: "H" }, { outcome: "codille" });
  const changed = tap(facts, { contract: "nolo" });
  assert.deepEqual([changed.trump, changed.outcome], [null, null]);
  assert.equal(tap(facts, { declarer: "Anna" }).outcome, "codille");
  assert.equal(tap(tap(facts, { tricks: { Bo: 4 } }), { declarer: "Anna" }).tricks.Bo, undefined);
});

test("the next player's tricks are asked for where the payment depends on them, and the third has the rest", () => {
  const facts = filled({ declarer: "Bo" }, { contract: "solo" }, { tricks: { Bo: 4 } });
  assert.equal(nextPlayerToCount(facts, SEATING, false), null);
  assert.equal(nextPlayerToCount(facts, SEATING, true), "Anna");
  assert.equal(maxTricks(facts.tricks, "Anna"), 5);
  const both = tap(facts, { tricks: { Bo: 4, Anna: 3 } });
  assert.deepEqual(buildResult(both, SEATING).tricks, { forehand: 3, middlehand: 4, backhand: 2 });
  assert.equal(both.outcome, null);
});

test("an entered result is read as it was tapped", () => {
  const result = { declarer: "backhand", contract: "solo", trump: "C", tricks: { backhand: 6 }, outcome: "won" };
  const facts = readFacts(result, SEATING);
  assert.deepEqual([facts.declarer, facts.outcome, facts.tricks], ["Carl", null, { Carl: 6 }]);
  assert.equal(readFacts({ outcome: "passed_out" }, SEATING).passed, true);
});
