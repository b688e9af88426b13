/**
 * Whose page this is: the login by which the service made it, or, without a network, the last one on this device. What is
 * kept of tables belongs to one login; when another one comes, it goes.
 */

import { Shelf } from "./shelf.js";

/** What is kept of the login itself stands under this key: its id. */
export const KEY = "session";

/** What is kept of tables and deals, for when there is no network: {key, …} each. */
export const kept = new Shelf("kept");

/** The id of the session; "" for everybody. It is no secret: that is in a cookie which no script reads. */
export const sessionHere = () => (asking ??= find());

let asking = null;

async function find() {
  const told = document.body.dataset.session;
  if (told === undefined) return (await kept.all()).find((one) => one.key === KEY)?.id ?? "";
  await kept.change((all) => {
    if (all.find((one) => one.key === KEY)?.id === told) return {};
    return { remove: all.map((one) => one.key), put: [{ key: KEY, id: told }] };
  });
  return told;
}

/** A moment after a change, so that a run of them is kept once. */
const PAUSE = 300;

/**
 * Keeps something under `key` for this login whenever `source` changes: what `told(before)` tells, given what was kept of it
 * before. Of all that `isOne` like it the `most` seen last are kept.
 */
export function keepFrom(source, key, { told, isOne, most }) {
  let timer = null;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => keepNow(key, { told, isOne, most }), PAUSE);
  };
  source.addEventListener("change", later);
  later();
}

/** Keeps something once, as `keepFrom` does. */
export async function keepNow(key, { told, isOne, most }) {
  const session = await sessionHere();
  await kept.change((all) => {
    // Somebody logged out, or another came, in another tab: then nothing is kept for this one any more.
    if (all.find((one) => one.key === KEY)?.id !== session) return {};
    const alike = all.filter((one) => one.session === session && isOne(one));
    const before = alike.find((one) => one.key === key);
    const old = alike.filter((one) => one !== before).sort(byLastSeen).slice(most - 1);
    return { put: [{ key, session, at: new Date().toISOString(), ...told(before) }], remove: old.map((one) => one.key) };
  });
}

/** What is kept under a key for this login; null where nothing is. */
export async function keptUnder(key) {
  const session = await sessionHere();
  return (await kept.all()).find((one) => one.key === key && one.session === session) ?? null;
}

/** Forgets what is kept under a key. */
export const forgetUnder = (key) => kept.change(() => ({ remove: [key] }));

/** What was seen last comes first. */
export const byLastSeen = (one, other) => (one.at < other.at ? 1 : -1);

/** Forgets what is kept of tables and deals, and whose it was: somebody logs out. */
export const forgetKept = () => kept.clear();
