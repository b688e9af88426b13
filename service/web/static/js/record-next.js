/** Where a table's next deal is begun card by card, and one that is not finished is gone on with. */

import { newId } from "./api.js";
import { el } from "./dom.js";
import { startDeal } from "./record-begin.js";
import { opened } from "./table-page.js";
import { refusalTold } from "./told.js";

const NO_DEAL = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];

class Beginning {
  constructor({ parts, evening, words, mayWrite }, told) {
    Object.assign(this, { root: parts.begin, evening, words, mayWrite, told });
    this.id = newId();
    this.fault = el("p", { class: "ask", role: "alert" });
    this.next = el("div", { class: "begin-next" });
    this.open = el("div", { class: "begin-open" });
    this.root.replaceChildren(this.next, this.fault, this.open);
    evening.addEventListener("change", () => this.draw());
    this.draw();
  }

  draw() {
    const { evening, told } = this;
    const unfinished = evening.deals().filter((deal) => !deal.struck && deal.line && !deal.line.outcome);
    const due = this.mayWrite && !evening.ledger.closed ? evening.ledger.following : [];
    this.next.replaceChildren(...due.map((one) => this.dueDeal(one)));
    const links = unfinished.map((deal) => el("li", {}, el("a", { class: "worded", href: this.address(deal.deal), text: told.goOn(deal.number) })));
    const nothing = !due.length && !links.length ? [el("p", { class: "lead", text: told.none })] : [];
    this.open.replaceChildren(...(links.length ? [el("h2", { text: told.unfinished }), el("ul", { class: "begin-list" }, ...links)] : nothing));
  }

  dueDeal({ number, seating }) {
    const { words, evening, told } = this;
    const name = (player) => evening.called(player);
    const out = (seating.sitting_out ?? []).map(name);
    const about = [seating.dealer ? words.slip.deals(name(seating.dealer)) : "", out.length ? words.slip.sitsOut(words.listed(out), out.length) : ""].filter(Boolean).join(" · ");
    const seats = SEATS.map((seat) => el("div", {}, el("dt", { text: words.seat(seat) }), el("dd", { text: name(seating[seat]) })));
    const press = el("button", { type: "button", class: "confirm", "data-begin": String(number), text: told.beginDeal(number), on: { click: () => this.begin(seating) } });
    return el("section", {}, el("h2", { class: "deal-number", text: words.slip.deal(number) }), el("p", { class: "deal-seats", text: about }), el("dl", { class: "begin-seats" }, ...seats), press);
  }

  async begin(seating) {
    if (this.sending) return;
    this.sending = true;
    try {
      location.assign(this.address(await startDeal(this.evening.table, this.id, seating)));
    } catch (refused) {
      if (refused.status === undefined) throw refused;
      this.fault.textContent = refusalTold(this.words, refused);
      if (refused.type === "stale-version") await this.evening.refresh();
    } finally {
      this.sending = false;
    }
  }

  address(deal) {
    return this.root.dataset.recordUrl.replace(NO_DEAL, deal);
  }
}

const danish = document.documentElement.lang.startsWith("da");
const { default: words } = await import(danish ? "./record-da.js" : "./record-en.js");
opened((page) => new Beginning(page, words.record));
