// @ts-check
/**
 * What this device keeps of a table, so that its pages open without a network: its frame, what its slips can say, names,
 * plan, and the results as they were shown to this login. No hand ever: of a deal's log nothing is kept but its opening
 * and its results. It goes when somebody logs out, or when another login comes.
 */

import { cacheOnChange, compareLastSeen, currentSessionId, deviceCache, readCached } from "../core/device-cache.js";
import { TABLE_EVENT_TYPES } from "../core/event-types.js";

/** @typedef {import("../core/corrections.js").LogEvent} LogEvent */
/** @typedef {import("../core/device-store.js").Stored} Stored */
/** @typedef {{ language: string, pages: Record<string, any> }} ServiceTexts */

/** The number of tables that are kept: the latest ones. */
const MAX_CACHED_TABLES = 12;
/** Of an event of any other kind its place alone is kept, so that versions stay right. */
const UNREDACTED_DEAL_TYPES = ["deal_opened", "result_recorded"];

/** @param {string} table */
const tableKey = (table) => `table ${table}`;

/**
 * Keeps the table as `evening` knows it from now on; `frame` is what the page shows around it. `serviceTexts`: its `language`, and
 * by name, what the service told only this page; null if the page was made without the service.
 * @param {import("./evening.js").Evening} evening
 * @param {object} frame
 * @param {ServiceTexts | null} serviceTexts
 */
export function startTableCache(evening, frame, serviceTexts) {
  const buildContent = (/** @type {Stored | undefined} */ before) => ({
    table: evening.table,
    frame,
    ledger: evening.ledger,
    ...mergeServiceTexts(before, evening.rules, serviceTexts),
    logs: Object.fromEntries(
      [...evening.logs.keys()].map((stream) => [stream, evening.storedLog(stream).map(redactEvent)]),
    ),
  });
  cacheOnChange(evening, tableKey(evening.table), {
    buildContent,
    isSameKind: isCachedTable,
    maxEntries: MAX_CACHED_TABLES,
  });
}

/** What the service has said in each language, of the rules and to single pages. @param {Stored | undefined} before @param {any} rules @param {ServiceTexts | null} serviceTexts */
function mergeServiceTexts(before, rules, serviceTexts) {
  const cached = { rules: before?.rules ?? {}, pages: before?.pages ?? {} };
  if (serviceTexts === null) return cached;
  const { language, pages } = serviceTexts;
  return {
    rules: { ...cached.rules, [language]: rules },
    pages: { ...cached.pages, [language]: { ...cached.pages[language], ...pages } },
  };
}

/** @param {Stored} one */
const isCachedTable = (one) => Boolean(one.table);

/** An event without anything that reveals a hand. @param {LogEvent} stored @returns {LogEvent} */
function redactEvent({ isCached: _, queued, ...event }) {
  if (event.type === "correction_made")
    return {
      ...event,
      with: (event.with ?? []).map((/** @type {LogEvent} */ part) =>
        UNREDACTED_DEAL_TYPES.includes(part.type) ? part : { type: part.type },
      ),
    };
  return UNREDACTED_DEAL_TYPES.includes(event.type) || TABLE_EVENT_TYPES.includes(event.type)
    ? event
    : { id: event.id, seq: event.seq, type: event.type };
}

/** What is kept of a table for this login; null where nothing is. @param {string} table */
export const readCachedTable = (table) => readCached(tableKey(table));

/** The tables that are kept for this login, the one seen last first. */
export async function listCachedTables() {
  const session = await currentSessionId();
  return (await deviceCache.readAll())
    .filter((one) => isCachedTable(one) && one.session === session)
    .sort(compareLastSeen);
}
