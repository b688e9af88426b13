/** Where a table's next deal is begun card by card, and one that is not finished is gone on with. */

import { newId } from "../core/api.js";
import { el } from "../core/dom.js";
import { openingOf } from "../slips/entries.js";
import { beginAt, keepOpening } from "./record-begin.js";
import { opened } from "../core/table-page.js";
import { refusalTold } from "../core/told.js";

const NO_DEAL = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];

class Beginning {
  constructor({ root, parts, evening, words, mayWrite }, told) {
    Object.assign(this, { frame: root.dataset, root: parts.begin, evening, words, mayWrite, told });
    this.fault = el("p", { class: "ask", role: "alert" });
    this.next = el("div", { class: "begin-next" });
    this.open = el("div", { class: "begin-open" });
    this.root.replaceChildren(this.next, this.fault, this.open);
    evening.addEventListener("change", () => this.draw());
    this.draw();
  }

  draw() {
    const { evening, told, words } = this;
    const unfinished = evening.unfinished();
    const due = this.mayWrite && !evening.closed ? evening.following() : [];
    this.next.replaceChildren(...due.map((one) => this.dueDeal(one)));
    const links = unfinished.map((deal) => el("li", {}, el("a", { class: "worded", href: this.address(deal.deal), text: evening.closed ? words.slip.deal(deal.number) : told.goOn(deal.number) })));
    const nothing = !due.length && !links.length && !evening.closed ? [el("p", { class: "lead", text: told.none })] : [];
    const over = evening.closed ? [el("p", { class: "lead" }, words.slip.overHow, " ", this.mayWrite ? el("a", { href: this.slip, text: words.slip.reopen }) : "")] : [];
    this.open.replaceChildren(...over, ...(links.length ? [el("h2", { text: told.unfinished }), el("ul", { class: "begin-list" }, ...links)] : nothing));
  }

  dueDeal(due) {
    const { words, evening, told } = this;
    const { number, seating } = due;
    const name = (player) => evening.called(player);
    const out = (seating.sitting_out ?? []).map(name);
    const about = [seating.dealer ? words.slip.deals(name(seating.dealer)) : "", out.length ? words.slip.sitsOut(words.listed(out), out.length) : ""].filter(Boolean).join(" · ");
    const seats = SEATS.map((seat) => el("div", {}, el("dt", { text: words.seat(seat) }), el("dd", { text: name(seating[seat]) })));
    const press = el("button", { type: "button", class: "confirm", "data-begin": String(number), text: told.beginDeal(number), on: { click: () => this.begin(due) } });
    return el("section", {}, el("h2", { class: "deal-number", text: words.slip.deal(number) }), el("p", { class: "deal-seats", text: about }), el("dl", { class: "begin-seats" }, ...seats), press);
  }

  async begin({ number, seating }) {
    if (this.sending) return;
    this.sending = true;
    this.fault.textContent = "";
    const { evening } = this;
    const opening = { id: newId(), ...openingOf(seating) };
    try {
      const keep = () => this.keep(opening, number);
      await beginAt(evening.table, opening, { version: evening.version(), number, seating, reached: evening.reached, keep });
      location.assign(this.address(opening.id));
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      this.sending = false;
      this.fault.textContent = refusalTold(this.words, refused);
      await evening.refresh();
    }
  }

  keep(opening, number) {
    const { evening, words } = this;
    return keepOpening({ number, ...opening }, {
      begun: JSON.parse(this.frame.begun), called: (player) => evening.called(player), names: evening.ledger.names ?? {}, heading: words.slip.deal(number),
      data: { table: evening.table, mayOpen: "" },
    });
  }

  /** The slip of this table, where it is opened again. */
  get slip() {
    return document.querySelector(".table-nav a").href;
  }

  address(deal) {
    return this.root.dataset.recordUrl.replace(NO_DEAL, deal);
  }
}

const danish = document.documentElement.lang.startsWith("da");
const { default: words } = await import(danish ? "../messages/record-da.js" : "../messages/record-en.js");
opened((page) => new Beginning(page, words.record));
