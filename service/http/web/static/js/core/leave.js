/**
 * Logging out: the session ends, what this device keeps for it goes, and the page is asked for again as everybody sees
 * it. Who has written something that is not sent yet is asked first.
 */

import { forgetKept, sessionHere } from "./session.js";

async function leave(button, said) {
  said.setAttribute("role", "alert");
  const module = await import("./outbox.js").catch(() => null);
  // Without a network not even that may be here.
  if (!module) {
    said.textContent = said.dataset.leaveFailed;
    return;
  }
  const { outbox } = module;
  await outbox.ready;
  if (outbox.queued().length && said.textContent !== said.dataset.leaveWaiting) {
    said.textContent = said.dataset.leaveWaiting;
    button.textContent = button.dataset.leaveAnyway;
    return;
  }
  try {
    const answer = await fetch(button.dataset.leave, { method: "DELETE" });
    if (!answer.ok) return;
  } catch {
    said.textContent = said.dataset.leaveFailed;
    return;
  }
  const { dropDrafts } = await import("./drafts.js");
  dropDrafts();
  await Promise.all([outbox.forget(), forgetKept()]);
  location.reload();
}

for (const button of document.querySelectorAll("[data-leave]")) {
  const said = document.querySelector("[data-leave-waiting]");
  button.addEventListener("click", () => leave(button, said));
  // A page that came without the service does not say whether somebody is logged in; the device knows.
  if (await sessionHere()) button.parentElement.hidden = false;
}
