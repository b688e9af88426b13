/**
 * What this page writes: a deal with its result, a correction, the end of the evening. All of it goes through the outbox
 * (but for who sits there), which keeps it until the service has it; each function answers with the entry there, as soon as that is kept.
 */

import { ApiError, appendEvents, sendRequest } from "../core/api.js";
import { findStandingEntry, withoutBookkeeping } from "../core/corrections.js";
import { outbox } from "../core/outbox.js";

/** Milliseconds to wait for an answer of the service. */
const VALIDATE_TIMEOUT_MS = 8_000;

const tablePath = (evening) => `/tables/${evening.table}`;
const dealPath = (deal) => `/deals/${deal}`;

/** Writes down the next deal: its opening at the table, then its result. The deal is one of `Evening.listNextDeals`. */
export function recordDeal(evening, { number, seating }, result) {
  const events = [{ type: "result_recorded", ...result }];
  return outbox.startDeal(tablePath(evening), buildOpening(seating), events, { version: evening.version(), context: { kind: "deal", number, seating, result } });
}

/** The opening that a slip writes; the table says the pool and the deal's number. */
export function buildOpening(seating) {
  const { forehand, middlehand, backhand, dealer, sitting_out } = seating;
  return { players: { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) }, dealer };
}

/** The opening of a deal with another dealer and other places, as a correction states it. */
export const reseatOpening = (opening, seating) => ({ ...withoutBookkeeping(opening), players: buildOpening(seating).players, ...(seating.dealer ? { dealer: seating.dealer } : {}) });

/** Writes the result of a deal that had none; `opening` (`{address, event}`) is stated again, if it is not null. */
export function recordResult(evening, { deal, number, seating, opening }, result, reason) {
  const context = { kind: "result", number, seating, result, opening, reason };
  return outbox.append(dealPath(deal), buildResultEvents(context, result), { version: evening.version(deal), context });
}

/** Puts `result` in the place of what was entered at `address`, and likewise the `opening`; the log keeps both. */
export function correctResult(evening, { deal, number, seating, address, opening }, result, reason) {
  const context = { kind: "mended", number, seating, result, address, opening, reason };
  return outbox.append(dealPath(deal), buildResultEvents(context, result), { version: evening.version(deal), context });
}

/** What writes the result of an earlier deal: in the place of another, behind another opening. */
function buildResultEvents({ address, opening, reason }, result) {
  const event = { type: "result_recorded", ...result };
  const replaced = [...(opening ? [opening] : []), ...(address ? [{ address, event }] : [])];
  const corrections = replaced.length ? [{ type: "correction_made", replaces: replaced.map((one) => one.address), reason, with: replaced.map((one) => one.event) }] : [];
  return address ? corrections : [...corrections, event];
}

/** Strikes a deal out of the evening: its record stays, and counts no longer. */
export function strikeDeal(evening, { number, address }, reason) {
  const event = { type: "correction_made", replaces: [address], reason, with: [] };
  return outbox.append(tablePath(evening), [event], { version: evening.version(), context: { kind: "struck", number, reason } });
}

/** Puts a deal that was struck out in again: what struck it is corrected, and the log keeps both. */
export function restoreDeal(evening, { number, struck }, reason) {
  const event = { type: "correction_made", replaces: [struck.seq], reason, with: [] };
  return outbox.append(tablePath(evening), [event], { version: evening.version(), context: { kind: "restored", number, reason } });
}

/** Somebody sits down: at `place`, counted from 1 in the order of play, or, where that is null, last. */
export const joinTable = (evening, id, player, place) => appendToTable(evening, { type: "player_joined", id, player, ...(place ? { place } : {}) });

/** Somebody goes home. */
export const leaveTable = (evening, id, player) => appendToTable(evening, { type: "player_left", id, player });

/** Sets who deals next; the seats stay as they are. */
export const setDealer = (evening, id, players, dealer) => appendToTable(evening, { type: "seats_set", id, players, dealer });

/** Takes an entry of the table's own log back; the log keeps both. */
export const withdrawTableEntry = (evening, id, { address, reason }) => appendToTable(evening, { type: "correction_made", id, replaces: [address], reason, with: [] });

/** Sets a table aside that was opened by mistake: it stays in the record and counts nowhere. */
export const setTableAside = (evening, id, reason) => appendToTable(evening, { type: "table_voided", id, reason });

/** Lets a table count again that was set aside. */
export const letTableCount = (evening, id, reason) =>
  withdrawTableEntry(evening, id, { address: findStandingEntry(evening.storedLog(evening.table), "table_voided").address, reason });

/**
 * Seating goes to the service directly and is not stored: who deals next depends on its answer.
 * Throws `ApiError`; where nobody answered, the same with the same id is harmless.
 */
async function appendToTable(evening, event) {
  try {
    const stored = await appendEvents(`${tablePath(evening)}/events`, event, evening.version());
    await evening.addEvents(evening.table, stored.events);
  } catch (error) {
    // What came in between is read before anybody decides again.
    if (error.type === "stale-version") await evening.refresh();
    throw error;
  }
}

/** Ends the evening. */
export function closeTable(evening) {
  return outbox.append(tablePath(evening), [{ type: "table_closed" }], { version: evening.version(), context: { kind: "closed" } });
}

/** Takes the end of the evening back: it goes on. */
export function reopenTable(evening, reason) {
  const { address } = findStandingEntry(evening.logWithQueued(evening.table), "table_closed");
  return outbox.append(tablePath(evening), [{ type: "correction_made", replaces: [address], reason, with: [] }], { version: evening.version(), context: { kind: "reopened" } });
}

/** The events that stand in an entry with another result, as `outbox.amend` takes them. */
export function buildAmendedEvents(entry, seating, result) {
  const resultEvents = buildResultEvents(entry.context, result);
  return entry.context.kind === "deal" && !entry.stored.length ? [buildOpening(seating), resultEvents] : [resultEvents];
}

/** What a slip would pay: judged by the service, and nothing of it stored. `opening` is the deal's `deal_opened`. */
export async function validateSlip(opening, result) {
  const events = [opening, ...(result ? [{ type: "result_recorded", ...result }] : [])];
  const answer = await sendRequest("POST", "/validate", events, { timeout: VALIDATE_TIMEOUT_MS });
  const report = answer.reports[0];
  if (!report) throw new ApiError(422, { detail: answer.problems[0]?.message });
  return report;
}
