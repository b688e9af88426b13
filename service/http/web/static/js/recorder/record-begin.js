/**
 * Beginning a deal that is recorded card by card. It goes through the outbox: without a network it waits on this device,
 * and its recorder opens all the same.
 */

import { Refused, asked } from "../core/api.js";
import { openingOf } from "../slips/entries.js";
import { outbox } from "../core/outbox.js";
import { keepBegun } from "./record-keeping.js";

const NO_DEAL = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];
/** So many milliseconds the service has to store the opening; then it waits on this device. */
const PATIENCE = 8_000;

/** Begins a table's deal, seated so: its opening has an id already. Throws `Refused`; `keep` is called where it waits. */
export async function beginAt(table, opening, { version, number, seating, reached = true, keep }) {
  const entry = await outbox.start(`/tables/${table}`, opening, [], { version, told: { kind: "begun", number, seating } });
  return come(entry, reached, keep);
}

/** Begins a deal alone, likewise. */
export async function beginAlone(opening, { reached = true, keep }) {
  return come(await outbox.open([opening], { told: { kind: "begun" } }), reached, keep);
}

/** What became of it: nothing is left behind of what the service does not take. */
async function come(entry, reached, keep) {
  const end = await outbox.outcome(entry.id, reached && !outbox.away ? PATIENCE : 0);
  if (end.state === "waiting") await keep();
  if (["stored", "waiting"].includes(end.state)) return;
  await outbox.drop(entry.id);
  await outbox.clear([entry.id]);
  const { status, type, detail } = end.problem;
  throw new Refused(status, { type, detail });
}

/**
 * Starts the deal that is due at a table, and tells its id, which is `id`; null where several games are due, or none:
 * then a person chooses. Throws `Refused`.
 */
export async function startNext(table, id) {
  const { following } = await asked(`/tables/${table}/ledger`);
  if (following.length !== 1) return null;
  const { version } = await asked(`/tables/${table}`);
  const [{ number, seating }] = following;
  // Where the network goes just now its own page knows what is needed of it.
  await beginAt(table, { id, ...openingOf(seating) }, { version, number, seating, keep: () => { throw new Refused(0); } });
  return id;
}

/**
 * Keeps what the recorder of a deal needs to open, as the service will make it: `begun` as service.http.web.views.record tells
 * it, `called` who is how, `data` what else stands around the deal.
 */
export function keepOpening(opening, { begun, called, names, heading, data = {} }) {
  const { rules, state, legal, score, addresses } = begun;
  const seats = Object.fromEntries(SEATS.map((seat) => [seat, called(opening.players[seat])]));
  const out = (opening.players.sitting_out ?? []).map(called);
  const players = { ...seats, ...(out.length ? { sitting_out: out } : {}) };
  const { ruleset, revision } = state;
  return keepBegun({
    opening: { ruleset, revision, ...opening }, names,
    frame: {
      heading,
      data: { record: opening.id, rules: JSON.stringify(rules), names: JSON.stringify(names), ...addresses, replayUrl: addresses.replayUrl.replace(NO_DEAL, opening.id), mayWrite: "", mayNote: "", ...data },
    },
    now: { state: { ...state, players }, legal, score, paid: score },
  });
}
