/** Every hand, the talon and what may happen next, in words. */

import stepMessages from "../messages/steps.js";
import { buildInlineCard, isKnown, joinWithSpaces, groupBySuit } from "../core/cards.js";
import { el } from "../core/dom.js";
import { SEATS, handCards } from "./card-tracks.js";

/**
 * For a frame of the replay document: terms and their texts, for a list. `slots` are where its cards lie: those that
 * that were known only later are marked as such.
 */
export function describeHands({ state, legal }, words, slots = new Map()) {
  const entries = SEATS.map((seat) => [`${words.player(state, seat)}, ${words.seat(seat)}`, buildHandText(state, seat, words, listLaterKnownCards(slots, seat))]);
  entries.push([words.talonHeading, buildTalonText(state, words)]);
  if (legal) entries.push([stepMessages.mayDo, buildLegalText(legal, state, words)]);
  return entries.flatMap(([term, content]) => [el("dt", { text: term }), el("dd", {}, ...content)]);
}

const listLaterKnownCards = (slots, seat) => [...slots.values()].filter((slot) => slot.later && slot.zone === "hand" && slot.seat === seat).map(({ card }) => card);

function buildHandText(state, seat, words, later) {
  const hand = state.hands?.[seat];
  if (!hand) return [];
  const known = handCards(state, seat).filter((card) => card[0] !== "?");
  const parts = groupBySuit(known, state.trump, state.contract).map((group) => joinWithSpaces(group.cards.map((card) => buildInlineCard(card, words))));
  const content = parts.flatMap((part, index) => (index ? ["  ", ...part] : part));
  const unknown = (hand.unknown ?? 0) - known.filter((card) => !isKnown(card)).length - later.length;
  if (later.length) content.push(content.length ? "; " : "", `${stepMessages.knownLater} `, ...joinWithSpaces(later.map((card) => buildInlineCard(card, words))));
  if (unknown > 0) content.push(content.length ? "; " : "", words.unknownCards(unknown));
  const possibleCards = (hand.maybe ?? []).filter(isKnown);
  if (possibleCards.length && unknown > 0) content.push(`, ${stepMessages.mayBe} `, ...joinWithSpaces(possibleCards.map((card) => buildInlineCard(card, words))));
  return content.length ? content : ["–"];
}

function buildTalonText(state, words) {
  const talon = state.talon ?? { cards: [], count: 0 };
  const known = talon.cards.filter((card) => card[0] !== "?").map((card) => buildInlineCard(card, words));
  return [words.talon(talon.count), ...(known.length ? [": ", ...joinWithSpaces(known)] : [])];
}

function buildLegalText(legal, state, words) {
  const who = legal.seat ? `${words.player(state, legal.seat)}: ` : "";
  const cards = (legal.cards ?? []).map((card) => buildInlineCard(card, words));
  const also = [...new Set((legal.also ?? []).map((one) => stepMessages.mayAlso[one.action] ?? one.action))];
  return [`${who}${words.legal[legal.action]?.(legal) ?? legal.action}${cards.length ? " " : ""}`, ...joinWithSpaces(cards), also.length ? `; ${stepMessages.orAlso} ${also.join(", ")}` : ""];
}
