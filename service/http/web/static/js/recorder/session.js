// @ts-check
/** What the recorder shows, and what is entered on it: the deal with what is on its way, whose act is next, what is asked. */

import { ApiError, getJson, newId, sendRequest } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { outbox } from "../core/outbox.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { batch, computed, signal } from "../vendor/preact.js";
import { PLACEHOLDER_DEAL_ID, startNextDeal } from "./deal-start.js";
import { findingKey, PendingEntries } from "./pending-entries.js";
import { applyPendingEvents } from "./pending-state.js";

/** @import { DealEvent, Point, RecordedDeal } from "./recorded-deal.js" */
/** @import { QueuedEntry } from "./pending-entries.js" */
/** @typedef {{ seq: number | string, event: DealEvent, sentence: string, point: Point, after: Point, reason: string, insertsAfter: boolean, fault: string }} Correction */
/** @typedef {{ entry: { event: DealEvent }, addresses: (number | string)[], queuedEntry?: QueuedEntry }} LastEntry */
/** @typedef {{ key: string, picked: string[], namesCards: boolean | null, spoken: string, earlyTrump: string | null }} Draft - what is prepared for one entry */
/** @typedef {{ point: Point, actor: string | null, isBusy: boolean }} View */

const REFUSED_SEVERITIES = new Set(["impossible", "error"]);
/** Milliseconds to wait for what a correction would make of the record. */
const VALIDATE_TIMEOUT_MS = 8_000;

export class RecorderSession {
  /** @param {{ root: HTMLElement, rules: any, record: RecordedDeal }} parts */
  constructor({ root, rules, record }) {
    this.root = root;
    this.rules = rules;
    this.watchedRecord = record;
    this.mayWrite = "mayWrite" in root.dataset;
    /** Counts what changed in the record, the outbox and the connection. */
    this.changes = signal(0);
    /** The player who was chosen for the next entry. */
    this.actor = signal(/** @type {string | null} */ (null));
    this.lastActor = /** @type {string | null} */ (null);
    /** What a person says comes next, while nobody can be asked. */
    this.chosenKind = signal(/** @type {string | null} */ (null));
    /** The trick of the next card, after a gap. */
    this.anchor = signal(/** @type {number | null} */ (null));
    this.correction = signal(/** @type {Correction | null} */ (null));
    /** A correction that breaks rules, until a person says that it is right. */
    this.doubt = signal(/** @type {{ findings: any[], event: DealEvent } | null} */ (null));
    this.undoTarget = signal(/** @type {LastEntry | null} */ (null));
    /** The form that is open. */
    this.form = signal(/** @type {{ name: string, given: Record<string, any> } | null} */ (null));
    this.draft = signal(/** @type {Draft | null} */ (null));
    this.typed = signal("");
    this.length = 0;
    /** @type {Point | null} */
    this.notedPoint = null;
    this.watchedEntries = new PendingEntries({ record, onChange: () => this.update() });
    /** The record with what is on its way on top; null where nothing is. */
    this.pendingPoint = computed(() => {
      const { current } = this.record;
      const events = this.listLaterEvents();
      if (!events.length) return null;
      const point = applyPendingEvents(current, events, rules);
      const action = this.chosenKind.value;
      return action && point.legal ? { ...point, legal: { ...point.legal, action } } : point;
    });
    /** The point at which something is entered now: the end of the record with what is on its way, or an entry's place. */
    this.point = computed(() => this.correction.value?.point ?? this.pendingPoint.value ?? this.record.current);
    /** @type {View | null} */
    let settled = null;
    /** What the pad asks. While an answer is on its way that usually comes at once, what it asked before. */
    this.view = computed(() => {
      const point = this.point.value;
      const actor = this.actor.value ?? (this.anchor.value ? null : (point.legal?.seat ?? null));
      const isKnown = point.legal === null || (point.legal.action === "play" && actor);
      if (settled && this.isAwaitingAnswer && !isKnown) return { ...settled, isBusy: true };
      settled = { point, actor, isBusy: false };
      return settled;
    });
    record.addEventListener("change", () => this.update());
    record.addEventListener("link", () => this.update());
    // Entries that waited when the page was opened cause no event: they are checked now.
    this.pending.update();
  }

  /** The record; who reads it while drawing is drawn again with each change. */
  get record() {
    this.changes.value;
    return this.watchedRecord;
  }

