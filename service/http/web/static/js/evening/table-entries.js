// @ts-check
/**
 * What this page writes: a deal with its result, a correction, the end of the evening. All of it goes through the outbox
 * (but for who sits there), which keeps it until the service has it; each function answers with the entry there, as soon as that is kept.
 */

import { ApiError, appendEvents, sendRequest } from "../core/api.js";
import { findStandingEntry, withoutBookkeeping } from "../core/corrections.js";
import { outbox } from "../core/outbox.js";

/** @typedef {import("./evening.js").Evening} Evening */
/** @typedef {string | number} Address - of an entry in its log */
/**
 * @typedef {object} EarlierDeal - `opening` is stated again, if it is not null
 * @property {string} deal
 * @property {number} number
 * @property {any} seating
 * @property {{ address: Address, event: any } | null} [opening]
 */

/** Milliseconds to wait for an answer of the service. */
const VALIDATE_TIMEOUT_MS = 8_000;

/** @param {Evening} evening */
const tablePath = (evening) => `/tables/${evening.table}`;
/** An entry of the table's log in the outbox. @param {Evening} evening @param {any} event @param {any} context */
const appendLater = (evening, event, context) =>
  outbox.append(tablePath(evening), [event], { version: evening.version(), context });
/** @param {Address} address @param {string} reason */
const buildWithdrawal = (address, reason) => ({ type: "correction_made", replaces: [address], reason, with: [] });

/** Writes down the next deal: its opening at the table, then its result. The deal is one of `Evening.listNextDeals`. @param {Evening} evening @param {{ number: number, seating: any }} deal @param {any} result */
export function recordDeal(evening, { number, seating }, result) {
  const events = [{ type: "result_recorded", ...result }];
  const context = { kind: "deal", number, seating, result };
  return outbox.startDeal(tablePath(evening), buildOpening(seating), events, { version: evening.version(), context });
}

/** The opening that a slip writes; the table says the pool and the deal's number. @param {any} seating */
export function buildOpening({ forehand, middlehand, backhand, dealer, sitting_out }) {
  return { players: { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) }, dealer };
}

/** The opening of a deal with another dealer and other places, as a correction states it. @param {any} opening @param {any} seating */
export const reseatOpening = (opening, seating) => ({
  ...withoutBookkeeping(opening),
  players: buildOpening(seating).players,
  ...(seating.dealer ? { dealer: seating.dealer } : {}),
});

/** Writes the result of a deal that had none. @param {Evening} evening @param {EarlierDeal} deal @param {any} result @param {string} [reason] */
export const recordResult = (evening, { deal, number, seating, opening }, result, reason) =>
  appendResult(evening, deal, { kind: "result", number, seating, result, opening, reason });

/** Puts `result` in the place of what was entered at `address`, and likewise the `opening`; the log keeps both. @param {Evening} evening @param {EarlierDeal & { address: Address }} deal @param {any} result @param {string} reason */
export const correctResult = (evening, { deal, number, seating, address, opening }, result, reason) =>
  appendResult(evening, deal, { kind: "mended", number, seating, result, address, opening, reason });

/** @param {Evening} evening @param {string} deal @param {any} context */
function appendResult(evening, deal, context) {
  const events = buildResultEvents(context, context.result);
  return outbox.append(`/deals/${deal}`, events, { version: evening.version(deal), context });
}

/** What writes the result of an earlier deal: in the place of another, behind another opening. @param {any} context @param {any} result */
function buildResultEvents({ address, opening, reason }, result) {
  const event = { type: "result_recorded", ...result };
  const replaced = [...(opening ? [opening] : []), ...(address ? [{ address, event }] : [])];
  const [replaces, stated] = [replaced.map((one) => one.address), replaced.map((one) => one.event)];
  const corrections = replaced.length ? [{ type: "correction_made", replaces, reason, with: stated }] : [];
  return address ? corrections : [...corrections, event];
}

/** Strikes a deal out of the evening: its record stays, and counts no longer. @param {Evening} evening @param {{ number: number, address: Address }} deal @param {string} reason */
export const strikeDeal = (evening, { number, address }, reason) =>
  appendLater(evening, buildWithdrawal(address, reason), { kind: "struck", number, reason });

