/**
 * The grid of a batch: a row for every deal, cells for typing, and next to them the service's reading. It draws
 * what it is given and says what was typed; it knows neither the service nor the rules.
 */

import { el } from "../core/dom.js";
import { fitText } from "../core/fit-text.js";
import { ChoiceList } from "./batch-choice-list.js";
import { completeText, parseDealLine } from "./batch-completion.js";
import { isBlankRow, PLANNED_COLUMNS } from "./batch-rows.js";

/** Where the cells of a row stand in lines, Enter goes on in the row rather than down. */
const NARROW_SCREEN = matchMedia("(max-width: 52rem)");
const INPUT_MODES = { number: "numeric" };

export class SlipBatchGrid {
  /**
   * `rows`: the Rows; `choices` by cell; `columns`: which cells there are; `words`: this page's; `listDeclarerChoices(row)`: who may
   * have declared; `commands`: what keys and buttons ask for by name.
   */
  constructor({ rows, choices, columns, words, displayName, listDeclarerChoices, listPlayerChoices, commands }) {
    Object.assign(this, { rows, choices, columns, words, displayName, listDeclarerChoices, listPlayerChoices, commands });
    this.drawnRows = new Map();
    this.players = [];
    this.valueOnFocus = "";
    this.body = el("tbody");
    this.head = el("tr");
    this.table = el("table", { class: "batch-table" }, el("caption", { class: "visually-hidden", text: words.caption }), el("thead", {}, this.head), this.body);
    this.root = el("div", { class: "batch-frame" }, this.table);
    this.list = new ChoiceList(this.root, { label: words.meanings, onChoose: (name) => this.applyChoice(name) });
    this.root.addEventListener("input", (event) => this.handleInput(event.target));
    this.root.addEventListener("focusin", (event) => this.handleFocusIn(event.target));
    this.root.addEventListener("focusout", (event) => this.handleFocusOut(event.target));
    this.tabColumn = null;
    this.root.addEventListener("keydown", (event) => this.handleKey(event));
    this.root.addEventListener("pointerdown", () => (this.tabColumn = null));
    this.root.addEventListener("change", (event) => event.target.matches(".ready") && this.commands.hold(this.findRow(event.target), !event.target.checked));
  }

  // Drawing

  /** Draws every row; `readings` says by id what the service made of it, `players` are those whose chips are shown next to it. */
  draw(readings, players, differingRowId) {
    this.drawHead(players);
    const rows = this.rows.rows.map((row, index) => this.drawRow(row, index, this.withoutActiveCellFaults(row, readings.get(row.id) ?? null), differingRowId));
    const current = [...this.body.children];
    const wantedRows = rows.flatMap((one) => (one.aside.hidden ? [one.line] : [one.line, one.aside]));
    // What stands already is left where it is: a cell in which somebody types must not lose the focus.
    if (current.length !== wantedRows.length || current.some((one, index) => one !== wantedRows[index])) this.placeRows(wantedRows);
    const rowIds = new Set(this.rows.rows.map((row) => row.id));
    for (const id of this.drawnRows.keys()) if (!rowIds.has(id)) this.drawnRows.delete(id);
  }

  /** What was read of a row, but for the cell that somebody is typing in: a word that is not finished is no fault. */
  withoutActiveCellFaults(row, read) {
    const input = document.activeElement;
    const typing = input?.dataset.column && input.value !== this.valueOnFocus && this.drawnRows.get(row.id)?.inputs.get(input.dataset.column) === input;
    return typing && read ? { ...read, faults: read.faults.filter((fault) => fault.column !== input.dataset.column) } : read;
  }

  placeRows(wantedRows) {
    const wantedSet = new Set(wantedRows);
    for (const one of [...this.body.children]) if (!wantedSet.has(one)) one.remove();
    wantedRows.forEach((one, index) => this.body.children[index] !== one && this.body.insertBefore(one, this.body.children[index] ?? null));
  }

  drawHead(players) {
    if (this.head.childElementCount && players.join() === this.players.join()) return;
    this.players = players;
    this.table.dataset.players = String(players.length);
    const { heads } = this.words;
    const buildHeadCell = (text, className) => el("th", { scope: "col", class: className, text });
    this.head.replaceChildren(
      el("th", { scope: "col", class: "of-mark" }, el("span", { class: "visually-hidden", text: heads.ready })),
      ...this.columns.filter((one) => one !== "paper").map((one) => buildHeadCell(heads[one], `of-${one}`)),
      ...players.map((player) => el("th", { scope: "col", class: "of-chips" }, el("span", { class: "head-cell" }, fitText(el("span", { class: "head-name", text: this.displayName(player) }))))),
      ...(this.columns.includes("paper") ? [buildHeadCell(heads.paper, "of-paper")] : []),
    );
  }

