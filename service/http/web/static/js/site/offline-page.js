// @ts-check
/** Where there is no network: the tables that this device keeps, and the way back to the page as soon as there is one. */

import { listCachedTables } from "../evening/cached-tables.js";
import { listCachedDeals } from "../recorder/cached-deals.js";
import { html, render } from "../vendor/preact.js";

const SEATS = ["forehand", "middlehand", "backhand"];
const root = /** @type {HTMLElement} */ (document.querySelector("[data-slip-url]"));
const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));
const urlOf = (/** @type {string | undefined} */ template, /** @type {string} */ id) =>
  template?.replace(/[0-]{36}/, id);

async function draw() {
  const [tables, deals] = [await listCachedTables(), await listCachedDeals()];
  part("tables").hidden = !tables.length;
  part("deals").hidden = !deals.length;
  part("none").hidden = tables.length + deals.length > 0;
  const { recordUrl, slipUrl } = root.dataset;
  render(
    deals.map(
      ({ deal, frame, now }) => html`
        <li>
          <a class="contents-title" href=${urlOf(recordUrl, deal)}>${frame.heading}</a>
          <p class="contents-players">${SEATS.map((seat) => now.state.players[seat]).join(" · ")}</p>
        </li>
      `,
    ),
    part("deal-list"),
  );
  render(
    tables.map(
      ({ table, frame }) => html`
        <li>
          <a class="contents-title" href=${urlOf(slipUrl, table)}>${frame.title || frame.players || frame.date}</a>
          <p class="contents-source">${frame.date}</p>
          ${frame.title && html`<p class="contents-players">${frame.players}</p>`}
        </li>
      `,
    ),
    part("list"),
  );
}

part("again").addEventListener("click", () => location.reload());
// A reader on the way to another page is not called back.
let isNavigating = false;
window.addEventListener("beforeunload", () => (isNavigating = true));
window.addEventListener("online", () => isNavigating || location.reload());
draw();
