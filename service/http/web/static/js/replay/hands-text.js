// @ts-check
/** Every hand, the talon and what may happen next, in words. */

import { groupBySuit, isKnown } from "../core/cards.js";
import words from "../messages/replayer.js";
import stepWords from "../messages/steps.js";
import { html } from "../vendor/preact.js";
import { handCards, SEATS } from "./card-tracks.js";
import { Cards } from "./markup.js";

/** @import { Frame, Legal, State } from "./types.d.ts" */

/**
 * Terms and their texts, for a list. `slots` are where the cards lie: those that were known only later are marked as such.
 * @param {{ frame: Frame, slots: Map<number, any> }} props
 */
export const HandsText = ({ frame: { state, legal }, slots }) => html`
  ${SEATS.map(
    (seat) => html`<dt>${words.player(state, seat)}, ${words.seat(seat)}</dt>
    <dd><${Hand} state=${state} seat=${seat} later=${listLaterKnownCards(slots, seat)} /></dd>`,
  )}
  <dt>${words.talonHeading}</dt><dd><${Talon} state=${state} /></dd>
  ${legal && html`<dt>${stepWords.mayDo}</dt><dd><${LegalActions} legal=${legal} state=${state} /></dd>`}`;

/** @type {(slots: Map<number, any>, seat: string) => string[]} */
const listLaterKnownCards = (slots, seat) =>
  [...slots.values()]
    .filter((slot) => slot.later && slot.zone === "hand" && slot.seat === seat)
    .map(({ card }) => card);

/** @param {{ state: State, seat: string, later: string[] }} props */
function Hand({ state, seat, later }) {
  const hand = state.hands?.[seat];
  if (!hand) return null;
  const seen = handCards(state, seat).filter((card) => card[0] !== "?");
  const unknown = (hand.unknown ?? 0) - seen.filter((card) => !isKnown(card)).length - later.length;
  const possible = unknown > 0 ? (hand.maybe ?? []).filter(isKnown) : [];
  const suits = groupBySuit(seen, state.trump, state.contract).map(({ cards }) => html`<${Cards} cards=${cards} />`);
  const parts = [
    suits.length > 0 && suits.map((suit, index) => [index ? "  " : "", suit]),
    later.length > 0 && html`${stepWords.knownLater} <${Cards} cards=${later} />`,
    unknown > 0 && [
      words.unknownCards(unknown),
      possible.length > 0 && html`, ${stepWords.mayBe} <${Cards} cards=${possible} />`,
    ],
  ].filter(Boolean);
  return parts.length ? parts.map((part, index) => [index ? "; " : "", part]) : "–";
}

/** @param {{ state: State }} props */
function Talon({ state }) {
  const talon = state.talon ?? { cards: [], count: 0 };
  const seen = talon.cards.filter((/** @type {string} */ card) => card[0] !== "?");
  return html`${words.talon(talon.count)}${seen.length > 0 && html`: <${Cards} cards=${seen} />`}`;
}

/** @param {{ legal: Legal, state: State }} props */
function LegalActions({ legal, state }) {
  const also = [
    ...new Set((legal.also ?? []).map((/** @type {Legal} */ { action }) => stepWords.mayAlso[action] ?? action)),
  ];
  return html`
    ${legal.seat && `${words.player(state, legal.seat)}: `}${words.legal[legal.action]?.(legal) ?? legal.action}
    ${legal.cards?.length ? html` <${Cards} cards=${legal.cards} />` : null}
    ${also.length > 0 && `; ${stepWords.orAlso} ${also.join(", ")}`}`;
}
