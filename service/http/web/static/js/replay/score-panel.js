/** What is paid: who pays whom and the reason for every chip, or, before that, what is still open. */

import { formatChips } from "../core/chips.js";
import { el } from "../core/dom.js";
import { SEATS } from "./card-tracks.js";

const OUTCOME_ORDER = ["slam_made", "won", "bete", "codille", "slam_failed"];

/** The score once it is decided. See panels.js for what a panel is. */
export function scorePanel({ steps, words }) {
  return buildScorePanel(steps, "score", words.score, (score, state) => (score?.decided ? buildDecidedScore(score, state, words) : null));
}

/** What each outcome that is still possible would pay. */
export function possibleOutcomesPanel({ steps, words }) {
  const buildIfOpen = (score, state) => (score && !score.decided && listPossibleOutcomes(score).length ? buildPossibleOutcomes(score, state, words) : null);
  return buildScorePanel(steps, "score", words.open, buildIfOpen);
}

function buildScorePanel(steps, className, heading, contentOf) {
  const contents = steps.map(({ frame }) => contentOf(frame.score, frame.state));
  const contentKeys = steps.map(({ frame }) => JSON.stringify([frame.score, frame.state.players]));
  if (contents.every((content) => content === null)) return null;
  const body = el("div", {});
  const section = el("section", { class: `panel ${className}` }, el("h2", { text: heading }), body);
  let shownKey = null;
  const show = (index) => {
    section.hidden = contents[index] === null;
    if (contentKeys[index] !== shownKey) body.replaceChildren(...(contents[index] ?? []));
    shownKey = contentKeys[index];
  };
  return { section, show };
}

/** The outcomes that can still come about with what they pay, the best for the declarer first. */
function listPossibleOutcomes(score) {
  const rank = ([outcome]) => (OUTCOME_ORDER.includes(outcome) ? OUTCOME_ORDER.indexOf(outcome) : OUTCOME_ORDER.length);
  const possible = Object.entries(score.reachable ?? {}).filter(([, payments]) => payments);
  return possible.sort((one, other) => rank(one) - rank(other));
}

/** Seats in the order of play, then others who share in the payment, by name. */
function listPayees(payments) {
  return [...SEATS, ...Object.keys(payments).filter((who) => !SEATS.includes(who))].filter((who) => who in payments);
}

/** Who pays whom and why, of a score that is decided. `state` needs its players alone. */
export function buildDecidedScore(score, state, words) {
  const who = score.declarer ? words.player(state, score.declarer) : "";
  const parts = [el("p", { class: "outcome", text: words.outcome(score.outcome, who) })];
  if (score.payments) parts.push(paymentsTable(score, state, words));
  for (const part of score.parts ?? [score]) {
    if (part.items?.length) parts.push(itemsTable(part, words));
  }
  if (score.pool) parts.push(el("p", { class: "muted", text: words.poolWas(score.pool) }));
  return parts;
}

function paymentsTable(score, state, words) {
  const rows = listPayees(score.payments).map((who) => {
    const tricks = score.tricks?.[who];
    const name = el("th", { scope: "row", text: words.player(state, who) });
    return el("tr", {}, name, el("td", { class: "muted", text: tricks === undefined ? "" : words.tricks(tricks) }), el("td", { class: "chips", text: formatChips(score.payments[who]) }));
  });
  return el("table", { class: "payments" }, el("tbody", {}, ...rows));
}

function itemsTable(part, words) {
  const rows = part.items.map((item) => {
    const reason = el("td", {}, item.label, item.rule ? el("i", { class: "muted rule", text: words.rule(item.rule) }) : null);
    return el("tr", {}, reason, el("td", { class: "chips", text: formatItemAmount(item, words) }));
  });
  return el("table", { class: "items" }, el("tbody", {}, ...rows));
}

/** What goes into the pool or comes out of it is stated in all, everything else from or to each opponent. */
function formatItemAmount(item, words) {
  if (item.pool) return formatChips(item.each);
  if (!item.each) return "";
  return item.each > 0 ? words.each(item.each) : words.eachPaid(-item.each);
}

/** What an outcome would pay somebody; null where that depends on how the tricks fall. */
function buildPossiblePayment(number, words) {
  if (number === null) return el("td", { class: "depends" }, el("i", { text: words.depends }));
  return el("td", { text: formatChips(number) });
}

/** What each outcome that is open would pay. */
export function buildPossibleOutcomes(score, state, words) {
  const outcomes = listPossibleOutcomes(score);
  const payees = listPayees(outcomes[0][1]);
  const head = el("tr", {}, el("td", {}), ...payees.map((one) => el("th", { scope: "col", text: words.player(state, one) })));
  const rows = outcomes.map(([outcome, payments]) =>
    el("tr", {}, el("th", { scope: "row", text: words.outcomeShort[outcome] ?? outcome }), ...payees.map((one) => buildPossiblePayment(payments[one], words))),
  );
  return [el("table", { class: "reachable" }, el("thead", {}, head), el("tbody", {}, ...rows))];
}

/** How many tricks each has, by seat: as they count in the end where that is decided, by a claim too, else as they fell. */
export const trickCounts = (state, score) => (score?.decided && score.tricks) || state.tricks_won || {};

/** An item of a score in a sentence: what it is for, and what is paid for it; a colon in its name is none there. */
export function formatScoreItem(words, item) {
  if (!item.each) return item.label;
  const amount = item.pool ? formatChips(item.each) : item.each > 0 ? words.each(item.each) : words.eachPaid(-item.each);
  return `${item.label.replaceAll(": ", ", ")}: ${amount}`;
}
