// @ts-check
/** A deal of which only the result was written down: its slip, and why it pays, in place of cards that nobody knows. */

import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { SEATS } from "./card-tracks.js";
import { DecidedScore, trickCounts } from "./score-panel.js";

/** @import { DealView } from "./deal-view.js" */
/** @import { State } from "./types.d.ts" */

/** Whether a deal is known only from its slip. @param {DealView} view */
export function isSlip(view) {
  const { state } = view.steps.value[view.lastIndex].frame;
  return view.hasOnlyResult && state.phase === "finished" && SEATS.every((seat) => !state.hands?.[seat]?.cards.length);
}

/** @param {{ view: DealView }} props */
export function SlipStage({ view }) {
  const { state, score } = view.step.frame;
  const rows = [
    [t("Declarer"), state.declarer && words.player(state, state.declarer)],
    [t("Game"), state.contract && words.upper(words.contract(state.contract, state.trump))],
    [t("Result"), score?.outcome && (words.outcomeShort[score.outcome] ?? score.outcome)],
    [t("Tricks"), formatTricks(state, trickCounts(state, score))],
  ];
  return html`<section class="slip-stage" aria-label=${t("The slip")}>
    <h2>${t("The slip")}</h2>
    <dl>${rows.filter(([, value]) => value).map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>
    ${score?.decided && html`<div class="score"><${DecidedScore} score=${score} state=${state} /></div>`}
    <p class="muted">${t("Nobody wrote down the cards of this deal.")}</p>
    ${view.facts.links?.write && html`<p><a class="button" href=${view.facts.links.write}>${t("Write it card by card")}</a></p>`}
  </section>`;
}

/** @type {(state: State, counts: Record<string, number>) => string} */
const formatTricks = (state, counts) =>
  SEATS.some((seat) => counts[seat])
    ? SEATS.map((seat) => `${words.player(state, seat)} ${counts[seat] ?? 0}`).join(" · ")
    : "";
