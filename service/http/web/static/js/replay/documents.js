/** The replay document of a deal: found where it is, with every member of the club in it called by name. */

import { calledByName } from "../core/names.js";

/** The document at an address, or in the element of this page that a `#` names; `words` are the page's. */
export async function found(address, words) {
  if (address.startsWith("#")) return withNames(document.querySelector(address).textContent, words.forgotten);
  const response = await fetch(address, { headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return withNames(await response.text(), words.forgotten);
}

/**
 * The words, with those of corrections and rulings (mended.js) where a document has any; `may` tells that it may come to have
 * some. Few deals do, and a page is light without them.
 */
export async function wordsFor(replay, words, may = false) {
  const has = may || replay.mendings?.length || replay.frames.some(({ event }) => event.type === "ruling_made");
  return has ? { ...words, ...(await import("./mended.js")) } : words;
}

/**
 * The document that a text is, with every member called by name, also in its sentences; `forgotten` is for who was forgotten.
 * `names` are those that its page knows, where it tells none itself.
 */
export function withNames(text, forgotten, names = {}) {
  const told = JSON.parse(text);
  return calledByName(told, told.names ?? names, forgotten);
}
