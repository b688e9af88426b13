// @ts-check
/** Members of the club: a record holds their ids, and the document that it comes in says how they are called. */

const MEMBER_ID_PATTERN = /\bm-[a-z2-7]{16}\b/g;

/** Any value of JSON with every member called by name; `names` as the service tells them. @param {any} value @param {Record<string, string | null>} names @param {string} [forgottenName] @returns {any} */
export function replaceMemberIds(value, names, forgottenName) {
  const displayName = (/** @type {string} */ id) =>
    Object.hasOwn(names, id) ? (names[id] ?? forgottenName ?? "") : id;
  if (typeof value === "string") return value.replace(MEMBER_ID_PATTERN, displayName);
  if (Array.isArray(value)) return value.map((one) => replaceMemberIds(one, names, forgottenName));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [displayName(key), replaceMemberIds(one, names, forgottenName)]),
  );
}
