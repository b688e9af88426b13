// @ts-check
/** The state of a deal: who sits where, whose turn it is, the trick on the table, tricks won, and all tricks so far. */

import { buildCardElement, groupBySuit, isKnown, showCardFace } from "../core/cards.js";
import { fitStyle } from "../core/fit-text.js";
import { toVNode } from "../core/nodes.js";
import { Pip } from "../core/pip.js";
import { isTight } from "../core/room.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { SEATS } from "../replay/card-tracks.js";
import { Card, CardOrX, Cards, LeadMark } from "../replay/markup.js";
import { trickCounts } from "../replay/score-panel.js";
import { html } from "../vendor/preact.js";

/** @import { DealState, Point, Trick } from "./recorded-deal.js" */

/** The number of tricks in a deal. */
const TRICKS_PER_DEAL = 9;

/** The number of lines below a player's name for what they have done. */
const MAX_ACTION_LINES = 3;

/**
 * The table in a strip. `dealInfo` says who dealt; what there is to say of the network stands in its place. `heading` is
 * shown where the page's own has no room.
 * @param {{ point: Point, actingSeat: string | null, heading: string, dealInfo: string, connection: string, onChooseSeat: ((seat: string) => void) | null }} props
 */
export function TableBoard({ point, actingSeat, heading, dealInfo, connection, onChooseSeat }) {
  const { state, legal } = point;
  return html`<div class="board-cloth">
    <p class="board-head"><b class="board-heading" aria-hidden="true">${heading}</b> <span class="board-about">${dealInfo}</span>
      <span class="connection" data-part="connection" role="status" aria-live="polite">${connection}</span></p>
    <p class="board-line">${describeState(state)}${state.trump && html` · <span class="board-trump"><${Pip} suit=${state.trump} /> ${tc("recorder", "trumps")}</span>`}</p>
    <div class="board-seats" role="group" aria-label=${t("Who sits where. Tap the player who acts.")}>
      ${SEATS.map((seat) => html`<${BoardSeat} key=${seat} seat=${seat} point=${point} isActor=${seat === actingSeat} isOnTurn=${seat === legal?.seat} onChoose=${onChooseSeat} />`)}
    </div>
  </div>`;
}

/** @param {DealState} state */
function describeState(state) {
  const trick = state.tricks.at(-1);
  if (trick) return words.upper(words.trickNumber(trick.number));
  if (state.phase === "play") return t("First trick");
  if (!state.contract) return words.auction;
  const turned = state.talon?.turned;
  return [words.talon(state.talon?.count ?? 0), turned && html` · ${t("turned:")} <${Card} card=${turned} />`];
}

/** @param {{ seat: string, point: Point, isActor: boolean, isOnTurn: boolean, onChoose: ((seat: string) => void) | null }} props */
function BoardSeat({ seat, point: { state, score }, isActor, isOnTurn, onChoose }) {
  const trick = state.tricks.at(-1);
  const at = trick ? trick.seats.indexOf(seat) : -1;
  const isPlaying = state.phase === "play" || trick;
  const isDeclarer = state.declarer === seat && state.contract;
  const name = words.player(state, seat);
  const inside = html`<b class="tile-name" style=${fitStyle(name)}>${name}</b>
    <span class="seat-line">
      ${isPlaying && html`<span class="tile-tricks">${trickCounts(state, score)[seat] ?? 0}<span class="visually-hidden"> ${t("tricks")}</span></span>`}
      <span class="tile-contract">${isDeclarer ? html`<i>${words.bid(state.contract)}</i>${state.trump && html` <${Pip} suit=${state.trump} />`}` : html`<span class="tile-seat">${words.seat(seat)}</span>`}</span>
    </span>`;
  const className = `seat-tile ${isActor ? "is-actor" : ""} ${isOnTurn ? "is-on-turn" : ""}`;
  return html`<div class="board-seat">
    ${onChoose ? html`<button type="button" class=${className} data-seat=${seat} aria-pressed=${String(isActor)} onClick=${() => onChoose(seat)}>${inside}</button>` : html`<div class=${className} data-seat=${seat}>${inside}</div>`}
    ${
      isPlaying
        ? html`<div class="seat-card ${at < 0 ? "is-empty" : ""} ${at < 0 && isActor ? "is-next" : ""}" data-card-name=${trick && at >= 0 ? words.card(trick.cards[at]) : undefined}>
          ${trick && at >= 0 && isTight.value && html`<${Card} card=${trick.cards[at]} />`}
          ${trick && at >= 0 && !isTight.value && html`<${PlayedCard} key=${trick.cards[at]} card=${trick.cards[at]} isWinner=${trick.winner === seat} />`}
        </div>`
        : html`<ul class="tile-actions">${listActions(state, seat).map((one) => html`<li>${one}</li>`)}</ul>`
    }
  </div>`;
}

