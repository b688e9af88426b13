// @ts-check
/**
 * The rows of a batch as they are typed, and every step back. Pure: no page, no service. Each row has the ids that its
 * deal and its entries will have, so that what is sent twice is stored once.
 */

import { newId } from "../core/api.js";
import { t, tc } from "../core/texts.js";
import { signal } from "../vendor/preact.js";

/** @typedef {Record<string, string>} Cells - by column */
/** @typedef {{ id: string, result: string, note: string, held: boolean, pasted: string | null, cells: Cells }} Row - replaced, never changed */
/**
 * @typedef {object} Reading - what the service makes of a row
 * @property {Cells} cells - those that it read
 * @property {number} number
 * @property {any} seating
 * @property {boolean} blank
 * @property {any[]} events
 * @property {{ column: string, message: string }[]} faults
 * @property {string[]} missing
 * @property {{ code: string, severity: string, message: string }[]} findings
 * @property {any} score
 * @property {Record<string, number>} chips
 * @property {Record<string, number>} totals
 * @property {Record<string, string>} differs - what the paper says otherwise, by player
 */

/** What the cells of a row are called. @type {Record<string, string>} */
export const HEADS = {
  number: t("No."),
  dealer: t("Dealer"),
  sits_out: t("Out"),
  contract: t("Contract"),
  trump: t("Suit"),
  declarer: t("Declarer"),
  outcome: t("Outcome"),
  extras: t("Besides"),
  note: tc("slip-batch", "Note"),
  paper: t("Paper"),
};
/** The cells of a row, in their order. */
export const BATCH_COLUMNS = Object.keys(HEADS);
/** Cells that the table fills in by itself. */
export const PLANNED_COLUMNS = ["number", "dealer", "sits_out"];
const MAX_UNDO_STEPS = 200;

/** A row in which nothing stands but `cells`. @param {Cells} cells @param {string | null} pasted @returns {Row} */
export const createRow = (cells = {}, pasted = null) => ({
  id: newId(),
  result: newId(),
  note: newId(),
  held: false,
  pasted,
  cells: Object.fromEntries(BATCH_COLUMNS.map((one) => [one, cells[one] ?? ""])),
});

/** Whether nothing was typed into a row. @param {Row} row */
export const isBlankRow = (row) => Object.values(row.cells).every((text) => !text.trim());

/** How far a row is: blank, incomplete, unreadable, doubt, ready; waiting while nobody has answered. @param {Row} row @param {Reading} [reading] */
export function rowState(row, reading) {
  if (isBlankRow(row)) return "blank";
  if (!reading) return "waiting";
  if (reading.faults.some((fault) => fault.column !== "paper")) return "unreadable";
  if (reading.blank || !reading.events.length) return "incomplete";
  return reading.findings.some((one) => one.severity === "error" || one.severity === "impossible") ? "doubt" : "ready";
}

/** Whether the paper says otherwise than the rules in a row. @param {Reading} [reading] */
export const differsFromPaper = (reading) => Object.keys(reading?.differs ?? {}).length > 0;

/** With exactly one blank row at the end. @param {Row[]} rows */
function withBlankRow(rows) {
  const filled = rows.findLastIndex((row) => !isBlankRow(row)) + 1;
  return [...rows.slice(0, filled), rows[filled] ?? createRow()];
}

export class SlipBatchRows {
  /** @type {Row[][]} */
  undoSteps = [];
  /** @type {Row[][]} */
  redoSteps = [];
  lastTypedCell = "";

  /** @param {Row[]} rows */
  constructor(rows = []) {
    this.shown = signal(withBlankRow(rows));
  }

  get rows() {
    return this.shown.value;
  }

  /** How many rows have something in them, up to the last that has. */
  get filledCount() {
    return this.rows.length - 1;
  }

  /** One step, which can be taken back; what is typed into one `cell` is one, however many letters. @param {Row[]} rows */
  change(rows, cell = "") {
    if (!cell || cell !== this.lastTypedCell) {
      this.undoSteps = [...this.undoSteps, this.rows].slice(-MAX_UNDO_STEPS);
      this.redoSteps = [];
    }
    this.lastTypedCell = cell;
    this.shown.value = withBlankRow(rows);
  }

  /** @param {Row} row @param {Partial<Row>} changes */
  update(row, changes, cell = "") {
    this.change(
      this.rows.map((one) => (one === row ? { ...one, ...changes } : one)),
      cell,
    );
  }

  /** @param {Row} row @param {string} column @param {string} text */
  typeCell(row, column, text) {
    if (row.cells[column] !== text)
      this.update(row, { cells: { ...row.cells, [column]: text } }, `${row.id} ${column}`);
  }

  /** @param {number} index @param {Row[]} rows */
  insertRows(index, rows) {
    this.change(this.rows.toSpliced(index, 0, ...rows));
  }

  /** @param {number} index */
  removeRow(index) {
    this.change(this.rows.toSpliced(index, 1));
  }

  /** What was played, by whom and how it ended, as in the row above; number and seats are the next deal's. @param {number} index */
  copyRowAbove(index) {
    const [above, row] = [this.rows[index - 1], this.rows[index]];
    if (!above) return;
    const kept = [...PLANNED_COLUMNS, "paper"].map((column) => [column, row.cells[column]]);
    this.update(row, { cells: { ...above.cells, ...Object.fromEntries(kept) } });
  }

  /** Other rows for good: some are written down, and no step leads back to them. @param {Row[]} rows */
  settle(rows) {
    this.change(rows);
    this.undoSteps = [];
  }

  undo() {
    return this.stepThrough(this.undoSteps, this.redoSteps);
  }

  redo() {
    return this.stepThrough(this.redoSteps, this.undoSteps);
  }

  /** Whether there was such a step. @param {Row[][]} from @param {Row[][]} to */
  stepThrough(from, to) {
    const rows = from.pop();
    if (!rows) return false;
    to.push(this.rows);
    this.lastTypedCell = "";
    this.shown.value = withBlankRow(rows);
    return true;
  }
}
