// @ts-check
/** What was known only later: the tracks of a deal with every face that somebody got to see in the end. */

import { isKnown, sortHand } from "../core/cards.js";
import { SEATS } from "./card-tracks.js";

/** @import { Slot, Track } from "./card-tracks.js" */
/** @import { State } from "./types.d.ts" */

/** The place of a card that is known only later; which card of the talon it is stays unknown. */
const TRACEABLE_ZONES = new Set(["hand", "trick", "won", "aside", "discard"]);

/**
 * The same tracks, with cards named as far back as they surely lay there; such a slot says `later`. What is played from a
 * hand was in it since the hand last took a card that nobody knew: of those before nobody knows which ones were kept.
 * @type {(tracks: Track[], states: State[]) => Track[]}
 */
export function revealLaterKnownCards(tracks, states) {
  const faces = new Map();
  /** @type {Track[]} */
  const revealed = [];
  for (let index = tracks.length - 1; index >= 0; index -= 1) {
    const after = tracks[index + 1] ?? tracks[index];
    const took = new Set(SEATS.filter((seat) => takesUnknownCard(tracks[index], after, seat)));
    revealed[index] = new Map();
    for (const [piece, slot] of tracks[index]) {
      if (isKnown(slot.card)) faces.set(piece, slot.card);
      else if (!TRACEABLE_ZONES.has(slot.zone) || (slot.zone === "hand" && took.has(slot.seat))) faces.delete(piece);
      const face = faces.get(piece);
      revealed[index].set(piece, face && face !== slot.card ? { ...slot, card: face, later: true } : slot);
    }
    for (const seat of SEATS) resortHand(revealed[index], seat, states[index]);
  }
  return revealed;
}

/** Whether a hand takes a card that nobody knows on the way from one step to the next. @type {(now: Track, after: Track, seat: string) => boolean} */
function takesUnknownCard(now, after, seat) {
  const isInHand = (/** @type {Slot | undefined} */ slot) => slot?.zone === "hand" && slot.seat === seat;
  return [...after].some(([piece, slot]) => isInHand(slot) && !isKnown(slot.card) && !isInHand(now.get(piece)));
}

/** Sorts a hand in which more is known than was. @type {(slots: Track, seat: string, state: State) => void} */
function resortHand(slots, seat, { trump, contract }) {
  const hand = [...slots].filter(([, slot]) => slot.zone === "hand" && slot.seat === seat);
  if (!hand.some(([, slot]) => slot.later)) return;
  /** @type {(string | null)[]} */
  const places = sortHand(
    hand.map(([, slot]) => slot.card),
    trump,
    contract,
  );
  for (const [piece, slot] of hand) {
    const order = places.indexOf(slot.card);
    places[order] = null;
    slots.set(piece, { ...slot, order });
  }
}
