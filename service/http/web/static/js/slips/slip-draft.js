// @ts-check
/**
 * A half-filled slip, kept on this device for this login: after loading the page again, or correcting another deal first,
 * the user continues where they were. It is deleted when the slip is written down, and at logout.
 */

import { deleteCached, readCached, writeCached } from "../core/device-cache.js";
import { emptyFacts } from "./slip-facts.js";

/** @typedef {import("./slip-facts.js").Facts} Facts */
/** @typedef {{ number: number, game: string | null, facts: Facts }} Draft */
/** @typedef {Pick<Draft, "number" | "game">} NextDeal */

/** The number of tables whose slips are kept: the latest ones. */
const MAX_DRAFTS = 12;
/** Milliseconds between a tap and the saving: the tap is answered first. */
const SAVE_DELAY_MS = 40;

/** @param {string} table */
const draftKey = (table) => `slip ${table}`;
/** @param {{ slip?: string }} one */
const isSlipDraft = (one) => Boolean(one.slip);

/** The slip of a table's next deal as far as it is filled in; it belongs to this deal only. */
export class SlipDraft {
  /** @param {string} table @param {Draft | null} cached - what this device has of it, as `readSlipDraft` reads it */
  constructor(table, cached) {
    this.table = table;
    this.draft = cached;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    // A phone may never come back to a page that it leaves.
    document.addEventListener("visibilitychange", () => document.hidden && this.timer && this.save());
  }

  /** What is filled in for `nextDeal`; nothing if it was another's. @param {NextDeal} nextDeal */
  factsFor(nextDeal) {
    const { draft } = this;
    return draft?.number === nextDeal.number && draft.game === nextDeal.game ? draft.facts : emptyFacts();
  }

  /** Takes what is filled in now. @param {NextDeal} nextDeal @param {Facts} facts */
  update({ number, game }, facts) {
    const isEmpty = JSON.stringify(facts) === JSON.stringify(emptyFacts());
    this.draft = isEmpty ? null : { number, game, facts };
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
    this.timer = undefined;
    const key = draftKey(this.table);
    const { draft, table } = this;
    if (!draft) return deleteCached(key);
    const buildContent = () => ({ slip: table, ...draft });
    return writeCached(key, { buildContent, isSameKind: isSlipDraft, maxEntries: MAX_DRAFTS });
  }
}

/** What this device has of a table's slip; null if it is not begun. @param {string} table */
export const readSlipDraft = (table) => readCached(draftKey(table));
