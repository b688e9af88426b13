/**
 * What this device keeps of a table, so that its pages open without a network: its frame, what its slips can say, names,
 * plan, and the results as they were shown to this login. No hand ever: of a deal's log nothing is kept but its opening
 * and its results. It goes when somebody logs out, or when another login comes.
 */

import { KEY as SESSION, kept, sessionHere } from "./session.js";

/** So many tables are kept, those that were seen last. */
const TABLES = 12;
/** Of an event of any other kind its place alone is kept, so that versions stay right. */
const WHOLE = ["deal_opened", "result_recorded"];
/** A moment after a change, so that a run of them is kept once. */
const PAUSE = 300;

const keyOf = (table) => `table ${table}`;

/** Keeps the table as `evening` knows it from now on; `frame` is what the page shows around it. */
export function keepTable(evening, frame) {
  let timer = null;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(evening, frame), PAUSE);
  };
  evening.addEventListener("change", later);
  later();
}

async function keep(evening, frame) {
  const session = await sessionHere();
  const key = keyOf(evening.table);
  const logs = Object.fromEntries([...evening.logs.keys()].map((stream) => [stream, evening.stored(stream).map(stripped)]));
  await kept.change((all) => {
    // Somebody logged out, or another came, in another tab: then nothing is kept for this one any more.
    if (all.find((one) => one.key === SESSION)?.id !== session) return {};
    const mine = all.filter((one) => one.session === session && one.table);
    const before = mine.find((one) => one.key === key);
    const rules = { ...before?.rules, [frame.language]: evening.rules };
    const old = mine.filter((one) => one.key !== key).sort((one, other) => (one.at < other.at ? 1 : -1)).slice(TABLES - 1);
    return { put: [{ key, session, table: evening.table, at: new Date().toISOString(), frame, rules, logs, ledger: evening.ledger }], remove: old.map((one) => one.key) };
  });
}

/** An event without anything that tells of a hand. */
function stripped({ kept: was, queued, ...event }) {
  if (event.type === "correction_made") return { ...event, with: (event.with ?? []).map((part) => (WHOLE.includes(part.type) ? part : { type: part.type })) };
  return WHOLE.includes(event.type) || TABLE_TYPES.has(event.type) ? event : { id: event.id, seq: event.seq, type: event.type };
}

const TABLE_TYPES = new Set(["table_opened", "player_joined", "player_left", "seats_set", "deal_started", "payment_made", "penalty_given", "table_closed"]);

/** What is kept of a table for this login; null where nothing is. */
export async function keptTable(table) {
  const session = await sessionHere();
  return (await kept.all()).find((one) => one.key === keyOf(table) && one.session === session) ?? null;
}

/** The tables that are kept for this login, the one seen last first. */
export async function keptTables() {
  const session = await sessionHere();
  return (await kept.all()).filter((one) => one.table && one.session === session).sort((one, other) => (one.at < other.at ? 1 : -1));
}