  /** What is on its way out, likewise. */
  get pending() {
    this.changes.value;
    return this.watchedEntries;
  }

  listLaterEvents() {
    return [...this.record.entries.slice(this.record.current.version), ...this.pending.waitingEvents];
  }

  update() {
    const { current } = this.record;
    if (current !== this.notedPoint && !current.unjudged) this.pending.noteNewFindings(current.findings);
    this.notedPoint = current;
    const length = current.version + this.listLaterEvents().length;
    batch(() => {
      // The chosen player counts for one entry, and stays chosen if that was not accepted.
      if (length > this.length) [this.actor.value, this.chosenKind.value] = [null, null];
      else if (length < this.length) this.actor.value = this.lastActor;
      this.length = length;
      this.changes.value += 1;
    });
    this.root.dataset.version = String(current.version);
  }

  /** Whether an answer is on its way that usually comes immediately: until then nothing else is asked. */
  get isAwaitingAnswer() {
    const { record, pending } = this;
    return (
      Boolean(this.pendingPoint.value) &&
      !record.isServiceUnreachable &&
      !pending.isLate &&
      !pending.blockedEntry &&
      !this.correction.value
    );
  }

  /** Whether somebody has claimed, or offers to surrender, and others may answer. */
  get hasOpenOffer() {
    return Boolean(this.point.value.legal?.also?.some((/** @type {any} */ { action }) => action === "answer"));
  }

  /** What there is to say of the network. */
  describeConnection() {
    const { record, pending } = this;
    if (record.isAccessRefused) return words.withdrawn;
    const count = pending.queued.length;
    const isLate = pending.isLate && !pending.blockedEntry;
    const text = isLate ? t("No network. {n} waiting.", { n: count }) : record.isConnected ? "" : words.unlinked;
    return [text, count && !outbox.isPersistent ? words.offline.notLasting : ""].filter(Boolean).join(" ");
  }

  /** @param {string} seat */
  chooseSeat(seat) {
    this.actor.value = this.actor.value === seat ? null : seat;
  }

  /**
   * What is prepared for the entry that is asked now; it goes when something else is asked.
   * @param {string} key
   */
  draftFor(key) {
    const draft = this.draft.value;
    return draft?.key === key ? draft : { key, picked: [], namesCards: null, spoken: "", earlyTrump: null };
  }

  // Entering

  /**
   * Enters events, as one correction while an entry is corrected.
   * @param {DealEvent[]} events
   */
  enter(events) {
    if (this.correction.value) return this.enterCorrection(this.correction.value, events);
    if (this.isAwaitingAnswer && this.view.value.isBusy) return undefined;
    const isCard = events.some((event) => event.type === "card_played");
    this.lastActor = this.actor.value;
    batch(() => {
      this.undoTarget.value = null;
      this.typed.value = "";
      if (isCard) this.anchor.value = null;
    });
    return this.pending.submit(events);
  }

  /**
   * What breaks a rule after a correction is asked about first, as it is with any other entry.
   * @param {Correction} correction
   * @param {DealEvent[]} events
   */
  async enterCorrection(correction, events) {
    const reason = correction.reason.trim();
    if (!reason) return this.changeCorrection({ fault: t("Say why it is corrected.") });
    const place = correction.insertsAfter ? { replaces: [], after: correction.seq } : { replaces: [correction.seq] };
    const event = { type: "correction_made", ...place, with: events, reason };
    const findings = await this.findNewFaults(event);
    if (!findings.length) return this.submitCorrection(event, "strict");
    this.doubt.value = { findings, event };
    return undefined;
  }

  /** @type {(event: DealEvent, mode: "strict" | "as_played") => void} */
  submitCorrection(event, mode) {
    this.stopCorrecting();
    this.pending.submit([event], mode);
  }

  /**
   * The rules that would be broken by a correction and are not broken now; none where nobody can be asked.
   * @param {DealEvent} event
   * @returns {Promise<any[]>}
   */
  async findNewFaults(event) {
    const { record } = this;
    if (!record.isConnected || record.isServiceUnreachable) return [];
    const log = [...record.entries, event].map(({ isCached, ...one }) => one);
    try {
      const { reports } = await sendRequest("POST", "/validate", log, { timeout: VALIDATE_TIMEOUT_MS });
      const known = new Set(record.current.findings.map(findingKey));
      const faults = (reports[0]?.findings ?? []).filter(
        (/** @type {any} */ one) => REFUSED_SEVERITIES.has(one.severity) && !known.has(findingKey(one)),
      );
      return record.withMemberNames(faults);
    } catch (error) {
      if (error instanceof ApiError) return [];
      throw error;
    }
  }

