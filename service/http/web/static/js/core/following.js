/** A deal that goes on while somebody reads it. */

import { PREFIX, followed, sent } from "./api.js";
import { Asking } from "./asking.js";
import { TYPES } from "./kinds.js";

/**
 * Calls `take(document)` with the replay document at `address()` whenever something was entered into the deal at `stream`,
 * behind its entry `after`.
 */
export function follow(stream, after, address, take) {
  const asking = new Asking({
    ask: async () => take(await sent("GET", address().replace(PREFIX, ""))),
    isKnown: () => true, gathers: () => true, done: () => undefined,
  });
  const anew = () => asking.anew();
  followed(stream, { types: TYPES, after, onEvent: anew, onReset: anew, onLink: () => undefined });
}
