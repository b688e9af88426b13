/**
 * Logging in by a link: its token stands behind the "#", is exchanged for a session, and leaves the address.
 *
 * Where another site led here, the token waits for a click. Where the browser is logged in as another person of the
 * same record, the user chooses which of the two goes on.
 */

const UNKNOWN = 401;
const CONFLICT = 409;
/** The buttons that each part of the page shows with it. */
const BUTTONS = { failed: ["again"], ask: ["open"], other: ["instead", "stay"] };

const partOf = (root, name) => root.querySelector(`[data-part="${name}"]`);

function shown(root, name) {
  const names = [name, ...(BUTTONS[name] ?? [])];
  for (const part of root.querySelectorAll("[data-part]")) part.hidden = !names.includes(part.dataset.part);
}

/** Where to go on to: a page of ours, whatever the link says. */
function onward(to) {
  const home = new URL("/tables", location.origin);
  if (!to) return home;
  const asked = new URL(to, location.origin);
  return to.startsWith("/") && asked.origin === location.origin ? asked : home;
}

async function enter(root, link, instead = false) {
  shown(root, "waiting");
  try {
    const answer = await fetch(root.dataset.enter, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(instead ? { token: link.token, instead } : { token: link.token }),
    });
    if (answer.ok) {
      // What another person wrote here and is not sent yet is not sent in this one's name.
      if (!instead) await goOn((await answer.json()).session);
      location.replace(onward(link.to));
    } else if (answer.status === CONFLICT) choose(root, await answer.json());
    else if (answer.status === UNKNOWN || answer.status === 422) shown(root, "refused");
    else shown(root, "failed");
  } catch {
    shown(root, "failed");
  }
}

/** Asks which of two persons goes on. */
function choose(root, { here, asked }) {
  const names = { here: here.map((one) => called(root, one)).join(", "), asked: called(root, asked) };
  for (const name of ["other", "instead", "stay"]) {
    const part = partOf(root, name);
    part.textContent = part.dataset.said.replace(/\{(here|asked)\}/g, (_, which) => names[which]);
  }
  shown(root, "other");
}

/** What somebody is called: the name and the seat, as far as there are such. */
function called(root, { name, seat }) {
  const place = seat ? root.dataset[seat] : "";
  if (name && place) return `${name} (${place})`;
  return name || place || root.dataset.somebody;
}

/** A login that was there already goes on in the new one, and so does what it wrote and is not sent yet. */
async function goOn(session) {
  const before = document.body.dataset.session;
  if (!before || !session) return;
  const { outbox } = await import("./outbox.js");
  await outbox.ready;
  await outbox.renamed(before, session);
}

function start(root, asks) {
  const said = new URLSearchParams(location.hash.slice(1));
  const link = { token: said.get("token"), to: said.get("to") };
  // At once: no history, no bookmark and no look over the shoulder is to find it.
  history.replaceState(null, "", location.pathname + location.search);
  if (!link.token) return shown(root, "none");
  partOf(root, "again").onclick = () => enter(root, link);
  partOf(root, "open").onclick = () => enter(root, link);
  partOf(root, "instead").onclick = () => enter(root, link, true);
  partOf(root, "stay").onclick = () => location.replace(onward(link.to));
  return asks ? shown(root, "ask") : enter(root, link);
}

for (const root of document.querySelectorAll("[data-enter]")) {
  start(root, "asks" in root.dataset);
  // A new "#" in a page that is open comes with no request: nothing says which site put it there.
  window.addEventListener("hashchange", () => location.hash && start(root, true));
}
