// @ts-check
/** The grid of a batch: a row for every deal, cells for typing, and next to them the service's reading. */

import { formatChips } from "../core/chips.js";
import { fitStyle } from "../core/fit-text.js";
import { t } from "../core/texts.js";
import { html, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { listRowRemarks } from "./batch-row-text.js";
import { differsFromPaper, HEADS, isBlankRow, PLANNED_COLUMNS, rowState } from "./batch-rows.js";

/** @typedef {import("./slip-batch.js").SlipBatch} SlipBatch */
/** @typedef {import("./batch-rows.js").Row} Row */
/** @typedef {import("./batch-rows.js").Reading} Reading */

/** @type {Record<string, string>} */
const MARKS = { blank: "", waiting: "…", incomplete: "…", unreadable: "!", doubt: "?", ready: "✓" };

/** @param {{ batch: SlipBatch }} props */
export function BatchGrid({ batch }) {
  const { cells, columns, players } = batch;
  const { id: focusedId, column } = cells.cell.value;
  const first = batch.firstDifference;
  useLayoutEffect(() => cells.focusPending());
  /** What only one row hears of: the others are not drawn again with each letter. @param {Row} row */
  const focusOf = (row) =>
    row.id === focusedId && {
      typed: cells.typedColumn(row),
      listColumn: cells.list.value && column,
      marked: cells.list.value?.marked,
    };
  return html`
    <div ref=${cells.frame} class="batch-frame" onInput=${(/** @type {any} */ event) => cells.handleInput(event)}
      onFocusIn=${(/** @type {any} */ event) => cells.handleFocusIn(event)} onFocusOut=${() => cells.handleFocusOut()}
      onKeyDown=${(/** @type {any} */ event) => cells.handleKey(event)} onPointerDown=${() => (cells.tabColumn = null)}
      onPaste=${(/** @type {any} */ event) => batch.handlePaste(event, cells.locate(event.target)?.index)}>
      <table class="batch-table" data-players=${players.length}>
        <caption class="visually-hidden">${t("The batch: a row for every deal")}</caption>
        <thead>
          <tr>
            <th scope="col" class="of-mark"><span class="visually-hidden">${t("Ready")}</span></th>
            ${columns.slice(0, -1).map((one) => html`<th scope="col" class="of-${one}">${HEADS[one]}</th>`)}
            ${players.map((player) => {
              const name = batch.displayName(player);
              return html`<th scope="col" class="of-chips"><span class="head-cell"><span class="head-name" style=${fitStyle(name)}>${name}</span></span></th>`;
            })}
            <th scope="col" class="of-paper">${HEADS.paper}</th>
          </tr>
        </thead>
        <tbody>${batch.rows.rows.map((row, index) => html`<${BatchRow} key=${row.id} batch=${batch} row=${row} index=${index} isFirstDifference=${row === first} ...${focusOf(row)} />`)}</tbody>
      </table>
      ${cells.list.value && html`<${ChoiceList} cells=${cells} />`}
    </div>
  `;
}

/**
 * @param {object} props
 * @param {SlipBatch} props.batch
 * @param {Row} props.row
 * @param {number} props.index
 * @param {boolean} props.isFirstDifference
 * @param {string | null} [props.typed] - the column in which somebody types
 * @param {string | null} [props.listColumn] - the column below which choices are listed
 * @param {number} [props.marked] - the place of the choice that is marked there
 */
function BatchRow({ batch, row, index, isFirstDifference, typed = null, listColumn, marked }) {
  const { columns, players } = batch;
  const reading = batch.readingWhileTyping(row, typed);
  const state = rowState(row, reading);
  const number = reading?.number ?? index + 1;
  const remarks = reading && !reading.blank ? listRowRemarks(batch, reading) : [];
  const isPasteShown = row.pasted && reading && (reading.faults.length > 0 || reading.missing.length > 0);
  /** @param {string} column */
  const cell = (column) =>
    html`<td class="of-${column}" data-head=${HEADS[column]}><${CellInput} ...${{ batch, row, column, reading, number, marked: column === listColumn ? marked : undefined }} /></td>`;
  return html`
    <tr class="batch-row ${isBlankRow(row) ? "is-blank" : ""} ${isFirstDifference ? "is-first-difference" : ""}" data-row=${row.id} data-index=${index} data-state=${state}>
      <td class="of-mark">
        <label>
          <input type="checkbox" class="ready" tabindex="-1" aria-label=${t("Deal {n} is to be written down", { n: number })}
            checked=${!row.held} disabled=${state !== "ready" && state !== "doubt"} onChange=${() => batch.setHeld(row, !row.held)} />
          <span class="mark" aria-hidden="true">${MARKS[state]}</span>
        </label>
      </td>
      ${columns.slice(0, -1).map(cell)}
      ${players.map((player) => html`<${ChipsCell} key=${player} player=${player} name=${batch.displayName(player)} reading=${reading} />`)}
      ${cell("paper")}
    </tr>
    ${
      (remarks.length > 0 || isPasteShown) &&
      html`
        <tr class="batch-remarks-row">
          <td colspan=${1 + columns.length + players.length}>
            <div class="batch-remarks" id="remarks-${row.id}">
              ${remarks.map((one) => html`<p class=${one.isSerious ? "fault" : "doubt"}>${one.column && html`<b>${HEADS[one.column]}: </b>`}${one.text}</p>`)}
              ${isPasteShown && html`<p class="muted">${t("Pasted: {text}", { text: row.pasted })}</p>`}
            </div>
          </td>
        </tr>
      `
    }
  `;
}

/** @param {{ batch: SlipBatch, row: Row, column: string, reading?: Reading, number: number, marked?: number }} props */
function CellInput({ batch, row, column, reading, number, marked }) {
  const isWrong =
    reading?.faults.some((fault) => fault.column === column) || (column === "paper" && differsFromPaper(reading));
  const list = batch.listChoices(row, column) && {
    role: "combobox",
    "aria-expanded": marked !== undefined,
    "aria-controls": "pile-list",
    "aria-autocomplete": "list",
    "aria-activedescendant": marked === undefined ? null : `pile-choice-${marked}`,
  };
  // Tab goes where there is something to write; what the table knows is reached by the arrows.
  return html`
    <input type="text" data-column=${column} value=${row.cells[column]} placeholder=${plannedText(batch, column, reading)}
      autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck=${false} enterkeyhint="next"
      inputmode=${column === "number" ? "numeric" : "text"} tabindex=${PLANNED_COLUMNS.includes(column) ? "-1" : null}
      aria-label=${t("Deal {n}, {head}", { n: number, head: HEADS[column].toLowerCase() })} aria-invalid=${Boolean(isWrong)}
      aria-describedby=${isWrong ? `remarks-${row.id}` : null} ...${list} />
  `;
}

/** What the table knows of a cell that is left empty. @param {SlipBatch} batch @param {string} column @param {Reading} [reading] */
function plannedText(batch, column, reading) {
  if (!reading) return "";
  if (column === "number") return String(reading.number);
  if (column === "dealer") return batch.displayName(reading.seating.dealer);
  return column === "sits_out" ? batch.formatSittingOut(reading) : "";
}

/** What a player has after the deal, and by how much it changed. @param {{ player: string, name: string, reading?: Reading }} props */
function ChipsCell({ player, name, reading }) {
  const isPaid = reading && !reading.blank && reading.events.length > 0;
  const change = isPaid && (reading.chips[player] ? formatChips(reading.chips[player]) : "·");
  const differs = reading && player in (reading.differs ?? {});
  return html`
    <td class="of-chips ${differs ? "differs-from-paper" : ""}" data-player=${player} data-name=${name}>
      <span class="running-total">${isPaid && formatChips(reading.totals[player] ?? 0)}</span><span class="chips-change">${change}</span>
    </td>
  `;
}

/** The list below a cell: the cell keeps the focus; the list only shows what its letters can mean, and can be tapped. @param {{ cells: import("./batch-cells.js").BatchCells }} props */
function ChoiceList({ cells }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const { choices, marked } = cells.list.value ?? { choices: [], marked: 0 };
  useLayoutEffect(() => {
    if (root.current) placeAtCell(root.current, cells.frame.current);
  });
  useEffect(() => {
    const close = () => {
      cells.list.value = null;
    };
    window.addEventListener("resize", close);
    return () => window.removeEventListener("resize", close);
  }, []);
  // A finger on the list leaves the focus where it is.
  return html`
    <ul ref=${root} class="batch-choice-list" id="pile-list" role="listbox" aria-label=${t("What the letters can mean")} onPointerDown=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${choices.map(
        ({ name, short }, index) => html`
          <li id="pile-choice-${index}" role="option" aria-selected=${index === marked} onClick=${() => cells.choose(name)}>
            <span>${name}</span>${short && html`<span class="muted">${short}</span>`}
          </li>
        `,
      )}
    </ul>
  `;
}

/** Below the cell that has the focus, or above it where the bar at the foot of the screen would lie over the list. @param {HTMLElement} list @param {HTMLElement} frame */
function placeAtCell(list, frame) {
  const outer = frame.getBoundingClientRect();
  const cell = /** @type {Element} */ (document.activeElement).getBoundingClientRect();
  list.style.insetInlineStart = `${Math.max(0, Math.min(cell.left - outer.left, frame.clientWidth - list.offsetWidth))}px`;
  const { offsetHeight: height } = list;
  const footer = document.querySelector(".batch-bar")?.getBoundingClientRect().top ?? window.innerHeight;
  const isAbove = cell.bottom + height + 2 > footer && cell.top > height + 2;
  list.style.top = `${isAbove ? cell.top - outer.top - height - 2 : cell.bottom - outer.top + 2}px`;
}
