/** A deal on paper: the table takes a column's size, the hands in words are opened, every note so far is put in. */

import { printedNotes } from "./notes.js";

const COLUMN = { width: 330, height: 350 };

/** Lays `replay` out for printing when the browser says that it prints, and back again afterwards. */
export function layOutForPaper(replay) {
  const { root, table, parts } = replay;
  let opened = [];
  let notes = null;
  window.addEventListener("beforeprint", () => {
    opened = [...root.querySelectorAll("details:not([open], .seeing)")];
    for (const details of opened) details.open = true;
    notes = printedNotes(replay, replay.index);
    if (notes) parts.margin.querySelector(".hands").before(notes);
    table.hold(COLUMN);
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    notes?.remove();
    table.hold(null);
  });
}
