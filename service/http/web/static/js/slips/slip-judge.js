// @ts-check
/**
 * A slip that is being filled in: what was tapped, and what the service says that it pays, asked at every tap and known
 * before anything is written down.
 */

import { formatApiError } from "../core/deal-text.js";
import { t } from "../core/texts.js";
import { seriousFindings } from "../evening/slip-findings.js";
import { validateSlip } from "../evening/table-entries.js";
import words from "../messages/evening.js";
import { computed, signal } from "../vendor/preact.js";
import { applyChange, buildResult, emptyFacts, maxTricks, missingFact, nextPlayerToCount } from "./slip-facts.js";
import { SlipReportCache } from "./slip-report-cache.js";

/** @typedef {import("./slip-facts.js").Facts} Facts */
/** @typedef {import("./slip-facts.js").Seating} Seating */
/** @typedef {import("./slip-report-cache.js").Report} Report */
/** @typedef {{ opening: any, seating: Seating, isJudgeable: boolean }} SlipDeal - `isJudgeable`: whether its pool is known */
/** @typedef {{ facts: Facts, seating: Seating, report?: Report, reason?: string }} Verdict - a report, or why there is none */

/** Milliseconds that a complete slip waits for its payment before it can be written down without. */
const JUDGE_TIMEOUT_MS = 1500;

export class SlipJudge {
  /** @type {import("../vendor/preact.js").Signal<SlipDeal | null>} */
  deal = signal(null);
  facts = signal(emptyFacts());
  /** @type {import("../vendor/preact.js").Signal<Verdict | null>} */
  verdict = signal(null);
  /** Whether the verdict is about the facts as they are. */
  isJudged = signal(false);
  result = computed(() => (this.deal.value ? buildResult(this.facts.value, this.deal.value.seating) : null));
  isReady = computed(() => this.isJudged.value && this.result.value !== null);
  isUndecided = computed(() => this.verdict.value?.report?.score.decided === false);
  hasFaults = computed(() => seriousFindings(this.verdict.value?.report?.findings ?? []).length > 0);
  /** Whose row of tricks was tapped, until something else is. */
  chosenRow = signal(/** @type {string | null} */ (null));
  /** Whose tricks are asked for. */
  countedPlayer = computed(() => {
    const { chosenRow, deal, facts } = this;
    if (chosenRow.value || !deal.value) return chosenRow.value;
    return nextPlayerToCount(facts.value, deal.value.seating, this.isJudged.value && this.isUndecided.value);
  });
  /** @type {Promise<void>} */
  judgement = Promise.resolve();
  reports = new SlipReportCache();
  /** Whether something was tapped since the slip was started. */
  wasTapped = false;

  /** @param {import("../evening/evening.js").Evening} evening @param {(facts: Facts) => void} onTap */
  constructor(evening, onTap) {
    this.evening = evening;
    this.onTap = onTap;
  }

  /** Starts a slip with what is already known of it. @param {SlipDeal} deal @param {Facts} facts */
  start(deal, facts) {
    this.deal.value = deal;
    this.wasTapped = false;
    this.facts.value = this.change(facts, {});
    this.judgement = this.judge();
  }

  /** Takes other seats, or another pool, for the same slip: what still fits stays. @param {SlipDeal} deal */
  reseat(deal) {
    const isSame = JSON.stringify(deal) === JSON.stringify(this.deal.value);
    if (isSame && (!this.verdict.value?.reason || !this.evening.isReachable)) return;
    this.start(deal, this.facts.value);
  }

  /** @param {Partial<Facts>} change */
  tap(change) {
    this.chosenRow.value = null;
    this.wasTapped = true;
    this.facts.value = this.change(this.facts.value, change);
    this.onTap(this.facts.value);
    this.judgement = this.judge();
  }

  /** The declarer's number of tricks; then, if the payment depends on it, a defender's. @param {number} count */
  async countTricks(count) {
    // Whose tricks a quick second tap counts is known when the first one has been judged.
    await this.judgement;
    const { declarer, tricks } = this.facts.value;
    const player = this.countedPlayer.value ?? declarer;
    if (player === null) return;
    const others = player === declarer ? {} : { [declarer ?? ""]: tricks[declarer ?? ""] };
    if (count <= maxTricks(others, player)) this.tap({ tricks: { ...others, [player]: count } });
  }

  /** @param {Facts} facts @param {Partial<Facts>} change */
  change(facts, change) {
    const { deal } = this;
    return deal.value ? applyChange(facts, change, (id) => this.evening.findContract(id), deal.value.seating) : facts;
  }

  async judge() {
    const { deal, evening } = this;
    const facts = this.facts.value;
    const result = this.result.value;
    this.isJudged.value = false;
    if (!deal.value || !result) {
      this.verdict.value = null;
      return;
    }
    const { opening, seating, isJudgeable } = deal.value;
    const isCurrent = () => facts === this.facts.value && opening === this.deal.value?.opening;
    /** @param {{ report?: Report, reason?: string }} said */
    const settle = (said, isJudged = true) => {
      if (!isCurrent()) return;
      this.verdict.value = { facts, seating, ...said };
      this.isJudged.value = isJudged;
    };
    const known = this.reports.find(opening, result);
    if (known) return settle({ report: known });
    if (!isJudgeable)
      return settle({
        reason: t("The pool depends on the deals that wait. The payment is worked out when they are sent."),
      });
    // Nobody waits for a service that is away: the slip can be written down, and is judged when it comes there.
    const later = () => settle({ reason: t("The payment is worked out when the network is back.") });
    const timer = setTimeout(later, evening.isReachable ? JUDGE_TIMEOUT_MS : 0);
    try {
      const report = await validateSlip(opening, result);
      this.reports.store(opening, result, report);
      settle({ report });
    } catch (error) {
      if (/** @type {any} */ (error).status === 0) later();
      else settle({ reason: formatApiError(words, error) }, false);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What is still to be tapped, in words. @param {Facts} facts */
export function missingText(facts) {
  const missing = missingFact(facts);
  if (missing === "declarer") return t("Tap who had the bid.");
  return missing === "contract" ? t("Tap what was played.") : t("Tap how it ended.");
}
