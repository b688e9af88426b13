/** What has been entered, the latest first, with what was struck out: each entry can be corrected. */

import { entriesOf } from "./corrections.js";
import { el } from "../core/dom.js";
import { told, withdrawnTold } from "./record-notices.js";

/** What stands in no list of acts: the opening says who plays, a closing that it is over. */
const UNLISTED = new Set(["deal_opened"]);

export class EntryLog {
  /** `mend({frame, before})` begins a correction; null where nobody may. */
  constructor({ record, words, mend }) {
    Object.assign(this, { record, words, mend });
    this.list = el("ol", { class: "entry-list" });
    this.root = el("details", { class: "side-part entries", on: { toggle: () => this.draw() } }, el("summary", {}, el("h2", { text: words.record.logHeading })), this.list);
    this.shown = null;
    record.addEventListener("change", () => this.draw());
  }

  /** Reads the entries anew where they are looked at. */
  async draw() {
    const { version } = this.record;
    if (!this.root.open || this.shown === version) return;
    this.shown = version;
    const replay = await this.record.replay().catch(() => null);
    if (!replay || version !== this.record.version) {
      this.shown = null;
      return;
    }
    this.list.replaceChildren(...this.standing(replay.frames).reverse(), ...this.struck());
  }

  standing(frames) {
    return frames.map((frame, place) => ({ frame, before: frames[place - 1] ?? null })).filter(({ frame }) => !UNLISTED.has(frame.event.type)).map(({ frame, before }) => this.item(frame, before));
  }

  item(frame, before) {
    const { words } = this;
    const { event, state } = frame;
    const withdrawn = withdrawnTold(event, this.record, state, words);
    const sentence = words.upper(words.sentence(event.type, { event, state, withdrawn }));
    const button = this.mend
      ? el("button", { type: "button", class: "worded mend", "aria-label": words.record.mendEntry(sentence), text: words.record.mend, on: { click: () => this.mend({ frame, before, sentence }) } })
      : null;
    return el("li", { class: "entry-item", "data-entry": frame.seq }, el("span", { class: "entry-number", text: String(frame.seq) }), el("span", { class: "entry-told", text: sentence }), button);
  }

  struck() {
    const state = this.record.now.state;
    return entriesOf(this.record.entries)
      .filter(({ undone }) => undone)
      .map(({ event, undone }) => el("li", { class: "entry-item is-struck" }, el("span", { class: "entry-number" }), el("span", { class: "entry-told" }, el("s", { text: told(this.record.called(event), state, this.words) }), " ", el("i", { class: "quiet", text: this.words.log.because(undone.reason) }))));
  }
}
