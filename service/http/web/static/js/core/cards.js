// @ts-check
/**
 * Cards: what they are, how a hand is sorted, and how one is drawn. A card is two characters, suit then rank. The shapes
 * are symbols of the page (service/presentation/svg/card_symbols.py).
 */

import { buildSvgUse, el } from "./dom.js";

export const HIDDEN_CARD = "??";
const SUITS = ["S", "H", "C", "D"];
const RED_SUITS = new Set(["H", "D"]);

const MATADORS = ["spadille", "manille", "basta"];

/** How the rules of the deal on the page sort cards, and what they call bids and contracts, as the service says. */
/** @type {{ nolos: string[], suits: Record<string, Record<string, string>> }} */
let cardOrder = { nolos: [], suits: {} };
/** @type {{ names: Record<string, string>, implied_suits: string[] }} */
let games = { names: {}, implied_suits: [] };

/** Has cards sorted and games named by the rules of a deal. @param {any} served */
export function useRules(served) {
  if (served?.card_order) cardOrder = served.card_order;
  if (served?.games) ({ games } = served);
}

/** What a bid or contract is called; one that the rules do not know stays as it was written. @param {string} id */
export const gameName = (id) => games.names[id] ?? id;

/** Whether a contract has but one suit of trumps, which its name need not say. @param {string} id */
export const isSuitImplied = (id) => games.implied_suits.includes(id);

/** @param {string} card */
export const suitOf = (card) => card[0];
/** @param {string} card */
export const rankOf = (card) => card[1];
/** @param {string} card */
export const isHidden = (card) => suitOf(card) === "?";
/** @param {string} card */
export const isSuitOnly = (card) => !isHidden(card) && rankOf(card) === "?";
/** @param {string} card */
export const isKnown = (card) => !isHidden(card) && !isSuitOnly(card);
/** @param {string} suit */
export const isRedSuit = (suit) => RED_SUITS.has(suit);

/** @typedef {string | null | undefined} Trump */
/** @typedef {string | null | undefined} ContractId */

/** @type {Record<string, string>} */
const BLACK_ACES = { S: "SA", B: "CA" };

/** @param {ContractId} contract */
const isNoloContract = (contract) => Boolean(contract) && cardOrder.nolos.includes(contract ?? "");

/** The cards of a suit from the highest to the lowest; the trumps with the black aces. @param {string} suit @param {Trump} trump @param {ContractId} contract */
function listSuit(suit, trump, contract) {
  const isNolo = isNoloContract(contract);
  const ranks = cardOrder.suits[isNolo ? "none" : (trump ?? "unknown")]?.[suit] ?? "";
  return [...ranks].map((rank) => BLACK_ACES[rank] ?? suit + rank);
}

/** The trumps from the highest to the lowest; none if there are none, or nobody knows them. @param {Trump} trump @param {ContractId} contract */
const listTrumps = (trump, contract) => (trump && !isNoloContract(contract) ? listSuit(trump, trump, contract) : []);

/** "spadille", "manille", "basta" or "ponto" where the card is one of them, else null. @param {string} card @param {Trump} trump @param {ContractId} contract */
export function matadorName(card, trump, contract) {
  const place = listTrumps(trump, contract).indexOf(card);
  return MATADORS[place] ?? (place === 3 && rankOf(card) === "A" ? "ponto" : null);
}

/** The suit that a card belongs to in this contract: the black aces belong to the trumps. @param {string} card @param {Trump} trump @param {ContractId} contract */
const playingSuit = (card, trump, contract) =>
  trump && listTrumps(trump, contract).includes(card) ? trump : suitOf(card);

/** Where a card stands in its suit, the highest first; a card of which only the suit is known comes last. @param {string} card @param {Trump} trump @param {ContractId} contract */
function sortRank(card, trump, contract) {
  const place = listSuit(playingSuit(card, trump, contract), trump, contract).indexOf(card);
  return place < 0 ? 99 : place;
}

