// @ts-check
/** A page on which a deal stands as a column. */

import words from "../messages/replayer.js";
import { html, render } from "../vendor/preact.js";
import { PrintColumn } from "./print-column.js";
import { loadReplayDocument } from "./replay-document.js";

/** @param {HTMLElement} root */
async function draw(root) {
  let content = html`
    <p class="column-failed">${words.failed} <button type="button" class="button" onClick=${() => draw(root)}>${words.again}</button></p>
  `;
  try {
    const replay = await loadReplayDocument(root.dataset.column ?? "", words);
    content = replay.frames.length
      ? html`<${PrintColumn} replay=${replay} rules=${root.dataset.rules} evening=${root.dataset.evening} />`
      : html`<p>${words.empty}</p>`;
  } catch (error) {
    console.error(error);
  }
  render(content, root);
  root.closest("[data-waiting]")?.removeAttribute("data-waiting");
}

for (const root of document.querySelectorAll("[data-column]")) draw(/** @type {HTMLElement} */ (root));
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
