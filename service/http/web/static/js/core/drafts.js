/**
 * What is written here and kept nowhere else yet, on this device alone: piles, and what lies at the desk. A page that is
 * closed by mistake loses nothing. It goes when it is written down, and when somebody logs out here.
 */

/** How the keys of each kind begin. */
const KINDS = { pile: "spadille.pile.", desk: "spadille.desk." };

/** What was left of a kind under a name, or null. */
export function draftOf(kind, name) {
  try {
    return JSON.parse(localStorage.getItem(KINDS[kind] + name));
  } catch {
    return null;
  }
}

/** Keeps it; false where that cannot be done here: the disk is full, or the window is private. */
export function keepDraft(kind, name, draft) {
  try {
    localStorage.setItem(KINDS[kind] + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets it. */
export function dropDraft(kind, name) {
  try {
    localStorage.removeItem(KINDS[kind] + name);
  } catch {
    // Where nothing can be kept, nothing is.
  }
}

/** Forgets all: somebody logs out. */
export function dropDrafts() {
  const begins = Object.values(KINDS);
  try {
    for (const key of Object.keys(localStorage)) if (begins.some((begin) => key.startsWith(begin))) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
