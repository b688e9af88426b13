/**
 * Pasting from a spreadsheet: what the service took apart is laid before whoever pasted it, with what each column seems to
 * mean. He may say otherwise; then the rows go into the pile, as text, and what nobody understood stays text.
 */

import { el } from "../core/dom.js";
import { blankRow } from "./pile-rows.js";

const SHOWN = 6;
const PLAYER = "player:";

export class Pasting {
  /** `put(rows, shows)` takes the rows; `players` are those whose chips may stand in a column, as the ledger orders them. */
  constructor({ words, called, players, columns, put }) {
    Object.assign(this, { words, called, players, columns, put });
    this.title = el("h2", { id: "pasting" });
    this.body = el("div", { class: "pasted" });
    this.take = el("button", { type: "button", class: "worded is-main", on: { click: () => this.accept() } });
    const back = el("button", { type: "button", class: "worded", text: words.back, on: { click: () => this.dialog.close() } });
    this.dialog = el("dialog", { class: "sharing pasting", "aria-labelledby": "pasting" }, this.title, this.body, el("p", { class: "pile-ways" }, this.take, back));
    document.body.append(this.dialog);
  }

  /** Whether a text is a piece of a sheet rather than what belongs into one cell. */
  static isSheet(text) {
    const lines = text.trim().split(/\r\n|\r|\n/);
    return lines.length > 1 || text.includes("\t") || text.split(";").length > 2;
  }

  /** Shows what was pasted: `told` as the service has it, `text` as it was. */
  open(told) {
    this.told = told;
    this.meanings = told.columns.map((column) => (column && this.offered(column) ? column : ""));
    this.title.textContent = this.words.pasted(told.rows.length, told.columns.length);
    this.draw();
    this.dialog.showModal();
    (this.body.querySelector("select") ?? this.take).focus();
  }

  offered(column) {
    return column.startsWith(PLAYER) || this.columns.includes(column);
  }

  draw() {
    const { words, told } = this;
    const selects = told.columns.map((_, place) => el("th", { scope: "col" }, this.select(place)));
    const head = told.head.length ? el("tr", { class: "quiet" }, ...told.columns.map((_, place) => el("td", { text: told.head[place] ?? "" }))) : null;
    const rows = told.rows.slice(0, SHOWN).map((row) => el("tr", {}, ...row.map((cell) => el("td", { text: cell }))));
    const more = told.rows.length - rows.length;
    const shows = this.meanings.some((one) => one.startsWith(PLAYER)) ? this.showing() : null;
    const passed = told.passed_over.length ? el("p", { class: "quiet", text: words.passedOver(told.passed_over) }) : null;
    this.take.textContent = words.takeRows(told.rows.length);
    this.take.disabled = !told.rows.length;
    this.body.replaceChildren(
      el("p", { class: "quiet", text: told.head.length ? words.byHead : words.byCells }),
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": words.preview },
        el("table", { class: "figures" }, el("thead", {}, el("tr", {}, ...selects)), el("tbody", {}, ...(head ? [head] : []), ...rows))),
      ...(more > 0 ? [el("p", { class: "quiet", text: words.moreRows(more) })] : []),
      ...[shows, passed].filter(Boolean),
    );
  }

  select(place) {
    const { words } = this;
    const label = words.column(place + 1, this.told.head[place] ?? "");
    const choices = [
      ["", words.nothing], ...this.columns.filter((one) => one !== "paper").map((one) => [one, words.heads[one]]),
      ...this.players().map((player) => [PLAYER + player, words.chipsOf(this.called(player))]),
    ];
    const options = choices.map(([value, text]) => el("option", { value, text, selected: value === this.meanings[place] }));
    return el("select", { "aria-label": label, on: { change: (event) => this.mean(place, event.target.value) } }, ...options);
  }

  mean(place, meaning) {
    this.meanings[place] = meaning;
    const { scrollLeft } = this.body.querySelector(".wide");
    this.draw();
    this.body.querySelector(".wide").scrollLeft = scrollLeft;
    this.body.querySelectorAll("select")[place].focus();
  }

  /** Whether the players' columns are running totals, or what each deal brought. */
  showing() {
    const { words } = this;
    this.shows ??= "totals";
    const ways = ["totals", "chips"].map((way) =>
      el("label", { class: "check" }, el("input", { type: "radio", name: "shows", value: way, checked: way === this.shows, on: { change: () => (this.shows = way) } }), el("span", { text: words.paperShows[way] })),
    );
    return el("fieldset", { class: "facts" }, el("legend", { text: words.whatChips }), ...ways);
  }

  accept() {
    const rows = this.told.rows.map((cells) => {
      const row = {};
      this.meanings.forEach((meaning, place) => {
        if (!meaning || meaning.startsWith(PLAYER) || !cells[place]) return;
        row[meaning] = row[meaning] ? `${row[meaning]}${meaning === "extras" ? ", " : " "}${cells[place]}` : cells[place];
      });
      row.paper = this.paperOf(cells);
      // What nobody took for anything stays before the eyes, to be mended or deleted.
      if (!Object.values(row).some(Boolean)) row.contract = cells.filter(Boolean).join(" ");
      return blankRow(row, cells.filter(Boolean).join(" · "));
    });
    const shows = this.meanings.some((one) => one.startsWith(PLAYER)) ? this.shows : null;
    this.dialog.close();
    this.put(rows, shows);
  }

  /** The players' columns in the order in which paper is compared; "?" where one has none. */
  paperOf(cells) {
    const found = this.players().map((player) => {
      const place = this.meanings.indexOf(PLAYER + player);
      return place >= 0 && cells[place] ? cells[place].replace(/\s/g, "") : "?";
    });
    return found.every((one) => one === "?") ? "" : found.join(" ");
  }
}
