/**
 * What this page writes: a deal with its result, a correction, the end of the evening. Each has its ids before it is
 * sent, so that it can be sent again until it is answered, and stands once however often it came through.
 */

import { appended, newId, Refused, sent } from "./api.js";

/** A slip on its way: the ids that it will have, whatever it takes to send it. */
export const draft = () => ({ deal: newId(), result: newId(), correction: newId() });

/** Writes down the next deal: its opening at the table, then its result. `seating` as the ledger has it due. */
export async function recordDeal(evening, ids, seating, result) {
  const opening = openingOf(ids, seating);
  const opened = await appended(`/tables/${evening.table}/deals`, opening, evening.version()).catch((refused) =>
    refusedStart(refused, evening),
  );
  const stored = await appended(`/deals/${ids.deal}/events`, { type: "result_recorded", id: ids.result, ...result }, opened.version);
  evening.take(evening.table, opened.table.events);
  evening.take(ids.deal, opened.events);
  await evening.take(ids.deal, stored.events);
}

/** Where the table has moved on, what came in between is read before anybody decides again. */
async function refusedStart(refused, evening) {
  if (refused.type === "stale-version") await evening.refresh();
  throw refused;
}

function openingOf(ids, seating) {
  const { forehand, middlehand, backhand, dealer, sitting_out } = seating;
  const players = { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) };
  return { id: ids.deal, players, dealer };
}

/** Writes the result of a deal that had none. */
export async function recordResult(evening, ids, deal, result) {
  const event = { type: "result_recorded", id: ids.result, ...result };
  const stored = await appended(`/deals/${deal}/events`, event, evening.version(deal));
  await evening.take(deal, stored.events);
}

/** Puts `result` in the place of what was entered at `address`; the log keeps both. */
export async function correctResult(evening, ids, { deal, address, result, reason }) {
  const event = {
    type: "correction_made", id: ids.correction, replaces: [address], reason, with: [{ type: "result_recorded", ...result }],
  };
  const stored = await appended(`/deals/${deal}/events`, event, evening.version(deal));
  await evening.take(deal, stored.events);
}

/** Strikes a deal out of the evening: its record stays, and counts no longer. */
export async function strikeDeal(evening, ids, { address, reason }) {
  const event = { type: "correction_made", id: ids.correction, replaces: [address], reason, with: [] };
  const stored = await appended(`/tables/${evening.table}/events`, event, evening.version());
  await evening.take(evening.table, stored.events);
}

/** Ends the evening. */
export async function closeTable(evening, id) {
  const stored = await appended(`/tables/${evening.table}/events`, { type: "table_closed", id }, evening.version());
  await evening.take(evening.table, stored.events);
}

/** What a slip would pay: judged by the service, and nothing of it stored. `opening` is the deal's `deal_opened`. */
export async function judged(opening, result) {
  const events = [opening, ...(result ? [{ type: "result_recorded", ...result }] : [])];
  const answer = await sent("POST", "/validate", events);
  const report = answer.reports[0];
  if (!report) throw new Refused(422, { detail: answer.problems[0]?.message });
  return report;
}
