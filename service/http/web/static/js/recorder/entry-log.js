/** What has been entered, the latest first, with what was struck out: each entry can be corrected. */

import { listEntries } from "../core/corrections.js";
import { el } from "../core/dom.js";
import { formatEntry, formatWithdrawnEntry } from "./notices.js";

export class EntryLog {
  /** `onCorrect({frame, before})` begins a correction; null where nobody may. */
  constructor({ record, words, onCorrect }) {
    Object.assign(this, { record, words, onCorrect });
    this.list = el("ol", { class: "entry-list" });
    this.root = el("details", { class: "side-part entries", on: { toggle: () => this.draw() } }, el("summary", {}, el("h2", { text: words.record.logHeading })), this.list);
    this.drawnVersion = null;
    record.addEventListener("change", () => this.draw());
  }

  /** Reads the entries again while they are shown. */
  async draw() {
    const { version } = this.record;
    if (!this.root.open || this.drawnVersion === version) return;
    this.drawnVersion = version;
    const replay = await this.record.fetchReplay().catch(() => null);
    if (!replay || version !== this.record.version) {
      this.drawnVersion = null;
      return;
    }
    this.list.replaceChildren(...this.buildStandingItems(replay.frames).reverse(), ...this.buildUndoneItems());
  }

  buildStandingItems(frames) {
    return frames.map((frame, index) => this.buildItem(frame, frames[index - 1] ?? null));
  }

  buildItem(frame, before) {
    const { words } = this;
    const { event, state } = frame;
    const withdrawn = formatWithdrawnEntry(event, this.record, state, words);
    const sentence = words.upper(words.sentence(event.type, { event, state, withdrawn }));
    const button = this.onCorrect && !event.branch
      ? el("button", { type: "button", class: "button correct-button", "aria-label": words.record.correctEntry(sentence), text: words.record.correct, on: { click: () => this.onCorrect({ frame, previousFrame: before, sentence }) } })
      : null;
    return el("li", { class: "entry-item", "data-entry": frame.seq }, el("span", { class: "entry-number", text: String(frame.seq) }), el("span", { class: "entry-text", text: sentence }), button);
  }

  buildUndoneItems() {
    const state = this.record.current.state;
    return listEntries(this.record.entries)
      .filter(({ undoneBy }) => undoneBy)
      .map(({ event, undoneBy }) => ({ event: this.record.withMemberNames(event), undoneBy }))
      .map(({ event, undoneBy }) => el("li", { class: "entry-item is-struck" }, el("span", { class: "entry-number" }), el("span", { class: "entry-text" }, el("s", { text: formatEntry(event, event.type === "deal_opened" ? event : state, this.words) }), " ", el("i", { class: "muted", text: this.words.log.because(undoneBy.reason) }))));
  }
}
