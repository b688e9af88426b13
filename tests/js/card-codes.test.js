import assert from "node:assert/strict";
import test from "node:test";
import { buildCardCodes, typeCardCode } from "../../service/http/web/static/js/recorder/card-codes.js";

const SUITS = { S: "spar", H: "hjerter", C: "klør", D: "ruder" };
const LETTERS = { A: "E", Q: "D", J: "Kn" };
const danish = buildCardCodes(
  (suit) => SUITS[suit],
  (rank) => LETTERS[rank] ?? rank,
);

/** The cards that are meant after each letter. */
function typeAll(letters) {
  let typed = "";
  return [...letters].map((letter) => {
    const found = typeCardCode(typed, letter, danish);
    typed = found?.typed ?? "";
    return found?.card ?? null;
  });
}

test("a card is meant as soon as its code begins, and another when more is typed", () => {
  assert.deepEqual(typeAll("he"), ["HA", "HA"]);
  assert.deepEqual(typeAll("hkn"), ["HA", "HK", "HJ"]);
  assert.deepEqual(typeAll("kk"), ["CA", "CK"]);
  assert.deepEqual(typeAll("r7"), ["DA", "D7"]);
});

test("what nobody saw is a question mark", () => {
  assert.deepEqual(typeAll("?"), ["??"]);
  assert.deepEqual(typeAll("k?"), ["CA", "C?"]);
});

test("a letter that fits nothing begins the next card, or none", () => {
  assert.deepEqual(typeAll("hks2"), ["HA", "HK", "SA", "S2"]);
  assert.deepEqual(typeAll("hz"), ["HA", null]);
});