/** @param {{ card: string, isWinner: boolean }} props */
function PlayedCard({ card, isWinner }) {
  const element = buildCardElement();
  showCardFace(element, card);
  element.classList.add("is-in-trick");
  element.classList.toggle("is-won", isWinner);
  return toVNode(element);
}

/** @type {(state: DealState, seat: string) => unknown[]} What a player has done before the play: the latest calls, then the exchange. */
function listActions(state, seat) {
  const sold = state.discards?.[seat];
  const bought = state.draws?.[seat];
  const calls = (state.calls ?? []).filter((/** @type {any} */ one) => one.seat === seat);
  const exchanged = sold ? [words.sold(sold.count), ...(bought ? [words.bought(bought.count)] : [])] : [];
  return [...calls.map((/** @type {any} */ one) => html`<i>${one.said ?? words.bid(one.bid)}</i>`), ...exchanged].slice(
    -MAX_ACTION_LINES,
  );
}

/** @type {(tricks: Record<string, number>, state: DealState) => string} How many tricks each has, or is to have. */
export const formatTrickCounts = (tricks, state) =>
  words.listed(SEATS.filter((seat) => seat in tricks).map((seat) => `${words.player(state, seat)} ${tricks[seat]}`));

/** The hands whose cards this reader may know, as they are now; for a player, the own hand. @param {{ state: DealState }} props */
export function KnownHands({ state }) {
  const hands = SEATS.map((seat) => ({ seat, cards: state.hands[seat].cards.filter(isKnown) })).filter(
    ({ cards }) => cards.length,
  );
  return hands.map(
    ({ seat, cards }) => html`<section key=${seat} class="known-hand">
    <h3>${t("{name}’s hand", { name: words.player(state, seat) })}</h3>
    <p>${groupBySuit(cards, state.trump, state.contract).map((group) => html`<span class="hand-suit"><${Cards} cards=${group.cards} /></span>`)}</p>
  </section>`,
  );
}

/** The tricks so far, laid out like a score sheet, with a line for each trick to come. @param {{ point: Point }} props */
export function TricksTable({ point: { state, score } }) {
  const tricks = state.tricks ?? [];
  const counts = trickCounts(state, score);
  return html`<table class="tricks-table">
    <caption class="visually-hidden">${words.play}</caption>
    <thead><tr><td></td>${SEATS.map((seat) => html`<th scope="col">${words.player(state, seat)}</th>`)}</tr></thead>
    <tbody>${Array.from({ length: Math.max(TRICKS_PER_DEAL, tricks.length) }, (_, index) => html`<tr><th scope="row">${index + 1}</th>${SEATS.map((seat) => html`<${TrickCell} trick=${tricks[index]} seat=${seat} />`)}</tr>`)}</tbody>
    <tfoot><tr><td></td>${SEATS.map((seat) => html`<td>${counts[seat] ?? 0}</td>`)}</tr></tfoot>
  </table>`;
}

/** @param {{ trick?: Trick, seat: string }} props */
function TrickCell({ trick, seat }) {
  const at = trick ? trick.seats.indexOf(seat) : -1;
  if (!trick || at < 0) return html`<td></td>`;
  return html`<td class=${trick.winner === seat ? "is-winner" : ""}><span class="played">
    ${at === 0 && html`<${LeadMark} />`}<${CardOrX} card=${trick.cards[at]} />
  </span></td>`;
}
