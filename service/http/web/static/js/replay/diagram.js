// @ts-check
/** A deal's diagram, as a bridge column has it: every hand in a row for each suit, and between them what lies on the table. */

import { isHidden, isKnown, isSuitOnly, rankOf, sortHand, suitOf } from "../core/cards.js";
import { Pip } from "../core/pip.js";
import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { SEATS } from "./card-tracks.js";
import { Card, Cards, LeadMark } from "./markup.js";

/** @import { Slot, Track } from "./card-tracks.js" */
/** @import { State } from "./types.d.ts" */

const DIAGRAM_SUIT_ORDER = ["S", "H", "D", "C"];
/** @type {Record<string, string[]>} */
const SIDES_BY_DIRECTION = { anticlockwise: ["bottom", "right", "left"], clockwise: ["bottom", "left", "right"] };

/** A point of the deal; `direction` is how the table plays. A card that was known only later leans. @param {{ slots: Track, state: State, direction: string }} props */
export function Diagram({ slots, state, direction }) {
  const cards = [...slots.values()];
  const sides = SIDES_BY_DIRECTION[direction] ?? SIDES_BY_DIRECTION.anticlockwise;
  const hand = (/** @type {string} */ seat) => cards.filter((slot) => slot.zone === "hand" && slot.seat === seat);
  return html`
    <div class="diagram">
      ${SEATS.map((seat, index) => html`<${Hand} slots=${hand(seat)} seat=${seat} side=${sides[index]} state=${state} />`)}
      <${Middle} cards=${cards} sides=${sides} state=${state} />
    </div>
  `;
}

/** Whether there is anything to be seen of the hands at a point. @param {Track} slots */
export const hasKnownHandCards = (slots) =>
  [...slots.values()].some(({ zone, card }) => zone === "hand" && !isHidden(card));

/** Whether some card that lies there was known only later. @param {Track} slots */
export const hasLaterKnownCards = (slots) => [...slots.values()].some(({ zone, later }) => zone === "hand" && later);

/** @param {{ slots: Slot[], seat: string, side: string, state: State }} props */
function Hand({ slots, seat, side, state }) {
  const name = words.player(state, seat);
  const seen = slots.filter(({ card }) => !isHidden(card));
  const unseen = slots.length - seen.length;
  const hasGame = state.declarer === seat && state.contract;
  const game = () => html` <i>${words.bid(state.contract)}${state.trump && html` <${Pip} suit=${state.trump} />`}</i>`;
  return html`
    <div class="diagram-hand is-${side}" role="group" aria-label="${name}, ${words.seat(seat)}">
      <p class="diagram-name" aria-hidden="true"><b>${name}</b>${hasGame && game()}</p>
      ${seen.length > 0 && html`<ul>${DIAGRAM_SUIT_ORDER.map((suit) => html`<${SuitRow} suit=${suit} slots=${seen} state=${state} />`)}</ul>`}
      ${unseen > 0 && html`<p class="diagram-unseen">${words.unknownCards(unseen)}</p>`}
      ${slots.length === 0 && html`<p class="diagram-unseen">${t("no cards left")}</p>`}
    </div>
  `;
}

/** A suit of a hand: its sign and the letters of its cards, an x where only the suit is known. @param {{ suit: string, slots: Slot[], state: State }} props */
function SuitRow({ suit, slots, state }) {
  const own = slots.filter(({ card }) => suitOf(card) === suit).map(({ card }) => card);
  /** @type {string[]} */
  const cards = sortHand(own, state.trump, state.contract);
  const later = new Set(slots.filter((slot) => slot.later).map(({ card }) => card));
  const letter = (/** @type {string} */ card) => {
    const text = isSuitOnly(card) ? "x" : words.letter(rankOf(card));
    return isSuitOnly(card) || later.has(card) ? html`<i>${text}</i>` : text;
  };
  return html`
    <li>
      ${cards.length > 0 && html`<span class="visually-hidden">${cards.map(words.card).join(", ")}</span>`}
      <span class="diagram-suit" aria-hidden="true"><${Pip} suit=${suit} /><span>${cards.length ? cards.map((card, index) => html`${index ? " " : ""}${letter(card)}`) : "–"}</span></span>
    </li>
  `;
}

/** What lies between the hands: the trick, each card before who played it, or else the talon. @param {{ cards: Slot[], sides: string[], state: State }} props */
function Middle({ cards, sides, state }) {
  const inOrder = (/** @type {string} */ zone) =>
    cards.filter((slot) => slot.zone === zone).sort((one, other) => one.order - other.order);
  const trick = inOrder("trick");
  const talon = inOrder("talon");
  const known = talon.filter(({ card }) => isKnown(card)).map(({ card }) => card);
  if (trick.length) {
    return html`
      <div class="diagram-middle is-trick" role="group" aria-label=${words.trickNumber(trick[0].trick ?? 0)}>
        ${trick.map(
          ({ seat, card, order, won }) => html`
            <span class="is-${sides[SEATS.indexOf(seat)]} ${won ? "wins" : ""}"><span class="visually-hidden">${words.player(state, seat)}: </span>${order === 0 && html`<${LeadMark} />`}<${Card} card=${card} /></span>
          `,
        )}
      </div>
    `;
  }
  if (!talon.length) return html`<div class="diagram-middle"></div>`;
  return html`
    <div class="diagram-middle">
      <p class="muted">${known.length < talon.length ? words.talon(talon.length) : t("Talon")}</p>
      ${known.length > 0 && html`<p class="diagram-talon"><${Cards} cards=${known} /></p>`}
    </div>
  `;
}
