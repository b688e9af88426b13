/** Beginning a table's next deal: who sits where, who deals and what lies in the pool is as the ledger has it. */

import { asked, sent } from "./api.js";

/**
 * Starts the deal that is due at a table, and tells its id, which is `id`; null where several games are due, or none:
 * then a person chooses. Throws `Refused`.
 */
export async function startNext(table, id) {
  const { following } = await asked(`/tables/${table}/ledger`);
  return following.length === 1 ? startDeal(table, id, following[0].seating) : null;
}

/** Starts a deal at a table, seated so. To start it once more by the same id is harmless. Throws `Refused`. */
async function startDeal(table, id, { forehand, middlehand, backhand, dealer, sitting_out }) {
  const { version } = await asked(`/tables/${table}`);
  const players = { forehand, middlehand, backhand, ...(sitting_out?.length ? { sitting_out } : {}) };
  await sent("POST", `/tables/${table}/deals`, { id, players, dealer }, { version });
  return id;
}
