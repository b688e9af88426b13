/**
 * The margin next to the table: notes, bidding, exchange, tricks, score, findings, hands in words.
 *
 * Each panel is made once from the whole replay and then shows what is known at a step, so that a reader who walks
 * with the keyboard keeps the place in it. A panel: `{section, show(index)}`, or null where the deal has none.
 */

import { buildInlineCard, joinWithSpaces } from "../core/cards.js";
import { el, buildPanel } from "../core/dom.js";
import { findingsPanel } from "./findings-panel.js";
import { notesPanel } from "./notes-panel.js";
import { possibleOutcomesPanel, scorePanel, trickCounts } from "./score-panel.js";
import { setText } from "./step-sentence.js";
import { stepAt } from "./steps.js";
import { SEATS, handCards } from "./card-tracks.js";

/** The panels that this replay has. `goto(index)` is called when a reader asks for a step. */
export function buildPanels(deal) {
  const builders = [notesPanel, scorePanel, possibleOutcomesPanel, auctionPanel, exchangePanel, sheetPanel, findingsPanel, handsPanel];
  return builders.map((build) => build(deal)).filter(Boolean);
}

/** The bidding in the words that fell. */
function auctionPanel({ steps, last, words }) {
  const calls = last.calls ?? [];
  if (!calls.length && !last.contract) return null;
  const rows = calls.map((call) => ({
    at: stepAt(steps, call.seq),
    row: el("li", {}, el("span", { class: "who", text: words.player(last, call.seat) }), el("span", {}, ...buildCallText(call, words))),
  }));
  const outcome = el("p", { class: "auction-outcome" });
  const section = buildPanel(words.auction, "auction", el("ol", { class: "lines" }, ...rows.map(({ row }) => row)), outcome);
  const show = (index) => {
    for (const { at, row } of rows) {
      row.hidden = at > index;
      if (at === index) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    const state = steps[index].frame.state;
    const hasContract = state.declarer && state.contract;
    const event = { seat: state.declarer, contract: state.contract, trump: state.trump };
    setText(outcome, hasContract ? words.upper(words.sentence("contract_named", { state, event })) : "");
    section.hidden = !hasContract && rows.every(({ row }) => row.hidden);
  };
  return { section, show };
}

/** A call in the words that fell, or else in its own. */
export function buildCallText(call, words) {
  const name = words.bid(call.bid);
  if (!call.said) return [name];
  const same = call.said.toLowerCase().includes(name.toLowerCase());
  return same ? [el("i", { text: call.said })] : [el("i", { text: call.said }), el("span", { class: "muted", text: ` ${name}` })];
}

/** What was sold and bought. */
function exchangePanel({ steps, words }) {
  const rows = steps
    .map((step, at) => ({ step, at }))
    .filter(({ step }) => step.kind === "cards_discarded" || step.kind === "cards_drawn")
    .map(({ step, at }) => ({ at, row: buildExchangeRow(step, words) }));
  if (!rows.length) return null;
  const section = buildPanel(words.exchange, "exchange", el("ol", { class: "lines" }, ...rows.map(({ row }) => row)));
  const show = (index) => {
    for (const { at, row } of rows) row.hidden = at > index;
    section.hidden = rows[0].row.hidden;
  };
  return { section, show };
}

/** What is discarded or drawn at a step, as a line. */
export function buildExchangeRow(step, words) {
  const { event, state } = step.frame;
  const sells = step.kind === "cards_discarded";
  const count = event.cards.length;
  const known = event.cards.filter((card) => card[0] !== "?");
  return el(
    "li",
    {},
    el("span", { class: "who", text: sells ? words.player(state, event.seat) : "" }),
    el("span", { class: "exchange-count", text: sells ? words.sold(count) : words.bought(count) }),
    el("span", {}, ...joinWithSpaces(known.map((card) => buildInlineCard(card, words)))),
  );
}

/** The tricks as on a score sheet: nine ruled lines that fill as the cards fall. */
function sheetPanel({ steps, last, words, goto }) {
  const tricks = last.tricks ?? [];
  if (!tricks.length) return null;
  const lines = Array.from({ length: Math.max(9, tricks.length) }, (_, index) => buildSheetLine(tricks[index], index + 1, { steps, words, goto }));
  const totals = SEATS.map(() => el("td", {}));
  const head = el("tr", {}, el("td", {}), ...SEATS.map((seat) => el("th", { scope: "col", text: words.player(last, seat) })));
  const footer = el("tr", {}, el("td", {}), ...totals);
  const table = el("table", { class: "sheet" }, el("thead", {}, head), el("tbody", {}, ...lines.map(({ row }) => row)), el("tfoot", {}, footer));
  const playedOn = tricks.filter((trick) => trick.played_on).map(({ number }) => number);
  const remark = playedOn.length ? [el("p", { text: words.playedOn(playedOn) })] : [];
  const section = buildPanel(words.play, "tricks", table, ...remark, el("p", { class: "muted sheet-key", text: words.playKey }));
  const show = (index) => {
    for (const line of lines) line.show(index);
    const { state, score } = steps[index].frame;
    const won = trickCounts(state, score);
    SEATS.forEach((seat, column) => setText(totals[column], won[seat] ?? 0));
    section.hidden = lines[0].cells.every(({ at }) => at > index);
  };
  return { section, show };
}

function buildSheetLine(trick, number, { steps, words, goto }) {
  const cells = SEATS.map((seat) => buildSheetCell(trick, seat, steps, words));
  const end = Math.max(...cells.map(({ at }) => (at === Infinity ? -1 : at)));
  const label = { type: "button", class: "plain-button", "aria-label": words.trickNumber(number), text: number };
  const button = end < 0 ? el("span", { text: number }) : el("button", { ...label, on: { click: () => goto(end) } });
  const row = el("tr", {}, el("th", { scope: "row" }, button), ...cells.map(({ cell }) => cell));
  const show = (index) => {
    for (const { at, cell, seat } of cells) {
      cell.firstChild?.toggleAttribute("hidden", at > index);
      cell.classList.toggle("is-winner", index >= end && end >= 0 && trick?.winner === seat);
      cell.classList.toggle("is-now", at === index);
    }
  };
  return { row, cells, show };
}

function buildSheetCell(trick, seat, steps, words) {
  const index = trick?.seats.indexOf(seat) ?? -1;
  if (index < 0) return { seat, at: Infinity, cell: el("td", {}) };
  const leadMark = index === 0 ? el("span", { class: "leads", role: "img", "aria-label": words.leads, text: "·" }) : null;
  const content = el("span", { class: "played" }, leadMark, buildCardCell(trick.cards[index], words));
  return { seat, at: stepAt(steps, trick.seqs[index]), cell: el("td", {}, content) };
}

/** In the sheet an unseen card is the book's x. */
export function buildCardCell(card, words) {
  if (card[0] !== "?") return buildInlineCard(card, words);
  return el("span", { class: "card-text" }, el("span", { class: "visually-hidden", text: words.hiddenCard }), el("i", { "aria-hidden": "true", text: "x" }));
}

/**
 * Every hand, the talon and what may happen next, in words: for those who do not see the drawing. They come when the panel is
 * opened, as most readers leave it closed.
 */
function handsPanel({ steps, words, tracks }) {
  const list = el("dl", {});
  const details = el("details", {}, el("summary", {}, el("h2", { text: words.hands })), list);
  const section = el("section", { class: "panel hands" }, details);
  const empty = steps.map(({ frame: { state } }) => SEATS.every((seat) => !handCards(state, seat).length));
  let currentIndex = 0;
  let inWords = null;
  const update = () => details.open && inWords && list.replaceChildren(...inWords(steps[currentIndex].frame, words, tracks[currentIndex]));
  const show = (index) => {
    currentIndex = index;
    section.classList.toggle("is-empty", empty[index]);
    update();
  };
  details.addEventListener("toggle", async () => {
    inWords ??= (await import("./hands-text.js")).describeHands;
    update();
  });
  return { section, show };
}