  drawRow(row, index, reading, differingRowId) {
    const drawn = this.drawnRows.get(row.id) ?? this.createRow(row);
    const number = reading?.number ?? null;
    drawn.line.dataset.index = String(index);
    drawn.line.classList.toggle("is-blank", isBlankRow(row));
    drawn.line.classList.toggle("is-first-difference", Boolean(differingRowId && differingRowId === row.id));
    const state = rowState(row, reading);
    drawn.line.dataset.state = state;
    drawn.ready.checked = !row.held;
    drawn.ready.disabled = state !== "ready" && state !== "doubt";
    drawn.ready.setAttribute("aria-label", this.words.readyOf(number ?? index + 1));
    drawn.mark.textContent = this.words.marks[state];
    const faulty = new Map((reading?.faults ?? []).map((fault) => [fault.column, fault]));
    for (const [column, input] of drawn.inputs) {
      if (document.activeElement !== input && input.value !== row.cells[column]) input.value = row.cells[column];
      input.setAttribute("aria-label", this.words.cell(number ?? index + 1, this.words.heads[column]));
      input.placeholder = this.plannedText(column, reading);
      const isWrong = faulty.has(column) || (column === "paper" && differsFromPaper(reading));
      input.setAttribute("aria-invalid", String(isWrong));
      if (isWrong) input.setAttribute("aria-describedby", `remarks-${row.id}`);
      else input.removeAttribute("aria-describedby");
    }
    drawn.read = reading;
    this.drawChips(drawn);
    this.drawRemarks(drawn, row, reading);
    return drawn;
  }

  createRow(row) {
    const inputs = new Map(this.columns.map((column) => [column, this.buildInput(row, column)]));
    const ready = el("input", { type: "checkbox", class: "ready", tabindex: "-1" });
    const mark = el("span", { class: "mark", "aria-hidden": "true" });
    const cells = [...inputs].filter(([column]) => column !== "paper").map(([column, input]) => el("td", { class: `of-${column}`, "data-head": PLANNED_COLUMNS.includes(column) ? null : this.words.heads[column] }, input));
    const line = el("tr", { class: "batch-row", "data-row": row.id }, el("td", { class: "of-mark" }, el("label", {}, ready, mark)), ...cells);
    const remarks = el("div", { class: "batch-remarks", id: `remarks-${row.id}` });
    const aside = el("tr", { class: "batch-remarks-row", hidden: true }, el("td", {}, remarks));
    const drawn = { row, inputs, ready, mark, line, aside, remarks, chips: [], players: null, read: null, paper: null };
    if (inputs.has("paper")) drawn.paper = el("td", { class: "of-paper", "data-head": this.words.heads.paper }, inputs.get("paper"));
    this.drawnRows.set(row.id, drawn);
    return drawn;
  }

  buildInput(row, column) {
    const choosing = ["dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras"].includes(column);
    return el("input", {
      type: "text", "data-column": column, value: row.cells[column], autocomplete: "off", autocapitalize: "off", autocorrect: "off",
      spellcheck: "false", enterkeyhint: "next", inputmode: INPUT_MODES[column] ?? "text",
      // Tab goes where there is something to write; what the table knows is reached by the arrows.
      tabindex: PLANNED_COLUMNS.includes(column) ? "-1" : null,
      ...(choosing ? { role: "combobox", "aria-expanded": "false", "aria-controls": "pile-list", "aria-autocomplete": "list" } : {}),
    });
  }

  /** What the table says by itself, in a cell in which nothing is written. */
  plannedText(column, read) {
    if (!read) return "";
    if (column === "number") return String(read.number);
    if (column === "dealer") return this.displayName(read.seating.dealer);
    if (column === "sits_out") return read.seating.sitting_out.map((one) => this.displayName(one)).join(", ");
    return "";
  }

  drawChips(drawn) {
    const { read } = drawn;
    if (drawn.players !== this.players) this.rebuildChips(drawn);
    const hasEvents = read && !read.blank && read.events.length;
    drawn.chips.forEach((cell, index) => {
      const player = this.players[index];
      const [total, change] = cell.children;
      cell.classList.toggle("differs-from-paper", Boolean(read && player in (read.differs ?? {})));
      total.textContent = hasEvents ? this.words.total(read.totals[player] ?? 0) : "";
      change.textContent = !hasEvents ? "" : read.chips[player] ? this.words.chips(read.chips[player]) : "·";
    });
  }

  rebuildChips(drawn) {
    for (const cell of drawn.chips) cell.remove();
    drawn.players = this.players;
    drawn.chips = this.players.map((player) =>
      el("td", { class: "of-chips", "data-player": player, "data-name": this.displayName(player) }, el("span", { class: "running-total" }), el("span", { class: "chips-change" })),
    );
    if (drawn.paper?.isConnected) drawn.paper.before(...drawn.chips);
    else drawn.line.append(...drawn.chips, ...(drawn.paper ? [drawn.paper] : []));
  }

