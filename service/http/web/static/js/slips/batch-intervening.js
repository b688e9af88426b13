/** What others wrote at the table while a batch was typed: shown to the person typing, who decides how to continue. */

import { el } from "../core/dom.js";
import { listEntries } from "../core/corrections.js";
import { formatDealEnd } from "../core/deal-text.js";

export class InterveningEntries {
  /** `onContinue` is called when it was seen; `getOwnDealIds()` has the ids of the deals of this batch. */
  constructor({ evening, words, common, onContinue, getOwnDealIds }) {
    Object.assign(this, { evening, words, common, getOwnDealIds });
    this.list = el("ul");
    this.button = el("button", { type: "button", class: "button is-main", text: words.goOn, on: { click: onContinue } });
    this.root = el("section", { class: "batch-intervening", role: "alert", hidden: true }, el("h2", { text: words.meanwhile }), this.list, el("p", { text: words.meanwhileAsk }), el("p", {}, this.button));
  }

  /** Whether there is something not seen yet. */
  get isPending() {
    return !this.root.hidden;
  }

  /** Shows what came after the version `baseVersion`, except the deals of this batch. */
  draw(baseVersion, arrivedDealIds) {
    const ownDealIds = new Set([...this.getOwnDealIds(), ...arrivedDealIds]);
    const later = listEntries(this.evening.logWithQueued(this.evening.table)).filter((entry) => Number.parseInt(entry.address, 10) > baseVersion);
    const otherEntries = later.filter(({ event }) => !ownDealIds.has(event.deal));
    const lines = otherEntries.map(({ event }) => this.formatEntry(event));
    this.root.hidden = !lines.length;
    this.list.replaceChildren(...lines.map((text) => el("li", { text })));
  }

  formatEntry(event) {
    const { words, evening } = this;
    if (event.type !== "deal_started") return words.entry(event.type, event.player ? evening.displayName(event.player) : "");
    const deal = evening.listDeals().find((one) => one.deal === event.deal);
    const end = deal ? formatDealEnd(evening, this.common, deal) : "";
    return words.theirDeal(event.number, end);
  }
}
