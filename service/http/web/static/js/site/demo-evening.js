// @ts-check
/** The made-up evening with which a new club tries the pages: recorded by one tap, and set aside by one. */

import { newId, sendRequest } from "../core/api.js";
import { t } from "../core/texts.js";

/** @typedef {{ type: string, [field: string]: unknown }} EntryEvent */

/** @param {HTMLElement} offer */
function offerEvening(offer) {
  /** @type {{ table: Record<string, unknown>, deals: EntryEvent[][] }} */
  const { table, deals } = JSON.parse(offer.dataset.demo ?? "");
  // Made once: after a lost answer the same evening is sent again.
  const id = newId();
  const numbered = deals.map(([opening, ...events]) => [{ ...opening, id: newId() }, ...events]);
  onTap(offer, async () => {
    await sendRequest("POST", "/tables", { ...table, id });
    await sendRequest("POST", `/tables/${id}/slip-batches`, numbered, { version: 1 });
    location.assign((offer.dataset.sheetUrl ?? "").replace(/[0-]{36}/, id));
  });
}

/** @param {HTMLElement} offer */
function offerToSetAside(offer) {
  const path = `/tables/${offer.dataset.demoTable}`;
  const event = { type: "table_voided", id: newId(), reason: t("It was made up.") };
  onTap(offer, async () => {
    const { version } = await sendRequest("GET", path);
    await sendRequest("POST", `${path}/events`, [event], { version });
    location.reload();
  });
}

/**
 * Does something when the button of `offer` is tapped, and says if it did not work.
 * @param {HTMLElement} offer
 * @param {() => Promise<void>} act
 */
function onTap(offer, act) {
  const button = /** @type {HTMLButtonElement} */ (offer.querySelector("button"));
  const status = /** @type {HTMLElement} */ (offer.querySelector('[role="status"]'));
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "";
    try {
      await act();
    } catch (error) {
      console.error(error);
      status.textContent = t("That did not work. Try again.");
      button.disabled = false;
    }
  });
}

for (const offer of document.querySelectorAll("[data-demo]")) offerEvening(/** @type {HTMLElement} */ (offer));
for (const offer of document.querySelectorAll("[data-demo-table]")) offerToSetAside(/** @type {HTMLElement} */ (offer));
