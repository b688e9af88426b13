/**
 * A half-filled slip, kept on this device for this login: after loading the page again, or correcting another deal first,
 * the user continues where they were. It is deleted when the slip is written down, and at logout.
 */

import { emptyFacts } from "./slip-facts.js";
import { deleteCached, writeCached, readCached } from "../core/device-cache.js";

/** The number of tables whose slips are kept: the latest ones. */
const MAX_DRAFTS = 12;
/** Milliseconds between a tap and the saving: the tap is answered first. */
const SAVE_DELAY_MS = 40;

const draftKey = (table) => `slip ${table}`;
const isSlipDraft = (one) => Boolean(one.slip);

/** The slip of a table's next deal as far as it is filled in; it belongs to this deal only. */
export class SlipDraft {
  /** `cached` is what this device has of it, as `readSlipDraft` reads it. */
  constructor(table, cached) {
    this.table = table;
    this.draft = cached;
    this.timer = null;
    // A phone may never come back to a page that it leaves.
    document.addEventListener("visibilitychange", () => document.hidden && this.timer && this.save());
  }

  /** What is filled in for `nextDeal`; nothing where it was another's. */
  factsFor(nextDeal) {
    const { draft } = this;
    return draft && nextDeal && draft.number === nextDeal.number && draft.game === nextDeal.game ? draft.facts : emptyFacts();
  }

  /** Takes what is filled in now. */
  update(nextDeal, facts) {
    const isEmpty = JSON.stringify(facts) === JSON.stringify(emptyFacts());
    this.draft = isEmpty ? null : { number: nextDeal.number, game: nextDeal.game, facts };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_DELAY_MS);
  }

  /** It is written down: nothing is left of it. */
  discard() {
    this.draft = null;
    this.save();
  }

  save() {
    clearTimeout(this.timer);
    this.timer = null;
    const key = draftKey(this.table);
    const { draft, table } = this;
    return draft ? writeCached(key, { buildContent: () => ({ slip: table, ...draft }), isSameKind: isSlipDraft, maxEntries: MAX_DRAFTS }) : deleteCached(key);
  }
}

/** What this device has of a table's slip; null where it is not begun. */
export const readSlipDraft = (table) => readCached(draftKey(table));
