// @ts-check
/** A batch of slips, typed from paper after the evening: the grid, what the service makes of it, and writing it down. */

import { appendEvents, getJson, sendRequest } from "../core/api.js";
import { listEntries } from "../core/corrections.js";
import { formatApiError, formatDealEnd } from "../core/deal-text.js";
import { deleteDraft, readDraft, saveDraft } from "../core/drafts.js";
import { t } from "../core/texts.js";
import { openTablePage } from "../evening/table-page.js";
import words from "../messages/evening.js";
import { createRef, html, render, signal } from "../vendor/preact.js";
import { BatchCells } from "./batch-cells.js";
import { normalizeText } from "./batch-completion.js";
import { BatchPage, formatEntry } from "./batch-page.js";
import { isSheet } from "./batch-paste-dialog.js";
import { BATCH_COLUMNS, createRow, differsFromPaper, isBlankRow, rowState, SlipBatchRows } from "./batch-rows.js";

/** @typedef {import("./batch-rows.js").Row} Row */
/** @typedef {import("./batch-rows.js").Reading} Reading */
/** @typedef {import("./batch-completion.js").Choice} Choice */

/** The language of the cells: a sheet is in Danish or in English. */
const CELL_LANGUAGE = document.documentElement.lang === "da" ? "da" : "en";
/** Milliseconds without typing before the service is asked. */
const READ_DELAY_MS = 250;
/** Milliseconds before the service is asked again, if it did not answer. */
const RETRY_DELAY_MS = 4000;
const SEATS = ["forehand", "middlehand", "backhand"];

const UNREAD = t("No connection: the totals follow when it is back. What you type is stored here.");
const LATER = t("No network. The batch is stored here and is written down once, when the network is back.");
const LOOK = t("The batch is not written down: see the marked rows, then press again.");
const STALE = t("Others have written something at the table meanwhile. See above, and choose how to continue.");

/** What the page knows and does; its views are in batch-page.js and batch-grid.js. */
export class SlipBatch {
  status = signal("");
  /** What the service made of the rows, by their ids, when they were as `revision` says. */
  reading = signal({
    revision: -1,
    players: /** @type {string[]} */ ([]),
    names: /** @type {Record<string, string>} */ ({}),
    rows: /** @type {Map<string, Reading>} */ (new Map()),
  });
  /** Counts the changes. */
  revision = signal(0);
  isServiceUnreachable = signal(false);
  isSending = signal(false);
  isClearing = signal(false);
  /** A paste that the user is asked about, and where it goes. */
  paste = signal(/** @type {{ parsed: any, index: number } | null} */ (null));
  isPasteOpen = signal(false);
  pasteText = signal("");
  statusLine = createRef();
  hadIntervening = false;
  /** Deals that are, or were, rows of this batch. @type {Set<string>} */
  ownDeals = new Set();

  /** @param {import("../evening/table-page.js").TablePage} page */
  constructor({ root, evening }) {
    this.evening = evening;
    const { choices } = JSON.parse(root.dataset.pile ?? "");
    const savedDraft = readDraft("pile", evening.table);
    const draft = Array.isArray(savedDraft?.rows) ? savedDraft : null;
    this.rows = new SlipBatchRows(draft?.rows);
    this.paperShows = signal(draft?.shows ?? "totals");
    this.baseVersion = signal(draft?.base ?? evening.version());
    /** What a person wanted written down, and could not be yet: `rows`, of which `doubts` were asked about. */
    this.pendingSend = signal(/** @type {{ rows: number, doubts: number } | null} */ (draft?.wanted ?? null));
    this.choices = choices;
    this.columns = BATCH_COLUMNS.filter((one) => this.hasColumn(one));
    this.cells = new BatchCells({
      rows: this.rows,
      columns: this.columns,
      choices,
      listChoices: (row, column) => this.listChoices(row, column),
      onEdit: () => this.handleEdit(),
      onCommand: (command, index, column) => this.runCommand(command, index, column),
    });
    if (this.rows.filledCount)
      this.status.value = t("The batch is still here: {deals}.", { deals: countDeals(this.rows.filledCount) });
    evening.addEventListener("change", () => this.handleTableChange());
    this.handleTableChange();
  }

