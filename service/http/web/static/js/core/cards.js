/** Cards: what they are, how a hand is sorted, and how one is drawn. A card is two characters, suit then rank. */

import { buildSvg, el } from "./dom.js";

export const HIDDEN_CARD = "??";
const SUITS = ["S", "H", "C", "D"];
const RED_SUITS = new Set(["H", "D"]);

export const SUIT_PATHS = {
  S: "M12 1.4C10.2 6.5 2.3 9.7 2.3 15c0 2.8 2.1 4.6 4.6 4.6 1.8 0 3.2-.9 4-2.3-.1 2.2-.9 3.9-2.7 5.3h7.6c-1.8-1.4-2.6-3.1-2.7-5.3.8 1.4 2.2 2.3 4 2.3 2.5 0 4.6-1.8 4.6-4.6C21.7 9.7 13.8 6.5 12 1.4Z",
  H: "M12 22.4C10.4 17.2 2.2 13.9 2.2 7.8c0-3 2.2-5.2 5-5.2 2.2 0 4 1.4 4.8 3.7.8-2.3 2.6-3.7 4.8-3.7 2.8 0 5 2.2 5 5.2 0 6.1-8.2 9.4-9.8 14.6Z",
  C: "M12 1.5a4.6 4.6 0 0 0-3.4 7.7 4.6 4.6 0 1 0 2.3 7.6c0 2.4-.9 4.3-2.7 5.8h7.6c-1.8-1.5-2.7-3.4-2.7-5.8a4.6 4.6 0 1 0 2.3-7.6A4.6 4.6 0 0 0 12 1.5Z",
  D: "M12 1.1C9.8 5.5 6.6 8.9 2.7 12c3.9 3.1 7.1 6.5 9.3 10.9 2.2-4.4 5.4-7.8 9.3-10.9-3.9-3.1-7.1-6.5-9.3-10.900Z",
};

const MATADORS = ["spadille", "manille", "basta"];

/** How the rules of the deal on the page sort cards, and what they call bids and contracts, as the service says. */
let cardOrder = { nolos: [], suits: {} };
let games = { names: {}, implied_suits: [] };

/** Has cards sorted and games named by the rules of a deal. */
export function useRules(served) {
  if (served?.card_order) cardOrder = served.card_order;
  if (served?.games) ({ games } = served);
}

/** What a bid or contract is called; one that the rules do not know stays as it was written. */
export const gameName = (id) => games.names[id] ?? id;

/** Whether a contract has but one suit of trumps, which its name need not say. */
export const isSuitImplied = (id) => games.implied_suits.includes(id);

export const suitOf = (card) => card[0];
export const rankOf = (card) => card[1];
export const isHidden = (card) => suitOf(card) === "?";
export const isSuitOnly = (card) => !isHidden(card) && rankOf(card) === "?";
export const isKnown = (card) => !isHidden(card) && !isSuitOnly(card);
export const isRedSuit = (suit) => RED_SUITS.has(suit);

const BLACK_ACES = { S: "SA", B: "CA" };

/** The cards of a suit from the highest to the lowest; the trumps with the black aces. */
function listSuit(suit, trump, contract) {
  const isNolo = cardOrder.nolos.includes(contract);
  const ranks = cardOrder.suits[isNolo ? "none" : (trump ?? "unknown")]?.[suit] ?? "";
  return [...ranks].map((rank) => BLACK_ACES[rank] ?? suit + rank);
}

/** The trumps from the highest to the lowest; none if there are none, or nobody knows them. */
const listTrumps = (trump, contract) => (trump && !cardOrder.nolos.includes(contract) ? listSuit(trump, trump, contract) : []);

/** "spadille", "manille", "basta" or "ponto" where the card is one of them, else null. */
export function matadorName(card, trump, contract) {
  const place = listTrumps(trump, contract).indexOf(card);
  return MATADORS[place] ?? (place === 3 && rankOf(card) === "A" ? "ponto" : null);
}

/** The suit that a card belongs to in this contract: the black aces belong to the trumps. */
const playingSuit = (card, trump, contract) => (listTrumps(trump, contract).includes(card) ? trump : suitOf(card));

/** Where a card stands in its suit, the highest first; a card of which only the suit is known comes last. */
function sortRank(card, trump, contract) {
  const place = listSuit(playingSuit(card, trump, contract), trump, contract).indexOf(card);
  return place < 0 ? 99 : place;
}

