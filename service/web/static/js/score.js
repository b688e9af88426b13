/** The score panel: what is still open, then who pays whom, and the reason for every chip. */

import { el } from "./dom.js";
import { SEATS } from "./tracks.js";

/** See panels.js for what a panel is. */
export function scorePanel({ steps, words }) {
  if (!steps.some((step) => step.frame.score)) return null;
  const body = el("div", {});
  const section = el("section", { class: "panel score" }, el("h2", { text: words.score }), body);
  const show = (index) => {
    const { score, state } = steps[index].frame;
    section.hidden = !score || (!score.decided && !Object.keys(score.reachable ?? {}).length);
    if (!section.hidden) body.replaceChildren(...(score.decided ? decided(score, state, words) : open(score, state, words)));
  };
  return { section, show };
}

/** A number of chips with its sign: "+5", "−3", "0". */
export function chips(number) {
  if (!number) return "0";
  return number > 0 ? `+${number}` : `−${-number}`;
}

/** Seats in the order of play, then whoever else shares in the payment, by name. */
function payees(payments) {
  return [...SEATS, ...Object.keys(payments).filter((who) => !SEATS.includes(who))].filter((who) => who in payments);
}

function decided(score, state, words) {
  const who = score.declarer ? words.player(state, score.declarer) : "";
  const parts = [el("p", { class: "outcome", text: words.outcome(score.outcome, who) })];
  if (score.payments) parts.push(paymentsTable(score, state, words));
  for (const part of score.parts ?? [score]) {
    if (part.items?.length) parts.push(itemsTable(part, words));
  }
  if (score.pool) parts.push(el("p", { class: "quiet", text: words.poolWas(score.pool) }));
  return parts;
}

function paymentsTable(score, state, words) {
  const rows = payees(score.payments).map((who) => {
    const tricks = score.tricks?.[who];
    const name = el("th", { scope: "row", text: words.player(state, who) });
    return el("tr", {}, name, el("td", { class: "quiet", text: tricks === undefined ? "" : words.tricks(tricks) }), el("td", { class: "chips", text: chips(score.payments[who]) }));
  });
  return el("table", { class: "payments" }, el("tbody", {}, ...rows));
}

function itemsTable(part, words) {
  const rows = part.items.map((item) => {
    const reason = el("td", {}, words.item[item.label] ?? item.label, item.rule ? el("i", { class: "quiet rule", text: item.rule }) : null);
    return el("tr", {}, reason, el("td", { class: "chips", text: itemAmount(item, words) }));
  });
  return el("table", { class: "items" }, el("tbody", {}, ...rows));
}

function itemAmount(item, words) {
  if (item.each === undefined || item.each === null) return chips(item.total ?? item.amount ?? 0);
  return item.each < 0 ? words.eachPaid(-item.each) : words.each(item.each);
}

function open(score, state, words) {
  const outcomes = Object.entries(score.reachable ?? {}).filter(([, payments]) => payments);
  const who = payees(outcomes[0][1]);
  const head = el("tr", {}, el("td", {}), ...who.map((one) => el("th", { scope: "col", text: words.player(state, one) })));
  const rows = outcomes.map(([outcome, payments]) =>
    el("tr", {}, el("th", { scope: "row", text: words.outcomeShort[outcome] ?? outcome }), ...who.map((one) => el("td", { text: chips(payments[one]) }))),
  );
  return [el("p", { class: "quiet", text: words.open }), el("table", { class: "reachable" }, el("thead", {}, head), el("tbody", {}, ...rows))];
}
