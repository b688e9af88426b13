/** Where there is no network: the tables that this device keeps, and the way back to the page as soon as there is one. */

import { el } from "../core/dom.js";
import { listCachedTables } from "../evening/cached-tables.js";
import { listCachedDeals } from "../recorder/cached-deals.js";

const SEATS = ["forehand", "middlehand", "backhand"];
const root = document.querySelector("[data-slip-url]");
const part = (name) => root.querySelector(`[data-part="${name}"]`);

async function draw() {
  const tables = await listCachedTables();
  part("tables").hidden = !tables.length;
  const deals = await listCachedDeals();
  part("deals").hidden = !deals.length;
  part("none").hidden = tables.length + deals.length > 0;
  part("deal-list").replaceChildren(...deals.map(({ deal, frame, now }) =>
    el("li", {},
      el("a", { class: "contents-title", href: root.dataset.recordUrl.replace(/[0-]{36}/, deal), text: frame.heading }),
      el("p", { class: "contents-players", text: SEATS.map((seat) => now.state.players[seat]).join(" · ") })),
  ));
  part("list").replaceChildren(...tables.map(({ table, frame }) =>
    el("li", {},
      el("a", { class: "contents-title", href: root.dataset.slipUrl.replace(/[0-]{36}/, table), text: frame.title || frame.players || frame.date }),
      el("p", { class: "contents-source", text: frame.date }),
      frame.title ? el("p", { class: "contents-players", text: frame.players }) : null),
  ));
}

part("again").addEventListener("click", () => location.reload());
// A reader on the way to another page is not called back.
let isNavigating = false;
window.addEventListener("beforeunload", () => (isNavigating = true));
window.addEventListener("online", () => isNavigating || location.reload());
draw();
