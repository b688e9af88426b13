/** The score sheet: running totals deal by deal, the reason for every chip one tap away, who owes whom, and what each player did. */

import { getJson } from "../core/api.js";
import { drawTotalsChart } from "./chart.js";
import { el } from "../core/dom.js";
import { SlipFindings } from "./slip-findings.js";
import { fitText } from "../core/fit-text.js";
import { foldTableIfNarrow, makeTableFoldable } from "./foldable-table.js";
import { buildDecidedScore } from "../replay/score-panel.js";
import { openTablePage } from "./table-page.js";
import { buildChips, formatSeatingChange, buildCorrectionNotes, dealUrl, formatDealEnd, formatGame } from "../core/deal-text.js";

const MAX_CHART_WIDTH = 760;
const MIN_CHART_WIDTH = 280;
/** So large is the type for which a chart is drawn; where the reader's is larger, so is all of the chart. */
const CHART_TYPE_SIZE = 17;
/** The number of deals that fit on one printed sheet with a chart. */
const MAX_ROWS_WITH_CHART = 42;

class ScoreSheetPage {
  constructor({ parts, evening, words }) {
    Object.assign(this, { root: parts.sheet, evening, words });
    this.openDeals = new Set();
    this.scoresByDeal = new Map();
    parts.print.addEventListener("click", () => window.print());
    this.slipFindings = new SlipFindings(evening, () => this.draw());
    evening.addEventListener("change", () => this.draw());
    this.draw();
    new ResizeObserver(() => this.redrawIfResized()).observe(this.root);
  }

  /** So wide the page is, and so large its type. */
  get availableSpace() {
    return { width: this.root.clientWidth, type: parseFloat(getComputedStyle(this.root).fontSize) };
  }

  /** Draws again if the available space has changed. */
  redrawIfResized() {
    const { width, type } = this.availableSpace;
    if (width !== this.drawnSpace.width || type !== this.drawnSpace.type) this.draw();
  }

  /** Everybody who sat there at some time: players who went home count in the sum. */
  get playerColumns() {
    return Object.keys(this.evening.ledger.totals);
  }

  draw() {
    const { ledger } = this.evening;
    const focused = document.activeElement?.dataset?.why;
    this.drawnSpace = this.availableSpace;
    this.dealsById = new Map(this.evening.listDeals().map((deal) => [deal.deal, deal]));
    const parts = ledger.lines.length ? [this.buildTable(), this.buildChartPart(), this.buildDebtsPart(), this.buildPlayersPart()] : [el("p", { class: "lead", text: this.words.sheet.empty }), this.buildDebtsPart()];
    this.root.replaceChildren(...parts.filter(Boolean));
    for (const table of this.root.querySelectorAll(".foldable-table")) foldTableIfNarrow(table);
    this.slipFindings.refresh();
    if (focused) this.root.querySelector(`[data-why="${CSS.escape(focused)}"]`)?.focus();
  }

  // Deal by deal

  buildTable() {
    const { words, playerColumns, evening } = this;
    const names = playerColumns.map((player) => el("th", { scope: "col" }, el("span", { class: "head-cell" }, fitText(el("span", { class: "head-name", text: evening.displayName(player) })))));
    const head = el("tr", {}, el("th", { scope: "col", class: "row-label", text: words.sheet.deal }), ...names);
    const rows = this.buildAllRows();
    const totals = playerColumns.map((player) => el("td", {}, buildChips(words, evening.ledger.totals[player])));
    const footer = el("tr", {}, el("th", { scope: "row", text: words.sheet.total }), ...totals);
    const table = el("table", { class: "score-sheet", "data-abreast": String(playerColumns.length), "aria-label": words.sheet.table }, el("thead", {}, head), el("tbody", {}, ...rows), el("tfoot", {}, footer));
    return el("div", { class: evening.ledger.lines.length > MAX_ROWS_WITH_CHART ? "sheet-table is-long" : "sheet-table" }, makeTableFoldable(table));
  }

  /** The lines, and between them who came and who left. */
  buildAllRows() {
    const { evening, words } = this;
    this.awayPlayers = new Set(this.playerColumns.filter((player) => !(evening.logWithQueued(evening.table)[0]?.players ?? []).includes(player)));
    const seatingChanges = evening.listSeatingChanges().filter((one) => !one.undoneBy);
    const buildSeatingRow = (one) => {
      this.updateAwayPlayers(one.event);
      return el("tr", { class: "seating-row" }, el("td", { colspan: String(this.playerColumns.length + 1), text: formatSeatingChange(evening, words, one.event) }));
    };
    const buildRowsBefore = (seq) => seatingChanges.splice(0, seatingChanges.findLastIndex((one) => one.at < seq) + 1).map(buildSeatingRow);
    const rows = evening.ledger.lines.flatMap((line) => [...buildRowsBefore(line.seq), ...this.buildLineRows(line)]);
    return [...rows, ...seatingChanges.map(buildSeatingRow)];
  }

