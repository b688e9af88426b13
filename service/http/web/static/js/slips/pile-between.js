/** What others wrote at the table while a pile was typed: laid before whoever types, who then says how to go on. */

import { el } from "../core/dom.js";
import { entriesOf } from "../recorder/corrections.js";
import { endOf } from "../core/told.js";

export class Between {
  /** `goOn` is called when it was seen; `own()` has the ids of the deals of this pile. */
  constructor({ evening, words, common, goOn, own }) {
    Object.assign(this, { evening, words, common, own });
    this.list = el("ul");
    this.button = el("button", { type: "button", class: "worded is-main", text: words.goOn, on: { click: goOn } });
    this.root = el("section", { class: "pile-between", role: "alert", hidden: true }, el("h2", { text: words.meanwhile }), this.list, el("p", { text: words.meanwhileAsk }), el("p", {}, this.button));
  }

  /** Whether something stands there that was not seen yet. */
  get stands() {
    return !this.root.hidden;
  }

  /** Shows what came behind the version `base`, but for deals of this pile. */
  draw(base, arrived) {
    const own = new Set([...this.own(), ...arrived]);
    const later = entriesOf(this.evening.log(this.evening.table)).filter((entry) => Number.parseInt(entry.address, 10) > base);
    const others = later.filter(({ event }) => !own.has(event.deal));
    const lines = others.map(({ event }) => this.told(event));
    this.root.hidden = !lines.length;
    this.list.replaceChildren(...lines.map((text) => el("li", { text })));
  }

  told(event) {
    const { words, evening } = this;
    if (event.type !== "deal_started") return words.entry(event.type, event.player ? evening.called(event.player) : "");
    const deal = evening.deals().find((one) => one.deal === event.deal);
    const end = deal ? endOf(evening, this.common, deal) : "";
    return words.theirDeal(event.number, end);
  }
}
