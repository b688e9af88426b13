// @ts-check
/**
 * On every page: the service worker is set up, what another login kept is forgotten, what waits in the outbox is sent, and
 * a device that can keep the pages is offered to.
 */

import { whenPageReady } from "./page-ready.js";

/** Whether there is anything to look after: a login, or what this device may have kept. Where a browser does not say, it may. */
async function mayHaveLocalData() {
  if (document.body.dataset.session) return true;
  const databases = await globalThis.indexedDB?.databases?.().catch(() => null);
  return !databases || databases.length > 0;
}

async function resumeSending() {
  if (!(await mayHaveLocalData())) return;
  const [{ currentSessionId }, { DeviceStore }] = await Promise.all([
    import("../core/device-cache.js"),
    import("../core/device-store.js"),
  ]);
  await currentSessionId();
  const waiting = await new DeviceStore("outbox").readAll();
  // Few pages write: the others send what waits, if anything does.
  if (waiting.length) await import("../core/outbox.js");
}

/** @param {HTMLElement} root */
function offerInstallation(root) {
  const now = /** @type {HTMLElement} */ (root.querySelector("[data-install-now]"));
  const how = /** @type {HTMLElement} */ (root.querySelector("[data-install-how]"));
  const show = (/** @type {HTMLElement} */ element, /** @type {boolean} */ isShown) => {
    element.hidden = !isShown;
    root.hidden = now.hidden && how.hidden;
  };
  window.addEventListener("beforeinstallprompt", (/** @type {any} */ event) => {
    event.preventDefault();
    show(now, true);
    now.onclick = async () => {
      await event.prompt();
      show(now, false);
    };
  });
  window.addEventListener("appinstalled", () => show(now, false));
  // Safari on a phone asks nobody and offers nothing: it says whether the page was opened from the home screen.
  show(how, /** @type {any} */ (navigator).standalone === false);
}

if ("serviceWorker" in navigator) {
  // After the page itself: nothing that is kept for later is to be in its way.
  whenPageReady().then(() => navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}
for (const root of document.querySelectorAll("[data-install]")) offerInstallation(/** @type {HTMLElement} */ (root));
resumeSending();
