// @ts-check
/** What is paid: who pays whom and the reason for every chip, or, before that, what is still open. */

import { formatChips } from "../core/chips.js";
import { RuleLink } from "../core/rule-link.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { SEATS } from "./card-tracks.js";
import { Panel } from "./markup.js";

/** @import { Frame, Item, Score, State } from "./types.d.ts" */

const OUTCOME_ORDER = ["slam_made", "won", "bete", "codille", "slam_failed"];

/** The score once it is decided; before, what each outcome that is still possible would pay. @param {{ frame: Frame }} props */
export function ScorePanel({ frame: { score, state } }) {
  if (score?.decided) {
    return html`<${Panel} name="score" title=${words.score}><${DecidedScore} score=${score} state=${state} /><//>`;
  }
  if (!score || !listPossibleOutcomes(score).length) return null;
  return html`<${Panel} name="score" title=${words.open}><${PossibleOutcomes} score=${score} state=${state} /><//>`;
}

/** The outcomes that can still come about with what they pay, the best for the declarer first. @param {Score} score */
export function listPossibleOutcomes(score) {
  /** @param {[string, unknown]} entry */
  const rank = ([outcome]) => (OUTCOME_ORDER.includes(outcome) ? OUTCOME_ORDER.indexOf(outcome) : OUTCOME_ORDER.length);
  const possible = Object.entries(score.reachable ?? {}).filter(([, payments]) => payments);
  return possible.sort((one, other) => rank(one) - rank(other));
}

/** Seats in the order of play, then others who share in the payment, by name. @param {Record<string, unknown>} payments */
function listPayees(payments) {
  return [...SEATS, ...Object.keys(payments).filter((who) => !SEATS.includes(who))].filter((who) => who in payments);
}

/** Who pays whom and why. `state` needs its players alone. @param {{ score: Score, state: Pick<State, "players"> }} props */
export function DecidedScore({ score, state }) {
  const { payments } = score;
  // A slip may say who won, and nothing of the tricks.
  const tricks = Object.values(score.tricks ?? {}).some(Boolean) ? score.tricks : {};
  const outcome = words.outcome(score.outcome, score.declarer ? words.player(state, score.declarer) : "");
  return html`
    <p class="outcome">${outcome}</p>
    ${
      payments &&
      html`<table class="payments"><tbody>
      ${listPayees(payments).map(
        (who) => html`<tr>
        <th scope="row">${words.player(state, who)}</th>
        <td class="muted">${tricks?.[who] === undefined ? "" : words.tricks(tricks[who])}</td>
        <td class="chips">${formatChips(payments[who])}</td>
      </tr>`,
      )}
    </tbody></table>`
    }
    ${(score.parts ?? [score])
      .filter(({ items }) => items?.length)
      .map(
        ({ items = [] }) => html`<table class="items"><tbody>
      ${items.map(
        (item) => html`<tr>
        <td>${item.label}${item.rule && html`<i class="muted rule"><${RuleLink} rule=${item.rule} name=${words.rule(item.rule)} /></i>`}</td>
        <td class="chips">${formatItemAmount(item)}</td>
      </tr>`,
      )}
    </tbody></table>`,
      )}
    ${score.pool && html`<p class="muted">${words.poolWas(score.pool)}</p>`}`;
}

/** What goes into the pool or comes out of it is stated in all, everything else from or to each opponent. @param {Item} item */
function formatItemAmount(item) {
  if (item.pool) return formatChips(item.each);
  if (!item.each) return "";
  return item.each > 0 ? words.each(item.each) : words.eachPaid(-item.each);
}

/** @param {{ score: Score, state: Pick<State, "players"> }} props */
export function PossibleOutcomes({ score, state }) {
  const outcomes = listPossibleOutcomes(score);
  const payees = listPayees(outcomes[0][1]);
  const names = payees.map((one) => words.player(state, one));
  /** @type {(amount: number | null, name: string) => unknown} */
  const cell = (amount, name) =>
    html`<td data-name=${name}>${amount === null ? html`<i>${words.depends}</i>` : formatChips(amount)}</td>`;
  return html`<table class="reachable">
    <thead><tr><td></td>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>
      ${outcomes.map(
        ([outcome, payments]) => html`<tr>
        <th scope="row">${words.outcomeShort[outcome] ?? outcome}</th>${payees.map((one, index) => cell(payments[one], names[index]))}
      </tr>`,
      )}
    </tbody>
  </table>`;
}

/**
 * How many tricks each has, by seat: as they count in the end where that is decided, by a claim too, else as they fell.
 * @param {any} state - of the API, or of a replay
 * @param {Score | null} score
 * @returns {Record<string, number>}
 */
export const trickCounts = (state, score) => (score?.decided && score.tricks) || state.tricks_won || {};

/** An item of a score in a sentence: what it is for, and what is paid for it; a colon in its name is none there. @param {Item} item */
export const formatScoreItem = (item) =>
  item.each ? `${item.label.replaceAll(": ", ", ")}: ${formatItemAmount(item)}` : item.label;
