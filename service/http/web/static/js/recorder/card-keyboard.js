// @ts-check
/**
 * The forty cards as a keyboard: by suit, each from the highest down, where they always lie. It shows where a card has
 * gone and which are legal, as its caller says; it only passes on what is tapped.
 */

import { groupBySuit, isRedSuit, rankOf, suitOf } from "../core/cards.js";
import { Pip } from "../core/pip.js";
import { isTight } from "../core/room.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** @import { DealState } from "./recorded-deal.js" */
/** @typedef {{ short: string, text: string }} CardLocation - where a card is, in a few letters and in words */
/** @typedef {Map<string, CardLocation>} Locations */

export const ALL_CARDS = ["S", "H", "C", "D"].flatMap((suit) => [..."AKQJ765432"].map((rank) => suit + rank));

/** @type {Record<string, [number, number]>} */
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The keyboard, in the order of `trump` and `contract`. `legal` are the cards to the fore (null: all that are not gone);
 * `picked` those picked, in order (null where a tap picks nothing). `keysAfter` draws what stands at the end of a suit. In
 * large type a suit folds to a line, but for the one of the card `led`.
 * @param {{ trump: string | null, contract: string | null, locations: Locations, legal?: Set<string> | null, picked?: string[] | null, isIdle?: boolean, led?: string, keysAfter?: (suit: string, isLast: boolean) => unknown, onTap: (card: string) => void }} props
 */
export function CardKeyboard({
  trump,
  contract,
  locations,
  legal = null,
  picked = null,
  isIdle = false,
  led = "",
  keysAfter = () => null,
  onTap,
}) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [focused, setFocused] = useState("");
  const suits = /** @type {{ suit: string, cards: string[] }[]} */ (groupBySuit(ALL_CARDS, trump, contract));
  const rows = suits.map(({ cards }) => cards);
  /** @param {string} card */
  const isPlayable = (card) => picked?.includes(card) || (legal ? legal.has(card) : !locations.has(card));
  const isReachable = focused && (isPlayable(focused) || !locations.has(focused));
  // One key is in the order of tabs: the one with the focus, or, once it has gone, one that may be played.
  const tabStop = isReachable ? focused : (rows.flat().find(isPlayable) ?? focused ?? rows[0][0]);
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (at instanceof HTMLElement && root.current?.contains(at) && at.dataset.card !== tabStop)
      /** @type {HTMLElement} */ (root.current.querySelector(`[data-card="${tabStop}"]`)).focus({
        preventScroll: true,
      });
  }, [tabStop]);
  const keyOf = (/** @type {string} */ card) => {
    const location = locations.get(card);
    const place = picked?.indexOf(card) ?? -1;
    const playable = isPlayable(card);
    const letter = words.letter(rankOf(card));
    const name = [words.card(card), location?.text, playable ? "" : t("may not be played now")].filter(Boolean);
    const shade = playable ? "is-legal" : location ? "is-gone" : "";
    return html`<button key=${card} type="button" class="card-key ${isRedSuit(suitOf(card)) ? "is-red" : ""} ${shade}" data-card=${card}
      tabindex=${card === tabStop ? 0 : -1} aria-pressed=${picked ? String(place >= 0) : undefined} onClick=${() => onTap(card)} onFocus=${() => setFocused(card)}>
      <span class="key-face" aria-hidden="true"><${Pip} suit=${suitOf(card)} /><b class=${letter.length > 1 ? "is-long" : ""}>${letter}</b></span>
      <span class="visually-hidden">${name.join(", ")}</span>
      <span class="key-where" aria-hidden="true">${picked && picked.length > 1 && place >= 0 ? place + 1 : location?.short}</span>
    </button>`;
  };
  return html`<div ref=${root} class="card-keys" role="group" aria-label=${t("The forty cards")} aria-disabled=${String(isIdle)} onKeyDown=${moveByArrow}>
    ${suits.map(({ suit, cards }, index) => {
      const keys = html`<div class="card-suit">${cards.map(keyOf)}${keysAfter(suitOf(cards.at(-1) ?? ""), index === suits.length - 1)}</div>`;
      return isTight.value
        ? html`<details key=${suit} class="suit-fold" name="suit" open=${cards.includes(led)}><summary><${SuitLine} cards=${cards} locations=${locations} /></summary>${keys}</details>`
        : keys;
    })}
  </div>`;
}

/** A suit, and how many of its cards have not gone. @param {{ cards: string[], locations: Locations }} props */
function SuitLine({ cards, locations }) {
  const suit = suitOf(cards.at(-1) ?? "");
  const left = cards.filter((card) => !locations.has(card));
  return html`<span><${Pip} suit=${suit} /> ${words.suit(suit)}</span> <span class="muted">${left.length}</span>`;
}

/** @param {KeyboardEvent} event - an arrow goes from card to card as they lie */
function moveByArrow(event) {
  const direction = ARROW_DIRECTIONS[event.key];
  const from = /** @type {HTMLElement} */ (event.target).closest("[data-card]");
  if (!direction || !from || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const box = from.getBoundingClientRect();
  const centre = (/** @type {DOMRect} */ rect) => [rect.left + rect.width / 2, rect.top + rect.height / 2];
  const [x, y] = centre(box);
  const [dx, dy] = direction;
  const keys = /** @type {HTMLElement[]} */ ([
    .../** @type {Element} */ (event.currentTarget).querySelectorAll("[data-card]"),
  ]);
  const nearest = keys
    .map((key) => ({ key, at: centre(key.getBoundingClientRect()) }))
    .filter(({ at }) => (dx ? Math.abs(at[1] - y) < box.height / 2 && (at[0] - x) * dx > 1 : (at[1] - y) * dy > 1))
    .map(({ key, at }) => ({ key, far: Math.abs(at[0] - x) + Math.abs(at[1] - y) * (dx ? 0 : 10) }))
    .sort((one, other) => one.far - other.far)[0];
  nearest?.key.focus();
}

/** @type {(state: DealState) => Locations} Where every known card is: played, discarded, turned, or in a known hand. */
export function locateCards(state) {
  /** @type {Locations} */
  const locations = new Map();
  /** @type {(cards: string[], short: string, text: string) => void} */
  const locate = (cards, short, text) => {
    for (const card of cards) if (!card.includes("?")) locations.set(card, { short, text });
  };
  const nameOf = (/** @type {string} */ seat) => words.player(state, seat);
  for (const [seat, { cards }] of Object.entries(state.hands ?? {}))
    locate(cards, shortName(nameOf(seat)), t("in the hand of {name}", { name: nameOf(seat) }));
  locate(state.talon?.cards ?? [], t("tal"), t("in the talon"));
  for (const [seat, { cards }] of Object.entries(
    /** @type {Record<string, { cards: string[] }>} */ (state.discards ?? {}),
  ))
    locate(cards, `↓${shortName(nameOf(seat))}`, t("discarded by {name}", { name: nameOf(seat) }));
  for (const [card, location] of locatePlayedCards(state)) locations.set(card, location);
  return locations;
}

/** @type {(state: DealState) => Locations} Every card that was played, with its trick. */
export function locatePlayedCards(state) {
  const played = (state.tricks ?? []).flatMap(({ number, cards, seats }) =>
    cards.map((card, index) => ({ number, card, name: words.player(state, seats[index]) })),
  );
  return new Map(
    played.map(({ number, card, name }) => [
      card,
      { short: `${number} ${shortName(name)}`, text: t("fell in trick {trick}, {name}", { trick: number, name }) },
    ]),
  );
}

/** @param {string} name */
const shortName = (name) => [...name].slice(0, 2).join("");
