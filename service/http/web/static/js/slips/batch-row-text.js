// @ts-check
/** The text of a row: its payments and why, and what cannot be read or does not fit. */

import { formatGame } from "../core/deal-text.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { formatScoreItem } from "../replay/score-panel.js";
import { html } from "../vendor/preact.js";
import { HEADS } from "./batch-rows.js";

/** @typedef {import("./slip-batch.js").SlipBatch} SlipBatch */
/** @typedef {import("./batch-rows.js").Reading} Reading */

/** The row in a line: the deal, how it ended, the reason of its chips; or what it still lacks. @param {{ batch: SlipBatch, reading: Reading }} props */
export function Verdict({ batch, reading }) {
  return html`<b>${words.slip.deal(reading.number)}. </b>${reading.events.length ? describeDeal(batch, reading) : describeGaps(batch, reading)}`;
}

/** @param {SlipBatch} batch @param {Reading} reading */
function describeGaps(batch, { blank, faults, missing, seating }) {
  if (faults.length && !blank) return t("See the text below the row.");
  if (!blank)
    return t("Still missing: {what}.", { what: words.listed(missing.map((one) => HEADS[one].toLowerCase())) });
  /** @type {string[]} */
  const sittingOut = seating.sitting_out.map((/** @type {string} */ one) => batch.displayName(one));
  const dealer = words.slip.deals(batch.displayName(seating.dealer));
  return [dealer, ...(sittingOut.length ? [words.slip.sitsOut(words.listed(sittingOut), sittingOut.length)] : [])].join(
    " · ",
  );
}

/** @param {SlipBatch} batch @param {Reading} reading */
function describeDeal(batch, { events: [, result], seating, score }) {
  const game = result.contract
    ? words.upper(formatGame(batch.evening, words, result.contract, result.trump ?? null))
    : "";
  const declarer = result.declarer ? batch.displayName(seating[result.declarer]) : "";
  return html`${words.ended(score.outcome ?? "open", declarer, game)}. <span class="muted"><${Reasons} batch=${batch} score=${score} /></span>`;
}

/** Why the chips are what they are, with the clause of the rules. @param {{ batch: SlipBatch, score: any }} props */
function Reasons({ batch, score }) {
  if (!score.decided) return words.slip.undecided(score.declarer ? batch.displayName(score.declarer) : null);
  /** @type {any[]} */
  const items = (score.parts ?? [score]).flatMap((/** @type {any} */ part) => part.items ?? []);
  if (!items.length) return words.slip.nothing;
  const rules = new Set(items.map(({ rule }) => rule).filter(Boolean));
  return html`${words.upper(items.map(formatScoreItem).join("; "))}. <i>${[...rules].map(words.rule).join(", ")}</i>`;
}

/** What the paper says otherwise, by player. @param {SlipBatch} batch @param {Reading} reading */
export const formatDifferences = (batch, { differs }) =>
  words.listed(
    Object.entries(differs).map(
      ([player, paper]) =>
        `${batch.displayName(player)} ${paper.replace("-", "−").replace(".", tc("decimal mark", "."))}`,
    ),
  );

/**
 * What cannot be read of a row, what does not fit, and where the paper says otherwise: each a line.
 * @param {SlipBatch} batch
 * @param {Reading} reading
 * @returns {{ column?: string, text: string, isSerious: boolean }[]}
 */
export function listRowRemarks(batch, reading) {
  const { faults, findings, score, totals, differs } = reading;
  const undecided = t(
    "What it costs depends on the tricks: write all three numbers, the declarer’s first, such as 3-5-1.",
  );
  return [
    ...faults.map((fault) => ({ column: fault.column, text: fault.message, isSerious: true })),
    ...(score && !score.decided ? [{ column: "outcome", text: undecided, isSerious: false }] : []),
    ...findings
      .filter(({ code }) => code !== "incomplete")
      .map(({ message, severity }) => ({
        // The service calls players by their ids.
        text: Object.keys(totals).reduce((text, id) => text.replaceAll(id, batch.displayName(id)), message),
        isSerious: severity !== "warning" && severity !== "info",
      })),
    ...(Object.keys(differs).length
      ? [{ text: t("The paper says {what}.", { what: formatDifferences(batch, reading) }), isSerious: false }]
      : []),
  ];
}
