/** Members of the club: a record holds their ids, and the document that it comes in says how they are called. */

const MEMBER = /\bm-[a-z2-7]{16}\b/g;

/** The document with every member called by name, also in its sentences; `forgotten` is for who was forgotten. */
export function withNames(text, forgotten) {
  const names = JSON.parse(text).names ?? {};
  const called = (id) => (Object.hasOwn(names, id) ? names[id] ?? forgotten : id);
  return JSON.parse(text, (key, value) => (typeof value === "string" ? value.replace(MEMBER, called) : value));
}
