/** Every hand, the talon and what may happen next, in words. */

import { beside } from "./beside-words.js";
import { cardInText, isKnown, spaced, suitGroups } from "./cards.js";
import { el } from "../core/dom.js";
import { SEATS, handCards } from "./tracks.js";

/**
 * Of a frame of the replay document: terms and what is said of each, for a list. `slots` are where its cards lie: those that
 * are shown as known only later are told as such.
 */
export function inWords({ state, legal }, words, slots = new Map()) {
  const entries = SEATS.map((seat) => [`${words.player(state, seat)}, ${words.seat(seat)}`, handWords(state, seat, words, laterIn(slots, seat))]);
  entries.push([words.talonHeading, talonWords(state, words)]);
  if (legal) entries.push([beside.mayDo, legalWords(legal, state, words)]);
  return entries.flatMap(([term, content]) => [el("dt", { text: term }), el("dd", {}, ...content)]);
}

const laterIn = (slots, seat) => [...slots.values()].filter((slot) => slot.later && slot.zone === "hand" && slot.seat === seat).map(({ card }) => card);

function handWords(state, seat, words, later) {
  const hand = state.hands?.[seat];
  if (!hand) return [];
  const known = handCards(state, seat).filter((card) => card[0] !== "?");
  const parts = suitGroups(known, state.trump, state.contract).map((group) => spaced(group.cards.map((card) => cardInText(card, words))));
  const content = parts.flatMap((part, index) => (index ? ["  ", ...part] : part));
  const unknown = (hand.unknown ?? 0) - known.filter((card) => !isKnown(card)).length - later.length;
  if (later.length) content.push(content.length ? "; " : "", `${beside.knownLater} `, ...spaced(later.map((card) => cardInText(card, words))));
  if (unknown > 0) content.push(content.length ? "; " : "", words.unknownCards(unknown));
  const maybe = (hand.maybe ?? []).filter(isKnown);
  if (maybe.length && unknown > 0) content.push(`, ${beside.mayBe} `, ...spaced(maybe.map((card) => cardInText(card, words))));
  return content.length ? content : ["–"];
}

function talonWords(state, words) {
  const talon = state.talon ?? { cards: [], count: 0 };
  const known = talon.cards.filter((card) => card[0] !== "?").map((card) => cardInText(card, words));
  return [words.talon(talon.count), ...(known.length ? [": ", ...spaced(known)] : [])];
}

function legalWords(legal, state, words) {
  const who = legal.seat ? `${words.player(state, legal.seat)}: ` : "";
  const cards = (legal.cards ?? []).map((card) => cardInText(card, words));
  const also = [...new Set((legal.also ?? []).map((one) => beside.mayAlso[one.action] ?? one.action))];
  return [`${who}${words.legal[legal.action]?.(legal) ?? legal.action}${cards.length ? " " : ""}`, ...spaced(cards), also.length ? `; ${beside.orAlso} ${also.join(", ")}` : ""];
}
