// @ts-check
/** A deal that goes on while somebody reads it. */

import { API_PREFIX, followEventStream, sendRequest } from "../core/api.js";
import { EVENT_TYPES } from "../core/event-types.js";
import { Refresher } from "../core/refresher.js";

/**
 * Calls `onDocument(document)` with the replay document at `getDocumentUrl()` whenever something was entered into the deal at
 * `stream`, after its entry `lastEventId`.
 * @param {string} stream
 * @param {string} lastEventId
 * @param {() => string} getDocumentUrl
 * @param {(document: unknown) => void} onDocument
 */
export function followReplayDocument(stream, lastEventId, getDocumentUrl, onDocument) {
  const refresher = new Refresher({
    fetch: async () => onDocument(await sendRequest("GET", getDocumentUrl().replace(API_PREFIX, ""))),
    hasData: () => true,
    shouldDebounce: () => true,
    onRefreshed: () => undefined,
  });
  const refresh = () => refresher.refresh();
  followEventStream(stream, {
    types: EVENT_TYPES,
    lastEventId,
    onEvent: refresh,
    onReset: refresh,
    onConnectionChange: () => undefined,
  });
}
