/**
 * What only a person can decide: entries that others were quicker than, or that the service does not take; what another
 * login left on this device; and what was thrown away. Nothing is lost without having been shown here.
 */

import { el } from "../core/dom.js";
import { outbox } from "../core/outbox.js";
import { endOf, entryTold, knownRefusal } from "../core/told.js";

const STUCK = ["conflict", "refused"];

export class Decisions {
  /** `mend(entry)` takes what waits into the form; the log of the page is `parts.log`. */
  constructor({ evening, words, parts, mend }) {
    Object.assign(this, { evening, words, mend });
    this.root = el("div", { class: "decisions" });
    this.thrown = el("div", { class: "thrown" });
    parts.log.after(this.thrown);
    this.drawn = null;
  }

  draw() {
    const stuck = this.evening.queued.filter((entry) => STUCK.includes(entry.state));
    const held = this.evening.queued.filter((entry) => entry.state === "held");
    const foreign = this.evening.own(outbox.foreign());
    const dropped = this.evening.own(outbox.dropped());
    const told = JSON.stringify([stuck, held, foreign, dropped].map((list) => list.map(({ id, state, between, problem }) => [id, state, between?.version, problem?.detail])).concat(this.between(stuck)));
    // What is asked stands still under the finger that answers.
    if (told === this.drawn) return;
    this.drawn = told;
    this.root.replaceChildren(...(held.length ? [this.barred(held)] : []), ...stuck.map((entry) => this.question(entry)), ...(foreign.length ? [this.left(foreign)] : []));
    this.thrown.replaceChildren(...(dropped.length ? this.gone(dropped) : []));
  }

  between(stuck) {
    return stuck.flatMap((entry) => (entry.between?.events ?? []).map((event) => this.wrote(event)));
  }

  question(entry) {
    const { offline } = this.words;
    const conflict = entry.state === "conflict";
    const heading = conflict ? offline.overtaken(this.whatOf(entry)) : offline.refused(this.whatOf(entry));
    const why = conflict
      ? [el("p", { class: "quiet", text: offline.theyWrote }), el("ul", {}, ...entry.between.events.map((event) => el("li", { text: this.wrote(event) })))]
      : [this.refusal(entry.problem ?? {})];
    return el("section", { class: "decision", role: "alert", "data-entry": entry.id },
      el("h2", { text: heading }), ...why, el("p", { class: "quiet", text: offline.youWrote }), el("p", { class: "decision-own", text: this.toldOf(entry) }),
      el("div", { class: "choices" },
        this.way(conflict ? offline.again : offline.retry, () => outbox.again(entry.id)),
        entry.told?.result ? this.way(offline.amend, () => this.mend(entry)) : null,
        this.way(offline.drop, () => outbox.drop(entry.id))));
  }

  /** Why the service did not take it: in the page's words, or else in its own, which are English but for findings. */
  refusal({ type, status, detail = "", findings }) {
    const known = knownRefusal(this.words, { type, status });
    return el("p", { lang: known || findings ? null : "en", text: known ?? detail });
  }

  /** What waits for a link that holds. */
  barred(entries) {
    const { offline } = this.words;
    return el("section", { class: "decision", role: "alert" },
      el("h2", { text: offline.held }), el("ul", {}, ...entries.map((entry) => el("li", { text: this.toldOf(entry) }))), el("p", { text: offline.heldHow(entries.length) }));
  }

  /** What waits of another login: shown to who may write here, and sent only when he says so. */
  left(entries) {
    const { offline } = this.words;
    const ids = entries.map((entry) => entry.id);
    return el("section", { class: "decision" },
      el("h2", { text: offline.foreign(entries.length) }), el("ul", {}, ...entries.map((entry) => el("li", { text: this.toldOf(entry) }))),
      el("div", { class: "choices" }, this.way(offline.adopt, () => outbox.adopt(ids)), this.way(offline.drop, () => outbox.disown(ids))));
  }

  gone(entries) {
    const { offline } = this.words;
    return [
      el("h3", { text: offline.thrown }), el("ul", {}, ...entries.map((entry) => el("li", {}, el("s", { text: this.toldOf(entry) })))),
      el("button", { type: "button", class: "worded", text: offline.clear, on: { click: () => outbox.clear(entries.map((entry) => entry.id)) } }),
    ];
  }

  way(text, act) {
    return el("button", { type: "button", class: "choice", text, on: { click: act } });
  }

  // In words

  whatOf({ told }) {
    return told?.number ? this.words.slip.deal(told.number) : this.words.offline.entry;
  }

  toldOf({ told, events }) {
    const { words } = this;
    const what = told?.number ? `${words.slip.deal(told.number)}. ` : "";
    if (told?.result) return what + entryTold(this.evening, words, told.result, told.seating);
    if (told?.kind === "struck") return `${what}${words.slip.strike}: ${told.reason}`;
    if (told?.kind === "restored") return what + words.log.restore;
    if (told?.kind === "closed") return words.slip.end;
    return what + words.offline.entries(events.length);
  }

  /** What somebody else wrote, as one line. */
  wrote(event) {
    const { words, evening } = this;
    const deals = evening.deals();
    const deal = deals.find((one) => one.deal === event.deal);
    if (deal) return `${words.slip.deal(deal.number)}. ${endOf(evening, words, deal)}`;
    if (event.type === "deal_started") return words.slip.deal(event.number);
    if (event.type === "result_recorded") return entryTold(evening, words, event, deals.find((one) => one.results.some((result) => result.event.id === event.id))?.opening?.players);
    if (event.type === "correction_made") return words.log.because(event.reason);
    const known = words.offline.wrote[event.type];
    return known ? known(evening.called(event.player ?? event.from ?? "")) : words.offline.wroteElse;
  }
}
