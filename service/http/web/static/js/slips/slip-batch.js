/** A batch of slips, typed from paper after the evening: the grid, what the service makes of it, and writing it down. */

import { appendEvents, getJson, sendRequest } from "../core/api.js";
import { el } from "../core/dom.js";
import { readDraft, deleteDraft, saveDraft } from "../core/drafts.js";
import { normalizeText } from "./batch-completion.js";
import { SlipBatchGrid, differsFromPaper, rowState } from "./batch-grid.js";
import { PasteDialog } from "./batch-paste-dialog.js";
import { BATCH_COLUMNS, isBlankRow, SlipBatchRows } from "./batch-rows.js";
import { InterveningEntries } from "./batch-intervening.js";
import { openTablePage } from "../evening/table-page.js";
import { formatDealEnd, formatApiError } from "../core/deal-text.js";
import { listRowRemarks, buildVerdict } from "./batch-row-text.js";
import words from "../messages/slip-batch.js";

const { lang } = document.documentElement;
/** The language of the cells: a sheet is in Danish or in English. */
const CELL_LANGUAGE = lang === "da" ? "da" : "en";
/** Milliseconds without typing before the service is asked. */
const READ_DELAY_MS = 250;
/** Milliseconds before the service is asked again, if it did not answer. */
const RETRY_DELAY_MS = 4000;

class SlipBatch {
  constructor(page, words) {
    Object.assign(this, page);
    this.evening = page.evening;
    this.common = page.words;
    this.words = { ...words, chips: page.words.chips, aside: (row, read, displayName) => listRowRemarks(row, read, { words, common: this.common, displayName }) };
    const { choices } = JSON.parse(this.root.dataset.pile);
    const savedDraft = readDraft("pile", this.evening.table);
    const draft = Array.isArray(savedDraft?.rows) ? savedDraft : null;
    this.rows = new SlipBatchRows(draft?.rows ?? []);
    this.paperShows = draft?.shows ?? "totals";
    this.baseVersion = draft?.base ?? this.evening.version();
    this.readings = new Map();
    this.readCells = new Map();
    this.players = [];
    this.revision = 0;
    /** What a person wanted written down, and could not be yet: `rows`, of which `doubts` were asked about. */
    this.pendingSend = draft?.wanted ?? null;
    this.isServiceUnreachable = false;
    this.columns = BATCH_COLUMNS.filter((one) => this.hasColumn(one, choices));
    this.grid = new SlipBatchGrid({
      rows: this.rows, choices, columns: this.columns, words: this.words, displayName: (player) => this.displayName(player),
      listDeclarerChoices: (row) => this.listDeclarerChoices(row), listPlayerChoices: () => this.listPlayerChoices(), commands: this.commands(),
    });
    this.interveningEntries = new InterveningEntries({ evening: this.evening, words: this.words, common: this.common, onContinue: () => this.acceptInterveningEntries(), getOwnDealIds: () => new Set(this.rows.rows.map((row) => row.id)) });
    this.pasteDialog = new PasteDialog({ words: this.words, displayName: (player) => this.displayName(player), listPlayers: () => this.players, columns: this.columns, onAccept: (rows, shows) => this.insertRows(rows, shows) });
    this.buildPage(draft);
    this.evening.addEventListener("change", () => this.handleTableChange());
    this.handleTableChange();
  }

  hasColumn(column, choices) {
    if (column === "sits_out") return this.evening.ledger.players.length > 3;
    return column !== "extras" || choices.extras.length > 0;
  }

  displayName(player) {
    return this.names?.[player] ?? this.evening.displayName(player);
  }

  // The page

