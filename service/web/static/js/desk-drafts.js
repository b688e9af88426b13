/**
 * What is written at a desk, kept on this device alone until it is done: a page closed by mistake loses nothing. It goes
 * when somebody logs out here (drafts.js).
 */

const BEFORE = "spadille.desk.";

/** The text that was left at an address, or null. */
export function draftOf(address) {
  try {
    return localStorage.getItem(BEFORE + address);
  } catch {
    return null;
  }
}

/** Keeps a text; false where that cannot be done here. */
export function keepDraft(address, text) {
  try {
    localStorage.setItem(BEFORE + address, text);
    return true;
  } catch {
    return false;
  }
}

/** Forgets what was left at an address. */
export function dropDraft(address) {
  try {
    localStorage.removeItem(BEFORE + address);
  } catch {
    // Where nothing can be kept, nothing is.
  }
}
