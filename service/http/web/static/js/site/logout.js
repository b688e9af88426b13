// @ts-check
/**
 * Logging out: the session ends, what this device keeps for it goes, and the page is asked for again as everybody sees
 * it. Who has written something that is not sent yet is asked first.
 */

import { clearDeviceCache, currentSessionId } from "../core/device-cache.js";

/** @param {HTMLElement} button @param {HTMLElement} messageElement */
async function logOut(button, messageElement) {
  messageElement.setAttribute("role", "alert");
  const module = await import("../core/outbox.js").catch(() => null);
  // Without a network not even that may be here.
  if (!module) {
    messageElement.textContent = messageElement.dataset.logoutFailed ?? "";
    return;
  }
  const { outbox } = module;
  await outbox.ready;
  if (outbox.listQueued().length && messageElement.textContent !== messageElement.dataset.logoutWaiting) {
    messageElement.textContent = messageElement.dataset.logoutWaiting ?? "";
    button.textContent = button.dataset.logoutAnyway ?? "";
    return;
  }
  try {
    const answer = await fetch(button.dataset.logout ?? "", { method: "DELETE" });
    if (!answer.ok) return;
  } catch {
    messageElement.textContent = messageElement.dataset.logoutFailed ?? "";
    return;
  }
  const { deleteAllDrafts } = await import("../core/drafts.js");
  deleteAllDrafts();
  await Promise.all([outbox.deleteAll(), clearDeviceCache()]);
  location.reload();
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-logout]"))) {
  const status = /** @type {HTMLElement} */ (document.querySelector("[data-logout-waiting]"));
  button.addEventListener("click", () => logOut(button, status));
  // A page that came without the service does not say whether somebody is logged in; the device knows.
  if (button.parentElement && (await currentSessionId())) button.parentElement.hidden = false;
}
