/** What is said of a row: what it comes to and why, and what cannot be read or does not fit. */

import { itemTold } from "../replay/score.js";
import { el } from "../core/dom.js";
import { gameOf } from "../core/told.js";

/** The row in a line: the deal, how it ended, the reason of its chips; or what it still lacks. */
export function verdict(read, { evening, words, common, called }) {
  const deal = el("b", { text: `${common.slip.deal(read.number)}. ` });
  if (read.blank) return [deal, seatsTold(read, common, called)];
  if (!read.events.length) {
    const lacks = read.missing.map((column) => words.heads[column].toLowerCase());
    return [deal, read.faults.length ? words.seeBelow : words.lacks(common.listed(lacks))];
  }
  const result = read.events[1];
  const game = result.contract ? common.upper(gameOf(evening, common, result.contract, result.trump ?? null)) : "";
  const who = result.declarer ? called(read.seating[result.declarer]) : "";
  const told = common.ended(read.score.outcome ?? "open", who, game);
  return [deal, `${told}. `, el("span", { class: "quiet" }, ...reasons(read, evening, common, called))];
}

function seatsTold(read, common, called) {
  const out = read.seating.sitting_out.map(called);
  return [common.slip.deals(called(read.seating.dealer)), ...(out.length ? [common.slip.sitsOut(common.listed(out), out.length)] : [])].join(" · ");
}

/** Why the chips are what they are, with the clause of the rules. */
function reasons({ score }, evening, common, called) {
  if (!score.decided) return [common.slip.undecided(score.declarer ? called(score.declarer) : null)];
  const game = score.contract ? evening.contract(score.contract).name : "";
  const items = (score.parts ?? [score]).flatMap((part) => part.items ?? []);
  const told = items.map((item) => itemTold(common, item, game));
  const rules = [...new Set(items.map((item) => item.rule).filter(Boolean))].map((rule) => common.rule(rule));
  return told.length ? [`${common.upper(told.join("; "))}. `, el("i", { text: rules.join(", ") })] : [common.slip.nothing];
}

/** What cannot be read of a row, what does not fit, and where the paper says otherwise: each a line. */
export function aside(row, read, { words, common, called }) {
  const faults = read.faults.map((fault) => ({ column: fault.column, text: fault.message, grave: true }));
  const doubts = read.findings
    .filter((one) => one.code !== "incomplete")
    .map((one) => ({ column: null, text: named(one.message, read, called), grave: one.severity !== "warning" && one.severity !== "info" }));
  const undecided = read.score && !read.score.decided ? [{ column: "outcome", text: words.undecided, grave: false }] : [];
  const off = Object.entries(read.differs).map(([player, paper]) => words.differs(called(player), paper));
  const paper = off.length ? [{ column: null, text: words.paperSays(common.listed(off)), grave: false }] : [];
  return [...faults, ...undecided, ...doubts, ...paper];
}

/** A sentence of the service's, with names in the place of members' ids. */
function named(text, read, called) {
  const players = [...Object.keys(read.totals)];
  return players.reduce((said, player) => said.replaceAll(player, called(player)), text);
}