/** The suits of these cards from left to right: trumps first, then by turns black and red where it can be done. @param {string[]} cards @param {Trump} trump @param {ContractId} contract */
function suitOrder(cards, trump, contract) {
  const present = new Set(cards.map((card) => playingSuit(card, trump, contract)));
  /** @type {string[]} */
  const order = [];
  const left = SUITS.filter((suit) => present.has(suit));
  let next = trump && left.includes(trump) ? trump : null;
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

/** A hand as a player holds it: by suit, trumps first, each from the highest down; hidden cards last. @param {string[]} cards @param {Trump} [trump] @param {ContractId} [contract] */
export function sortHand(cards, trump, contract) {
  const known = cards.filter((card) => !isHidden(card));
  const suits = suitOrder(known, trump, contract);
  const key = (/** @type {string} */ card) =>
    suits.indexOf(playingSuit(card, trump, contract)) * 100 + sortRank(card, trump, contract);
  return [...known.sort((one, other) => key(one) - key(other)), ...cards.filter(isHidden)];
}

/** The cards of a hand in groups of one suit, in the order of `sortHand`; hidden cards left out. @param {string[]} cards @param {Trump} [trump] @param {ContractId} [contract] */
export function groupBySuit(cards, trump, contract) {
  /** @type {{ suit: string, cards: string[] }[]} */
  const groups = [];
  for (const card of sortHand(cards, trump, contract).filter((one) => !isHidden(one))) {
    const suit = playingSuit(card, trump, contract);
    if (groups.at(-1)?.suit !== suit) groups.push({ suit, cards: [] });
    groups.at(-1)?.cards.push(card);
  }
  return groups;
}

/** A suit's sign. @param {string} suit */
export function drawPip(suit) {
  return buildSvgUse(
    "0 0 24 24",
    `#pip-${suit}`,
    `pip ${isRedSuit(suit) ? "pip-red" : "pip-black"} pip-${suit.toLowerCase()}`,
  );
}

/** A card's code in a sentence of the engine: a whole card, a suit alone, or a card nobody saw. */
const CARD_CODE_PATTERN = /(?<![\p{L}\p{N}?])([SHCD][A2-7JQK?]|\?\?)(?![\p{L}\p{N}?])/gu;

/** A sentence of the service: every other piece is the code of a card. @param {string} text */
export const splitAtCards = (text) => text.replace(/(\p{L})'(\p{L})/gu, "$1’$2").split(CARD_CODE_PATTERN);

/** The cards that a sentence of the engine speaks of. @param {string} text */
export const listKnownCards = (text) => (text.match(CARD_CODE_PATTERN) ?? []).filter(isKnown);

/** A drawing of one of the cards' symbols: in the document that the page names, or in the page itself. @param {string} symbol @param {string} className */
const buildCardDrawing = (symbol, className) =>
  buildSvgUse("0 0 100 142", `${document.body.dataset.cards ?? ""}#${symbol}`, `card-face ${className}`);

/** The card as it lies on the table; `showCardFace` fills it in. */
export function buildCardElement() {
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-front" }, el("span", { class: "card-mark" })),
    el("div", { class: "card-back" }, buildCardDrawing("card-back", "")),
  );
}

/** Shows `card` on an element made by `buildCardElement`. A card that goes face down keeps its face until it is turned. @param {HTMLElement} element @param {string} card */
export function showCardFace(element, card, isFaceDown = false) {
  element.classList.toggle("is-hidden", isHidden(card) || isFaceDown);
  element.classList.toggle("is-suit-only", isSuitOnly(card));
  if (isHidden(card) || element.dataset.card === card) return;
  element.dataset.card = card;
  element.classList.toggle("is-red", isRedSuit(suitOf(card)));
  const code = card.replace("?", "x");
  const drawings = [buildCardDrawing(`card-${code}`, "card-whole"), buildCardDrawing(`edge-${code}`, "card-edge")];
  const front = /** @type {Element} */ (element.querySelector(".card-front"));
  front.replaceChildren(...drawings, /** @type {Element} */ (front.querySelector(".card-mark")));
}