/** The suits of these cards from left to right: trumps first, then by turns black and red where it can be done. */
function suitOrder(cards, trump, contract) {
  const present = new Set(cards.map((card) => playingSuit(card, trump, contract)));
  const order = [];
  const left = SUITS.filter((suit) => present.has(suit));
  let next = left.includes(trump) ? trump : null;
  while (left.length) {
    const red = left.filter(isRedSuit);
    const black = left.filter((suit) => !isRedSuit(suit));
    if (!next) {
      const last = order.at(-1);
      const preferred = last ? (isRedSuit(last) ? black : red) : red.length > black.length ? red : black;
      next = preferred[0] ?? left[0];
    }
    order.push(next);
    left.splice(left.indexOf(next), 1);
    next = null;
  }
  return order;
}

/** A hand as a player holds it: by suit, trumps first, each from the highest down; hidden cards last. */
export function sortHand(cards, trump, contract) {
  const known = cards.filter((card) => !isHidden(card));
  const suits = suitOrder(known, trump, contract);
  const key = (card) =>
    suits.indexOf(playingSuit(card, trump, contract)) * 100 + sortRank(card, trump, contract);
  return [...known.sort((one, other) => key(one) - key(other)), ...cards.filter(isHidden)];
}

/** The cards of a hand in groups of one suit, in the order of `sortHand`; hidden cards left out. */
export function groupBySuit(cards, trump, contract) {
  const groups = [];
  for (const card of sortHand(cards, trump, contract).filter((one) => !isHidden(one))) {
    const suit = playingSuit(card, trump, contract);
    if (groups.at(-1)?.suit !== suit) groups.push({ suit, cards: [] });
    groups.at(-1).cards.push(card);
  }
  return groups;
}

/** A suit's sign. */
export function drawPip(suit) {
  return buildSvg("0 0 24 24", SUIT_PATHS[suit], `pip ${isRedSuit(suit) ? "pip-red" : "pip-black"} pip-${suit.toLowerCase()}`);
}

/** A card in running text: its suit's sign and its letter, or x, with its name for those who listen. */
export function buildInlineCard(card, words) {
  if (isHidden(card)) return el("span", { class: "card-text", text: words.hiddenCard });
  const letter = isSuitOnly(card) ? el("i", { text: "x" }) : words.letter(rankOf(card));
  return el(
    "span",
    { class: "card-text" },
    el("span", { class: "visually-hidden", text: words.card(card) }),
    el("span", { class: "card-sign", "aria-hidden": "true" }, drawPip(suitOf(card)), letter),
  );
}

/** A card's code in a sentence of the engine: a whole card, a suit alone, or a card nobody saw. */
const CARD_CODE_PATTERN = /(?<![\p{L}\p{N}?])([SHCD][A2-7JQK?]|\?\?)(?![\p{L}\p{N}?])/gu;

/** A sentence of the service, with each card's code drawn as the card. */
export function buildTextWithCards(text, words) {
  const read = (piece) => piece.replace(/(\p{L})'(\p{L})/gu, "$1’$2");
  // The pattern has one group: every other piece is a code.
  return text.split(CARD_CODE_PATTERN).map((piece, index) => (index % 2 ? buildInlineCard(piece, words) : read(piece)));
}

/** The cards that a sentence of the engine speaks of. */
export const listKnownCards = (text) => (text.match(CARD_CODE_PATTERN) ?? []).filter(isKnown);

/** The items with a space between every two. */
export const joinWithSpaces = (items) => items.flatMap((item, index) => (index ? [" ", item] : [item]));

/** The card as it lies on the table; `showCardFace` fills it in. */
export function buildCardElement() {
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-front" }, el("span", { class: "card-index" }), el("span", { class: "card-field" }), el("span", { class: "card-mark" })),
    el("div", { class: "card-back" }),
  );
}

/** Shows `card` on an element made by `buildCardElement`. A card that goes face down keeps its index until it is turned. */
export function showCardFace(element, card, words, isFaceDown = false) {
  element.classList.toggle("is-hidden", isHidden(card) || isFaceDown);
  element.classList.toggle("is-suit-only", isSuitOnly(card));
  if (isHidden(card) || element.dataset.card === card) return;
  element.dataset.card = card;
  element.classList.toggle("is-red", isRedSuit(suitOf(card)));
  const letter = isSuitOnly(card) ? "" : words.letter(rankOf(card));
  const sign = [el("b", { text: letter, class: letter.length > 1 ? "is-long" : null }), drawPip(suitOf(card))];
  element.querySelector(".card-index").replaceChildren(...sign);
  element.querySelector(".card-field").replaceChildren(drawPip(suitOf(card)));
}
