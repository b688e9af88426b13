/** The score sheet: running totals deal by deal, the reason for every chip a tap away, who owes whom, who did what. */

import { asked } from "../core/api.js";
import { chartOf } from "./chart.js";
import { el } from "../core/dom.js";
import { Doubts } from "../slips/doubts.js";
import { fitted } from "../core/fitting.js";
import { fold, folding } from "../core/folding.js";
import { decided } from "../replay/score.js";
import { opened } from "../core/table-page.js";
import { chipsTold, comingTold, correctionsTold, dealAddress, endOf, gameOf } from "../core/told.js";

const WIDEST_CHART = 760;
const NARROWEST_CHART = 280;
/** So large is the type for which a chart is drawn; where the reader's is larger, so is all of the chart. */
const TYPE = 17;
/** So many deals and a chart have room on one printed sheet. */
const ROWS_WITH_CHART = 42;

class Sheet {
  constructor({ parts, evening, words }) {
    Object.assign(this, { root: parts.sheet, evening, words });
    this.open = new Set();
    this.reasons = new Map();
    parts.print.addEventListener("click", () => window.print());
    this.doubts = new Doubts(evening, () => this.draw());
    evening.addEventListener("change", () => this.draw());
    this.draw();
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  /** So wide the page is, and so large its type. */
  get room() {
    return { width: this.root.clientWidth, type: parseFloat(getComputedStyle(this.root).fontSize) };
  }

  /** Draws anew where there is another room now. */
  fit() {
    const { width, type } = this.room;
    if (width !== this.drawnFor.width || type !== this.drawnFor.type) this.draw();
  }

  /** Everybody who sat there at some time: who has gone home has a share in the sum. */
  get columns() {
    return Object.keys(this.evening.ledger.totals);
  }

  draw() {
    const { ledger } = this.evening;
    const focused = document.activeElement?.dataset?.why;
    this.drawnFor = this.room;
    this.deals = new Map(this.evening.deals().map((deal) => [deal.deal, deal]));
    const parts = ledger.lines.length ? [this.table(), this.chart(), this.owes(), this.players()] : [el("p", { class: "lead", text: this.words.sheet.empty }), this.owes()];
    this.root.replaceChildren(...parts.filter(Boolean));
    for (const table of this.root.querySelectorAll(".folding")) fold(table);
    this.doubts.look();
    if (focused) this.root.querySelector(`[data-why="${CSS.escape(focused)}"]`)?.focus();
  }

  // Deal by deal

  table() {
    const { words, columns, evening } = this;
    const names = columns.map((player) => el("th", { scope: "col" }, el("span", { class: "head-room" }, fitted(el("span", { class: "head-name", text: evening.called(player) })))));
    const head = el("tr", {}, el("th", { scope: "col", class: "what", text: words.sheet.deal }), ...names);
    const rows = this.allRows();
    const totals = columns.map((player) => el("td", {}, chipsTold(words, evening.ledger.totals[player])));
    const foot = el("tr", {}, el("th", { scope: "row", text: words.sheet.total }), ...totals);
    const table = el("table", { class: "score-sheet", "data-abreast": String(columns.length), "aria-label": words.sheet.table }, el("thead", {}, head), el("tbody", {}, ...rows), el("tfoot", {}, foot));
    return el("div", { class: evening.ledger.lines.length > ROWS_WITH_CHART ? "sheet-table is-long" : "sheet-table" }, folding(table));
  }

  /** The lines, and between them who came and who went. */
  allRows() {
    const { evening, words } = this;
    this.away = new Set(this.columns.filter((player) => !(evening.log(evening.table)[0]?.players ?? []).includes(player)));
    const comings = evening.comings().filter((one) => !one.undone);
    const told = (one) => {
      this.follow(one.event);
      return el("tr", { class: "coming-row" }, el("td", { colspan: String(this.columns.length + 1), text: comingTold(evening, words, one.event) }));
    };
    const before = (seq) => comings.splice(0, comings.findLastIndex((one) => one.at < seq) + 1).map(told);
    const rows = evening.ledger.lines.flatMap((line) => [...before(line.seq), ...this.rows(line)]);
    return [...rows, ...comings.map(told)];
  }

  /** Who is away, behind an entry of who came or went. */
  follow(event) {
    if (event.type === "player_joined") this.away.delete(event.player);
    else if (event.type === "player_left") this.away.add(event.player);
    else this.away = new Set(this.columns.filter((player) => !event.players.includes(player)));
  }

  rows(line) {
    const cells = this.columns.map((player) => this.cell(line, player));
    const row = el("tr", {}, el("th", { scope: "row", class: "what" }, this.what(line)), ...cells);
    return this.open.has(line.deal) ? [row, this.reasonRow(line)] : [row];
  }

  cell(line, player) {
    const shares = player in line.chips || player in line.stake;
    const change = (line.chips[player] ?? 0) - (line.stake[player] ?? 0);
    const total = line.totals[player];
    return el("td", { class: this.away.has(player) ? "is-away" : null }, total === undefined ? null : el("span", { class: "stands", text: this.words.chips(total) }), shares ? el("span", { class: "change", text: this.words.chips(change) }) : null);
  }

  what(line) {
    const { evening, words } = this;
    if (!line.deal) return el("span", { class: "what-told", text: this.byHand(line) });
    const deal = this.deals.get(line.deal) ?? { line, result: null };
    const told = endOf(evening, words, deal);
    const mark = this.corrections(line).length ? el("span", { class: "mark", text: words.sheet.corrected }) : null;
    const doubt = this.faults(line).length ? el("span", { class: "doubt" }, el("span", { "aria-hidden": "true", text: "?" }), el("span", { class: "unseen", text: words.sheet.findings })) : null;
    const why = el("button", { type: "button", class: "plain why", "data-why": line.deal, "aria-expanded": String(this.open.has(line.deal)), on: { click: () => this.toggle(line) } },
      el("span", { class: "entry-number", text: String(line.number) }), el("span", {}, el("span", { class: "what-told", text: told }), ...[doubt, mark].filter(Boolean).flatMap((one) => [" ", one])));
    return why;
  }

  /** What was corrected in a deal since, and why. */
  corrections(line) {
    const deal = this.deals.get(line.deal);
    return deal ? correctionsTold(this.evening, this.words, deal) : [];
  }

  /** What does not fit in a deal as it was written down. */
  faults(line) {
    const deal = this.deals.get(line.deal);
    return deal ? this.doubts.of(deal) : [];
  }

  /** What was paid outside the deals. */
  byHand(line) {
    const payer = Object.keys(line.chips).find((player) => line.chips[player] < 0);
    const payee = Object.keys(line.chips).find((player) => line.chips[player] > 0);
    const told = payer && payee ? this.words.sheet.payment(this.evening.called(payer), this.evening.called(payee)) : "";
    return [told, line.text].filter(Boolean).join(": ");
  }

  // Why

  toggle(line) {
    if (this.open.delete(line.deal)) return this.draw();
    this.open.add(line.deal);
    this.draw();
    return this.explain(line);
  }

  /** The deal's own score, as of the version that is known of it. */
  async explain(line) {
    const version = this.evening.version(line.deal);
    try {
      const score = await asked(`/deals/${line.deal}/score`);
      this.reasons.set(line.deal, { version, score });
    } catch {
      this.reasons.set(line.deal, { version, score: null });
    }
    this.draw();
  }

  reasonRow(line) {
    const known = this.reasons.get(line.deal);
    if (known && known.version !== this.evening.version(line.deal)) this.explain(line);
    const content = !known ? [] : known.score ? this.reason(line, known.score) : [el("p", { class: "ask", text: this.words.sheet.failed })];
    return el("tr", { class: "reason-row" }, el("td", { colspan: String(this.columns.length + 1) }, el("div", { class: "score" }, ...content)));
  }

  reason(line, score) {
    const { evening, words } = this;
    const players = Object.fromEntries(Object.entries(line.seating ?? {}).map(([seat, player]) => [seat, typeof player === "string" ? evening.called(player) : player]));
    const result = this.deals.get(line.deal)?.result;
    // What a slip does not say, nobody has counted.
    const counted = result?.event.tricks ? score : { ...score, tricks: null };
    const called = { ...words, contract: (id) => evening.contract(id).name, player: (state, seat) => state.players[seat] ?? evening.called(seat) };
    const told = score.decided ? decided(counted, { players }, called) : [el("p", { text: words.log.open })];
    const game = line.contract ? el("p", { class: "quiet", text: words.upper(gameOf(evening, words, line.contract, line.trump)) }) : null;
    const faults = this.faults(line).map((text) => el("p", { class: "fault", text }));
    return [game, ...faults, ...told, ...this.corrections(line), el("p", { class: "whole" }, el("a", { href: dealAddress(line.deal), text: words.sheet.whole }))].filter(Boolean);
  }

  // The evening

  chart() {
    const { evening, words } = this;
    const lines = this.columns.map((player) => ({
      name: evening.called(player),
      points: pointsOf(evening.ledger.lines, player),
    }));
    const standings = words.listed(lines.map((line) => `${line.name} ${words.chips(line.points.at(-1))}`));
    const { width, type } = this.drawnFor;
    const room = Math.min(WIDEST_CHART, Math.max(NARROWEST_CHART, Math.floor((width * TYPE) / type)));
    const deals = evening.ledger.lines.map((line) => line.number);
    const drawn = chartOf(lines, { deals, told: words.sheet.chartTold(standings), chips: words.chips, width: room });
    return drawn && el("section", { class: "sheet-part chart-part" }, el("h2", { text: words.sheet.chart }), drawn);
  }

  owes() {
    const { evening, words } = this;
    const { ledger } = evening;
    const chip = evening.rules?.chip ?? "";
    const lines = ledger.owes.map((one) =>
      el("li", { text: words.sheet.owes(evening.called(one.debtor), evening.called(one.creditor), words.sheet.chips(one.chips, chip), one.money && words.sheet.money(one.money, ledger.currency)) }),
    );
    const pots = ledger.pots.map((pot) => el("li", { text: words.sheet.pool(pot.pool ?? pot.chips ?? 0) }));
    const penalties = Object.entries(ledger.penalties).map(([player, points]) => el("li", { text: words.sheet.penalty(evening.called(player), points) }));
    const worth = ledger.chip_value ? el("p", { class: "quiet", text: words.sheet.worth(ledger.chip_value, ledger.currency, chip) }) : null;
    return el("section", { class: "sheet-part owes" }, el("h2", { text: words.sheet.owesHeading }),
      lines.length ? el("ul", {}, ...lines) : el("p", { class: "quiet", text: words.sheet.even }), pots.length || penalties.length ? el("ul", {}, ...pots, ...penalties) : null, worth);
  }

  players() {
    const { evening, words } = this;
    const { sheet } = words;
    const columns = ["played", "declared", "won", "bete", "codille"];
    const head = el("tr", {}, ...[sheet.player, sheet.chipsHeading, ...columns.map((one) => sheet[one])].map((text) => el("th", { scope: "col", text })));
    const rows = (evening.ledger.figures ?? []).map((one) =>
      el("tr", {},
        el("th", { scope: "row" }, evening.called(one.player), one.contracts.length ? el("span", { class: "contracts-told", text: one.contracts.map(({ contract, played }) => `${evening.contract(contract).name}${played > 1 ? ` ×${played}` : ""}`).join(", ") }) : null),
        el("td", {}, chipsTold(words, one.chips)), ...columns.map((column) => el("td", { text: String(one[column]) }))),
    );
    return el("section", { class: "sheet-part players" }, el("h2", { text: sheet.figures }),
      el("div", {}, folding(el("table", { class: "figures", "aria-label": sheet.figures }, el("thead", {}, head), el("tbody", {}, ...rows)))));
  }
}

/** How a player stood before the first line and after each; null until he came. */
function pointsOf(lines, player) {
  const first = lines.findIndex((line) => line.totals[player] !== undefined);
  return [0, ...lines.map((line) => line.totals[player] ?? 0)].map((chips, place) => (place < first ? null : chips));
}

opened((page) => new Sheet(page));
