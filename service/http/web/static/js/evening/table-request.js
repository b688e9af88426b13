// @ts-check
/** What is written about a table at once, and not kept in the outbox: who sits there, and whether it counts. */

import { newId } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { signal } from "../vendor/preact.js";

/**
 * A `status` to be shown, and `run(key, act, done)`, which tells it `done` after `act(id)`; whether it was done. What could not
 * be answered keeps its id, so that the same tap again writes it once.
 * @param {import("./evening.js").Evening} evening
 */
export function createTableRequest(evening) {
  const status = signal("");
  /** @type {Map<string, string>} */
  const pendingIds = new Map();
  let isBusy = false;
  /** @param {string} key @param {(id: string) => Promise<unknown>} act @param {string} done */
  async function run(key, act, done) {
    if (isBusy) return false;
    if (evening.queuedEntries.length) {
      // What waits here was written down as they sat then.
      status.value = t("Entries that wait here have to be sent first. Try again when the network is back.");
      return false;
    }
    isBusy = true;
    const id = pendingIds.get(key) ?? newId();
    pendingIds.set(key, id);
    try {
      await act(id);
      pendingIds.delete(key);
      status.value = done;
      return true;
    } catch (error) {
      const { status: code } = /** @type {{ status?: number }} */ (error);
      if (code === undefined) throw error;
      if (code >= 400 && code < 500 && code !== 429) pendingIds.delete(key);
      status.value = formatApiError(words, error);
      return false;
    } finally {
      isBusy = false;
    }
  }
  return { status, run };
}
