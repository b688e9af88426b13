// @ts-check
/**
 * Logging in by a link: its token follows the "#", is exchanged for a session, and leaves the address.
 *
 * Where another site led here, the token waits for a click. Where the browser is logged in as another person of the
 * same record, the user chooses which of the two goes on.
 */

/** @typedef {{ name?: string, seat?: string }} Person */

const HTTP_UNAUTHORIZED = 401;
const HTTP_CONFLICT = 409;
/** The buttons that each part of the page shows with it. @type {Record<string, string[]>} */
const PART_BUTTONS = { failed: ["again"], ask: ["open"], other: ["instead", "stay"] };

const root = /** @type {HTMLElement} */ (document.querySelector("[data-session-url]"));
const parts = Object.fromEntries(
  [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-part]"))].map((part) => [
    part.dataset.part ?? "",
    part,
  ]),
);

/** @param {string} shown */
function showPart(shown) {
  const names = [shown, ...(PART_BUTTONS[shown] ?? [])];
  for (const [name, part] of Object.entries(parts)) part.hidden = !names.includes(name);
}

/** Where to go on to: a page of ours, whatever the link says. @param {string | null} to */
function safeDestination(to) {
  const target = new URL(to?.startsWith("/") ? to : "/tables", location.origin);
  return target.origin === location.origin ? target.href : new URL("/tables", location.origin).href;
}

/** @param {{ token: string, to: string | null }} link */
async function logIn({ token, to }, replacesLogin = false) {
  showPart("waiting");
  try {
    const answer = await fetch(root.dataset.sessionUrl ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token, ...(replacesLogin && { instead: true }) }),
    });
    if (answer.ok) {
      // What another person wrote here and is not sent yet is not sent in this one's name.
      if (!replacesLogin) await keepPendingEntries((await answer.json()).session);
      location.replace(safeDestination(to));
    } else if (answer.status === HTTP_CONFLICT) askWhoContinues(await answer.json());
    else showPart([HTTP_UNAUTHORIZED, 422].includes(answer.status) ? "refused" : "failed");
  } catch {
    showPart("failed");
  }
}

/** Asks which of two persons goes on. @param {{ here: Person[], asked: Person }} persons */
function askWhoContinues({ here, asked }) {
  /** @type {Record<string, string>} */
  const names = { here: here.map(formatPerson).join(", "), asked: formatPerson(asked) };
  for (const part of [parts.other, parts.instead, parts.stay])
    part.textContent = (part.dataset.template ?? "").replace(/\{(here|asked)\}/g, (_, which) => names[which]);
  showPart("other");
}

/** What somebody is called: the name and the seat, as far as there are such. @param {Person} person */
function formatPerson({ name, seat }) {
  const seatLabel = seat && root.dataset[seat];
  if (name && seatLabel) return `${name} (${seatLabel})`;
  return name || seatLabel || root.dataset.somebody || "";
}

/** A login that was there already goes on in the new one, and so does what it wrote and is not sent yet. @param {string} session */
async function keepPendingEntries(session) {
  const previousSession = document.body.dataset.session;
  if (!previousSession || !session) return;
  const { outbox } = await import("../core/outbox.js");
  await outbox.ready;
  await outbox.moveToSession(previousSession, session);
}

/** @param {boolean} needsClick */
function start(needsClick) {
  const params = new URLSearchParams(location.hash.slice(1));
  const [token, to] = [params.get("token"), params.get("to")];
  // At once: no history, no bookmark and no look over the shoulder is to find it.
  history.replaceState(null, "", location.pathname + location.search);
  if (!token) return showPart("none");
  const link = { token, to };
  parts.again.onclick = parts.open.onclick = () => logIn(link);
  parts.instead.onclick = () => logIn(link, true);
  parts.stay.onclick = () => location.replace(safeDestination(to));
  return needsClick ? showPart("ask") : logIn(link);
}

export {};

start("asksFirst" in root.dataset);
// A new "#" in a page that is open comes with no request: nothing says which site put it there.
window.addEventListener("hashchange", () => location.hash && start(true));
