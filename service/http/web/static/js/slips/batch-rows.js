/**
 * The rows of a batch as they are typed, and every step back. Pure: no page, no service. Each row has the ids that its
 * deal and its entries will have, so that what is sent twice is stored once.
 */

import { newId } from "../core/api.js";

/** The cells of a row, in their order. */
export const BATCH_COLUMNS = ["number", "dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras", "note", "paper"];
/** Cells that the table fills in by itself. */
export const PLANNED_COLUMNS = ["number", "dealer", "sits_out"];
const MAX_UNDO_STEPS = 200;

/** A row in which nothing stands. */
export const createRow = (cells = {}, pasted = null) => ({
  id: newId(), result: newId(), note: newId(), held: false, pasted, cells: Object.fromEntries(BATCH_COLUMNS.map((one) => [one, cells[one] ?? ""])),
});

/** Whether nothing was typed into a row. */
export const isBlankRow = (row) => BATCH_COLUMNS.every((column) => !row.cells[column].trim());

export class SlipBatchRows {
  constructor(rows = []) {
    this.rows = rows;
    this.undoSteps = [];
    this.redoSteps = [];
    this.lastTypedCell = null;
    this.ensureOneBlankRow();
  }

  /** There is always exactly one blank row at the end. */
  ensureOneBlankRow() {
    while (this.rows.length > 1 && isBlankRow(this.rows.at(-1)) && isBlankRow(this.rows.at(-2))) this.rows.pop();
    if (!this.rows.length || !isBlankRow(this.rows.at(-1))) this.rows.push(createRow());
  }

  /** How many rows have something in them, up to the last that has. */
  get filledCount() {
    return this.rows.length - 1;
  }

  copyRows() {
    return this.rows.map((row) => ({ ...row, cells: { ...row.cells } }));
  }

  /** Remembers how it stands, to come back to it. */
  addUndoStep() {
    this.undoSteps = [...this.undoSteps, this.copyRows()].slice(-MAX_UNDO_STEPS);
    this.redoSteps = [];
    this.lastTypedCell = null;
  }

  /** What is typed into one cell is one step, however many letters it has. Whether that is anything new. */
  typeCell(row, column, text) {
    if (row.cells[column] === text) return false;
    const cell = `${row.id} ${column}`;
    if (this.lastTypedCell !== cell) {
      this.addUndoStep();
      this.lastTypedCell = cell;
    }
    row.cells[column] = text;
    this.ensureOneBlankRow();
    return true;
  }

  /** Several cells of a row together. */
  writeCells(row, cells) {
    this.addUndoStep();
    Object.assign(row.cells, cells);
    this.ensureOneBlankRow();
  }

  setHeld(row, isHeld) {
    this.addUndoStep();
    row.held = isHeld;
  }

  insertBlankRow(index) {
    this.addUndoStep();
    this.rows.splice(index, 0, createRow());
    this.ensureOneBlankRow();
  }

  removeRow(index) {
    this.addUndoStep();
    this.rows.splice(index, 1);
    this.ensureOneBlankRow();
  }

  /** What was played, by whom and how it ended, as in the row above; number and seats are the next deal's. */
  copyRowAbove(index) {
    const above = this.rows[index - 1];
    if (!above) return;
    this.addUndoStep();
    for (const column of BATCH_COLUMNS) {
      if (!PLANNED_COLUMNS.includes(column) && column !== "paper") this.rows[index].cells[column] = above.cells[column];
    }
    this.ensureOneBlankRow();
  }

  /** Further rows, from a place on: blank rows there make room for them. */
  insertRows(index, rows) {
    this.addUndoStep();
    this.rows.splice(index, 0, ...rows);
    this.ensureOneBlankRow();
  }

  /** Takes rows away for good: they are written down, and no step leads back to them. */
  discardRows(ids) {
    const removed = new Set(ids);
    this.rows = this.rows.filter((row) => !removed.has(row.id));
    this.undoSteps = [];
    this.redoSteps = [];
    this.lastTypedCell = null;
    this.ensureOneBlankRow();
  }

  undo() {
    return this.stepThrough("undoSteps", "redoSteps");
  }

  redo() {
    return this.stepThrough("redoSteps", "undoSteps");
  }

  stepThrough(from, to) {
    if (!this[from].length) return false;
    this[to].push(this.copyRows());
    this.rows = this[from].pop();
    this.lastTypedCell = null;
    this.ensureOneBlankRow();
    return true;
  }
}
