/**
 * Pasting from a spreadsheet: shows the user what the service parsed, with what each column seems to mean. The user may
 * choose otherwise; then the rows go into the batch as text, and what was not understood stays text.
 */

import { el } from "../core/dom.js";
import { createRow } from "./batch-rows.js";

const MAX_PREVIEW_ROWS = 6;
const PLAYER_COLUMN_PREFIX = "player:";

export class PasteDialog {
  /** `onAccept(rows, shows)` takes the rows; `listPlayers` are those whose chips may stand in a column, as the ledger orders them. */
  constructor({ words, displayName, listPlayers, columns, onAccept }) {
    Object.assign(this, { words, displayName, listPlayers, columns, onAccept });
    this.title = el("h2", { id: "pasting" });
    this.body = el("div", { class: "paste-preview" });
    this.take = el("button", { type: "button", class: "button is-main", on: { click: () => this.acceptRows() } });
    const back = el("button", { type: "button", class: "button", text: words.back, on: { click: () => this.dialog.close() } });
    this.dialog = el("dialog", { class: "sharing paste-dialog", "aria-labelledby": "pasting" }, this.title, this.body, el("p", { class: "batch-dialog-actions" }, this.take, back));
    document.body.append(this.dialog);
  }

  /** Whether a text is a piece of a sheet rather than what belongs into one cell. */
  static isSheet(text) {
    const lines = text.trim().split(/\r\n|\r|\n/);
    return lines.length > 1 || text.includes("\t") || text.split(";").length > 2;
  }

  /** Shows what was pasted: `parsedPaste` as the service has it, `text` as it was. */
  open(parsedPaste) {
    this.parsedPaste = parsedPaste;
    this.meanings = parsedPaste.columns.map((column) => (column && this.isKnownColumn(column) ? column : ""));
    this.title.textContent = this.words.pasted(parsedPaste.rows.length, parsedPaste.columns.length);
    this.draw();
    this.dialog.showModal();
    (this.body.querySelector("select") ?? this.take).focus();
  }

  isKnownColumn(column) {
    return column.startsWith(PLAYER_COLUMN_PREFIX) || this.columns.includes(column);
  }

  draw() {
    const { words, parsedPaste } = this;
    const selects = parsedPaste.columns.map((_, index) => el("th", { scope: "col" }, this.buildColumnSelect(index)));
    const head = parsedPaste.head.length ? el("tr", { class: "muted" }, ...parsedPaste.columns.map((_, index) => el("td", { text: parsedPaste.head[index] ?? "" }))) : null;
    const rows = parsedPaste.rows.slice(0, MAX_PREVIEW_ROWS).map((row) => el("tr", {}, ...row.map((cell) => el("td", { text: cell }))));
    const hiddenCount = parsedPaste.rows.length - rows.length;
    const shows = this.meanings.some((one) => one.startsWith(PLAYER_COLUMN_PREFIX)) ? this.buildChipColumnsChoice() : null;
    const passedOver = parsedPaste.passed_over.length ? el("p", { class: "muted", text: words.passedOver(parsedPaste.passed_over) }) : null;
    this.take.textContent = words.takeRows(parsedPaste.rows.length);
    this.take.disabled = !parsedPaste.rows.length;
    this.body.replaceChildren(
      el("p", { class: "muted", text: parsedPaste.head.length ? words.byHead : words.byCells }),
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": words.preview },
        el("table", { class: "figures" }, el("thead", {}, el("tr", {}, ...selects)), el("tbody", {}, ...(head ? [head] : []), ...rows))),
      ...(hiddenCount > 0 ? [el("p", { class: "muted", text: words.moreRows(hiddenCount) })] : []),
      ...[shows, passedOver].filter(Boolean),
    );
  }

  buildColumnSelect(index) {
    const { words } = this;
    const label = words.column(index + 1, this.parsedPaste.head[index] ?? "");
    const choices = [
      ["", words.nothing], ...this.columns.filter((one) => one !== "paper").map((one) => [one, words.heads[one]]),
      ...this.listPlayers().map((player) => [PLAYER_COLUMN_PREFIX + player, words.chipsOf(this.displayName(player))]),
    ];
    const options = choices.map(([value, text]) => el("option", { value, text, selected: value === this.meanings[index] }));
    return el("select", { "aria-label": label, on: { change: (event) => this.setMeaning(index, event.target.value) } }, ...options);
  }

  setMeaning(index, meaning) {
    this.meanings[index] = meaning;
    const { scrollLeft } = this.body.querySelector(".wide");
    this.draw();
    this.body.querySelector(".wide").scrollLeft = scrollLeft;
    this.body.querySelectorAll("select")[index].focus();
  }

  /** Whether the players' columns are running totals, or what each deal brought. */
  buildChipColumnsChoice() {
    const { words } = this;
    this.chipColumnsShow ??= "totals";
    const choices = ["totals", "chips"].map((shows) =>
      el("label", { class: "check" }, el("input", { type: "radio", name: "shows", value: shows, checked: shows === this.chipColumnsShow, on: { change: () => (this.chipColumnsShow = shows) } }), el("span", { text: words.paperShows[shows] })),
    );
    return el("fieldset", { class: "facts" }, el("legend", { text: words.whatChips }), ...choices);
  }

  acceptRows() {
    const rows = this.parsedPaste.rows.map((cells) => {
      const row = {};
      this.meanings.forEach((meaning, index) => {
        if (!meaning || meaning.startsWith(PLAYER_COLUMN_PREFIX) || !cells[index]) return;
        row[meaning] = row[meaning] ? `${row[meaning]}${meaning === "extras" ? ", " : " "}${cells[index]}` : cells[index];
      });
      row.paper = this.formatPaper(cells);
      // What nobody took for anything stays before the eyes, to be corrected or deleted.
      if (!Object.values(row).some(Boolean)) row.contract = cells.filter(Boolean).join(" ");
      return createRow(row, cells.filter(Boolean).join(" · "));
    });
    const shows = this.meanings.some((one) => one.startsWith(PLAYER_COLUMN_PREFIX)) ? this.chipColumnsShow : null;
    this.dialog.close();
    this.onAccept(rows, shows);
  }

  /** The players' columns in the order in which paper is compared; "?" where one has none. */
  formatPaper(cells) {
    const found = this.listPlayers().map((player) => {
      const index = this.meanings.indexOf(PLAYER_COLUMN_PREFIX + player);
      return index >= 0 && cells[index] ? cells[index].replace(/\s/g, "") : "?";
    });
    return found.every((one) => one === "?") ? "" : found.join(" ");
  }
}
