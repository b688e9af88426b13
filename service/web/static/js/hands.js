/** Every hand, the talon and what may happen next, in words. */

import { cardInText, isKnown, spaced, suitGroups } from "./cards.js";
import { el } from "./dom.js";
import { SEATS, handCards } from "./tracks.js";

/** Of a frame of the replay document: terms and what is said of each, for a list. */
export function inWords({ state, legal }, words) {
  const entries = SEATS.map((seat) => [`${words.player(state, seat)}, ${words.seat(seat)}`, handWords(state, seat, words)]);
  entries.push([words.talonHeading, talonWords(state, words)]);
  if (legal) entries.push([words.mayDo, legalWords(legal, state, words)]);
  return entries.flatMap(([term, content]) => [el("dt", { text: term }), el("dd", {}, ...content)]);
}

function handWords(state, seat, words) {
  const hand = state.hands?.[seat];
  if (!hand) return [];
  const known = handCards(state, seat).filter((card) => card[0] !== "?");
  const parts = suitGroups(known, state.trump, state.contract).map((group) => spaced(group.cards.map((card) => cardInText(card, words))));
  const content = parts.flatMap((part, index) => (index ? ["  ", ...part] : part));
  const unknown = (hand.unknown ?? 0) - known.filter((card) => !isKnown(card)).length;
  if (unknown > 0) content.push(content.length ? "; " : "", words.unknownCards(unknown));
  const maybe = (hand.maybe ?? []).filter(isKnown);
  if (maybe.length && unknown > 0) content.push(`, ${words.mayBe} `, ...spaced(maybe.map((card) => cardInText(card, words))));
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
  const also = [...new Set((legal.also ?? []).map((one) => words.mayAlso[one.action] ?? one.action))];
  return [`${who}${words.legal[legal.action]?.(legal) ?? legal.action}${cards.length ? " " : ""}`, ...spaced(cards), also.length ? `; ${words.orAlso} ${also.join(", ")}` : ""];
}
