import assert from "node:assert/strict";
import test from "node:test";
import {
  buildSeating,
  chooseDealer,
  choosePlayer,
  readPlaces,
} from "../../service/http/web/static/js/evening/seating-places.js";

const PLAYERS = ["Anna", "Bo", "Carl", "Dora"];
const seating = (dealer, forehand, middlehand, backhand, ...sitting_out) => ({
  dealer,
  forehand,
  middlehand,
  backhand,
  sitting_out,
});
const DORA_DEALS = readPlaces(seating("Dora", "Anna", "Carl", "Dora", "Bo"), PLAYERS);

test("with another dealer the players sit as in that dealer's turn", () => {
  const rounds = [seating("Anna", "Bo", "Dora", "Anna", "Carl")];
  assert.deepEqual(buildSeating(chooseDealer(DORA_DEALS, "Anna", rounds)), rounds[0]);
  assert.deepEqual(chooseDealer(DORA_DEALS, "Bo", rounds).places, DORA_DEALS.places);
});

test("who sat elsewhere changes places with who was there", () => {
  assert.deepEqual(choosePlayer(DORA_DEALS, 0, "Bo", PLAYERS).places, ["Bo", "Carl", "Dora", "Anna"]);
});

test("a seat that would be empty gets the next who has no place", () => {
  const three = choosePlayer(DORA_DEALS, 3, "", PLAYERS);
  assert.deepEqual(three.places, ["Anna", "Carl", "Dora", ""]);
  assert.deepEqual(choosePlayer(three, 3, "Anna", PLAYERS).places, ["Bo", "Carl", "Dora", "Anna"]);
});
