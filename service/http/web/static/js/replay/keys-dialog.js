// @ts-check
/** The keys that step through a deal, over the page. */

import { t } from "../core/texts.js";
import { html, useEffect, useRef } from "../vendor/preact.js";

/** @import { DealView } from "./deal-view.js" */

const KEYS = [
  ["← →", t("a card back or forward")],
  ["⇧ ← →", t("a trick back or forward")],
  [t("Space"), t("play, or pause")],
  ["↑ ↓", t("a trick, on the buttons")],
  ["Home End", t("to the start or the end, on the buttons")],
  ["Esc", t("back to the deal as played")],
  ["?", t("these keys")],
];

/** @param {{ view: DealView }} props */
export function KeysDialog({ view }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const isShown = view.areKeysShown.value;
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  return html`<dialog class="keys-dialog" ref=${dialog} aria-labelledby="keys-heading" onClose=${() => (view.areKeysShown.value = false)}>
    <h2 id="keys-heading">${t("Keys")}</h2>
    <dl>${KEYS.map(([keys, what]) => html`<dt><kbd>${keys}</kbd></dt><dd>${what}</dd>`)}</dl>
    <button type="button" class="button" onClick=${() => dialog.current?.close()}>${t("Close")}</button>
  </dialog>`;
}
