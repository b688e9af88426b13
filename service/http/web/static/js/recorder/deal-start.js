// @ts-check
/**
 * Beginning a deal that is recorded card by card. It goes through the outbox: without a network it waits on this device,
 * and its recorder still opens.
 */

import { ApiError, getJson } from "../core/api.js";
import { outbox } from "../core/outbox.js";
import { buildOpening } from "../evening/table-entries.js";
import { cacheStartedDeal } from "./cached-deals.js";

/** What stands for the id of a deal in an address. */
export const PLACEHOLDER_DEAL_ID = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];
/** Milliseconds the service has to store the opening; then it waits on this device. */
const STORE_TIMEOUT_MS = 8_000;

/** @typedef {{ isReachable?: boolean, cacheOpening: () => unknown }} StartOptions - `cacheOpening` is called where the opening waits */

/**
 * Begins a table's deal, seated so: its opening has an id already. Throws `ApiError`.
 * @param {string} table
 * @param {Record<string, any>} opening
 * @param {StartOptions & { version: number, number: number, seating: Record<string, any> }} options
 */
export async function startTableDeal(table, opening, { version, number, seating, isReachable = true, cacheOpening }) {
  const entry = await outbox.startDeal(`/tables/${table}`, opening, [], {
    version,
    context: { kind: "begun", number, seating },
  });
  return waitUntilStored(entry, isReachable, cacheOpening);
}

/** Begins a deal alone, likewise. @type {(opening: Record<string, any>, options: StartOptions) => Promise<void>} */
export async function startDealWithoutTable(opening, { isReachable = true, cacheOpening }) {
  return waitUntilStored(await outbox.openDeal([opening], { context: { kind: "begun" } }), isReachable, cacheOpening);
}

/** The outcome: nothing is kept of what the service refuses. @type {(entry: { id: string }, isReachable: boolean, cacheOpening: () => unknown) => Promise<void>} */
async function waitUntilStored(entry, isReachable, cacheOpening) {
  const end = await outbox.waitForOutcome(entry.id, isReachable && !outbox.isServiceUnreachable ? STORE_TIMEOUT_MS : 0);
  if (end.state === "waiting") await cacheOpening();
  if (["stored", "waiting"].includes(end.state)) return;
  await outbox.drop(entry.id);
  await outbox.clearDropped([entry.id]);
  const { status, type, detail } = /** @type {import("../core/outbox.js").Problem} */ (end.problem);
  throw new ApiError(status, { type, detail });
}

/**
 * Starts the deal that is due at a table and returns its id, which is `id`; null if several games are due, or none:
 * then a person chooses. Throws `ApiError`.
 * @type {(table: string, id: string) => Promise<string | null>}
 */
export async function startNextDeal(table, id) {
  const { following } = await getJson(`/tables/${table}/ledger`);
  if (following.length !== 1) return null;
  const { version } = await getJson(`/tables/${table}`);
  const [{ number, seating }] = following;
  // Where the network goes just now its own page knows what is needed of it.
  await startTableDeal(
    table,
    { id, ...buildOpening(seating) },
    {
      version,
      number,
      seating,
      cacheOpening: () => {
        throw new ApiError(0);
      },
    },
  );
  return id;
}

/**
 * Keeps what the recorder of a deal needs to open, as the service will make it: `dealStart` as service.http.web.views.recorder tells
 * it, `displayName` who is how, `data` what else stands around the deal.
 * @param {Record<string, any>} opening
 * @param {{ dealStart: any, displayName: (player: string) => string, names: Record<string, string>, heading: string, data?: Record<string, string> }} more
 */
export function cacheDealOpening(opening, { dealStart, displayName, names, heading, data = {} }) {
  const { rules, state, legal, score, addresses } = dealStart;
  const seats = Object.fromEntries(SEATS.map((seat) => [seat, displayName(opening.players[seat])]));
  const sittingOut = (opening.players.sitting_out ?? []).map(displayName);
  const players = { ...seats, ...(sittingOut.length ? { sitting_out: sittingOut } : {}) };
  const { ruleset, revision } = state;
  return cacheStartedDeal({
    opening: { ruleset, revision, ...opening },
    names,
    frame: {
      heading,
      data: {
        record: opening.id,
        rules: JSON.stringify(rules),
        names: JSON.stringify(names),
        ...addresses,
        replayUrl: addresses.replayUrl.replace(PLACEHOLDER_DEAL_ID, opening.id),
        mayWrite: "",
        mayNote: "",
        ...data,
      },
    },
    point: { state: { ...state, players }, legal, score, paid: score },
  });
}
