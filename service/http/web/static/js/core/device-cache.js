// @ts-check
/**
 * Whose page this is: the login by which the service made it, or, without a network, the last one on this device. What is
 * kept of tables belongs to one login; when another one comes, it goes.
 */

import { DeviceStore } from "./device-store.js";

/** @typedef {import("./device-store.js").Stored} Stored */
/** @typedef {{ buildContent: (before?: Stored) => object, isSameKind: (one: Stored) => boolean, maxEntries: number }} CacheOptions */

/** What is kept of the login itself stands under this key: its id. */
const SESSION_KEY = "session";

/** What is kept of tables and deals, for when there is no network: {key, …} each. */
export const deviceCache = new DeviceStore("kept");

/** The id of the session; "" for everybody. It is no secret: that is in a cookie which no script reads. */
export const currentSessionId = () => (pendingSessionId ??= resolveSessionId());

/** @type {Promise<string> | null} */
let pendingSessionId = null;

async function resolveSessionId() {
  const sessionId = document.body.dataset.session;
  if (sessionId === undefined) return (await deviceCache.readAll()).find((one) => one.key === SESSION_KEY)?.id ?? "";
  await deviceCache.transact((all) => {
    if (all.find((one) => one.key === SESSION_KEY)?.id === sessionId) return {};
    return { remove: all.map((one) => one.key), put: [{ key: SESSION_KEY, id: sessionId }] };
  });
  return sessionId;
}

/** A moment after a change, so that a run of them is kept once. */
const CACHE_DELAY_MS = 300;

/**
 * Keeps something under `key` for this login whenever `source` changes: what `buildContent(before)` tells, given what was kept of it
 * before. Of all that `isSameKind` like it the `maxEntries` seen last are kept.
 * @param {EventTarget} source
 * @param {string} key
 * @param {CacheOptions} options
 */
export function cacheOnChange(source, key, options) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => writeCached(key, options), CACHE_DELAY_MS);
  };
  source.addEventListener("change", later);
  later();
}

/** Keeps something once, as `cacheOnChange` does. @param {string} key @param {CacheOptions} options */
export async function writeCached(key, { buildContent, isSameKind, maxEntries }) {
  const session = await currentSessionId();
  await deviceCache.transact((all) => {
    // Somebody logged out, or another came, in another tab: then nothing is kept for this one any more.
    if (all.find((one) => one.key === SESSION_KEY)?.id !== session) return {};
    const sameKind = all.filter((one) => one.session === session && isSameKind(one));
    const before = sameKind.find((one) => one.key === key);
    const expired = sameKind
      .filter((one) => one !== before)
      .sort(compareLastSeen)
      .slice(maxEntries - 1);
    return {
      put: [{ key, session, at: new Date().toISOString(), ...buildContent(before) }],
      remove: expired.map((one) => one.key),
    };
  });
}

/** What is kept under a key for this login; null if nothing is. @param {string} key @returns {Promise<any>} */
export async function readCached(key) {
  const session = await currentSessionId();
  return (await deviceCache.readAll()).find((one) => one.key === key && one.session === session) ?? null;
}

/** Forgets what is kept under a key. @param {string} key */
export const deleteCached = (key) => deviceCache.transact(() => ({ remove: [key] }));

/** What was seen last comes first. @param {Stored} one @param {Stored} other */
export const compareLastSeen = (one, other) => (one.at < other.at ? 1 : -1);

/** Forgets what is kept of tables and deals, and whose it was: somebody logs out. */
export const clearDeviceCache = () => deviceCache.clear();
