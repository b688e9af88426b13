// @ts-check
/** What surrounds the grid of a batch: what others wrote meanwhile, pasting, the bar with its buttons, and the keys. */

import { formatDealEnd } from "../core/deal-text.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, useEffect, useRef } from "../vendor/preact.js";
import { BatchGrid } from "./batch-grid.js";
import { PAPER_SHOWS, PasteDialog } from "./batch-paste-dialog.js";
import { formatDifferences, Verdict } from "./batch-row-text.js";
import { isBlankRow } from "./batch-rows.js";

/** @typedef {import("./slip-batch.js").SlipBatch} SlipBatch */

/** @type {Record<string, (name: string) => string>} */
const ENTRY_TEXTS = {
  player_joined: (name) => t("{name} has come to the table.", { name }),
  player_left: (name) => t("{name} has left the table.", { name }),
  seats_set: () => t("The seats at the table were changed."),
  payment_made: () => t("A payment outside the deals was written down."),
  penalty_given: () => t("Penalty points were written down."),
  table_closed: () => t("The table was closed."),
  table_voided: () => t("The table was set aside."),
};
/** The buttons of a row by their commands: what they are called, and what they do. */
const TOOLS = {
  copyAbove: [t("As above"), t("Copy the row above (Ctrl+D)")],
  insert: [t("Insert"), t("Insert a row here (Ctrl+Enter)")],
  remove: [t("Delete"), t("Delete the row (Ctrl+Delete)")],
  undo: [t("Undo"), t("Undo (Ctrl+Z)")],
};
const KEYS = [
  [t("Enter"), t("the next row: after Tab, the cell where the row was begun; with Shift, the row before")],
  [t("Tab"), t("the next cell; at the end of a row, the next row")],
  ["↑ ↓ ← →", t("the cell to the left or right; further left also who sits out, dealer, number and mark")],
  [t("Alt+↓"), t("everything the cell can hold")],
  [t("Space"), t("on the mark: write the row down, or not yet")],
  [t("F2"), t("edit the cell")],
  [t("Esc"), t("undo the edit")],
  [t("Ctrl+D"), t("copy the row above")],
  [t("Ctrl+Enter"), t("insert a row here")],
  [t("Ctrl+Delete"), t("delete the row")],
  [t("Ctrl+Z, Ctrl+Y"), t("undo, redo")],
  [t("Ctrl+Home, Ctrl+End"), t("the first and the last row")],
  [t("Ctrl+S"), t("write it down")],
];

/** An entry of the table's log in a line. @param {import("../evening/evening.js").Evening} evening @param {any} event */
export function formatEntry(evening, event) {
  if (event.type !== "deal_started") {
    const name = event.player ? evening.displayName(event.player) : "";
    return ENTRY_TEXTS[event.type]?.(name) ?? t("The table’s log was corrected.");
  }
  const deal = evening.listDeals().find((one) => one.deal === event.deal);
  const end = deal ? formatDealEnd(evening, words, deal) : "";
  return words.slip.deal(event.number) + (end ? `: ${end}` : "");
}

/** @param {{ batch: SlipBatch }} props */
export function BatchPage({ batch }) {
  const { cells, paste, paperShows } = batch;
  const { row } = cells;
  const reading = row && batch.readingWhileTyping(row, cells.typedColumn(row));
  const start = batch.evening.isClosed
    ? t("The table is closed. To write more deals, open it again on the slip.")
    : t("A letter or two is enough. In Contract, “so h Bo 5” means: solo in hearts, Bo took 5 tricks.");
  return html`
    <${Intervening} batch=${batch} />
    <p class="muted batch-draft-note">${t("The batch is stored on this device until you write it down or log out. Others see it only after you write it down.")}</p>
    <${PasteField} batch=${batch} />
    <${BatchGrid} batch=${batch} />
    <div class="bar batch-bar">
      <p ref=${batch.statusLine} class="status" role="status">${batch.status.value}</p>
      <p class="batch-verdict" aria-live="polite">${reading ? html`<${Verdict} batch=${batch} reading=${reading} />` : start}</p>
      <div class="batch-bar-actions">
        <div class="batch-tools" role="toolbar" aria-label=${t("The row")}>
          ${Object.entries(TOOLS).map(
            ([command, [text, title]]) => html`
              <button type="button" class="button batch-tool" data-tool=${command} title=${title}
                onPointerDown=${(/** @type {Event} */ event) => event.preventDefault()} onClick=${() => batch.runAtFocusedRow(command)}>${text}</button>
            `,
          )}
        </div>
        <${SendButton} batch=${batch} />
      </div>
    </div>
    <${FirstDifference} batch=${batch} />
    <p class="batch-compare">
      <label for="paper-shows">${t("The cell Paper is compared with")}</label>
      <select id="paper-shows" value=${paperShows.value} onChange=${(/** @type {any} */ { target }) => batch.setPaperShows(target.value)}>
        ${Object.entries(PAPER_SHOWS).map(([value, text]) => html`<option value=${value}>${text}</option>`)}
      </select>
    </p>
    <details class="batch-keys">
      <summary>${t("Keys")}</summary>
      <dl>${KEYS.map(([key, does]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
    </details>
    ${batch.rows.filledCount > 0 && html`<${ClearButton} batch=${batch} />`}
    ${paste.value && html`<${PasteDialog} batch=${batch} parsed=${paste.value.parsed} onClose=${() => (paste.value = null)} />`}
  `;
}

