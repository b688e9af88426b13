/** The replay document of a deal: found where it is, with every member of the club in it called by name. */

import { calledByName } from "./names.js";

/** The document at an address, or in the element of this page that a `#` names; `words` are the page's. */
export async function found(address, words) {
  if (address.startsWith("#")) return withNames(document.querySelector(address).textContent, words.forgotten);
  const response = await fetch(address, { headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return withNames(await response.text(), words.forgotten);
}

/**
 * The document that a text is, with every member called by name, also in its sentences; `forgotten` is for who was forgotten.
 * `names` are those that its page knows, where it tells none itself.
 */
export function withNames(text, forgotten, names = {}) {
  const told = JSON.parse(text);
  return calledByName(told, told.names ?? names, forgotten);
}
