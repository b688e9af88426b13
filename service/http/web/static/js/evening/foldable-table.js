// @ts-check
/**
 * Tables that fold: where a row has no room, on a narrow screen or in large type, it is a block, and its cells stand in it
 * side by side, each under the name of its column. They stay tables for screen readers: the roles are explicit, as
 * browsers drop those of a table with another layout.
 */

import { useLayoutEffect, useRef } from "../vendor/preact.js";

/** For the `ref` of a table, which folds or unfolds each time its component is drawn. */
export function useFoldableTable() {
  const ref = useRef(/** @type {HTMLTableElement | null} */ (null));
  useLayoutEffect(() => {
    if (!ref.current) return;
    nameColumns(ref.current);
    foldIfNarrow(ref.current);
  });
  return ref;
}

/** The cells of a table's own rows: a cell may contain a table too, which stays as it is. @param {HTMLTableElement} table */
const ownCells = (table) => [...table.rows].flatMap((row) => [...row.cells]);

/** Gives each cell the name of its column. @param {HTMLTableElement} table */
function nameColumns(table) {
  const names = [...table.rows[0].cells].map((cell) => cell.textContent ?? "");
  table.setAttribute("role", "table");
  for (const part of table.children) part.setAttribute("role", "rowgroup");
  for (const row of table.rows) row.setAttribute("role", "row");
  for (const cell of ownCells(table)) {
    cell.setAttribute("role", cell.tagName === "TD" ? "cell" : cell.scope === "col" ? "columnheader" : "rowheader");
    if (cell.colSpan > 1) cell.setAttribute("aria-colspan", String(cell.colSpan));
    else if (cell.tagName === "TD") cell.dataset.column = names[cell.cellIndex];
  }
}

/** Folds a table where something in it has no room, and lays it out flat where all has. @param {HTMLTableElement} table */
function foldIfNarrow(table) {
  table.classList.remove("is-folded");
  const isNarrow = [...ownCells(table), ...table.querySelectorAll(".head-name")].some(
    (cell) => cell.scrollWidth > cell.clientWidth,
  );
  const room = table.parentElement?.clientWidth ?? 0;
  table.classList.toggle("is-folded", isNarrow || table.offsetWidth > room);
}
