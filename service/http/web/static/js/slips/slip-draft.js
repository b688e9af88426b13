/**
 * A slip that is only half filled in, kept on this device for this login: whoever loads the page anew, or corrects another
 * deal first, goes on where he was. It goes when the slip is written down, and when somebody logs out.
 */

import { blank } from "./facts.js";
import { forgetUnder, keepNow, keptUnder } from "../core/session.js";

/** So many tables' slips are kept, those that were touched last. */
const TABLES = 12;
/** So many milliseconds after a tap it is kept: the tap is answered first. */
const PAUSE = 40;

const keyOf = (table) => `slip ${table}`;
const isDraft = (one) => Boolean(one.slip);

/** The slip of a table's next deal as far as it is filled in; what is filled in belongs to one deal, and to no other. */
export class SlipDraft {
  /** `kept` is what this device has of it, as `keptDraft` reads it. */
  constructor(table, kept) {
    this.table = table;
    this.half = kept;
    this.timer = null;
    // A phone may never come back to a page that it leaves.
    document.addEventListener("visibilitychange", () => document.hidden && this.timer && this.keep());
  }

  /** What is filled in for the deal that is `due`; nothing where it was another's. */
  factsFor(due) {
    const { half } = this;
    return half && due && half.number === due.number && half.game === due.game ? half.facts : blank();
  }

  /** Takes what is filled in now. */
  take(due, facts) {
    const empty = JSON.stringify(facts) === JSON.stringify(blank());
    this.half = empty ? null : { number: due.number, game: due.game, facts };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), PAUSE);
  }

  /** It is written down: nothing is left of it. */
  done() {
    this.half = null;
    this.keep();
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = null;
    const key = keyOf(this.table);
    const { half, table } = this;
    return half ? keepNow(key, { told: () => ({ slip: table, ...half }), isOne: isDraft, most: TABLES }) : forgetUnder(key);
  }
}

/** What this device has of a table's slip; null where it is not begun. */
export const keptDraft = (table) => keptUnder(keyOf(table));
