/** Logging in by a link: its token stands behind the "#", is exchanged for a session, and leaves the address. */

const UNKNOWN = 401;

function shown(root, name) {
  for (const part of root.querySelectorAll("[data-part]")) {
    part.hidden = part.dataset.part !== name && !(name === "failed" && part.dataset.part === "again");
  }
}

/** Where to go on to: a page of ours, whatever the link says. */
function onward(to) {
  const home = new URL("/tables", location.origin);
  if (!to) return home;
  const asked = new URL(to, location.origin);
  return to.startsWith("/") && asked.origin === location.origin ? asked : home;
}

async function enter(root, token, to) {
  shown(root, "waiting");
  try {
    const answer = await fetch(root.dataset.enter, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) {
      await goOn((await answer.json()).session);
      location.replace(onward(to));
    }
    else if (answer.status === UNKNOWN || answer.status === 422) shown(root, "refused");
    else shown(root, "failed");
  } catch {
    shown(root, "failed");
  }
}

/** A login that was there already goes on in the new one, and so does what it wrote and is not sent yet. */
async function goOn(session) {
  const before = document.body.dataset.session;
  if (!before || !session) return;
  const { outbox } = await import("./outbox.js");
  await outbox.ready;
  await outbox.renamed(before, session);
}

function start(root) {
  const said = new URLSearchParams(location.hash.slice(1));
  const token = said.get("token");
  // At once: no history, no bookmark and no look over the shoulder is to find it.
  history.replaceState(null, "", location.pathname + location.search);
  if (!token) return shown(root, "none");
  const again = root.querySelector('[data-part="again"]');
  again.addEventListener("click", () => enter(root, token, said.get("to")));
  enter(root, token, said.get("to"));
}

for (const root of document.querySelectorAll("[data-enter]")) {
  start(root);
  window.addEventListener("hashchange", () => location.hash && start(root));
}
