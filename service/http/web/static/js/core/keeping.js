/**
 * What this device keeps of a table, so that its pages open without a network: its frame, what its slips can say, names,
 * plan, and the results as they were shown to this login. No hand ever: of a deal's log nothing is kept but its opening
 * and its results. It goes when somebody logs out, or when another login comes.
 */

import { byLastSeen, keepFrom, kept, keptUnder, sessionHere } from "./session.js";

/** So many tables are kept, those that were seen last. */
const TABLES = 12;
/** Of an event of any other kind its place alone is kept, so that versions stay right. */
const WHOLE = ["deal_opened", "result_recorded"];

const keyOf = (table) => `table ${table}`;

/**
 * Keeps the table as `evening` knows it from now on; `frame` is what the page shows around it. `said`: its `language`, and
 * by name what the service has told this page alone; null where the page was made without the service.
 */
export function keepTable(evening, frame, said) {
  const told = (before) => ({
    table: evening.table, frame, ledger: evening.ledger, ...saidNow(before, evening.rules, said),
    logs: Object.fromEntries([...evening.logs.keys()].map((stream) => [stream, evening.stored(stream).map(stripped)])),
  });
  keepFrom(evening, keyOf(evening.table), { told, isOne: isTable, most: TABLES });
}

/** What the service has said in each language, of the rules and to single pages. */
function saidNow(before, rules, said) {
  const was = { rules: before?.rules ?? {}, pages: before?.pages ?? {} };
  if (said === null) return was;
  const { language, pages } = said;
  return { rules: { ...was.rules, [language]: rules }, pages: { ...was.pages, [language]: { ...was.pages[language], ...pages } } };
}

const isTable = (one) => Boolean(one.table);

/** An event without anything that tells of a hand. */
function stripped({ kept: was, queued, ...event }) {
  if (event.type === "correction_made") return { ...event, with: (event.with ?? []).map((part) => (WHOLE.includes(part.type) ? part : { type: part.type })) };
  return WHOLE.includes(event.type) || TABLE_TYPES.has(event.type) ? event : { id: event.id, seq: event.seq, type: event.type };
}

const TABLE_TYPES = new Set(["table_opened", "player_joined", "player_left", "seats_set", "deal_started", "payment_made", "penalty_given", "table_closed"]);

/** What is kept of a table for this login; null where nothing is. */
export const keptTable = (table) => keptUnder(keyOf(table));

/** The tables that are kept for this login, the one seen last first. */
export async function keptTables() {
  const session = await sessionHere();
  return (await kept.all()).filter((one) => isTable(one) && one.session === session).sort(byLastSeen);
}
