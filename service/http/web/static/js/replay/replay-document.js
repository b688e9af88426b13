/** The replay document of a deal: found where it is, with every member of the club in it called by name. */

import { replaceMemberIds } from "../core/member-ids.js";

/** The document at an address, or in the element of this page that a `#` names; `words` are the page's. */
export async function loadReplayDocument(address, words) {
  if (address.startsWith("#")) return parseReplayDocument(document.querySelector(address).textContent, words.forgotten);
  const response = await fetch(address, { headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return parseReplayDocument(await response.text(), words.forgotten);
}

/**
 * The texts, with those of corrections and rulings (correction-text.js) if a document has any; `mayGrow` says that it may get
 * some. Few deals do, and a page is light without them.
 */
export async function withCorrectionWords(replay, words, mayGrow = false) {
  const hasCorrections = mayGrow || replay.mendings?.length || replay.frames.some(({ event }) => event.type === "ruling_made");
  return hasCorrections ? { ...words, ...(await import("./correction-text.js")) } : words;
}

/**
 * The document in a text, with members by name, also in its sentences; `forgottenName` is for members who were forgotten.
 * `names` are those that its page knows, if it has none itself.
 */
export function parseReplayDocument(text, forgottenName, names = {}) {
  const replay = JSON.parse(text);
  return replaceMemberIds(replay, replay.names ?? names, forgottenName);
}
