// @ts-check
/**
 * The type, on a device that has not kept it yet: it is asked for once the page can be used, and told to the service by a
 * cookie when it is there; from then on pages come with it.
 */

import { whenPageReady } from "./page-ready.js";

const COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

const { type } = document.documentElement.dataset;
if (type) whenPageReady().then(() => loadFontSheet(type));

/** @param {string} address */
function loadFontSheet(address) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = address;
  sheet.addEventListener("load", async () => {
    // The page has to ask for it first: it does when it is drawn with the new sheet.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await document.fonts.ready;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store
    document.cookie = `spadille-type=kept; Path=/; SameSite=Lax; Max-Age=${COOKIE_MAX_AGE_SECONDS}${secure}`;
    delete document.documentElement.dataset.type;
  });
  document.head.append(sheet);
}
