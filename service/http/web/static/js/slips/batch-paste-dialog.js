// @ts-check
/**
 * Pasting from a spreadsheet: shows the user what the service parsed, with what each column seems to mean. The user may
 * choose otherwise; then the rows go into the batch as text, and what was not understood stays text.
 */

import { t } from "../core/texts.js";
import { html, useLayoutEffect, useRef, useSignal } from "../vendor/preact.js";
import { createRow, HEADS } from "./batch-rows.js";

/** @typedef {import("./slip-batch.js").SlipBatch} SlipBatch */
/** @typedef {{ columns: (string | null)[], head: string[], rows: string[][], passed_over: string[] }} ParsedPaste */

const MAX_PREVIEW_ROWS = 6;
const PLAYER_COLUMN_PREFIX = "player:";

/** What the cell Paper, or the players' columns, can hold. @type {Record<string, string>} */
export const PAPER_SHOWS = { totals: t("the totals after the deal"), chips: t("what the deal brought") };

/** Whether a text is a piece of a sheet rather than what belongs into one cell. @param {string} text */
export const isSheet = (text) => /[\n\r\t]/.test(text.trim()) || text.split(";").length > 2;

/** @param {string} meaning */
const isPlayerColumn = (meaning) => meaning.startsWith(PLAYER_COLUMN_PREFIX);

/** @param {{ batch: SlipBatch, parsed: ParsedPaste, onClose: () => void }} props */
export function PasteDialog({ batch, parsed: { columns, head, rows, passed_over: passedOver }, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const choices = [
    ["", t("not used")],
    ...batch.columns.filter((one) => one !== "paper").map((one) => [one, HEADS[one]]),
    ...batch.players.map((player) => [
      PLAYER_COLUMN_PREFIX + player,
      t("chips: {name}", { name: batch.displayName(player) }),
    ]),
  ];
  const meanings = useSignal(
    columns.map((one) => (one && (isPlayerColumn(one) || batch.columns.includes(one)) ? one : "")),
  );
  const shows = useSignal("totals");
  const hasChips = meanings.value.some(isPlayerColumn);
  const hiddenCount = Math.max(0, rows.length - MAX_PREVIEW_ROWS);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const accept = () => {
    dialog.current?.close();
    batch.insertRows(
      rows.map((cells) => buildRow(cells, meanings.value, batch.players)),
      hasChips ? shows.value : null,
    );
  };
  /** @param {number} index */
  const label = (index) => t("Column {n}", { n: index + 1 }) + (head[index] ? `, ${head[index]}` : "");
  const size = [
    rows.length === 1 ? t("1 row") : t("{rows} rows", { rows: rows.length }),
    columns.length === 1 ? t("1 column") : t("{columns} columns", { columns: columns.length }),
  ];

  return html`
    <dialog ref=${dialog} class="sharing paste-dialog" aria-labelledby="pasting" onClose=${onClose}>
      <h2 id="pasting">${size.join(", ")}</h2>
      <div class="paste-preview">
        <p class="muted">
          ${
            head.length
              ? t("The columns are read by their headings. If one is something else, choose it above the column.")
              : t("There are no headings; the columns are guessed from their contents. Correct what is wrong.")
          }
        </p>
        <div class="wide" tabindex="0" role="region" aria-label=${t("What was pasted")}>
          <table class="figures">
            <thead>
              <tr>
                ${meanings.value.map(
                  (meaning, index) => html`
                    <th scope="col">
                      <select aria-label=${label(index)} autofocus=${index === 0} value=${meaning}
                        onChange=${(/** @type {any} */ { target }) => (meanings.value = meanings.value.with(index, target.value))}>
                        ${choices.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
                      </select>
                    </th>
                  `,
                )}
              </tr>
            </thead>
            <tbody>
              ${head.length > 0 && html`<tr class="muted">${columns.map((_, index) => html`<td>${head[index]}</td>`)}</tr>`}
              ${rows.slice(0, MAX_PREVIEW_ROWS).map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
            </tbody>
          </table>
        </div>
        ${hiddenCount > 0 && html`<p class="muted">${t("… and {n} more.", { n: hiddenCount })}</p>`}
        ${
          hasChips &&
          html`
            <fieldset class="facts">
              <legend>${t("What is in the players’ columns?")}</legend>
              ${Object.entries(PAPER_SHOWS).map(
                ([value, text]) => html`
                  <label class="check">
                    <input type="radio" name="shows" checked=${value === shows.value} onChange=${() => (shows.value = value)} />
                    <span>${text}</span>
                  </label>
                `,
              )}
            </fieldset>
          `
        }
        ${
          passedOver.length > 0 &&
          html`<p class="muted">${t("Left out, because it adds up the others: {rows}", { rows: passedOver.join("; ") })}</p>`
        }
      </div>
      <p class="batch-dialog-actions">
        <button type="button" class="button is-main" disabled=${!rows.length} onClick=${accept}>
          ${rows.length === 1 ? t("Insert the row") : t("Insert the {n} rows", { n: rows.length })}
        </button>
        <button type="button" class="button" onClick=${() => dialog.current?.close()}>${t("Cancel")}</button>
      </p>
    </dialog>
  `;
}

/** A row with the cells that the columns mean. @param {string[]} texts @param {string[]} meanings @param {string[]} players */
function buildRow(texts, meanings, players) {
  /** @type {Record<string, string>} */
  const cells = {};
  meanings.forEach((meaning, index) => {
    if (!meaning || isPlayerColumn(meaning) || !texts[index]) return;
    const separator = meaning === "extras" ? ", " : " ";
    cells[meaning] = cells[meaning] ? cells[meaning] + separator + texts[index] : texts[index];
  });
  // The players' columns in the order in which paper is compared.
  const paper = players.map((player) => {
    const text = texts[meanings.indexOf(PLAYER_COLUMN_PREFIX + player)];
    return text ? text.replace(/\s/g, "") : "?";
  });
  if (paper.some((one) => one !== "?")) cells.paper = paper.join(" ");
  const all = texts.filter(Boolean);
  // What nobody took for anything stays before the eyes, to be corrected or deleted.
  if (!Object.keys(cells).length) cells.contract = all.join(" ");
  return createRow(cells, all.join(" · "));
}
