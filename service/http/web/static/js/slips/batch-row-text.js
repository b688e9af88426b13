/** The text of a row: its payments and why, and what cannot be read or does not fit. */

import { formatScoreItem } from "../replay/score-panel.js";
import { el } from "../core/dom.js";
import { formatGame } from "../core/deal-text.js";

/** The row in a line: the deal, how it ended, the reason of its chips; or what it still lacks. */
export function buildVerdict(reading, { evening, words, common, displayName }) {
  const deal = el("b", { text: `${common.slip.deal(reading.number)}. ` });
  if (reading.blank) return [deal, formatSeats(reading, common, displayName)];
  if (!reading.events.length) {
    const lacks = reading.missing.map((column) => words.heads[column].toLowerCase());
    return [deal, reading.faults.length ? words.seeBelow : words.lacks(common.listed(lacks))];
  }
  const result = reading.events[1];
  const game = result.contract ? common.upper(formatGame(evening, common, result.contract, result.trump ?? null)) : "";
  const who = result.declarer ? displayName(reading.seating[result.declarer]) : "";
  const outcomeText = common.ended(reading.score.outcome ?? "open", who, game);
  return [deal, `${outcomeText}. `, el("span", { class: "muted" }, ...buildReasons(reading, common, displayName))];
}

function formatSeats(read, common, displayName) {
  const sittingOut = read.seating.sitting_out.map(displayName);
  return [common.slip.deals(displayName(read.seating.dealer)), ...(sittingOut.length ? [common.slip.sitsOut(common.listed(sittingOut), sittingOut.length)] : [])].join(" · ");
}

/** Why the chips are what they are, with the clause of the rules. */
function buildReasons({ score }, common, displayName) {
  if (!score.decided) return [common.slip.undecided(score.declarer ? displayName(score.declarer) : null)];
  const items = (score.parts ?? [score]).flatMap((part) => part.items ?? []);
  const itemTexts = items.map((item) => formatScoreItem(common, item));
  const rules = [...new Set(items.map((item) => item.rule).filter(Boolean))].map((rule) => common.rule(rule));
  return itemTexts.length ? [`${common.upper(itemTexts.join("; "))}. `, el("i", { text: rules.join(", ") })] : [common.slip.nothing];
}

/** What cannot be read of a row, what does not fit, and where the paper says otherwise: each a line. */
export function listRowRemarks(row, reading, { words, common, displayName }) {
  const faults = reading.faults.map((fault) => ({ column: fault.column, text: fault.message, isSerious: true }));
  const findings = reading.findings
    .filter((one) => one.code !== "incomplete")
    .map((one) => ({ column: null, text: withPlayerNames(one.message, reading, displayName), isSerious: one.severity !== "warning" && one.severity !== "info" }));
  const undecided = reading.score && !reading.score.decided ? [{ column: "outcome", text: words.undecided, isSerious: false }] : [];
  const differences = Object.entries(reading.differs).map(([player, paper]) => words.differs(displayName(player), paper));
  const paper = differences.length ? [{ column: null, text: words.paperSays(common.listed(differences)), isSerious: false }] : [];
  return [...faults, ...undecided, ...findings, ...paper];
}

/** A sentence of the service's, with names in the place of members' ids. */
function withPlayerNames(text, read, displayName) {
  const players = [...Object.keys(read.totals)];
  return players.reduce((replaced, player) => replaced.replaceAll(player, displayName(player)), text);
}