  /** What was entered last: what is still on its way, else the last that stands. @returns {LastEntry | null} */
  findLastEntry() {
    const queued = this.pending.queued.at(-1);
    return queued
      ? { queuedEntry: queued, entry: { event: /** @type {DealEvent} */ (queued.events.at(-1)) }, addresses: [] }
      : this.record.lastEntry();
  }

  /** Takes the last entry out: as a typing error, or because it was taken back at the table. @param {"strike" | "withdraw"} how */
  undo(how) {
    const target = /** @type {LastEntry} */ (this.undoTarget.value);
    this.undoTarget.value = null;
    if (target.queuedEntry) return this.pending.discard(target.queuedEntry);
    const { addresses } = target;
    if (how === "withdraw")
      return this.pending.submit(
        [...addresses].reverse().map((of) => ({ type: "action_withdrawn", of })),
        "as_played",
      );
    return this.pending.submit(
      [{ type: "correction_made", replaces: addresses, with: [], reason: t("Typing error") }],
      "as_played",
    );
  }

  // Correcting

  /** Begins to correct an entry of the log. @param {{ seq: number | string, event: DealEvent, sentence: string }} entry */
  async startCorrection({ seq, event, sentence }) {
    if (event.type === "deal_opened") return this.correctOpening();
    try {
      const { frames } = await this.record.fetchReplay();
      const index = frames.findIndex((/** @type {any} */ frame) => String(frame.seq) === String(seq));
      if (index < 0) return undefined;
      const [before, after] = [frames[Math.max(0, index - 1)], frames[index]].map(
        ({ state, legal, score, seq: point }) => ({
          version: this.record.version,
          point,
          state,
          legal,
          score,
          findings: [],
        }),
      );
      batch(() => {
        this.undoTarget.value = null;
        this.correction.value = {
          seq: after.point,
          event,
          sentence,
          point: before,
          after,
          reason: words.slip.usualReason,
          insertsAfter: false,
          fault: "",
        };
        this.actor.value = event.seat ?? null;
      });
    } catch (error) {
      this.reportError(error);
    }
    return undefined;
  }

  /** @param {Partial<Correction>} changes */
  changeCorrection(changes) {
    if (this.correction.value) this.correction.value = { ...this.correction.value, ...changes };
  }

  /** From here on taps put something in after the entry. */
  insertAfter() {
    this.actor.value = null;
    this.changeCorrection({ insertsAfter: true, point: this.correction.value?.after });
  }

  stopCorrecting() {
    batch(() => {
      this.correction.value = null;
      this.doubt.value = null;
      this.actor.value = null;
    });
  }

  /** Who dealt and who sat where, chosen among the deal's players and those of its table, where that can be read. */
  async correctOpening() {
    const { table } = this.root.dataset;
    const ledger = table ? await getJson(`/tables/${table}/ledger`).catch(() => null) : null;
    this.openForm("opening", { opening: this.record.opening, ledger });
  }

  /** @param {string} name @param {Record<string, any>} given */
  openForm(name, given = {}) {
    this.form.value = { name, given };
  }

  // The end

  closeDeal() {
    this.enter([
      { type: "deal_closed", payments: this.record.current.paid.payments ?? {}, engine: this.root.dataset.engine },
    ]);
  }

  async goToNextDeal() {
    const { table, nextUrl = "", recordUrl = "" } = this.root.dataset;
    if (!table) return location.assign(nextUrl);
    try {
      const deal = await startNextDeal(table, newId());
      return location.assign(deal ? recordUrl.replace(PLACEHOLDER_DEAL_ID, deal) : nextUrl);
    } catch (error) {
      // Without an answer, the table's own page knows who deals, and starts the deal.
      if (error instanceof ApiError && error.status === 0) return location.assign(nextUrl);
      return this.reportError(error);
    }
  }

  /** @param {unknown} error */
  reportError(error) {
    if (!(error instanceof ApiError)) throw error;
    this.pending.setRemark({ kind: "refused", text: formatApiError(words, error) });
  }
}