  /** What cannot be read, and what does not fit: below the row, in whole sentences. */
  drawRemarks(drawn, row, read) {
    const lines = read && !read.blank ? this.words.aside(row, read, this.displayName) : [];
    const pasted = row.pasted && (read?.faults.length || read?.missing.length) ? [el("p", { class: "muted", text: this.words.wasPasted(row.pasted) })] : [];
    drawn.remarks.replaceChildren(...lines.map((line) => el("p", { class: line.isSerious ? "fault" : "doubt" }, line.column ? el("b", { text: `${this.words.heads[line.column]}: ` }) : null, line.text)), ...pasted);
    drawn.aside.hidden = !drawn.remarks.childElementCount;
    drawn.aside.firstChild.colSpan = this.head.childElementCount;
  }

  // Where the focus is

  findRow(element) {
    const id = element.closest("[data-row]")?.dataset.row;
    return this.rows.rows.find((row) => row.id === id) ?? null;
  }

  /** The row in which somebody types, or null. */
  get focusedRow() {
    return this.root.contains(document.activeElement) ? this.findRow(document.activeElement) : null;
  }

  focusCell(index, column) {
    const row = this.rows.rows[Math.max(0, Math.min(index, this.rows.rows.length - 1))];
    const input = row && this.drawnRows.get(row.id)?.inputs.get(column);
    input?.focus();
    return Boolean(input);
  }

  handleFocusIn(input) {
    if (!input.dataset.column) return;
    this.valueOnFocus = input.value;
    input.select();
    // The bar at the bottom covers the rows; the cell being typed is kept above it.
    input.closest("tr").scrollIntoView({ block: "nearest" });
    this.commands.entered(this.findRow(input));
  }

  handleFocusOut(input) {
    if (!input.dataset.column) return;
    this.finishCell(input);
    this.valueOnFocus = input.value;
    this.commands.left();
  }

  listChoices(input) {
    const { column } = input.dataset;
    if (column === "declarer") return this.listDeclarerChoices(this.findRow(input));
    if (column === "dealer" || column === "sits_out") return this.listPlayerChoices();
    return this.choices[column] ?? null;
  }

  handleInput(input) {
    if (!input.dataset.column) return;
    const choices = this.listChoices(input);
    if (choices && input.value.trim() && !/\d/.test(input.value)) this.list.show(input, choices, input.value);
    else this.list.close();
    this.commands.typed(this.findRow(input), input.dataset.column, input.value);
  }

  applyChoice(name) {
    const { input } = this.list;
    this.list.close();
    input.value = name;
    this.commands.typed(this.findRow(input), input.dataset.column, name);
    this.moveFocus(input, 0, 1);
  }

  /** What was typed in letters is written in full; a line of a whole deal goes to its cells. */
  finishCell(input) {
    const marked = this.list.input === input ? this.list.markedName : null;
    this.list.close();
    const row = this.findRow(input);
    const { column } = input.dataset;
    if (!row || input.value === this.valueOnFocus) return;
    const line = column === "contract" ? parseDealLine(input.value, this.choices, this.listDeclarerChoices(row)) : null;
    if (line) return this.commands.line(row, line);
    const choices = this.listChoices(input);
    const several = column === "sits_out" && /[,;&]|\s(og|and)\s/.test(input.value);
    const completed = several || !choices ? input.value.trim() : marked ?? completeText(choices, input.value);
    input.value = completed;
    this.valueOnFocus = completed;
    this.commands.typed(row, column, completed);
  }

  // Keys

  handleKey(event) {
    const input = event.target;
    const command = event.ctrlKey || event.metaKey;
    const shortcut = command && COMMAND_KEYS[`${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`];
    if (shortcut && this.findRow(input)) {
      event.preventDefault();
      return this.runCommand(shortcut, input);
    }
    if (input.matches(".ready")) return this.moveFromMark(event, input);
    if (!input.dataset.column || event.isComposing) return undefined;
    const hasMoved = this.moveByKey(event, input);
    if (hasMoved) event.preventDefault();
    return undefined;
  }

  /** The mark before a row: the arrows lead on from it; Space, as everywhere, ticks it. */
  moveFromMark(event, mark) {
    const index = Number(mark.closest("[data-index]").dataset.index);
    const steps = { ArrowDown: 1, Enter: 1, ArrowUp: -1 };
    if (event.key === "ArrowRight") this.focusCell(index, this.columns[0]);
    else if (event.key in steps) this.drawnRows.get(this.rows.rows[index + steps[event.key]]?.id)?.ready.focus();
    else return;
    event.preventDefault();
  }

