// @ts-check
/**
 * A deal as a column in a magazine: hands as dealt, auction, exchange, hands before the lead, tricks, what is said of them
 * beside the point that it is said of, and what was paid. Drawn whole from the replay document; nobody walks in it.
 */

import { ID_PATTERN } from "../core/api.js";
import { useRules } from "../core/cards.js";
import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { buildCardTracks, SEATS } from "./card-tracks.js";
import { Diagram, hasKnownHandCards, hasLaterKnownCards } from "./diagram.js";
import { revealLaterKnownCards } from "./later-known-cards.js";
import { CardOrX, LeadMark } from "./markup.js";
import { Call, ExchangeRow, formatContract, isExchange } from "./panels.js";
import { ColumnFinding, listRemarks, numberRemarks, RemarkSign } from "./remarks.js";
import { DecidedScore, listPossibleOutcomes, PossibleOutcomes } from "./score-panel.js";
import { buildSteps, stepAt } from "./steps.js";

/** @import { ReplayDocument, State, Step, Trick } from "./types.d.ts" */
/**
 * @typedef {object} Column
 * @property {ReplayDocument} replay
 * @property {Step[]} steps
 * @property {import("./card-tracks.js").Track[]} tracks - where each card lies at each step
 * @property {ReturnType<typeof findPartEnds>} ends
 * @property {State} lastState
 * @property {Map<number, number>} numbers - of the remarks, by the indexes of their steps
 * @property {Set<number>} diagrams - the indexes of the steps that are shown as diagrams
 */

const AUCTION_EVENT_TYPES = new Set(["bid_made", "contract_named", "trump_named"]);
const EXCHANGE_EVENT_TYPES = new Set([
  "talon_turned",
  "exchange_yielded",
  "cards_discarded",
  "cards_drawn",
  "talon_seen",
]);
/** What the opening says of a deal, by its fields. @type {Record<string, (value: any, opening: any) => string | false>} */
const OPENING_FACTS = {
  table: (id) => !ID_PATTERN.test(id) && t("table {id}", { id }),
  // Without a title the number is the heading.
  number: (number, { title }) => title && t("deal {number}", { number }),
  board: (number) => t("board {number}", { number }),
  dealer: (name) => t("{name} dealt", { name }),
  pool: (chips) => t("{chips} in the pool", { chips }),
};

/** `rules` is what its rules are called, `evening` the title of its table. @param {{ replay: ReplayDocument, rules: string, evening?: string }} props */
export function PrintColumn({ replay, rules, evening }) {
  const column = readColumn(replay);
  const { tracks, ends, diagrams } = column;
  const remarks = (/** @type {number} */ from, /** @type {number} */ to) => listRemarks(column, from, to);
  const general = (replay.findings ?? []).filter(({ seq }) => seq === null || seq === undefined);
  return html`
    <${OpeningFacts} replay=${replay} rules=${rules} evening=${evening} />
    ${section("dealt", hands(column, 0, t("As dealt")), remarks(0, ends.dealt))}
    ${section("auction", auction(column), remarks(ends.dealt + 1, ends.auction))}
    ${section("exchange", exchange(column), remarks(ends.auction + 1, ends.exchange))}
    ${section("held", ends.held > 0 && hands(column, ends.held, t("As play begins")), remarks(ends.exchange + 1, ends.held))}
    ${section("tricks", tricks(column), remarks(ends.held + 1, ends.play))}
    ${section("result", result(column), [...remarks(ends.play + 1, ends.end), ...general.map((finding) => html`<${ColumnFinding} finding=${finding} />`)])}
    ${
      [...diagrams].some((index) => hasLaterKnownCards(tracks[index])) &&
      html`<p class="muted column-key">${t("In italics: a card known only from what came later.")}</p>`
    }
  `;
}

/** @param {ReplayDocument} replay @returns {Column} */
function readColumn(replay) {
  useRules(replay);
  const steps = buildSteps(replay);
  const states = steps.map((step) => step.frame.state);
  const tracks = revealLaterKnownCards(buildCardTracks(states), states);
  const ends = findPartEnds(steps);
  const numbers = numberRemarks(steps);
  // The hands with which play begins are shown where they are not those that were dealt.
  const hasExchange = steps
    .slice(ends.auction + 1, ends.held + 1)
    .some(({ kind }) => EXCHANGE_EVENT_TYPES.has(kind) || kind === "hand_held");
  const remarked = [...numbers.keys()].filter((index) => {
    const { kind, notes, findings } = steps[index];
    return kind === "card_played" && (notes.length > 0 || findings.length > 0);
  });
  const wanted = [0, ...(hasExchange ? [ends.held] : []), ...remarked];
  const diagrams = new Set(wanted.filter((index) => hasKnownHandCards(tracks[index])));
  return { replay, steps, tracks, ends, numbers, diagrams, lastState: states[states.length - 1] };
}

/** The last step of each part of the deal, in order; a missing part ends with the one before it. @param {Step[]} steps */
function findPartEnds(steps) {
  const kinds = steps.map(({ kind }) => kind);
  const firstPlay = kinds.indexOf("card_played");
  const lastOf = (/** @type {Set<string>} */ types) => kinds.findLastIndex((kind) => types.has(kind));
  const auctionEnd = Math.max(0, lastOf(AUCTION_EVENT_TYPES));
  const exchangeEnd = Math.max(auctionEnd, lastOf(EXCHANGE_EVENT_TYPES));
  const held = Math.max(exchangeEnd, firstPlay < 0 ? kinds.lastIndexOf("hand_held") : firstPlay - 1);
  const play = Math.max(held, kinds.lastIndexOf("card_played"));
  return { dealt: 0, auction: auctionEnd, exchange: exchangeEnd, held, play, end: kinds.length - 1 };
}

