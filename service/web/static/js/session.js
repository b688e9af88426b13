/**
 * Whose page this is: the login by which the service made it, or, without a network, the last one on this device. What is
 * kept of tables belongs to one login; when another one comes, it goes.
 */

import { Shelf } from "./shelf.js";

/** What is kept of the login itself stands under this key: its id. */
export const KEY = "session";

/** What is kept of tables, for when there is no network: {key, …} each. */
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

/** Forgets what is kept of tables, and whose it was: somebody logs out. */
export const forgetKept = () => kept.clear();