  /** @param {string} column */
  hasColumn(column) {
    if (column === "sits_out") return this.evening.ledger.players.length > 3;
    return column !== "extras" || this.choices.extras.length > 0;
  }

  /** Those whose chips are shown, in the order of the paper. @returns {string[]} */
  get players() {
    const { players } = this.reading.value;
    return players.length ? players : Object.keys(this.evening.ledger.totals);
  }

  /** @param {string} player @returns {string} */
  displayName(player) {
    return this.reading.value.names[player] ?? this.evening.displayName(player);
  }

  /** @param {Reading} reading @returns {string} */
  formatSittingOut = ({ seating }) =>
    seating.sitting_out.map((/** @type {string} */ one) => this.displayName(one)).join(", ");

  // What was typed

  /** What keys and buttons ask for by name. @param {string} command @param {number} index @param {string} column */
  runCommand(command, index, column) {
    if (command === "send") return this.send();
    if (command === "copyAbove") this.rows.copyRowAbove(index);
    else if (command === "insert") this.rows.insertRows(index, [createRow()]);
    else if (command === "remove") this.rows.removeRow(index);
    const isEmpty = (command === "undo" && !this.rows.undo()) || (command === "redo" && !this.rows.redo());
    this.handleEdit();
    if (isEmpty && command === "undo") this.status.value = t("There is nothing more to undo.");
    return column && this.cells.focusCell(index, column);
  }

  /** The same at the row that has, or had, the focus. @param {string} command */
  runAtFocusedRow(command) {
    const { row, cell } = this.cells;
    const index = row ? this.rows.rows.indexOf(row) : this.rows.filledCount;
    this.runCommand(command, index, command === "undo" ? "" : cell.value.column);
  }

  /** @param {Row} row @param {boolean} held */
  setHeld(row, held) {
    this.rows.update(row, { held });
    this.handleEdit();
  }

  /** A person changed something: what was to be written down before that was another batch. */
  handleEdit() {
    this.pendingSend.value = null;
    this.handleChange();
  }

  /** Something has changed: it is kept here, and the service is asked when the typing pauses. */
  handleChange() {
    if (!this.isSending.value) this.status.value = "";
    this.saveDraft();
    this.revision.value += 1;
    this.readLater(READ_DELAY_MS);
  }

  saveDraft() {
    const { evening, rows } = this;
    if (!rows.filledCount) return deleteDraft("pile", evening.table);
    // Devices hold drafts with these members.
    const [base, shows, wanted] = [this.baseVersion.value, this.paperShows.value, this.pendingSend.value];
    if (!saveDraft("pile", evening.table, { rows: rows.rows, base, shows, wanted }))
      this.status.value = t("This browser does not store the batch: leave the page open until it is written down.");
  }

  /** @param {string} shows */
  setPaperShows(shows) {
    this.paperShows.value = shows;
    this.handleChange();
  }

  // What the service makes of it

