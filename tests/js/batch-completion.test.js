import assert from "node:assert/strict";
import test from "node:test";
import { completeText, parseDealLine } from "../../service/http/web/static/js/slips/batch-completion.js";

const choice = (name, short, others = [], more = {}) => ({ name, short, others, ...more });
const CONTRACTS = [
  choice("game", "ga", ["spil"], { trumps: ["S", "H"] }),
  choice("solo", "so", [], { trumps: ["S", "H"] }),
  choice("spade solo", "ss", [], { trumps: [] }),
  choice("nolo ouvert", "no", ["ouvert"], { trumps: [] }),
];
const CHOICES = {
  contract: CONTRACTS,
  trump: [choice("spades", "s", ["♠"]), choice("hearts", "h", ["♥"])],
  outcome: [choice("won", "w", ["vundet", "v", "+"]), choice("void", "", ["misdeal"])],
  extras: [],
};

test("the first letters of a choice, its abbreviation or another spelling are enough", () => {
  const meanings = { so: "solo", s: "solo", ss: "spade solo", SPIL: "game", ouv: "nolo ouvert", "?": "?" };
  for (const [text, name] of Object.entries(meanings)) assert.equal(completeText(CONTRACTS, text), name);
});

test("a spelling of one choice goes before the first letter of another", () => {
  assert.equal(completeText(CHOICES.outcome, "v"), "won");
  assert.equal(completeText(CHOICES.outcome, "vo"), "void");
});

test("a text with digits stays as it is", () => {
  assert.equal(completeText(CHOICES.outcome, " 5-2-2 "), "5-2-2");
});

test("a whole deal fits into one cell", () => {
  const players = [choice("Anna", "A"), choice("Bo", "B")];
  assert.deepEqual(parseDealLine("so h B +", CHOICES, players), {
    contract: "solo",
    trump: "hearts",
    declarer: "Bo",
    outcome: "won",
  });
  assert.equal(parseDealLine("spade solo", CHOICES, players), null);
});
