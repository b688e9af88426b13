/**
 * Tables that fold: where a row has no room, on a narrow screen or in large type, it is a block, and its cells stand in it
 * side by side, each under the name of its column. They stay tables for screen readers: the roles are explicit, as
 * browsers drop those of a table with another layout.
 */

const ROW_GROUP_ROLES = { THEAD: "rowgroup", TBODY: "rowgroup", TFOOT: "rowgroup" };

/** The cells of a table's own rows: a cell may contain a table too, which stays as it is. */
const ownCells = (table) => [...table.rows].flatMap((row) => [...row.cells]);

/** Makes a table one that folds: each of its cells gets the name of its column. */
export function makeTableFoldable(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  table.classList.add("foldable-table");
  table.setAttribute("role", "table");
  for (const part of table.children) part.setAttribute("role", ROW_GROUP_ROLES[part.tagName]);
  for (const row of table.rows) row.setAttribute("role", "row");
  for (const cell of ownCells(table)) {
    cell.setAttribute("role", cell.tagName === "TD" ? "cell" : cell.scope === "col" ? "columnheader" : "rowheader");
    if (cell.colSpan > 1) cell.setAttribute("aria-colspan", String(cell.colSpan));
    else if (cell.tagName === "TD") cell.dataset.column = names[cell.cellIndex];
  }
  return table;
}

/** Folds a table where something in it has no room, and lays it out flat where all has. */
export function foldTableIfNarrow(table) {
  table.classList.remove("is-folded");
  const narrow = [...ownCells(table), ...table.querySelectorAll(".head-name")].some((cell) => cell.scrollWidth > cell.clientWidth);
  table.classList.toggle("is-folded", narrow || table.offsetWidth > table.parentElement.clientWidth);
}
