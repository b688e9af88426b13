/**
 * Piles that are not written down yet, kept on this device alone: a page that is closed by mistake loses nothing. They go
 * when they are written down, and when somebody logs out here.
 */

const BEFORE = "spadille.pile.";
/** How everything begins that was written here and is kept nowhere else: piles, and what lies at a desk (desk-drafts.js). */
const DRAFTS = [BEFORE, "spadille.desk."];

/** The pile of a table as it was left, or null; `kept` is false where this browser keeps nothing. */
export function draftOf(table) {
  try {
    const read = JSON.parse(localStorage.getItem(BEFORE + table));
    return Array.isArray(read?.rows) ? read : null;
  } catch {
    return null;
  }
}

/** Keeps a pile; false where that cannot be done here: the disk is full, or the window is private. */
export function keepDraft(table, draft) {
  try {
    localStorage.setItem(BEFORE + table, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the pile of a table. */
export function dropDraft(table) {
  try {
    localStorage.removeItem(BEFORE + table);
  } catch {
    // Where nothing can be kept, nothing is.
  }
}

/** Forgets every pile, and what lies at the desk: somebody logs out. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if (DRAFTS.some((begins) => key.startsWith(begins))) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