  runCommand(command, input) {
    const index = Number(input.closest("[data-index]").dataset.index);
    const column = input.dataset.column ?? "contract";
    if (command === "undo" && this.valueOnFocus !== input.value && input.dataset.column) {
      this.list.close();
      input.value = this.valueOnFocus;
      return this.commands.typed(this.findRow(input), column, this.valueOnFocus);
    }
    if (command === "first") return this.focusCell(0, column);
    if (command === "last") return this.focusCell(this.rows.rows.length - 1, column);
    this.list.close();
    if (command !== "undo" && command !== "redo") this.finishCell(input);
    return this.commands[command](index, column);
  }

  /** Moves as in a spreadsheet; whether the key was one that does. */
  moveByKey(event, input) {
    const { key, shiftKey } = event;
    // After Tab, Enter goes back to where the row was begun.
    if (key.startsWith("Arrow")) this.tabColumn = null;
    if (key === "Enter") return this.moveByEnter(input, shiftKey ? -1 : 1);
    if (key === "Escape") return this.cancelInput(input);
    if (key === "ArrowDown" && event.altKey) return this.showAllChoices(input);
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      if (this.list.isOpen) return this.list.moveMark(step) ?? true;
      return this.moveFocus(input, step, 0);
    }
    if (key === "F2") return input.setSelectionRange(input.value.length, input.value.length) ?? true;
    const { selectionStart: from, selectionEnd: to, value } = input;
    const isWholeSelected = from === 0 && to === value.length;
    if (key === "ArrowLeft" && (isWholeSelected || (from === 0 && to === 0)) && !shiftKey) return this.moveFocus(input, 0, -1);
    if (key === "ArrowRight" && (isWholeSelected || from === value.length) && !shiftKey) return this.moveFocus(input, 0, 1);
    if (key === "Tab" && !shiftKey) return this.moveByTab(input);
    return false;
  }

  /** From the end of a row Tab goes on in the next one; out of the last it leads on to the buttons. */
  moveByTab(input) {
    this.tabColumn ??= input.dataset.column;
    const written = this.columns.filter((one) => !PLANNED_COLUMNS.includes(one));
    const index = Number(input.closest("[data-index]").dataset.index);
    if (PLANNED_COLUMNS.includes(input.dataset.column)) return this.moveFocus(input, 0, 1);
    if (input.dataset.column !== written.at(-1) || index + 1 >= this.rows.rows.length) return false;
    return this.focusCell(index + 1, written[0]);
  }

  moveByEnter(input, step) {
    // What is marked in the list is meant, also where nothing was typed before it.
    if (this.list.input === input && this.list.isOpen) input.value = this.list.markedName;
    if (NARROW_SCREEN.matches && step > 0) {
      const at = this.columns.indexOf(input.dataset.column);
      const last = at + 1 >= this.columns.length;
      return last ? this.moveFocus(input, 1, 0, "contract") : this.moveFocus(input, 0, 1);
    }
    this.finishCell(input);
    return this.moveFocus(input, step, 0, step > 0 && this.tabColumn ? this.tabColumn : input.dataset.column);
  }

  cancelInput(input) {
    if (this.list.isOpen) this.list.close();
    else if (input.value !== this.valueOnFocus) {
      input.value = this.valueOnFocus;
      this.commands.typed(this.findRow(input), input.dataset.column, this.valueOnFocus);
    } else return false;
    return true;
  }

  showAllChoices(input) {
    const choices = this.listChoices(input);
    if (choices) this.list.show(input, choices, "");
    return true;
  }

  moveFocus(input, rowStep, columnStep, column = null) {
    const index = Number(input.closest("[data-index]").dataset.index) + rowStep;
    const at = this.columns.indexOf(input.dataset.column) + columnStep;
    if (at < 0) input.closest("tr").querySelector(".ready:enabled")?.focus();
    if (index < 0 || index >= this.rows.rows.length || at < 0 || at >= this.columns.length) return true;
    return this.focusCell(index, column ?? this.columns[at]) || true;
  }
}

const COMMAND_KEYS = {
  z: "undo", "shift+z": "redo", y: "redo", d: "copyAbove", enter: "insert", delete: "remove", "shift+backspace": "remove",
  home: "first", end: "last", s: "send",
};

/** How far a row is: blank, incomplete, unreadable, doubt, ready; waiting while nobody has answered. */
export function rowState(row, reading) {
  if (isBlankRow(row)) return "blank";
  if (!reading) return "waiting";
  if (reading.faults.some((fault) => fault.column !== "paper")) return "unreadable";
  if (reading.blank || !reading.events.length) return "incomplete";
  return reading.findings.some((one) => one.severity === "error" || one.severity === "impossible") ? "doubt" : "ready";
}

/** Whether the paper says otherwise than the rules in a row. */
export const differsFromPaper = (reading) => Object.keys(reading?.differs ?? {}).length > 0;
