/** Where a table's next deal is begun card by card, and one that is not finished is gone on with. */

import { newId } from "../core/api.js";
import { el } from "../core/dom.js";
import { buildOpening } from "../evening/table-entries.js";
import { startTableDeal, cacheDealOpening } from "./deal-start.js";
import { openTablePage } from "../evening/table-page.js";
import { formatApiError } from "../core/deal-text.js";
import words from "../messages/recorder.js";

const PLACEHOLDER_DEAL_ID = "00000000-0000-0000-0000-000000000000";
const SEATS = ["forehand", "middlehand", "backhand"];

class NextDealPage {
  constructor({ root, parts, evening, words, mayWrite }, dealWords) {
    Object.assign(this, { frame: root.dataset, root: parts.begin, evening, words, mayWrite, dealWords });
    this.fault = el("p", { class: "ask", role: "alert" });
    this.next = el("div", { class: "deal-start-next" });
    this.open = el("div", { class: "deal-start-open" });
    this.root.replaceChildren(this.next, this.fault, this.open);
    evening.addEventListener("change", () => this.draw());
    this.draw();
  }

  draw() {
    const { evening, dealWords, words } = this;
    const unfinished = evening.listUnfinishedDeals();
    const nextDeals = this.mayWrite && !evening.isClosed ? evening.listNextDeals() : [];
    this.next.replaceChildren(...nextDeals.map((one) => this.buildNextDeal(one)));
    const links = unfinished.map((deal) => el("li", {}, el("a", { class: "button", href: this.recorderUrl(deal.deal), text: evening.isClosed ? words.slip.deal(deal.number) : dealWords.goOn(deal.number) })));
    const emptyText = !nextDeals.length && !links.length && !evening.isClosed ? [el("p", { class: "lead", text: dealWords.none })] : [];
    const over = evening.isClosed ? [el("p", { class: "lead" }, words.slip.overHow, " ", this.mayWrite ? el("a", { href: this.slipUrl, text: words.slip.reopen }) : "")] : [];
    this.open.replaceChildren(...over, ...(links.length ? [el("h2", { text: dealWords.unfinished }), el("ul", { class: "deal-start-list" }, ...links)] : emptyText));
  }

  buildNextDeal(nextDeal) {
    const { words, evening, dealWords } = this;
    const { number, seating } = nextDeal;
    const name = (player) => evening.displayName(player);
    const sittingOut = (seating.sitting_out ?? []).map(name);
    const details = [seating.dealer ? words.slip.deals(name(seating.dealer)) : "", sittingOut.length ? words.slip.sitsOut(words.listed(sittingOut), sittingOut.length) : ""].filter(Boolean).join(" · ");
    const seats = SEATS.map((seat) => el("div", {}, el("dt", { text: words.seat(seat) }), el("dd", { text: name(seating[seat]) })));
    const submitButton = el("button", { type: "button", class: "confirm", "data-begin": String(number), text: dealWords.beginDeal(number), on: { click: () => this.startDeal(nextDeal) } });
    return el("section", {}, el("h2", { class: "deal-number", text: words.slip.deal(number) }), el("p", { class: "deal-seats", text: details }), el("dl", { class: "deal-start-seats" }, ...seats), submitButton);
  }

  async startDeal({ number, seating }) {
    if (this.sending) return;
    this.sending = true;
    this.fault.textContent = "";
    const { evening } = this;
    const opening = { id: newId(), ...buildOpening(seating) };
    try {
      const keep = () => this.cacheOpening(opening, number);
      await startTableDeal(evening.table, opening, { version: evening.version(), number, seating, isReachable: evening.isReachable, cacheOpening: keep });
      location.assign(this.recorderUrl(opening.id));
    } catch (error) {
      if (error.status === undefined) throw error;
      this.sending = false;
      this.fault.textContent = formatApiError(this.words, error);
      await evening.refresh();
    }
  }

  cacheOpening(opening, number) {
    const { evening, words } = this;
    return cacheDealOpening({ number, ...opening }, {
      dealStart: JSON.parse(this.frame.begun), displayName: (player) => evening.displayName(player), names: evening.ledger.names ?? {}, heading: words.slip.deal(number),
      data: { table: evening.table, mayOpen: "" },
    });
  }

  /** The slip of this table, where it is opened again. */
  get slipUrl() {
    return document.querySelector(".table-nav a").href;
  }

  recorderUrl(deal) {
    return this.root.dataset.recordUrl.replace(PLACEHOLDER_DEAL_ID, deal);
  }
}

openTablePage((page) => new NextDealPage(page, words.record));
