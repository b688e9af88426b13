// @ts-check
/** The cells of a batch under the keyboard: which has the focus, what its letters can mean, and where keys lead, as in a spreadsheet. */

import { createRef, signal } from "../vendor/preact.js";
import { completeText, findChoices, parseDealLine } from "./batch-completion.js";
import { PLANNED_COLUMNS } from "./batch-rows.js";

/** @typedef {import("./batch-completion.js").Choice} Choice */
/** @typedef {import("./batch-rows.js").Row} Row */
/** @typedef {{ row: Row, index: number, column: string }} Place */

/** Where the cells of a row stand in lines, Enter goes on in the row rather than down. */
const NARROW_SCREEN = matchMedia("(max-width: 52rem)");
const MAX_CHOICES = 9;
/** @type {Record<string, string>} */
const COMMAND_KEYS = {
  z: "undo",
  "shift+z": "redo",
  y: "redo",
  d: "copyAbove",
  enter: "insert",
  delete: "remove",
  "shift+backspace": "remove",
  home: "first",
  end: "last",
  s: "send",
};

export class BatchCells {
  /** The cell that has, or had, the focus, and what stood in it before. */
  cell = signal({ id: "", column: "contract", before: "" });
  isFocused = signal(false);
  /** What the letters in that cell can mean. */
  list = signal(/** @type {{ choices: Choice[], marked: number } | null} */ (null));
  frame = createRef();
  /** The column in which Tab began: Enter goes back to it. @type {string | null} */
  tabColumn = null;
  focusTarget = "";

  /**
   * @param {object} options
   * @param {import("./batch-rows.js").SlipBatchRows} options.rows
   * @param {string[]} options.columns
   * @param {(row: Row, column: string) => Choice[] | undefined} options.listChoices
   * @param {import("./batch-completion.js").Choices} options.choices
   * @param {() => void} options.onEdit - something was typed
   * @param {(command: string, index: number, column: string) => void} options.onCommand
   */
  constructor({ rows, columns, choices, listChoices, onEdit, onCommand }) {
    this.rows = rows;
    this.columns = columns;
    this.choices = choices;
    this.listChoices = listChoices;
    this.onEdit = onEdit;
    this.onCommand = onCommand;
  }

  /** The row of that cell, where there is still one. */
  get row() {
    return this.rows.rows.find(({ id }) => id === this.cell.value.id);
  }

  /** The column in which somebody types in a row, or null. @param {Row} row */
  typedColumn({ id, cells }) {
    const { id: focusedId, column, before } = this.cell.value;
    return this.isFocused.value && id === focusedId && cells[column] !== before ? column : null;
  }

  /** @param {any} element @returns {Place | null} */
  locate(element) {
    const id = element.closest("[data-row]")?.dataset.row;
    const index = this.rows.rows.findIndex((row) => row.id === id);
    return index < 0 ? null : { row: this.rows.rows[index], index, column: element.dataset.column };
  }

  // Focus

  /** @param {string} selector @returns {HTMLElement | null} */
  find = (selector) => this.frame.current?.querySelector(selector);

  /** Focuses a cell now, or, where its row is not drawn yet, when it is. @param {number} index @param {string} column */
  focusCell(index, column) {
    const { rows } = this.rows;
    const { id } = rows[Math.max(0, Math.min(index, rows.length - 1))];
    this.focusTarget = `[data-row="${id}"] [data-column="${column}"]`;
    this.find(this.focusTarget)?.focus();
  }

  /** Called when the rows are drawn. */
  focusPending() {
    if (this.focusTarget) this.find(this.focusTarget)?.focus();
    this.focusTarget = "";
  }

  /** @param {any} event */
  handleFocusIn({ target: input }) {
    const place = this.locate(input);
    if (!place?.column) return;
    this.focusTarget = "";
    this.cell.value = { id: place.row.id, column: place.column, before: input.value };
    this.isFocused.value = true;
    input.select();
    // The bar at the bottom covers the rows; the row being typed is kept above it, or, if it is too high, the cell.
    for (const one of [input.closest("tr"), input]) one.scrollIntoView({ block: "nearest" });
  }

  handleFocusOut() {
    if (!this.isFocused.value) return;
    this.finish();
    this.isFocused.value = false;
  }

  // What is typed

  /** @param {Row} row @param {string} column @param {string} text */
  type(row, column, text) {
    if (row.cells[column] === text) return;
    this.rows.typeCell(row, column, text);
    this.onEdit();
  }

  /** @param {any} event */
  handleInput({ target: input }) {
    const place = this.locate(input);
    if (!place?.column) return;
    this.showChoices(/\S/.test(input.value) && !/\d/.test(input.value) ? place : null, input.value);
    this.type(place.row, place.column, input.value);
  }

  /** Lists what `text` can mean in a cell; nothing if it can mean nothing. @param {Place | null} place @param {string} text */
  showChoices(place, text) {
    const all = (place && this.listChoices(place.row, place.column)) ?? [];
    const choices = findChoices(all, text).slice(0, MAX_CHOICES);
    this.list.value = choices.length ? { choices, marked: 0 } : null;
  }

  get markedName() {
    const { choices, marked } = this.list.value ?? { choices: [], marked: 0 };
    return choices[marked]?.name;
  }

  /** @param {number} step */
  moveMark(step) {
    const { choices, marked } = this.list.value ?? { choices: [], marked: 0 };
    const next = (marked + step + choices.length) % choices.length;
    this.list.value = { choices, marked: next };
    this.find(`#pile-choice-${next}`)?.scrollIntoView({ block: "nearest" });
  }

