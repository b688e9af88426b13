/** A page on which a deal stands as a column. */

import { buildPrintColumn } from "./print-column.js";
import { loadReplayDocument } from "./replay-document.js";
import { el } from "../core/dom.js";
import columnWords from "../messages/print-column.js";
import words from "../messages/replayer.js";

async function draw(root) {
  try {
    const replay = await loadReplayDocument(root.dataset.column, words);
    root.replaceChildren(...(replay.frames.length ? buildPrintColumn(replay, { rules: root.dataset.rules, words, columnWords }) : [el("p", { text: words.empty })]));
  } catch (error) {
    console.error(error);
    root.replaceChildren(el("p", { class: "column-failed" }, words.failed, " ", el("button", { type: "button", class: "button", text: words.again, on: { click: () => draw(root) } })));
  }
  root.closest("[data-waiting]")?.removeAttribute("data-waiting");
}

for (const root of document.querySelectorAll("[data-column]")) draw(root);
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
