// @ts-check
/** Best play next to the moves: what each card cost, the better card, and what it would have changed. */

import { ApiError } from "../core/api.js";
import { formatChips } from "../core/chips.js";
import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import whatIfWords from "../messages/what-if.js";
import { computed, effect, html, signal } from "../vendor/preact.js";
import { Card, Cards } from "./markup.js";
import { stepAt } from "./steps.js";

/** @import { DealView } from "./deal-view.js" */
/** @import { Seat, Seq, State } from "./types.d.ts" */
/** @import { WhatIfs } from "./what-ifs.js" */
/** @typedef {{ outcome: string, slam: string | null, deals: number }} End */
/** @typedef {{ card: string, deals: number, best: number, chips: number | null, ends: End[] }} Choice */
/** @typedef {{ seq: Seq, trick: number, seat: Seat, card: string, costs: { chips: number, deals: number }[], before: End[], after: End[], cards: Choice[] }} Play */
/** @typedef {{ looked: { deals: number, whole: boolean, total: string } | null, missing: string[], plays: Play[] }} Odds */

/** The service's answer on best play in what is shown: asked for once its tool is open, and again for another viewer or what-if. */
export class BestPlay {
  odds = signal(/** @type {Odds | null} */ (null));
  hasFailed = signal(false);
  /** The cards that were seen as they were played: each lawful deal has another in place of one that nobody saw. */
  plays = computed(() => {
    const cards = new Map(this.view.document.value.frames.map(({ seq, event }) => [String(seq), event.card]));
    return (this.odds.value?.plays ?? []).filter(({ seq, card }) => cards.get(String(seq)) === card);
  });
  /** Those that cost something, by the seq of their entry. */
  costly = computed(
    () => new Map(this.plays.value.filter((play) => costOf(play) > 0).map((play) => [String(play.seq), play])),
  );
  /** What is shown as it was asked about last. */
  #asked = "";

