/**
 * What only a person can decide: entries that others were quicker than, or that the service does not take; what another
 * login left on this device; and what was thrown away. Nothing is lost without having been shown here.
 */

import { el } from "../core/dom.js";
import { outbox } from "../core/outbox.js";
import { formatDealEnd, formatResultEntry, findErrorMessage } from "../core/deal-text.js";

const BLOCKED_STATES = ["conflict", "refused"];

export class PendingDecisions {
  /** `onAmend(entry)` takes what waits into the form; the log of the page is `parts.log`. */
  constructor({ evening, words, parts, onAmend }) {
    Object.assign(this, { evening, words, onAmend });
    this.root = el("div", { class: "decisions" });
    this.discardedPart = el("div", { class: "discarded-entries" });
    parts.log.after(this.discardedPart);
    this.drawnState = null;
  }

  draw() {
    const blocked = this.evening.queuedEntries.filter((entry) => BLOCKED_STATES.includes(entry.state));
    const held = this.evening.queuedEntries.filter((entry) => entry.state === "held");
    const foreign = this.evening.filterOwnEntries(outbox.listForeign());
    const dropped = this.evening.filterOwnEntries(outbox.listDropped());
    const drawState = JSON.stringify([blocked, held, foreign, dropped].map((list) => list.map(({ id, state, between, problem }) => [id, state, between?.version, problem?.detail])).concat(this.listInterveningTexts(blocked)));
    // What is asked stands still under the finger that answers.
    if (drawState === this.drawnState) return;
    this.drawnState = drawState;
    this.root.replaceChildren(...(held.length ? [this.buildHeldSection(held)] : []), ...blocked.map((entry) => this.buildQuestion(entry)), ...(foreign.length ? [this.buildForeignSection(foreign)] : []));
    this.discardedPart.replaceChildren(...(dropped.length ? this.buildDiscardedList(dropped) : []));
  }

  listInterveningTexts(blocked) {
    return blocked.flatMap((entry) => (entry.between?.events ?? []).map((event) => this.formatOtherEvent(event)));
  }

  buildQuestion(entry) {
    const { offline } = this.words;
    const conflict = entry.state === "conflict";
    const heading = conflict ? offline.overtaken(this.entryTitle(entry)) : offline.refused(this.entryTitle(entry));
    const reason = conflict
      ? [el("p", { class: "muted", text: offline.theyWrote }), el("ul", {}, ...entry.between.events.map((event) => el("li", { text: this.formatOtherEvent(event) })))]
      : [this.buildRefusal(entry.problem ?? {})];
    return el("section", { class: "decision", role: "alert", "data-entry": entry.id },
      el("h2", { text: heading }), ...reason, el("p", { class: "muted", text: offline.youWrote }), el("p", { class: "decision-entry", text: this.formatEntry(entry) }),
      el("div", { class: "choices" },
        this.buildChoice(conflict ? offline.again : offline.retry, () => outbox.resend(entry.id)),
        entry.context?.result ? this.buildChoice(offline.amend, () => this.onAmend(entry)) : null,
        this.buildChoice(offline.drop, () => outbox.drop(entry.id))));
  }

  /** Why the service did not take it: in the page's words, or else in its own, which are English but for findings. */
  buildRefusal({ type, status, detail = "", findings }) {
    const pageMessage = findErrorMessage(this.words, { type, status });
    return el("p", { lang: pageMessage || findings ? null : "en", text: pageMessage ?? detail });
  }

  /** What waits for a link that holds. */
  buildHeldSection(entries) {
    const { offline } = this.words;
    return el("section", { class: "decision", role: "alert" },
      el("h2", { text: offline.held }), el("ul", {}, ...entries.map((entry) => el("li", { text: this.formatEntry(entry) }))), el("p", { text: offline.heldHow(entries.length) }));
  }

  /** What waits of another login: shown to users who may write here, and sent only when they say so. */
  buildForeignSection(entries) {
    const { offline } = this.words;
    const ids = entries.map((entry) => entry.id);
    return el("section", { class: "decision" },
      el("h2", { text: offline.foreign(entries.length) }), el("ul", {}, ...entries.map((entry) => el("li", { text: this.formatEntry(entry) }))),
      el("div", { class: "choices" }, this.buildChoice(offline.adopt, () => outbox.adoptForeign(ids)), this.buildChoice(offline.drop, () => outbox.discardForeign(ids))));
  }

  buildDiscardedList(entries) {
    const { offline } = this.words;
    return [
      el("h3", { text: offline.thrown }), el("ul", {}, ...entries.map((entry) => el("li", {}, el("s", { text: this.formatEntry(entry) })))),
      el("button", { type: "button", class: "button", text: offline.clear, on: { click: () => outbox.clearDropped(entries.map((entry) => entry.id)) } }),
    ];
  }

  buildChoice(text, act) {
    return el("button", { type: "button", class: "choice", text, on: { click: act } });
  }

  // In words

  entryTitle({ context }) {
    return context?.number ? this.words.slip.deal(context.number) : this.words.offline.entry;
  }

  formatEntry({ context, events }) {
    const { words } = this;
    const dealTitle = context?.number ? `${words.slip.deal(context.number)}. ` : "";
    if (context?.result) return dealTitle + formatResultEntry(this.evening, words, context.result, context.seating);
    if (context?.kind === "struck") return `${dealTitle}${words.slip.strike}: ${context.reason}`;
    if (context?.kind === "restored") return dealTitle + words.log.restore;
    if (context?.kind === "closed") return words.slip.end;
    return dealTitle + words.offline.entries(events.length);
  }

  /** What somebody else wrote, as one line. */
  formatOtherEvent(event) {
    const { words, evening } = this;
    const deals = evening.listDeals();
    const deal = deals.find((one) => one.deal === event.deal);
    if (deal) return `${words.slip.deal(deal.number)}. ${formatDealEnd(evening, words, deal)}`;
    if (event.type === "deal_started") return words.slip.deal(event.number);
    if (event.type === "result_recorded") return formatResultEntry(evening, words, event, deals.find((one) => one.results.some((result) => result.event.id === event.id))?.opening?.players);
    if (event.type === "correction_made") return words.log.because(event.reason);
    const formatKnown = words.offline.wrote[event.type];
    return formatKnown ? formatKnown(evening.displayName(event.player ?? event.from ?? "")) : words.offline.wroteElse;
  }
}