/** A part of the column, and its remarks; nothing if there is neither. @param {string} name @param {unknown} content @param {unknown[]} remarks */
const section = (name, content, remarks) =>
  (content || remarks.length > 0) && html`<section class="of-${name}">${content}${remarks}</section>`;

/** By which rules, where and for what it is played. @param {{ replay: ReplayDocument, rules: string, evening?: string }} props */
function OpeningFacts({ replay, rules, evening }) {
  const opening = replay.frames.find(({ event }) => event.type === "deal_opened")?.event;
  /** @type {string[]} */
  const sittingOut = replay.players?.sitting_out ?? [];
  const facts = [
    rules && `${t("Rules")}: ${rules}`,
    evening,
    ...Object.entries(OPENING_FACTS).map(([name, format]) => {
      const value = opening?.[name];
      return (value || value === 0) && format(value, opening);
    }),
    sittingOut.length > 0 && t("{names} sat out", { names: sittingOut.join(", ") }),
  ].filter(Boolean);
  return facts.length > 0 && html`<p class="column-facts">${facts.join(" · ")}</p>`;
}

/** A diagram of the hands under a heading; nothing if nobody knows any of them. @param {Column} column @param {number} index @param {string} heading */
const hands = ({ replay, steps, tracks, diagrams }, index, heading) =>
  diagrams.has(index) &&
  html`
    <div class="column-hands">
      <h2>${heading}</h2>
      <${Diagram} slots=${tracks[index]} state=${steps[index].frame.state} direction=${replay.direction} />
    </div>
  `;

/** @param {State} state */
const playerHeads = (state) => SEATS.map((seat) => html`<th scope="col">${words.player(state, seat)}</th>`);

/** The calls as they fell, a column for each player; then the game. @param {Column} column */
function auction(column) {
  const { lastState, steps } = column;
  /** @type {State["calls"][]} */
  const rows = [];
  const placeOf = (/** @type {State["calls"][number]} */ call) => SEATS.indexOf(call.seat);
  for (const call of lastState.calls ?? []) {
    const last = rows.at(-1)?.at(-1);
    if (!last || placeOf(last) >= placeOf(call)) rows.push([]);
    rows[rows.length - 1].push(call);
  }
  const game = formatContract(lastState);
  const cell = (/** @type {State["calls"][number] | undefined} */ call) =>
    html`<td>${call && html`<${Call} call=${call} /><${RemarkSign} column=${column} index=${stepAt(steps, call.seq)} />`}</td>`;
  const row = (/** @type {State["calls"]} */ calls) =>
    html`<tr>${SEATS.map((seat) => cell(calls.find((call) => call.seat === seat)))}</tr>`;
  if (!rows.length && !game) return null;
  return html`
    <div>
      <h2>${words.auction}</h2>
      ${rows.length > 0 && html`<table class="column-auction"><thead><tr>${playerHeads(lastState)}</tr></thead><tbody>${rows.map(row)}</tbody></table>`}
      ${game && html`<p class="column-game">${game}</p>`}
    </div>
  `;
}

/** @param {Column} column */
function exchange(column) {
  const rows = column.steps.flatMap((step, index) =>
    isExchange(step) ? html`<${ExchangeRow} step=${step}><${RemarkSign} column=${column} index=${index} /><//>` : [],
  );
  return rows.length > 0 && html`<div><h2>${words.exchange}</h2><ol class="column-lines">${rows}</ol></div>`;
}

/** Nine lines as on a score sheet; a sign at a card links to its remark. @param {Column} column */
function tricks(column) {
  const { lastState } = column;
  const all = lastState.tricks ?? [];
  const playedOn = all.filter((trick) => trick.played_on).map(({ number }) => number);
  if (!all.length) return null;
  return html`
    <div>
      <h2>${words.play}</h2>
      <table class="column-tricks">
        <thead><tr><th scope="col"><span class="visually-hidden">${t("Trick")}</span></th>${playerHeads(lastState)}</tr></thead>
        <tbody>
          ${all.map(
            (trick) =>
              html`<tr><th scope="row">${trick.number}</th>${SEATS.map((seat) => html`<${TrickCell} column=${column} trick=${trick} seat=${seat} />`)}</tr>`,
          )}
        </tbody>
        <tfoot><tr><td></td>${SEATS.map((seat) => html`<td>${lastState.tricks_won?.[seat] ?? 0}</td>`)}</tr></tfoot>
      </table>
      ${playedOn.length > 0 && html`<p>${words.playedOn(playedOn)}</p>`}
      <p class="muted column-key">${words.playKey}</p>
    </div>
  `;
}

/** @param {{ column: Column, trick: Trick, seat: any }} props */
function TrickCell({ column, trick, seat }) {
  const place = trick.seats.indexOf(seat);
  if (place < 0) return html`<td></td>`;
  const wins = trick.winner === seat;
  return html`
    <td>
      <span class=${wins ? "wins" : null}>${place === 0 && html`<${LeadMark} />`}<${CardOrX} card=${trick.cards[place]} />${wins && html`<span class="visually-hidden">, ${t("takes the trick")}</span>`}</span><${RemarkSign} column=${column} index=${stepAt(column.steps, trick.seqs[place])} />
    </td>
  `;
}

/** @param {Column} column */
function result({ replay: { score }, lastState }) {
  if (!score || (!score.decided && !listPossibleOutcomes(score).length)) return null;
  return html`
    <div class="column-score">
      <h2>${score.decided ? words.score : words.open}</h2>
      <${score.decided ? DecidedScore : PossibleOutcomes} score=${score} state=${lastState} />
    </div>
  `;
}