  /** Takes a choice of the list. @param {string} name */
  choose(name) {
    const { row } = this;
    const { column } = this.cell.value;
    this.list.value = null;
    if (!row) return;
    this.type(row, column, name);
    this.move({ row, index: this.rows.rows.findIndex(({ id }) => id === row.id), column }, 0, 1);
  }

  /** What was typed in letters is written in full; a line of a whole deal goes to its cells. */
  finish() {
    const { row, markedName } = this;
    const { column, before } = this.cell.value;
    this.list.value = null;
    const text = row?.cells[column] ?? before;
    if (!row || text === before) return;
    const line = column === "contract" && parseDealLine(text, this.choices, this.listChoices(row, "declarer") ?? []);
    const choices = this.listChoices(row, column);
    const isSeveral = column === "sits_out" && /[,;&]|\s(og|and)\s/.test(text);
    const completed = isSeveral || !choices ? text.trim() : (markedName ?? completeText(choices, text));
    this.cell.value = { ...this.cell.value, before: line ? line.contract : completed };
    if (!line) return this.type(row, column, completed);
    this.rows.update(row, { cells: { ...row.cells, ...line } });
    this.onEdit();
  }

  // Keys

  /** @param {any} event */
  handleKey(event) {
    const { target: input, key, shiftKey } = event;
    const place = this.locate(input);
    if (!place || event.isComposing) return;
    const command = (event.ctrlKey || event.metaKey) && COMMAND_KEYS[`${shiftKey ? "shift+" : ""}${key.toLowerCase()}`];
    if (command) this.runCommand(command, place);
    else if (!(place.column ? this.moveByKey(event, input, place) : this.moveFromMark(key, place.index))) return;
    event.preventDefault();
  }

  /** @param {string} command @param {Place} place */
  runCommand(command, { index, column = "contract" }) {
    if (command === "first") return this.focusCell(0, column);
    if (command === "last") return this.focusCell(this.rows.rows.length - 1, column);
    if (command === "undo" || command === "redo") this.list.value = null;
    else this.finish();
    return this.onCommand(command, index, column);
  }

  /** The mark before a row: the arrows lead on from it; Space, as everywhere, ticks it. @param {string} key @param {number} index */
  moveFromMark(key, index) {
    if (key === "ArrowRight") this.focusCell(index, this.columns[0]);
    else if (["ArrowDown", "Enter", "ArrowUp"].includes(key))
      this.find(`[data-index="${index + (key === "ArrowUp" ? -1 : 1)}"] .ready`)?.focus();
    else return false;
    return true;
  }

  /** Moves as in a spreadsheet; whether the key was one that does. @param {KeyboardEvent} event @param {HTMLInputElement} input @param {Place} place */
  moveByKey({ key, shiftKey, altKey }, input, place) {
    if (key.startsWith("Arrow")) this.tabColumn = null;
    if (key === "Enter") return this.moveByEnter(place, shiftKey ? -1 : 1);
    if (key === "Escape") return this.cancel(place);
    if (key === "Tab") return !shiftKey && this.moveByTab(place);
    if (key === "F2") input.setSelectionRange(input.value.length, input.value.length);
    else if (key === "ArrowDown" && altKey) this.showChoices(place, "");
    else if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      if (this.list.value) this.moveMark(step);
      else this.move(place, step, 0);
    } else {
      const { selectionStart: from, selectionEnd: to, value } = input;
      const isWhole = from === 0 && to === value.length;
      if (key === "ArrowLeft" && !shiftKey && (isWhole || to === 0)) this.move(place, 0, -1);
      else if (key === "ArrowRight" && !shiftKey && (isWhole || from === value.length)) this.move(place, 0, 1);
      else return false;
    }
    return true;
  }

  /** From the end of a row Tab goes on in the next one; out of the last it leads on to the buttons. @param {Place} place */
  moveByTab(place) {
    const { index, column } = place;
    this.tabColumn ??= column;
    if (PLANNED_COLUMNS.includes(column)) return this.move(place, 0, 1);
    if (column !== this.columns.at(-1) || index + 1 >= this.rows.rows.length) return false;
    this.focusCell(index + 1, "contract");
    return true;
  }

  /** @param {Place} place @param {number} step */
  moveByEnter(place, step) {
    const { row, column } = place;
    // What is marked in the list is meant, also where nothing was typed before it.
    if (this.markedName) this.type(row, column, this.markedName);
    if (NARROW_SCREEN.matches && step > 0)
      return column === this.columns.at(-1) ? this.move(place, 1, 0, "contract") : this.move(place, 0, 1);
    this.finish();
    return this.move(place, step, 0, step > 0 && this.tabColumn ? this.tabColumn : column);
  }

  /** @param {Place} place */
  cancel({ row, column }) {
    const { before } = this.cell.value;
    if (this.list.value) this.list.value = null;
    else if (row.cells[column] !== before) this.type(row, column, before);
    else return false;
    return true;
  }

  /** @param {Place} place @param {number} rowStep @param {number} columnStep @param {string} [column] */
  move({ index, column: from }, rowStep, columnStep, column) {
    const row = index + rowStep;
    const at = this.columns.indexOf(from) + columnStep;
    if (at < 0) this.find(`[data-index="${index}"] .ready:enabled`)?.focus();
    else if (row >= 0 && row < this.rows.rows.length && at < this.columns.length)
      this.focusCell(row, column ?? this.columns[at]);
    return true;
  }
}
