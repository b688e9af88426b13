/** A deal on paper as it stands: the table takes a column's size, every note so far is put in. The whole deal has a page of its own. */

import { buildPrintedNotes } from "./notes-panel.js";

const PRINTED_TABLE_SIZE = { width: 330, height: 350 };

/** Lays `replay` out for printing when the browser says that it prints, and back again afterwards. */
export function installPrintLayout(replay) {
  const { table, parts } = replay;
  let notes = null;
  window.addEventListener("beforeprint", () => {
    notes = buildPrintedNotes(replay, replay.index);
    if (notes) parts.margin.append(notes);
    table.lockSize(PRINTED_TABLE_SIZE);
  });
  window.addEventListener("afterprint", () => {
    notes?.remove();
    table.lockSize(null);
  });
}
