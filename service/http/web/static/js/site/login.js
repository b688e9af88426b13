/**
 * Logging in by a link: its token follows the "#", is exchanged for a session, and leaves the address.
 *
 * Where another site led here, the token waits for a click. Where the browser is logged in as another person of the
 * same record, the user chooses which of the two goes on.
 */

const HTTP_UNAUTHORIZED = 401;
const HTTP_CONFLICT = 409;
/** The buttons that each part of the page shows with it. */
const PART_BUTTONS = { failed: ["again"], ask: ["open"], other: ["instead", "stay"] };

const findPart = (root, name) => root.querySelector(`[data-part="${name}"]`);

function showPart(root, name) {
  const names = [name, ...(PART_BUTTONS[name] ?? [])];
  for (const part of root.querySelectorAll("[data-part]")) part.hidden = !names.includes(part.dataset.part);
}

/** Where to go on to: a page of ours, whatever the link says. */
function safeDestination(to) {
  const tablesUrl = new URL("/tables", location.origin);
  if (!to) return tablesUrl;
  const target = new URL(to, location.origin);
  return to.startsWith("/") && target.origin === location.origin ? target : tablesUrl;
}

async function logIn(root, link, replacesLogin = false) {
  showPart(root, "waiting");
  try {
    const answer = await fetch(root.dataset.sessionUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(replacesLogin ? { token: link.token, instead: replacesLogin } : { token: link.token }),
    });
    if (answer.ok) {
      // What another person wrote here and is not sent yet is not sent in this one's name.
      if (!replacesLogin) await keepPendingEntries((await answer.json()).session);
      location.replace(safeDestination(link.to));
    } else if (answer.status === HTTP_CONFLICT) askWhoContinues(root, await answer.json());
    else if (answer.status === HTTP_UNAUTHORIZED || answer.status === 422) showPart(root, "refused");
    else showPart(root, "failed");
  } catch {
    showPart(root, "failed");
  }
}

/** Asks which of two persons goes on. */
function askWhoContinues(root, { here, asked }) {
  const names = { here: here.map((one) => formatPerson(root, one)).join(", "), asked: formatPerson(root, asked) };
  for (const name of ["other", "instead", "stay"]) {
    const part = findPart(root, name);
    part.textContent = part.dataset.template.replace(/\{(here|asked)\}/g, (_, which) => names[which]);
  }
  showPart(root, "other");
}

/** What somebody is called: the name and the seat, as far as there are such. */
function formatPerson(root, { name, seat }) {
  const seatLabel = seat ? root.dataset[seat] : "";
  if (name && seatLabel) return `${name} (${seatLabel})`;
  return name || seatLabel || root.dataset.somebody;
}

/** A login that was there already goes on in the new one, and so does what it wrote and is not sent yet. */
async function keepPendingEntries(session) {
  const previousSession = document.body.dataset.session;
  if (!previousSession || !session) return;
  const { outbox } = await import("../core/outbox.js");
  await outbox.ready;
  await outbox.moveToSession(previousSession, session);
}

function start(root, needsClick) {
  const params = new URLSearchParams(location.hash.slice(1));
  const link = { token: params.get("token"), to: params.get("to") };
  // At once: no history, no bookmark and no look over the shoulder is to find it.
  history.replaceState(null, "", location.pathname + location.search);
  if (!link.token) return showPart(root, "none");
  findPart(root, "again").onclick = () => logIn(root, link);
  findPart(root, "open").onclick = () => logIn(root, link);
  findPart(root, "instead").onclick = () => logIn(root, link, true);
  findPart(root, "stay").onclick = () => location.replace(safeDestination(link.to));
  return needsClick ? showPart(root, "ask") : logIn(root, link);
}

for (const root of document.querySelectorAll("[data-session-url]")) {
  start(root, "asksFirst" in root.dataset);
  // A new "#" in a page that is open comes with no request: nothing says which site put it there.
  window.addEventListener("hashchange", () => location.hash && start(root, true));
}
