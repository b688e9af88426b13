/** The one place from which the recorder sends: what is entered goes through here, and nothing else does. */

import { appended } from "./api.js";

/**
 * Appends to a deal at the version that the writer has seen. Every event has its id already, so that the same sent
 * again is harmless. `mode` is "strict" (what breaks a rule is refused) or "as_played". Throws `Refused`.
 */
export const send = (deal, events, { version, mode }) => appended(`/deals/${deal}/events?mode=${mode}`, events, version);