  /** Who is away after an entry of the seating. */
  updateAwayPlayers(event) {
    if (event.type === "player_joined") this.awayPlayers.delete(event.player);
    else if (event.type === "player_left") this.awayPlayers.add(event.player);
    else this.awayPlayers = new Set(this.playerColumns.filter((player) => !event.players.includes(player)));
  }

  buildLineRows(line) {
    const cells = this.playerColumns.map((player) => this.buildCell(line, player));
    const row = el("tr", {}, el("th", { scope: "row", class: "row-label" }, this.buildDealCell(line)), ...cells);
    return this.openDeals.has(line.deal) ? [row, this.buildReasonRow(line)] : [row];
  }

  buildCell(line, player) {
    const takesPart = player in line.chips || player in line.stake;
    const change = (line.chips[player] ?? 0) - (line.stake[player] ?? 0);
    const total = line.totals[player];
    return el("td", { class: this.awayPlayers.has(player) ? "is-away" : null }, total === undefined ? null : el("span", { class: "running-total", text: this.words.chips(total) }), takesPart ? el("span", { class: "chips-change", text: this.words.chips(change) }) : null);
  }

  buildDealCell(line) {
    const { evening, words } = this;
    if (!line.deal) return el("span", { class: "deal-text", text: this.formatPayment(line) });
    const deal = this.dealsById.get(line.deal) ?? { line, result: null };
    const dealText = formatDealEnd(evening, words, deal);
    const mark = this.buildCorrections(line).length ? el("span", { class: "mark", text: words.sheet.corrected }) : null;
    const doubtMark = this.listFindingTexts(line).length ? el("span", { class: "doubt" }, el("span", { "aria-hidden": "true", text: "?" }), el("span", { class: "visually-hidden", text: words.sheet.findings })) : null;
    const reasonsButton = el("button", { type: "button", class: "plain-button deal-toggle", "data-why": line.deal, "aria-expanded": String(this.openDeals.has(line.deal)), on: { click: () => this.toggleReasons(line) } },
      el("span", { class: "entry-number", text: String(line.number) }), el("span", {}, el("span", { class: "deal-text", text: dealText }), ...[doubtMark, mark].filter(Boolean).flatMap((one) => [" ", one])));
    return reasonsButton;
  }

  /** What was corrected in a deal since, and why. */
  buildCorrections(line) {
    const deal = this.dealsById.get(line.deal);
    return deal ? buildCorrectionNotes(this.evening, this.words, deal) : [];
  }

  /** What does not fit in a deal as it was written down. */
  listFindingTexts(line) {
    const deal = this.dealsById.get(line.deal);
    return deal ? this.slipFindings.listFindingTexts(deal) : [];
  }

  /** What was paid outside the deals. */
  formatPayment(line) {
    const payer = Object.keys(line.chips).find((player) => line.chips[player] < 0);
    const payee = Object.keys(line.chips).find((player) => line.chips[player] > 0);
    const description = payer && payee ? this.words.sheet.payment(this.evening.displayName(payer), this.evening.displayName(payee)) : "";
    return [description, line.text].filter(Boolean).join(": ");
  }

  // Why

  toggleReasons(line) {
    if (this.openDeals.delete(line.deal)) return this.draw();
    this.openDeals.add(line.deal);
    this.draw();
    return this.fetchScore(line);
  }

  /** The deal's own score, as of the version that is known of it. */
  async fetchScore(line) {
    const version = this.evening.version(line.deal);
    try {
      const score = await getJson(`/deals/${line.deal}/score`);
      this.scoresByDeal.set(line.deal, { version, score });
    } catch {
      this.scoresByDeal.set(line.deal, { version, score: null });
    }
    this.draw();
  }

  buildReasonRow(line) {
    const known = this.scoresByDeal.get(line.deal);
    if (known && known.version !== this.evening.version(line.deal)) this.fetchScore(line);
    const content = !known ? [] : known.score ? this.buildReason(line, known.score) : [el("p", { class: "ask", text: this.words.sheet.failed })];
    return el("tr", { class: "reason-row" }, el("td", { colspan: String(this.playerColumns.length + 1) }, el("div", { class: "score" }, ...content)));
  }

