// @ts-check
/** The replay document of a deal: found where it is, with every member of the club in it called by name. */

import { replaceMemberIds } from "../core/member-ids.js";

/** @import { ReplayDocument } from "./types.d.ts" */

/**
 * The document at an address, or in the element of this page that a `#` names.
 * @param {string} address
 * @param {{ forgotten: string }} words
 */
export async function loadReplayDocument(address, words) {
  if (address.startsWith("#"))
    return parseReplayDocument(document.querySelector(address)?.textContent ?? "", words.forgotten);
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return parseReplayDocument(await response.text(), words.forgotten);
}

/**
 * The document in a text, with members by name, also in its sentences; `forgottenName` is for members who were forgotten.
 * `names` are those that its page knows, if it has none itself.
 * @param {string} text
 * @param {string} forgottenName
 * @param {Record<string, string | null>} [names]
 * @returns {ReplayDocument}
 */
export function parseReplayDocument(text, forgottenName, names = {}) {
  const replay = JSON.parse(text);
  return replaceMemberIds(replay, replay.names ?? names, forgottenName);
}