  /** @param {number} delay */
  readLater(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.readRows(), delay);
  }

  /** Asks the service for the payments of the rows; what is typed meanwhile is asked next. */
  async readRows() {
    const revision = this.revision.value;
    const rows = this.listRowsInDealOrder();
    const cells = rows.map((row) => row.cells);
    const question = { lang: CELL_LANGUAGE, paper_shows: this.paperShows.value, rows: cells };
    try {
      const answer = await sendRequest("POST", `/tables/${this.evening.table}/slip-batches:read`, question);
      if (revision !== this.revision.value) return undefined;
      this.isServiceUnreachable.value = false;
      if ([UNREAD, LATER].includes(this.status.value)) this.status.value = "";
      const readings = rows.map(
        (row, index) => /** @type {const} */ ([row.id, { ...answer.rows[index], cells: row.cells }]),
      );
      this.reading.value = { revision, players: answer.players, names: answer.names, rows: new Map(readings) };
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (status === undefined) throw error;
      if (revision !== this.revision.value) return undefined;
      this.isServiceUnreachable.value = status === 0;
      this.status.value = status ? formatApiError(words, error) : this.pendingSend.value ? LATER : UNREAD;
      if (status === 0 || status === 429 || status >= 500) this.readLater(RETRY_DELAY_MS);
    }
    return this.sendIfPending();
  }

  /** @param {Row} row */
  readingOf(row) {
    return this.reading.value.rows.get(row.id);
  }

  /** What was read of a row, but for the cell that somebody is typing in. @param {Row} row @param {string | null} typed @returns {Reading | undefined} */
  readingWhileTyping(row, typed) {
    const reading = this.readingOf(row);
    return typed && reading ? { ...reading, faults: reading.faults.filter(({ column }) => column !== typed) } : reading;
  }

  get isRead() {
    return this.reading.value.revision === this.revision.value;
  }

  /** The first row in which the paper says otherwise. */
  get firstDifference() {
    return this.rows.rows.find((row) => differsFromPaper(this.readingOf(row)));
  }

  /** Rows in which something does not fit, or in which the paper says otherwise. @param {Row[]} rows */
  countDoubtful = (rows) =>
    rows.filter((row) => {
      const reading = this.readingOf(row);
      return rowState(row, reading) === "doubt" || differsFromPaper(reading);
    }).length;

  /** What a cell can hold, where that is a choice. @param {Row} row @param {string} column @returns {Choice[] | undefined} */
  listChoices(row, column) {
    if (column === "declarer") return this.listDeclarers(row);
    return ["dealer", "sits_out"].includes(column)
      ? this.buildPlayerChoices(this.evening.ledger.players)
      : this.choices[column];
  }

  /** Who may have declared in a row: its three players, also by their seats. @param {Row} row @returns {Choice[]} */
  listDeclarers(row) {
    const seating = this.readingOf(row)?.seating;
    const pass = { name: t("pass"), short: "", others: [] };
    if (!seating) return [...this.buildPlayerChoices(this.evening.ledger.players), pass];
    const players = this.buildPlayerChoices(SEATS.map((seat) => seating[seat]));
    const initials = new Set(players.map(({ name }) => normalizeText(name)[0]));
    const seated = players.map((one, index) => {
      const [seat, letter] = [SEATS[index], SEATS[index][0]];
      return initials.has(letter) ? one : { ...one, others: [...one.others, letter, words.seat(seat)] };
    });
    return [...seated, pass];
  }

  /** @param {string[]} players @returns {Choice[]} */
  buildPlayerChoices(players) {
    return players.map((player) => {
      const name = this.displayName(player);
      const initials = name
        .split(/[\s-]+/)
        .map((part) => part[0] ?? "")
        .join("");
      return { name, short: "", others: initials.length > 1 ? [initials] : [] };
    });
  }

  // Pasting

  /** @param {ClipboardEvent} event */
  handlePaste(event, index = this.rows.filledCount) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isSheet(text)) return;
    event.preventDefault();
    this.parsePaste(text, index);
  }

  /** @param {string} text */
  async parsePaste(text, index = this.rows.filledCount) {
    if (!text.trim()) return;
    const path = `/tables/${this.evening.table}/slip-batches:parse`;
    try {
      this.paste.value = { parsed: await sendRequest("POST", path, { text, lang: CELL_LANGUAGE }), index };
    } catch (error) {
      if (/** @type {any} */ (error).status === undefined) throw error;
      this.status.value = formatApiError(words, error);
    }
  }

  /** @param {Row[]} rows @param {string | null} shows */
  insertRows(rows, shows) {
    const index = this.paste.value?.index ?? 0;
    if (shows) this.paperShows.value = shows;
    this.pasteText.value = "";
    this.isPasteOpen.value = false;
    this.rows.insertRows(index, rows);
    this.handleChange();
    this.cells.focusCell(index, "contract");
  }

  // Writing it down

  /** The rows as the plan continues: rows left over while later deals were written down come after those. */
  listRowsInDealOrder() {
    const written = Math.max(0, ...this.evening.listDeals().map((deal) => deal.number));
    /** @param {Row} row */
    const isPassed = ({ cells }) => Number(cells.number) > 0 && Number(cells.number) <= written;
    const { rows } = this.rows;
    return [...rows.filter((row) => !isPassed(row)), ...rows.filter(isPassed)];
  }

  listSendableRows() {
    return this.listRowsInDealOrder().filter(
      (row) => !row.held && ["ready", "doubt"].includes(rowState(row, this.readingOf(row))),
    );
  }

  /** What the button writes down now: all rows except those known to be unfinished. */
  buildPendingSend() {
    const sendable = this.rows.rows.filter((row) => {
      const reading = this.readingOf(row);
      // A row that was typed on since it was read may be whole by now.
      const state = rowState(row, reading?.cells === row.cells ? reading : undefined);
      return !row.held && ["ready", "doubt", "waiting"].includes(state);
    });
    return sendable.length ? { rows: sendable.length, doubts: this.countDoubtful(sendable) } : null;
  }

  /** What was wanted while it could not be: not where fewer are ready then, or something is asked that was not before. */
  sendIfPending() {
    const pending = this.pendingSend.value;
    if (!pending || !this.isRead) return undefined;
    this.pendingSend.value = null;
    const ready = this.listSendableRows();
    if (ready.length && ready.length >= pending.rows && this.countDoubtful(ready) <= pending.doubts) return this.send();
    this.saveDraft();
    this.status.value = ready.length ? LOOK : "";
    return undefined;
  }

  /** Writes down what is ready. What was typed last may still be on its way to be read: then it is done right after that. */
  async send() {
    if (this.isSending.value || this.interveningEntries.length) return;
    if (!this.isRead) return this.sendLater();
    const rows = this.listSendableRows();
    if (!rows.length) return;
    this.isSending.value = true;
    try {
      const deals = rows.map((row) => this.buildDeal(row));
      const path = `/tables/${this.evening.table}/slip-batches`;
      this.handleStored(rows, await appendEvents(path, deals, this.baseVersion.value));
    } catch (error) {
      if (/** @type {any} */ (error).status === undefined) throw error;
      await this.handleError(error);
    } finally {
      this.isSending.value = false;
    }
  }

  /** Remembers that it is to be written down, also where the page is closed until then. */
  sendLater() {
    this.pendingSend.value = this.buildPendingSend();
    this.saveDraft();
    if (this.isServiceUnreachable.value) this.status.value = this.pendingSend.value ? LATER : LOOK;
  }

  /** A row's deal, as the service read it, with the ids that it has had since it was typed. @param {Row} row */
  buildDeal(row) {
    const [opening, ...rest] = this.readingOf(row)?.events ?? [];
    /** @type {Record<string, string>} */
    const ids = { result_recorded: row.result, note_added: row.note };
    return [{ ...opening, id: row.id }, ...rest.map((event) => ({ ...event, id: ids[event.type] }))];
  }

  /** @param {Row[]} rows @param {any} stored */
  handleStored(rows, stored) {
    this.rows.settle(this.rows.rows.filter((row) => !rows.includes(row)).map((row) => this.pinSeating(row)));
    this.baseVersion.value = stored.table.version;
    this.evening.addEvents(this.evening.table, stored.table.events);
    for (const one of stored.deals) this.evening.addEvents(one.deal, one.events);
    this.handleChange();
    const written =
      rows.length === 1 ? t("The deal is written down.") : t("{n} deals are written down.", { n: rows.length });
    const n = this.rows.filledCount;
    const left = n === 1 ? t("1 deal is still in the batch.") : t("{n} deals are still in the batch.", { n });
    this.status.value = n ? `${written} ${left}` : written;
    this.statusLine.current?.scrollIntoView({ block: "nearest" });
  }

  /** What stays keeps its number and its seats, though the deals before it are written down and gone from here. @param {Row} row @returns {Row} */
  pinSeating(row) {
    const reading = this.readingOf(row);
    if (isBlankRow(row) || !reading) return row;
    const { number, dealer, sits_out } = row.cells;
    const pinned = {
      number: number || String(reading.number),
      dealer: dealer || this.displayName(reading.seating.dealer),
      sits_out: this.columns.includes("sits_out") ? sits_out || this.formatSittingOut(reading) : sits_out,
    };
    return { ...row, cells: { ...row.cells, ...pinned } };
  }

  /** @param {any} error */
  async handleError(error) {
    if (error.type === "stale-version" || error.type === "id-conflict") {
      // What others wrote is read before anybody decides again; it may not have come by the stream yet.
      const path = `/tables/${this.evening.table}/events?after=${this.baseVersion.value}&limit=500`;
      const answer = await getJson(path).catch(() => null);
      if (answer) await this.evening.addEvents(this.evening.table, answer.events);
      this.handleTableChange();
      this.status.value =
        error.type === "stale-version"
          ? STALE
          : t("Part of the batch was already written down. See what is left, and press again.");
    } else if (error.status === 0) {
      this.isServiceUnreachable.value = true;
      this.sendLater();
      this.readLater(RETRY_DELAY_MS);
    } else {
      this.status.value =
        error.status >= 500 || error.status === 429
          ? t("No connection. It may not have arrived: press again, and it is written only once.")
          : formatApiError(words, error);
    }
  }

  // What others write

  /** What others wrote at the table that was not seen yet, in words. @returns {string[]} */
  get interveningEntries() {
    const { evening, ownDeals } = this;
    const own = new Set([...ownDeals, ...this.rows.rows.map((row) => row.id)]);
    return listEntries(evening.logWithQueued(evening.table))
      .filter(({ address, event }) => parseInt(String(address), 10) > this.baseVersion.value && !own.has(event.deal))
      .map(({ event }) => formatEntry(evening, event));
  }

  /** The table has changed: removes rows of this batch that it has, and shows what others wrote to the person typing. */
  handleTableChange() {
    const ids = new Set(this.rows.rows.map((row) => row.id));
    const arrived = this.isSending.value ? [] : this.evening.listDeals().filter(({ deal }) => ids.has(deal));
    let status = this.status.value;
    if (arrived.length) {
      for (const { deal } of arrived) this.ownDeals.add(deal);
      this.rows.settle(this.rows.rows.filter((row) => !this.ownDeals.has(row.id)));
      const ends = arrived.map((deal) => `${deal.number}. ${formatDealEnd(this.evening, words, deal)}`);
      status = t("This had arrived and is taken out of the batch: {what}. If it is wrong, correct it on the slip.", {
        what: ends.reverse().join("; "),
      });
    }
    if (!this.rows.filledCount) {
      this.pendingSend.value = null;
      if (!this.isSending.value) this.baseVersion.value = this.evening.version();
    }
    this.handleChange();
    const isIntervening = this.interveningEntries.length > 0;
    this.status.value = isIntervening && !this.hadIntervening && !arrived.length ? STALE : status;
    this.hadIntervening = isIntervening;
  }

  acceptInterveningEntries() {
    this.baseVersion.value = this.evening.version();
    this.hadIntervening = false;
    this.handleChange();
    this.cells.focusCell(0, "contract");
  }

  /** The batch is thrown away; one step brings it back as long as the page stands. */
  clearRows() {
    this.rows.change([]);
    this.baseVersion.value = this.evening.version();
    this.isClearing.value = false;
    this.handleChange();
    this.cells.focusCell(0, "contract");
    this.status.value = t("The batch is empty. Undo brings it back.");
  }
}

/** @param {number} n */
const countDeals = (n) => (n === 1 ? t("1 deal") : t("{n} deals", { n }));

openTablePage((page) => {
  page.parts.pile.replaceChildren();
  render(html`<${BatchPage} batch=${new SlipBatch(page)} />`, page.parts.pile);
});