/** What others wrote while the batch was typed: the person typing decides how to continue. @param {{ batch: SlipBatch }} props */
function Intervening({ batch }) {
  const entries = batch.interveningEntries;
  if (!entries.length) return null;
  return html`
    <section class="batch-intervening" role="alert">
      <h2>${t("Meanwhile something else was written at the table")}</h2>
      <ul>${entries.map((text) => html`<li>${text}</li>`)}</ul>
      <p>${t("If some of these are in your batch too, delete them there. The rest of the batch follows them, with new numbers and dealers.")}</p>
      <p><button type="button" class="button is-main" onClick=${() => batch.acceptInterveningEntries()}>${t("Seen: continue after them")}</button></p>
    </section>
  `;
}

/** @param {{ batch: SlipBatch }} props */
function PasteField({ batch }) {
  const { isPasteOpen: isOpen, pasteText: text } = batch;
  return html`
    <details class="batch-paste" open=${isOpen.value} onToggle=${(/** @type {any} */ { target }) => (isOpen.value = target.open)}>
      <summary>${t("Paste from a spreadsheet")}</summary>
      <label for="to-paste">${t("Rows of a spreadsheet, with or without headings. You can also paste them straight into a cell.")}</label>
      <textarea rows="3" id="to-paste" placeholder=${t("No; declarer; contract; suit; tricks …")} value=${text.value}
        onInput=${(/** @type {any} */ { target }) => (text.value = target.value)} onPaste=${(/** @type {any} */ event) => batch.handlePaste(event)}></textarea>
      <p><button type="button" class="button" onClick=${() => batch.parsePaste(text.value)}>${t("Read it")}</button></p>
    </details>
  `;
}

/** @param {{ batch: SlipBatch }} props */
function SendButton({ batch }) {
  const { rows, pendingSend } = batch;
  const ready = batch.listSendableRows();
  const doubts = batch.countDoubtful(ready);
  const isIntervening = batch.interveningEntries.length > 0;
  const isLater = batch.isServiceUnreachable.value && rows.filledCount > 0 && !isIntervening;
  const isBusy = batch.isSending.value || isIntervening || !batch.isRead;
  const isDisabled = isLater ? pendingSend.value !== null : isBusy || !ready.length;
  const left = rows.rows.filter((row) => !isBlankRow(row)).length - ready.length;
  const later = pendingSend.value
    ? t("Is written down when the network is back")
    : t("Write it down when the network is back");
  return html`<button type="button" class="confirm ${!isLater && doubts ? "is-doubtful" : ""}" aria-disabled=${isDisabled} onClick=${() => batch.send()}>
    ${isLater ? later : formatSend(ready.length, left, doubts)}
  </button>`;
}

/** @param {number} n @param {number} left @param {number} doubts */
function formatSend(n, left, doubts) {
  if (!n) return tc("slip-batch", "Write it down");
  const question = doubts === 1 ? t("1 with a question") : t("{n} with questions", { n: doubts });
  const all = n === 1 ? t("Write the deal down") : t("Write all {n} down", { n });
  const some = n === 1 ? t("Write down the one that is ready") : t("Write down the {n} that are ready", { n });
  return (left ? some : all) + (doubts ? ` (${question})` : "");
}

/** @param {{ batch: SlipBatch }} props */
function FirstDifference({ batch }) {
  const row = batch.firstDifference;
  const reading = row && batch.readingOf(row);
  const what = reading && formatDifferences(batch, reading);
  const goThere = () => row && batch.cells.focusCell(batch.rows.rows.indexOf(row), "paper");
  return html`<p class="batch-first-difference" role="status">
    ${
      reading &&
      html`
        <span>${t("The paper first differs at deal {n}: {what}.", { n: reading.number, what })}</span>
        <button type="button" class="button" onClick=${goThere}>${t("Go there")}</button>
      `
    }
  </p>`;
}

/** @param {{ batch: SlipBatch }} props */
function ClearButton({ batch }) {
  const { isClearing } = batch;
  const yes = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => yes.current?.focus(), [isClearing.value]);
  if (!isClearing.value)
    return html`<p class="end-actions"><button key="ask" type="button" class="button" onClick=${() => (isClearing.value = true)}>${t("Throw the batch away")}</button></p>`;
  return html`
    <p class="end-actions">
      ${t("Throw the whole batch away?")}${" "}
      <button key="yes" ref=${yes} type="button" class="button is-main" onClick=${() => batch.clearRows()}>${t("Yes, throw it away")}</button>${" "}
      <button type="button" class="button" onClick=${() => (isClearing.value = false)}>${t("Cancel")}</button>
    </p>
  `;
}
