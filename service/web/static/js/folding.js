/**
 * Tables that fold: where a row has no room, on a narrow screen or in large type, it is a block, and its cells stand in it
 * side by side, each under the name of its column. They stay tables for who hears them: the roles are said outright, as
 * browsers forget those of a table that is laid out otherwise.
 */

const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TFOOT: "rowgroup", TR: "row", TD: "cell" };

/** Makes a table one that folds: each of its cells is told the name of its column. */
export function folding(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  table.classList.add("folding");
  table.setAttribute("role", ROLES.TABLE);
  for (const part of table.querySelectorAll("thead, tbody, tfoot, tr, td")) part.setAttribute("role", ROLES[part.tagName]);
  for (const cell of table.querySelectorAll("th")) cell.setAttribute("role", cell.scope === "col" ? "columnheader" : "rowheader");
  for (const cell of table.querySelectorAll("td")) {
    if (cell.colSpan > 1) cell.setAttribute("aria-colspan", String(cell.colSpan));
    else cell.dataset.column = names[cell.cellIndex];
  }
  return table;
}

/** Folds a table where something in it has no room, and lays it out flat where all has. */
export function fold(table) {
  table.classList.remove("is-folded");
  const narrow = [...table.querySelectorAll("th, td")].some((cell) => cell.scrollWidth > cell.clientWidth);
  table.classList.toggle("is-folded", narrow || table.offsetWidth > table.parentElement.clientWidth);
}