  buildReason(line, score) {
    const { evening, words } = this;
    const players = Object.fromEntries(Object.entries(line.seating ?? {}).map(([seat, player]) => [seat, typeof player === "string" ? evening.displayName(player) : player]));
    const result = this.dealsById.get(line.deal)?.result;
    // What a slip does not say, nobody has counted.
    const counted = result?.event.tricks ? score : { ...score, tricks: null };
    const dealWords = { ...words, contract: (id) => evening.findContract(id).name, player: (state, seat) => state.players[seat] ?? evening.displayName(seat) };
    const scoreContent = score.decided ? buildDecidedScore(counted, { players }, dealWords) : [el("p", { text: words.log.open })];
    const game = line.contract ? el("p", { class: "muted", text: words.upper(formatGame(evening, words, line.contract, line.trump)) }) : null;
    const faults = this.listFindingTexts(line).map((text) => el("p", { class: "fault", text }));
    return [game, ...faults, ...scoreContent, ...this.buildCorrections(line), el("p", { class: "deal-link" }, el("a", { href: dealUrl(line.deal), text: words.sheet.whole }))].filter(Boolean);
  }

  // The evening

  buildChartPart() {
    const { evening, words } = this;
    const lines = this.playerColumns.map((player) => ({
      name: evening.displayName(player),
      points: listRunningTotals(evening.ledger.lines, player),
    }));
    const standings = words.listed(lines.map((line) => `${line.name} ${words.chips(line.points.at(-1))}`));
    const { width, type } = this.drawnSpace;
    const room = Math.min(MAX_CHART_WIDTH, Math.max(MIN_CHART_WIDTH, Math.floor((width * CHART_TYPE_SIZE) / type)));
    const deals = evening.ledger.lines.map((line) => line.number);
    const chart = drawTotalsChart(lines, { deals, description: words.sheet.chartTold(standings), formatChips: words.chips, width: room });
    return chart && el("section", { class: "sheet-part chart-part" }, el("h2", { text: words.sheet.chart }), chart);
  }

  buildDebtsPart() {
    const { evening, words } = this;
    const { ledger } = evening;
    const chip = evening.rules?.chip ?? "";
    const lines = ledger.owes.map((one) =>
      el("li", { text: words.sheet.owes(evening.displayName(one.debtor), evening.displayName(one.creditor), words.sheet.chips(one.chips, chip), one.money && words.sheet.money(one.money, ledger.currency)) }),
    );
    const pots = ledger.pots.map((pot) => el("li", { text: words.sheet.pool(pot.pool ?? pot.chips ?? 0) }));
    const penalties = Object.entries(ledger.penalties).map(([player, points]) => el("li", { text: words.sheet.penalty(evening.displayName(player), points) }));
    const chipValueLine = ledger.chip_value ? el("p", { class: "muted", text: words.sheet.worth(ledger.chip_value, ledger.currency, chip) }) : null;
    return el("section", { class: "sheet-part debts" }, el("h2", { text: words.sheet.owesHeading }),
      lines.length ? el("ul", {}, ...lines) : el("p", { class: "muted", text: words.sheet.even }), pots.length || penalties.length ? el("ul", {}, ...pots, ...penalties) : null, chipValueLine);
  }

  buildPlayersPart() {
    const { evening, words } = this;
    const { sheet } = words;
    const columns = ["played", "declared", "won", "bete", "codille"];
    const head = el("tr", {}, ...[sheet.player, sheet.chipsHeading, ...columns.map((one) => sheet[one])].map((text) => el("th", { scope: "col", text })));
    const rows = (evening.ledger.figures ?? []).map((one) =>
      el("tr", {},
        el("th", { scope: "row" }, evening.displayName(one.player), one.contracts.length ? el("span", { class: "contract-list", text: one.contracts.map(({ contract, played }) => `${evening.findContract(contract).name}${played > 1 ? ` ×${played}` : ""}`).join(", ") }) : null),
        el("td", {}, buildChips(words, one.chips)), ...columns.map((column) => el("td", { text: String(one[column]) }))),
    );
    return el("section", { class: "sheet-part players" }, el("h2", { text: sheet.figures }),
      el("div", {}, makeTableFoldable(el("table", { class: "figures", "aria-label": sheet.figures }, el("thead", {}, head), el("tbody", {}, ...rows)))));
  }
}

/** How a player stood before the first line and after each; null before the player came. */
function listRunningTotals(lines, player) {
  const first = lines.findIndex((line) => line.totals[player] !== undefined);
  return [0, ...lines.map((line) => line.totals[player] ?? 0)].map((chips, index) => (index < first ? null : chips));
}

openTablePage((page) => new ScoreSheetPage(page));