/** Puts a deal that was struck out in again: what struck it is corrected, and the log keeps both. @param {Evening} evening @param {{ number: number, struck: any }} deal @param {string} reason */
export const restoreDeal = (evening, { number, struck }, reason) =>
  appendLater(evening, buildWithdrawal(struck.seq, reason), { kind: "restored", number, reason });

/** Ends the evening. @param {Evening} evening */
export const closeTable = (evening) => appendLater(evening, { type: "table_closed" }, { kind: "closed" });

/** Takes the end of the evening back: it goes on. @param {Evening} evening @param {string} reason */
export const reopenTable = (evening, reason) =>
  appendLater(evening, buildWithdrawal(findAddress(evening, "table_closed"), reason), { kind: "reopened" });

/** Where the entry of that type stands. @param {Evening} evening @param {string} type @returns {Address} */
const findAddress = (evening, type) =>
  /** @type {any} */ (findStandingEntry(evening.logWithQueued(evening.table), type)).address;

/** Somebody sits down: at `place`, counted from 1 in the order of play, or, where that is null, last. @param {Evening} evening @param {string} id @param {string} player @param {number | null} place */
export const joinTable = (evening, id, player, place) =>
  appendToTable(evening, { type: "player_joined", id, player, ...(place ? { place } : {}) });

/** Somebody goes home. @param {Evening} evening @param {string} id @param {string} player */
export const leaveTable = (evening, id, player) => appendToTable(evening, { type: "player_left", id, player });

/** Sets who deals next; the seats stay as they are. @param {Evening} evening @param {string} id @param {string[]} players @param {string} dealer */
export const setDealer = (evening, id, players, dealer) =>
  appendToTable(evening, { type: "seats_set", id, players, dealer });

/** Takes an entry of the table's own log back; the log keeps both. @param {Evening} evening @param {string} id @param {{ address: Address, reason: string }} entry */
export const withdrawTableEntry = (evening, id, { address, reason }) =>
  appendToTable(evening, { ...buildWithdrawal(address, reason), id });

/** Sets a table aside that was opened by mistake: it stays in the record and counts nowhere. @param {Evening} evening @param {string} id @param {string} reason */
export const setTableAside = (evening, id, reason) => appendToTable(evening, { type: "table_voided", id, reason });

/** Lets a table count again that was set aside. @param {Evening} evening @param {string} id @param {string} reason */
export const letTableCount = (evening, id, reason) =>
  withdrawTableEntry(evening, id, { address: findAddress(evening, "table_voided"), reason });

/**
 * Seating goes to the service directly and is not stored: who deals next depends on its answer.
 * Throws `ApiError`; where nobody answered, the same with the same id is harmless.
 * @param {Evening} evening
 * @param {any} event
 */
async function appendToTable(evening, event) {
  try {
    const stored = await appendEvents(`${tablePath(evening)}/events`, event, evening.version());
    await evening.addEvents(evening.table, stored.events);
  } catch (error) {
    // What came in between is read before anybody decides again.
    if (/** @type {any} */ (error).type === "stale-version") await evening.refresh();
    throw error;
  }
}

/** The events that stand in an entry with another result, as `outbox.amend` takes them. @param {any} entry @param {any} seating @param {any} result */
export function buildAmendedEvents(entry, seating, result) {
  const resultEvents = buildResultEvents(entry.context, result);
  return entry.context.kind === "deal" && !entry.stored.length ? [buildOpening(seating), resultEvents] : [resultEvents];
}

/** What a slip would pay: judged by the service, and nothing of it stored. `opening` is the deal's `deal_opened`. @param {any} opening @param {any} result */
export async function validateSlip(opening, result) {
  const events = [opening, ...(result ? [{ type: "result_recorded", ...result }] : [])];
  const answer = await sendRequest("POST", "/validate", events, { timeout: VALIDATE_TIMEOUT_MS });
  const report = answer.reports[0];
  if (!report) throw new ApiError(422, { detail: answer.problems[0]?.message });
  return report;
}
