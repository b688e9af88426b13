// @ts-check
/** A table that was opened by mistake is set aside, and counts again: written as events of the table. */

import { t } from "../core/texts.js";
import { html, useMemo, useRef, useSignal } from "../vendor/preact.js";
import { letTableCount, setTableAside } from "./table-entries.js";
import { createTableRequest } from "./table-request.js";

/** @param {{ evening: import("./evening.js").Evening }} props */
export function SetAsidePanel({ evening }) {
  const { status, run } = useMemo(() => createTableRequest(evening), []);
  const reason = useSignal("");
  const isOpen = useSignal(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));

  /** @param {Event} event */
  const setAside = async (event) => {
    event.preventDefault();
    const text = reason.value.trim();
    if (!text) {
      status.value = t("Say why.");
      field.current?.focus();
    } else if (await run("aside", (id) => setTableAside(evening, id, text), "")) {
      reason.value = "";
      isOpen.value = false;
    }
  };
  const letCount = () => run("count", (id) => letTableCount(evening, id, t("The table counts again")), "");

  return html`
    <div>
      ${
        evening.isSetAside
          ? html`<p><button type="button" class="button" onClick=${letCount}>${t("Let the table count again")}</button></p>`
          : html`
            <div class="set-aside-panel">
              <details open=${isOpen.value} onToggle=${(/** @type {any} */ event) => (isOpen.value = event.target.open)}>
                <summary>${t("Set this table aside")}</summary>
                <form class="seating-form" onSubmit=${setAside}>
                  <p class="muted">${t("For a table opened by mistake. It stays in the record, and counts in no season and for no player.")}</p>
                  <label for="aside-reason">${t("Why?")}</label>
                  <input ref=${field} type="text" id="aside-reason" maxlength="200" autocomplete="off" value=${reason.value} onInput=${(/** @type {any} */ event) => (reason.value = event.target.value)} />
                  <p><button type="submit" class="button">${t("Set it aside")}</button></p>
                </form>
              </details>
            </div>
          `
      }
      <p class="ask" role="status">${status.value}</p>
    </div>
  `;
}
