/** Correcting: the last entry is removed, or an earlier one is corrected, struck out, or followed by another. */

import { el } from "../core/dom.js";
import { findFormName } from "./event-forms.js";
import { buildNotice } from "./notices.js";

/** What a player can take back at the table. */
const WITHDRAWABLE_TYPES = new Set(["bid_made", "card_played", "cards_discarded", "cards_drawn", "cards_shown", "contract_named", "trump_named", "slam_announced", "tricks_claimed", "deal_abandoned"]);

/** What is entered on a pad; all else by its form. */
const PAD_EVENT_TYPES = new Set(["bid_made", "contract_named", "trump_named", "talon_turned", "cards_discarded", "cards_drawn", "card_played"]);

/** The question whether the last entry goes: struck out as a typing error, or taken back at the table. */
export function buildUndoNotice({ entry, addresses, queuedEntry }, { words, sentence, submit, discard, onKeep }) {
  const { record: recordWords } = words;
  const strike = () => (queuedEntry ? discard(queuedEntry) : submit([{ type: "correction_made", replaces: addresses, with: [], reason: recordWords.typo }]));
  const withdraw = () => submit([...addresses].reverse().map((of) => ({ type: "action_withdrawn", of })));
  const actions = [["strike", recordWords.strikeTypo, strike]];
  if (!queuedEntry && WITHDRAWABLE_TYPES.has(entry.event.type)) actions.push(["withdraw", recordWords.takenBack, withdraw]);
  actions.push(["keep", recordWords.keep, onKeep]);
  return buildNotice("undo", recordWords.undoAsk, [el("p", { class: "notice-entry", text: sentence })], actions);
}

/** One entry that is being corrected: what is tapped meanwhile takes its place. */
export class EntryCorrection {
  /** `frame` is the entry with the state after it, `previousFrame` the one before (null for the first), `sentence` describes it. */
  constructor({ frame, previousFrame, sentence }, { words, version }) {
    Object.assign(this, { frame, sentence, words, version, insertsAfter: false, fault: "" });
    this.reason = words.slip.usualReason;
    this.point = this.buildPoint(previousFrame ?? frame);
    this.form = PAD_EVENT_TYPES.has(frame.event.type) ? null : findFormName(frame.event.type);
  }

  buildPoint({ seq, state, legal, score }) {
    return { version: this.version, point: seq, state, legal, score, findings: [] };
  }

  /** From here on taps insert entries after the entry. */
  insertAfter() {
    this.insertsAfter = true;
    this.point = this.buildPoint(this.frame);
  }

  /** The correction that puts `events` in the entry's place, or after it; null until a reason is given. */
  buildCorrection(events) {
    const reason = this.reason.trim();
    this.fault = reason ? "" : this.words.record.needsReason;
    if (!reason) return null;
    const target = this.insertsAfter ? { replaces: [], after: this.frame.seq } : { replaces: [this.frame.seq] };
    return { type: "correction_made", ...target, with: events, reason };
  }

  /** What is being corrected, and why, with the ways to do it. */
  buildNotice({ strike, insert, open, stop }) {
    const { words } = this;
    const { record: recordWords } = words;
    const field = el("input", { type: "text", id: "why", maxlength: "200", autocomplete: "off", value: this.reason, on: { input: () => (this.reason = field.value) } });
    const actions = this.insertsAfter ? [] : [["strike", recordWords.strike, strike], ["insert", recordWords.insert, insert]];
    if (this.form && !this.insertsAfter) actions.unshift(["form", recordWords.correct, () => open(this.form, this.frame.event)]);
    actions.push(["stop", recordWords.stopCorrecting, stop]);
    return buildNotice("correcting", recordWords.correcting, [
      el("p", { class: "notice-entry", text: this.sentence }),
      el("div", { class: "pad-field" }, el("label", { for: "why", text: recordWords.reason }), field),
      ...(this.fault ? [el("p", { class: "ask", role: "alert", text: this.fault })] : []),
      el("p", { class: "muted", text: this.insertsAfter ? recordWords.insertHow : recordWords.correctHow }),
    ], actions);
  }
}
