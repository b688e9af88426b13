// @ts-check
/** What corrections leave of a log: nothing is ever taken out of it, so this says what stands and what was undone. */

/** @typedef {Record<string, any>} LogEvent - an entry of a log */
/** @typedef {{ address: number | string, event: LogEvent, insertedBy: LogEvent | null, undoneBy: LogEvent | null }} LogEntry */

/**
 * Every entry of `log` that is no correction, with `address` (its seq, or that of a part: "7.1"), `event`, the
 * correction that put it in (`insertedBy`) and the one in force that undid it (`undoneBy`), either null.
 * @param {LogEvent[]} log
 * @returns {LogEntry[]}
 */
export function listEntries(log) {
  const inForce = correctionsInForce(log);
  const undoneBy = new Map();
  for (const correction of inForce) {
    for (const address of correction.replaces ?? []) undoneBy.set(String(address), correction);
  }
  /** @type {LogEntry[]} */
  const found = [];
  for (const event of log) {
    if (event.type !== "correction_made") {
      found.push({ address: event.seq, event, insertedBy: null, undoneBy: undoneBy.get(String(event.seq)) ?? null });
      continue;
    }
    const takenBack = inForce.includes(event) ? null : undoneBy.get(String(event.seq));
    (event.with ?? []).forEach((/** @type {LogEvent} */ part, /** @type {number} */ index) => {
      const address = `${event.seq}.${index + 1}`;
      found.push({ address, event: part, insertedBy: event, undoneBy: takenBack ?? undoneBy.get(address) ?? null });
    });
  }
  return found;
}

/** The corrections that no later one took back whole; the last one always stands. @param {LogEvent[]} log */
function correctionsInForce(log) {
  /** @type {LogEvent[]} */
  const standing = [];
  const takenBack = new Set();
  for (const event of [...log].reverse()) {
    if (event.type !== "correction_made" || takenBack.has(event.seq)) continue;
    standing.push(event);
    for (const address of event.replaces ?? []) takenBack.add(address);
  }
  return standing.reverse();
}

/** What an entry bears besides its own fields. */
const BOOKKEEPING_FIELDS = new Set([
  "id",
  "seq",
  "recorded_at",
  "stored_at",
  "recorded_by",
  "basis",
  "accounts",
  "isCached",
  "queued",
]);

/** The fields of an event alone, as a correction states it again. @param {LogEvent} event */
export const withoutBookkeeping = (event) =>
  Object.fromEntries(Object.entries(event).filter(([name, value]) => !BOOKKEEPING_FIELDS.has(name) && value !== null));

/** The entry of that type that stands, the last if there are several; null if there is none. @param {LogEvent[]} log @param {string} type */
export function findStandingEntry(log, type) {
  return (
    listEntries(log)
      .filter((entry) => entry.event.type === type && !entry.undoneBy)
      .at(-1) ?? null
  );
}