  buildPage(draft) {
    const { words } = this;
    const tool = (name, act) => el("button", { type: "button", class: "button batch-tool", "data-tool": name, title: words.keys[name], text: words.tools[name], on: { click: act, pointerdown: (event) => event.preventDefault() } });
    this.tools = el("div", { class: "batch-tools", role: "toolbar", "aria-label": words.toolbar },
      tool("copyAbove", () => this.runAtFocusedRow((index, column) => this.commands().copyAbove(index, column))),
      tool("insert", () => this.runAtFocusedRow((index, column) => this.commands().insert(index, column))),
      tool("remove", () => this.runAtFocusedRow((index, column) => this.commands().remove(index, column))),
      tool("undo", () => this.commands().undo(0, null)));
    this.verdictLine = el("p", { class: "batch-verdict", "aria-live": "polite" });
    this.status = el("p", { class: "status", role: "status" });
    this.button = el("button", { type: "button", class: "confirm", on: { click: () => this.send() } });
    this.differingLine = el("p", { class: "batch-first-difference", role: "status" });
    this.paperShowsSelect = el("select", { id: "paper-shows", on: { change: (event) => this.setPaperShows(event.target.value) } },
      ...["totals", "chips"].map((shows) => el("option", { value: shows, text: words.paperShows[shows], selected: shows === this.paperShows })));
    const area = this.pasteArea = el("textarea", { rows: "3", id: "to-paste", placeholder: words.pastePlaceholder, on: { paste: (event) => this.handlePaste(event, area) } });
    const paste = el("details", { class: "batch-paste" }, el("summary", { text: words.pasteHeading }), el("label", { for: "to-paste", text: words.pasteHow }), area,
      el("p", {}, el("button", { type: "button", class: "button", text: words.pasteRead, on: { click: () => this.parsePaste(area.value, this.rows.filledCount) } })));
    const keys = el("details", { class: "batch-keys" }, el("summary", { text: words.keysHeading }), el("dl", {}, ...words.keyList.flatMap(([key, does]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: does })])));
    const compare = el("p", { class: "batch-compare" }, el("label", { for: "paper-shows", text: words.paperLabel }), this.paperShowsSelect);
    this.clear = el("button", { type: "button", class: "button", text: words.clear, on: { click: () => this.askToClear() } });
    this.clearing = el("p", { class: "end-actions" }, this.clear);
    this.bar = el("div", { class: "bar batch-bar" }, this.status, this.verdictLine, el("div", { class: "batch-bar-actions" }, this.tools, this.button));
    this.grid.root.addEventListener("paste", (event) => this.handlePaste(event, event.target));
    this.parts.pile.replaceChildren(this.interveningEntries.root, el("p", { class: "muted batch-draft-note", text: words.kept }), paste, this.grid.root, this.bar, this.differingLine, compare, keys, this.clearing);
    if (draft && this.rows.filledCount) this.showStatus(words.found(this.rows.filledCount));
  }

  runAtFocusedRow(act) {
    const row = this.grid.focusedRow ?? this.lastFocusedRow;
    const index = row ? this.rows.rows.indexOf(row) : this.rows.filledCount;
    act(Math.max(0, index), document.activeElement?.dataset.column ?? "contract");
  }

  /** What the grid's keys do, and the buttons. */
  commands() {
    this.commandTable ??= {
      typed: (row, column, text) => { if (this.rows.typeCell(row, column, text)) this.handleEdit(); },
      line: (row, cells) => { this.rows.writeCells(row, cells); this.handleEdit(); },
      hold: (row, isHeld) => { this.rows.setHeld(row, isHeld); this.handleEdit(); },
      // Not immediately: a row that is being removed loses the focus meanwhile.
      left: () => queueMicrotask(() => this.draw()),
      entered: (row) => { this.lastFocusedRow = row; this.drawVerdict(); },
      copyAbove: (index, column) => { this.rows.copyRowAbove(index); this.handleEdit(index, column); },
      insert: (index, column) => { this.rows.insertBlankRow(index); this.handleEdit(index, column); },
      remove: (index, column) => { this.rows.removeRow(index); this.handleEdit(index, column); },
      undo: (index, column) => { this.showStatus(this.rows.undo() ? "" : this.words.noUndo); this.handleEdit(column ? index : null, column); },
      redo: (index, column) => { this.rows.redo(); this.handleEdit(index, column); },
      send: () => this.send(),
    };
    return this.commandTable;
  }

  showStatus(sentence) {
    this.status.textContent = sentence;
  }

  // What was typed

  /** A person changed something: what was to be written down before that was another batch. */
  handleEdit(index = null, column = null) {
    this.pendingSend = null;
    this.handleChange(index, column);
  }

  /** Something has changed: it is kept here, and the service is asked when the typing pauses. */
  handleChange(index = null, column = null) {
    if (this.status.textContent && !this.sending) this.showStatus("");
    this.saveDraft();
    this.draw();
    if (index !== null && column) this.grid.focusCell(index, column);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.readRows(), READ_DELAY_MS);
    this.revision += 1;
    this.drawButton();
  }

  saveDraft() {
    if (!this.rows.filledCount) return deleteDraft("pile", this.evening.table);
    // Devices hold drafts with these members.
    const isSaved = saveDraft("pile", this.evening.table, { rows: this.rows.rows, base: this.baseVersion, shows: this.paperShows, wanted: this.pendingSend });
    if (!isSaved) this.showStatus(this.words.notKept);
    return undefined;
  }

  setPaperShows(shows) {
    this.paperShows = shows;
    this.paperShowsSelect.value = shows;
    this.handleChange();
  }

  /** Asks the service for the payments of the rows; what is typed meanwhile is asked next. */
  async readRows() {
    const { revision } = this;
    const rows = this.listRowsInDealOrder();
    try {
      const reading = await sendRequest("POST", `/tables/${this.evening.table}/slip-batches:read`, {
        lang: CELL_LANGUAGE, paper_shows: this.paperShows, rows: rows.map((row) => row.cells),
      });
      if (revision !== this.revision) return undefined;
      this.readRevision = revision;
      this.isServiceUnreachable = false;
      if ([this.words.unread, this.words.later].includes(this.status.textContent)) this.showStatus("");
      this.names = reading.names;
      this.players = reading.players;
      this.readings = new Map(reading.rows.map((read, index) => [rows[index].id, read]));
      this.readCells = new Map(rows.map((row) => [row.id, JSON.stringify(row.cells)]));
    } catch (error) {
      if (error.status === undefined) throw error;
      if (revision !== this.revision) return undefined;
      this.isServiceUnreachable = error.status === 0;
      this.showStatus(this.isServiceUnreachable ? (this.pendingSend ? this.words.later : this.words.unread) : formatApiError(this.common, error));
      clearTimeout(this.pause);
      if (error.status === 0 || error.status === 429 || error.status >= 500) this.pause = setTimeout(() => this.readRows(), RETRY_DELAY_MS);
    }
    this.draw();
    return this.sendIfPending();
  }

  /** What was wanted while it could not be: not where fewer are ready then, or something is asked that was not before. */
  sendIfPending() {
    const { pendingSend } = this;
    if (pendingSend === null || this.readRevision !== this.revision) return undefined;
    this.pendingSend = null;
    const ready = this.listSendableRows();
    if (ready.length && ready.length >= pendingSend.rows && this.countDoubtful(ready) <= pendingSend.doubts) return this.send();
    this.saveDraft();
    return this.showStatus(ready.length ? this.words.look : "");
  }

  /** What the button writes down now: all rows except those known to be unfinished. */
  buildPendingSend() {
    // A row that was typed on since it was read may be whole by now.
    const stateOf = (row) => rowState(row, this.readCells.get(row.id) === JSON.stringify(row.cells) ? this.readings.get(row.id) : null);
    const sendable = this.rows.rows.filter((row) => !row.held && ["ready", "doubt", "waiting"].includes(stateOf(row)));
    return sendable.length ? { rows: sendable.length, doubts: this.countDoubtful(sendable) } : null;
  }

  /** Rows in which something does not fit, or in which the paper says otherwise. */
  countDoubtful(rows) {
    return rows.filter((row) => rowState(row, this.readings.get(row.id)) === "doubt" || differsFromPaper(this.readings.get(row.id))).length;
  }

  // Drawing

  draw() {
    const differing = this.rows.rows.find((row) => differsFromPaper(this.readings.get(row.id)))?.id ?? null;
    this.grid.draw(this.readings, this.players, differing);
    this.drawVerdict();
    this.drawDiffering(differing);
    this.drawButton();
    this.clearing.hidden = !this.rows.filledCount;
  }

  /** The payments of the row being typed, and why. */
  drawVerdict() {
    const row = this.grid.focusedRow ?? this.lastFocusedRow;
    const read = row && this.grid.withoutActiveCellFaults(row, this.readings.get(row.id) ?? null);
    this.verdictLine.replaceChildren(...(read ? buildVerdict(read, { evening: this.evening, words: this.words, common: this.common, displayName: (player) => this.displayName(player) }) : [this.evening.isClosed ? this.words.closed : this.words.start]));
  }

  drawDiffering(differing) {
    if (!differing) return this.differingLine.replaceChildren();
    const read = this.readings.get(differing);
    const differences = Object.entries(read.differs).map(([player, paper]) => this.words.differs(this.displayName(player), paper));
    const go = el("button", { type: "button", class: "button", text: this.words.goThere, on: { click: () => this.grid.focusCell(this.rows.rows.findIndex((row) => row.id === differing), "paper") } });
    const sentence = this.words.firstDiffers(read.number, this.common.listed(differences), this.paperShows);
    if (this.differingLine.firstChild?.textContent === sentence) return undefined;
    return this.differingLine.replaceChildren(el("span", { text: sentence }), " ", go);
  }

  drawButton() {
    const { words } = this;
    const states = this.rows.rows.map((row) => rowState(row, this.readings.get(row.id)));
    const ready = this.listSendableRows();
    const unsentCount = states.filter((state) => state !== "blank").length - ready.length;
    if (this.isServiceUnreachable && this.rows.filledCount && !this.interveningEntries.isPending) {
      this.button.textContent = this.pendingSend ? words.sendsLater : words.sendLater;
      this.button.setAttribute("aria-disabled", String(Boolean(this.pendingSend)));
      return;
    }
    const doubtCount = this.countDoubtful(ready);
    this.button.textContent = words.send(ready.length, unsentCount, doubtCount);
    this.button.classList.toggle("is-doubtful", doubtCount > 0);
    const isBusy = this.sending || this.interveningEntries.isPending || this.readRevision !== this.revision;
    this.button.setAttribute("aria-disabled", String(!ready.length || Boolean(isBusy)));
  }

  // Who may be meant

  listPlayerChoices() {
    return this.buildChoices(this.evening.ledger.players);
  }

  /** Who may have declared in a row: its three players, also by their seats. */
  listDeclarerChoices(row) {
    const seating = this.readings.get(row.id)?.seating;
    const seats = ["forehand", "middlehand", "backhand"];
    const players = seating ? this.buildChoices(seats.map((seat) => seating[seat])) : this.listPlayerChoices();
    const initials = new Set(players.map((one) => normalizeText(one.name)[0]));
    const seated = players.map((one, index) => {
      const letter = seating ? seats[index][0] : "";
      const otherNames = letter && !initials.has(letter) ? [...one.others, letter, this.common.seat(seats[index])] : one.others;
      return { ...one, others: otherNames };
    });
    return [...seated, { name: this.words.pass, short: "", others: [] }];
  }

  buildChoices(players) {
    return players.map((player) => {
      const name = this.displayName(player);
      const initials = name.split(/[\s-]+/).map((part) => part[0] ?? "").join("");
      return { name, short: "", others: initials.length > 1 ? [initials] : [] };
    });
  }

  // Pasting

  handlePaste(event, input) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!PasteDialog.isSheet(text)) return;
    event.preventDefault();
    const row = this.grid.findRow(input);
    this.parsePaste(text, row ? this.rows.rows.indexOf(row) : this.rows.filledCount);
  }

  async parsePaste(text, index) {
    if (!text.trim()) return;
    try {
      const parsed = await sendRequest("POST", `/tables/${this.evening.table}/slip-batches:parse`, { text, lang: CELL_LANGUAGE });
      this.pasteIndex = index;
      this.pasteDialog.open(parsed);
    } catch (error) {
      if (error.status === undefined) throw error;
      this.showStatus(formatApiError(this.common, error));
    }
  }

  insertRows(rows, shows) {
    if (shows) this.paperShows = this.paperShowsSelect.value = shows;
    this.pasteArea.value = "";
    this.pasteArea.closest("details").open = false;
    this.rows.insertRows(this.pasteIndex, rows);
    this.handleChange(this.pasteIndex, "contract");
  }

  // Writing it down

  /** The rows as the plan continues: rows left over while later deals were written down come after those. */
  listRowsInDealOrder() {
    const written = Math.max(0, ...this.evening.listDeals().map((deal) => deal.number));
    const alreadyWritten = this.rows.rows.filter((row) => Number(row.cells.number) > 0 && Number(row.cells.number) <= written);
    return [...this.rows.rows.filter((row) => !alreadyWritten.includes(row)), ...alreadyWritten];
  }

  listSendableRows() {
    return this.listRowsInDealOrder().filter((row) => !row.held && ["ready", "doubt"].includes(rowState(row, this.readings.get(row.id))));
  }

  /** Writes down what is ready. What was typed last may still be on its way to be read: then it is done right after that. */
  async send() {
    if (this.sending || this.interveningEntries.isPending) return;
    if (this.readRevision !== this.revision) {
      this.sendLater();
      return;
    }
    const rows = this.listSendableRows();
    if (!rows.length) return;
    this.sending = true;
    this.drawButton();
    try {
      const stored = await appendEvents(`/tables/${this.evening.table}/slip-batches`, rows.map((row) => this.buildDeal(row)), this.baseVersion);
      await this.handleStored(rows, stored);
    } catch (error) {
      if (error.status === undefined) throw error;
      await this.handleError(error);
    } finally {
      this.sending = false;
      this.draw();
    }
  }

  /** Remembers that it is to be written down, also where the page is closed until then. */
  sendLater() {
    this.pendingSend = this.buildPendingSend();
    this.saveDraft();
    if (this.isServiceUnreachable) this.showStatus(this.pendingSend ? this.words.later : this.words.look);
    this.drawButton();
  }

  /** A row's deal, as the service read it, with the ids that it has had since it was typed. */
  buildDeal(row) {
    const [opening, ...rest] = this.readings.get(row.id).events;
    const ids = { result_recorded: row.result, note_added: row.note };
    return [{ ...opening, id: row.id }, ...rest.map((event) => ({ ...event, id: ids[event.type] }))];
  }

  async handleStored(rows, stored) {
    this.pinSeating(rows);
    this.baseVersion = stored.table.version;
    this.evening.addEvents(this.evening.table, stored.table.events);
    for (const one of stored.deals) this.evening.addEvents(one.deal, one.events);
    this.rows.discardRows(rows.map((row) => row.id));
    this.handleChange();
    this.showStatus(this.words.sent(rows.length, this.rows.filledCount));
    this.status.scrollIntoView({ block: "nearest" });
  }

  /** What stays keeps its number and its seats, though the deals before it are written down and gone from here. */
  pinSeating(rows) {
    const sentIds = new Set(rows.map((row) => row.id));
    for (const row of this.rows.rows) {
      const read = this.readings.get(row.id);
      if (sentIds.has(row.id) || isBlankRow(row) || !read) continue;
      row.cells.number ||= String(read.number);
      row.cells.dealer ||= this.displayName(read.seating.dealer);
      if (this.columns.includes("sits_out")) row.cells.sits_out ||= read.seating.sitting_out.map((one) => this.displayName(one)).join(", ");
    }
  }

  async handleError(error) {
    if (error.type === "stale-version" || error.type === "id-conflict") {
      // What others wrote is read before anybody decides again; it may not have come by the stream yet.
      const answer = await getJson(`/tables/${this.evening.table}/events?after=${this.baseVersion}&limit=500`).catch(() => null);
      if (answer) await this.evening.addEvents(this.evening.table, answer.events);
      this.handleTableChange();
      return this.showStatus(error.type === "stale-version" ? this.words.stale : this.words.already);
    }
    if (error.status === 0) {
      this.isServiceUnreachable = true;
      this.sendLater();
      this.pause = setTimeout(() => this.readRows(), RETRY_DELAY_MS);
      return undefined;
    }
    const unsure = error.status >= 500 || error.status === 429;
    return this.showStatus(unsure ? this.words.unsure : formatApiError(this.common, error));
  }

  // What others write

  /** The table has changed: removes rows of this batch that it has, and shows what others wrote to the person typing. */
  handleTableChange() {
    const dealsById = new Map(this.evening.listDeals().map((deal) => [deal.deal, deal]));
    const found = this.sending ? [] : this.rows.rows.filter((row) => dealsById.has(row.id));
    if (found.length) {
      this.rows.discardRows(found.map((row) => row.id));
      const dealTexts = found.map((row) => dealsById.get(row.id)).map((deal) => `${deal.number}. ${formatDealEnd(this.evening, this.common, deal)}`);
      this.showStatus(this.words.hadArrived(dealTexts.join("; ")));
    }
    if (!this.rows.filledCount) this.pendingSend = null;
    if (!this.rows.filledCount && !this.sending) this.baseVersion = this.evening.version();
    const status = this.status.textContent;
    const wasPending = this.interveningEntries.isPending;
    this.interveningEntries.draw(this.baseVersion, new Set(found.map((row) => row.id)));
    this.handleChange();
    this.showStatus(this.interveningEntries.isPending && !wasPending && !found.length ? this.words.stale : status);
  }

  acceptInterveningEntries() {
    this.baseVersion = this.evening.version();
    this.interveningEntries.draw(this.baseVersion, new Set());
    this.showStatus("");
    this.handleChange();
    this.grid.focusCell(0, "contract");
  }

  askToClear() {
    const { words } = this;
    const confirmButton = el("button", { type: "button", class: "button is-main", text: words.clearYes, on: { click: () => this.clearRows() } });
    const cancelButton = el("button", { type: "button", class: "button", text: words.back, on: { click: () => this.clearing.replaceChildren(this.clear) } });
    this.clearing.replaceChildren(words.clearAsk, " ", confirmButton, " ", cancelButton);
    confirmButton.focus();
  }

  /** The batch is thrown away; one step brings it back as long as the page stands. */
  clearRows() {
    this.rows.addUndoStep();
    this.rows.rows = [];
    this.rows.ensureOneBlankRow();
    this.baseVersion = this.evening.version();
    this.clearing.replaceChildren(this.clear);
    this.handleChange(0, "contract");
    this.showStatus(this.words.cleared);
  }
}


openTablePage((page) => new SlipBatch(page, words));