  /**
   * @param {DealView} view
   * @param {WhatIfs} whatIfs
   */
  constructor(view, whatIfs) {
    this.view = view;
    this.whatIfs = whatIfs;
    effect(() => {
      const { viewer } = view;
      const line = whatIfs.current.value;
      const shown = [viewer, line && [line.at, line.recorded?.id ?? line.acts]];
      if (view.tool.value !== "best-play" || this.#asked === JSON.stringify(shown)) return;
      this.#asked = JSON.stringify(shown);
      this.load();
    });
  }

  async load() {
    const asked = this.#asked;
    this.odds.value = null;
    this.hasFailed.value = false;
    try {
      const odds = await this.whatIfs.fetchOdds();
      if (asked === this.#asked) this.odds.value = odds;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (asked === this.#asked) this.hasFailed.value = true;
    }
  }
}

/** Chips that a card cost its side, on average over the deals. @param {Play} play */
function costOf({ costs }) {
  const deals = costs.reduce((sum, cost) => sum + cost.deals, 0);
  return costs.reduce((sum, cost) => sum + cost.chips * cost.deals, 0) / Math.max(1, deals);
}

/** @param {{ view: DealView, bestPlay: BestPlay }} props */
export function BestPlayPanel({ view, bestPlay }) {
  const odds = bestPlay.odds.value;
  if (bestPlay.hasFailed.value) {
    return html`<p role="status">${t("Best play could not be worked out just now.")}
      ${" "}<button type="button" class="button" onClick=${() => bestPlay.load()}>${words.again}</button></p>`;
  }
  if (!odds) return html`<p class="muted" role="status">${t("Best play is being worked out.")}</p>`;
  if (!odds.looked || odds.missing.length) {
    return html`<p role="status">${t("Best play cannot be worked out. The record lacks:")} ${odds.missing.join("; ")}.</p>`;
  }
  const { deals } = odds.looked;
  const play = bestPlay.plays.value.find(({ seq }) => String(seq) === String(view.step.frame.seq));
  return html`
    <p class="muted">${deals > 1 && t("{deals} possible deals were tried.", { deals })} ${t("All hands open, both sides playing as well as possible.")}</p>
    ${play && html`<${PlayedCard} play=${play} view=${view} whatIfs=${bestPlay.whatIfs} />`}
    <${CostlyCards} plays=${[...bestPlay.costly.value.values()]} view=${view} />`;
}

/** A card that was played, or is in the what-if, and what else could have been. @param {{ play: Play, view: DealView, whatIfs: WhatIfs }} props */
function PlayedCard({ play, view, whatIfs }) {
  const { state } = view.step.frame;
  const cost = costOf(play);
  const most = Math.max(...play.cards.map(({ best }) => best));
  const better = play.cards.filter(({ best, card }) => best === most && card !== play.card).map(({ card }) => card);
  const isWhatIf = isOfWhatIf(play);
  const replaced = whatIfs.replacedActionCode?.slice(1);
  const rows = [...play.cards].sort((one, other) => (other.chips ?? 0) - (one.chips ?? 0));
  return html`
    <p><b>${words.player(state, play.seat)}: <${Card} card=${play.card} /></b> – ${cost > 0 ? t("cost {chips}", { chips: countChips(cost, view) }) : t("nothing was better")}.
      ${cost > 0 && html`${" "}${t("Better:")} <${Cards} cards=${better} />.`} ${formatChange(play, state)}
    </p>
    <table class="best-play">
      <thead><tr><th scope="col">${t("Card")}</th><th scope="col">${words.upper(t("{chips} of the side", { chips: view.document.value.chips[1] }))}</th><th scope="col">${t("Outcome")}</th></tr></thead>
      <tbody>
        ${rows.map(({ card, chips, best, ends }) => {
          const isPlayed = card === play.card;
          const remark = isPlayed ? (isWhatIf ? t("here") : t("played")) : card === replaced && whatIfWords.asPlayed;
          return html`<tr key=${card} class=${best === most ? "is-best" : null} aria-current=${isPlayed ? "true" : null}>
          <th scope="row"><${Card} card=${card} />${remark && html`${" "}<span class="muted">${remark}</span>`}</th>
          <td>${chips === null ? "–" : formatChips(round(chips))}</td>
          <td>${formatEnds(ends)}</td>
        </tr>`;
        })}
      </tbody>
    </table>`;
}

/** Whether it is of the what-if, and was not played. @param {Play} play */
const isOfWhatIf = ({ seq }) => String(seq).includes("~");

/** What the best card would have changed, or how the deal ends with this one too. @type {(play: Play, state: State) => string} */
function formatChange(play, state) {
  const { before, after } = play;
  const [best, played] = [before, after].map(formatEnds);
  if (best !== played) {
    return isOfWhatIf(play)
      ? t("With it: {best}; here: {played}.", { best, played })
      : t("With it: {best}; as played: {played}.", { best, played });
  }
  const [{ outcome, slam, deals }, ...others] = after;
  if (deals === 1 || slam || others.length) return "";
  const sentence = words.outcome(outcome, words.player(state, state.declarer));
  return t("In all of them: {outcome}", { outcome: sentence });
}

/** @param {End[]} ends */
function formatEnds(ends) {
  const total = ends.reduce((sum, { deals }) => sum + deals, 0);
  const name = (/** @type {End} */ { outcome, slam }) => words.outcomeShort[slam ? `slam_${slam}` : outcome] ?? outcome;
  if (total === 1) return name(ends[0]);
  if (ends.length === 1) return t("{outcome} in all {deals}", { outcome: name(ends[0]), deals: total });
  return ends
    .map((end) => t("{outcome} in {deals} of {total}", { outcome: name(end), deals: end.deals, total }))
    .join(", ");
}

/** @param {number} chips */
const round = (chips) => Math.round(chips * 10) / 10;

/** A number of chips as the deal's rules call them. @type {(chips: number, view: DealView) => string} */
function countChips(chips, view) {
  const count = round(chips);
  return `${count} ${view.document.value.chips[count === 1 ? 0 : 1]}`;
}

/** @param {{ plays: Play[], view: DealView }} props */
function CostlyCards({ plays, view }) {
  if (!plays.length) return html`<p>${t("No card cost anything.")}</p>`;
  const steps = view.steps.value;
  const item = (/** @type {Play} */ play) => {
    const at = stepAt(steps, play.seq);
    return html`<li key=${play.seq} aria-current=${at === view.index.value ? "step" : null}>
      <button type="button" class="plain-button inline-link" onClick=${() => view.jumpTo(at)}>${words.trickNumber(play.trick)}: ${words.player(steps[at].frame.state, play.seat)} <${Card} card=${play.card} /></button>
      ${" "}<span class="muted">${countChips(costOf(play), view)}</span>
    </li>`;
  };
  return html`<h3>${t("Cards that cost something")}</h3><ul class="costly-cards">${plays.map(item)}</ul>`;
}
