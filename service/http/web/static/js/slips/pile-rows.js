/**
 * The rows of a pile as they are typed, and every step back. Pure: no page, no service. Each row has the ids that its
 * deal and its entries will have, so that what is sent twice is stored once.
 */

import { newId } from "../core/api.js";

/** The cells of a row, in their order. */
export const COLUMNS = ["number", "dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras", "note", "paper"];
/** Cells that the table fills in by itself. */
export const PLANNED = ["number", "dealer", "sits_out"];
const STEPS = 200;

/** A row in which nothing stands. */
export const blankRow = (cells = {}, pasted = null) => ({
  id: newId(), result: newId(), note: newId(), held: false, pasted, cells: Object.fromEntries(COLUMNS.map((one) => [one, cells[one] ?? ""])),
});

/** Whether nothing was typed into a row. */
export const isBlank = (row) => COLUMNS.every((column) => !row.cells[column].trim());

export class Rows {
  constructor(rows = []) {
    this.rows = rows;
    this.back = [];
    this.forth = [];
    this.typing = null;
    this.fit();
  }

  /** At the end there is always one blank row to go on in, and no more. */
  fit() {
    while (this.rows.length > 1 && isBlank(this.rows.at(-1)) && isBlank(this.rows.at(-2))) this.rows.pop();
    if (!this.rows.length || !isBlank(this.rows.at(-1))) this.rows.push(blankRow());
  }

  /** How many rows have something in them, up to the last that has. */
  get filled() {
    return this.rows.length - 1;
  }

  copy() {
    return this.rows.map((row) => ({ ...row, cells: { ...row.cells } }));
  }

  /** Remembers how it stands, to come back to it. */
  step() {
    this.back = [...this.back, this.copy()].slice(-STEPS);
    this.forth = [];
    this.typing = null;
  }

  /** What is typed into one cell is one step, however many letters it has. Whether that is anything new. */
  type(row, column, text) {
    if (row.cells[column] === text) return false;
    const cell = `${row.id} ${column}`;
    if (this.typing !== cell) {
      this.step();
      this.typing = cell;
    }
    row.cells[column] = text;
    this.fit();
    return true;
  }

  /** Several cells of a row at once. */
  write(row, cells) {
    this.step();
    Object.assign(row.cells, cells);
    this.fit();
  }

  hold(row, held) {
    this.step();
    row.held = held;
  }

  insert(place) {
    this.step();
    this.rows.splice(place, 0, blankRow());
    this.fit();
  }

  remove(place) {
    this.step();
    this.rows.splice(place, 1);
    this.fit();
  }

  /** What was played, by whom and how it ended, as in the row above; number and seats are the next deal's. */
  copyAbove(place) {
    const above = this.rows[place - 1];
    if (!above) return;
    this.step();
    for (const column of COLUMNS) {
      if (!PLANNED.includes(column) && column !== "paper") this.rows[place].cells[column] = above.cells[column];
    }
    this.fit();
  }

  /** Further rows, from a place on: blank rows there make room for them. */
  put(place, rows) {
    this.step();
    this.rows.splice(place, 0, ...rows);
    this.fit();
  }

  /** Takes rows away for good: they are written down, and no step leads back to them. */
  drop(ids) {
    const gone = new Set(ids);
    this.rows = this.rows.filter((row) => !gone.has(row.id));
    this.back = [];
    this.forth = [];
    this.typing = null;
    this.fit();
  }

  undo() {
    return this.go("back", "forth");
  }

  redo() {
    return this.go("forth", "back");
  }

  go(from, to) {
    if (!this[from].length) return false;
    this[to].push(this.copy());
    this.rows = this[from].pop();
    this.typing = null;
    this.fit();
    return true;
  }
}
