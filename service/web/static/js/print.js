/** A deal on paper: the table takes the size that a column of the sheet has, and the hands in words are opened. */

const COLUMN = { width: 330, height: 350 };

/** Lays `replay` out for printing when the browser says that it prints, and back again afterwards. */
export function layOutForPaper({ root, table }) {
  const folded = () => [...root.querySelectorAll("details:not([open])")];
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = folded();
    for (const details of opened) details.open = true;
    table.hold(COLUMN);
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    table.hold(null);
  });
}
