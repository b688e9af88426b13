// @ts-check
/** Who dealt, who sat where and who sat out in a deal: each player has one place. Pure. */

/** @typedef {{ dealer?: string | null, forehand: string, middlehand: string, backhand: string, sitting_out?: string[] }} Seating */
/** @typedef {{ dealer: string, places: string[] }} Places - in the order of `SEATS`, then who sat out; "" for nobody */

/** @type {("forehand" | "middlehand" | "backhand")[]} */
export const SEATS = ["forehand", "middlehand", "backhand"];

/** @param {Seating} seating */
const listSeated = (seating) => [...SEATS.map((seat) => seating[seat]), ...(seating.sitting_out ?? [])];

/** Those who may be chosen: who sat there, and the others. @param {Seating} seating @param {string[]} others */
export const listCandidates = (seating, others) => [...new Set([...listSeated(seating), ...others])];

/** The places of a seating, one for each of `players`. @param {Seating} seating @param {string[]} players @returns {Places} */
export const readPlaces = (seating, players) => ({
  dealer: seating.dealer ?? "",
  places: players.map((_, index) => listSeated(seating)[index] ?? ""),
});

/** @param {Places} places */
export function buildSeating({ dealer, places }) {
  const [forehand, middlehand, backhand, ...rest] = places;
  return { dealer: dealer || null, forehand, middlehand, backhand, sitting_out: rest.filter(Boolean) };
}

/**
 * With another dealer the same players sit as they do in that dealer's turn, if one of `rounds` is that.
 * @param {Places} places
 * @param {string} dealer
 * @param {Seating[]} rounds
 * @returns {Places}
 */
export function chooseDealer({ places }, dealer, rounds) {
  const present = new Set(places.filter(Boolean));
  const turn = rounds.find(
    (one) =>
      one.dealer === dealer &&
      listSeated(one).length === present.size &&
      listSeated(one).every((other) => present.has(other)),
  );
  return { dealer, places: turn ? places.map((_, index) => listSeated(turn)[index] ?? "") : places };
}

/**
 * Who sat elsewhere changes places with who was there; where nobody was, the next who has no place sits there.
 * @param {Places} places
 * @param {number} index
 * @param {string} player
 * @param {string[]} players
 * @returns {Places}
 */
export function choosePlayer({ dealer, places }, index, player, players) {
  const previous = places[index];
  const other = player ? places.indexOf(player) : -1;
  const next = places.with(index, player);
  if (other >= 0 && other !== index)
    next[other] = previous || (SEATS[other] ? (players.find((one) => !next.includes(one)) ?? "") : "");
  return { dealer, places: next };
}
