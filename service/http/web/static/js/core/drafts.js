// @ts-check
/**
 * What is written here and kept nowhere else yet, on this device alone: piles, and the text in the deal editor. A page that is
 * closed by mistake loses nothing. It goes when it is written down, and when somebody logs out here.
 */

/** @typedef {keyof typeof STORAGE_KEY_PREFIXES} Kind */

/** How the keys of each kind begin; devices hold drafts under these keys. */
const STORAGE_KEY_PREFIXES = { pile: "spadille.pile.", editor: "spadille.desk." };

/** What was left of a kind under a name, or null. @param {Kind} kind @param {string} name */
export function readDraft(kind, name) {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY_PREFIXES[kind] + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps it; false where that cannot be done here: the disk is full, or the window is private. @param {Kind} kind @param {string} name @param {unknown} draft */
export function saveDraft(kind, name, draft) {
  try {
    localStorage.setItem(STORAGE_KEY_PREFIXES[kind] + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets it. @param {Kind} kind @param {string} name */
export function deleteDraft(kind, name) {
  try {
    localStorage.removeItem(STORAGE_KEY_PREFIXES[kind] + name);
  } catch {
    // Where nothing can be kept, nothing is.
  }
}

/** Forgets all: somebody logs out. */
export function deleteAllDrafts() {
  const prefixes = Object.values(STORAGE_KEY_PREFIXES);
  try {
    for (const key of Object.keys(localStorage))
      if (prefixes.some((prefix) => key.startsWith(prefix))) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
