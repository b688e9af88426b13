// @ts-check
/**
 * What is on its way out: entered here, not stored yet; what came of it, and about which a person is asked because the
 * service did not take it as it is.
 */

import { outbox } from "../core/outbox.js";

/** @import { DealEvent, RecordedDeal } from "./recorded-deal.js" */
/** @typedef {{ id: string, events: DealEvent[], state: string, problem: any, between: any, context: any }} QueuedEntry */
/** @typedef {{ kind: "found" | "same" | "refused", findings?: any[], text?: string }} Remark */

const SERIOUS_SEVERITIES = new Set(["impossible", "error", "warning"]);

/** What says the same whatever came in between. */
const VERSION_INDEPENDENT = new Set(["note_added", "irregularity_noted", "ruling_made", "deal_settled"]);

/** Milliseconds before the page mentions a missing answer: mostly it comes sooner. */
const LATE_NOTICE_DELAY_MS = 500;

/** @param {any[]} findings */
export const selectSerious = (findings) => findings.filter((one) => SERIOUS_SEVERITIES.has(one.severity));

/** @type {(finding: any) => string} What identifies a finding, to recognise one that was shown before. */
export const findingKey = ({ seq, code, seat }) => `${seq} ${code} ${seat}`;

export class PendingEntries {
  /** @param {{ record: RecordedDeal, onChange: () => void }} parts - `onChange` is called for anything else to be shown */
  constructor({ record, onChange }) {
    this.record = record;
    this.onChange = onChange;
    this.stream = `/deals/${record.deal}`;
    /** @type {Remark | null} */
    this.remark = null;
    /** @type {Set<string> | null} */
    this.knownFindings = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    // What was left from before has been waited for already.
    this.isLate = this.queued.length > 0;
    outbox.onChange(() => this.update());
    outbox.onStored(
      (/** @type {any} */ { stream, opens, answer }) =>
        [stream, opens].includes(this.stream) && record.addEvents(answer.events),
    );
    record.addEventListener("link", () => record.isConnected && outbox.retryNow());
  }

  /**
   * Enters events. In "strict" mode what breaks a rule is asked about first.
   * @param {DealEvent[]} events
   */
  submit(events, mode = "strict") {
    this.remark = null;
    const any = events.every((event) => VERSION_INDEPENDENT.has(event.type));
    outbox.append(this.stream, events, { version: this.record.version, any, mode, context: { kind: "record" } });
  }

  /** What is not stored yet, in order. @returns {QueuedEntry[]} */
  get queued() {
    const known = new Set(this.record.entries.map((event) => event.id));
    // The table shows that the deal was started here; this shows it only if it was not stored as it is.
    return outbox
      .listQueued(this.stream)
      .filter((/** @type {QueuedEntry} */ entry) => entry.state !== "waiting" || !known.has(entry.events[0].id));
  }

  /** The events that wait for an answer or the network, as far as nothing before them has been refused. */
  get waitingEvents() {
    const { queued } = this;
    const blockedIndex = queued.findIndex((entry) => entry.state !== "waiting");
    return queued.slice(0, blockedIndex < 0 ? queued.length : blockedIndex).flatMap((entry) => entry.events);
  }

  /** The entry about which a person is asked, or null. */
  get blockedEntry() {
    return this.queued.find((entry) => entry.state !== "waiting") ?? null;
  }

  /**
   * For what an entry waits: to be "sent", a person's word ("refused", "conflict"), a link ("held"), or an earlier entry ("behind").
   * @param {QueuedEntry} entry
   */
  waitReason(entry) {
    if (entry.state !== "waiting") return entry.state;
    return this.blockedEntry ? "behind" : "sent";
  }

  /**
   * Reports new findings: a revoke shows in a later trick than its own.
   * @param {any[]} findings
   */
  noteNewFindings(findings) {
    const { knownFindings } = this;
    const serious = selectSerious(findings);
    const newFindings = knownFindings ? serious.filter((one) => !knownFindings.has(findingKey(one))) : [];
    this.knownFindings = new Set(serious.map(findingKey));
    if (newFindings.length) this.remark = { kind: "found", findings: newFindings };
  }

  update() {
    if (!this.queued.length) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.isLate = false;
    } else {
      this.timer ??= setTimeout(() => {
        this.isLate = true;
        this.onChange();
      }, LATE_NOTICE_DELAY_MS);
    }
    const blocked = this.blockedEntry;
    if (blocked?.state === "conflict") {
      const { events } = blocked.between;
      this.record.addEvents(events);
      if (blocked.events.every((event, index) => events[index] && hasSameContent(event, events[index]))) {
        this.remark = { kind: "same" };
        outbox.drop(blocked.id);
        return;
      }
    }
    this.onChange();
  }

  /** @param {Remark | null} remark */
  setRemark(remark) {
    this.remark = remark;
    this.onChange();
  }

  /**
   * An entry and what was entered on top of it and waits for it.
   * @param {QueuedEntry} entry
   */
  listFrom(entry) {
    const { queued } = this;
    return queued.slice(queued.findIndex((one) => one.id === entry.id));
  }

  /**
   * Throws away an entry and what was entered on top of it, the last one first.
   * @param {QueuedEntry} entry
   */
  async discard(entry) {
    this.remark = null;
    for (const one of this.listFrom(entry).reverse()) await outbox.drop(one.id);
    this.onChange();
  }

  /**
   * An accidental breach of a rule leaves no trace: it was never written down. What waited for it stays visible.
   * @param {QueuedEntry} entry
   */
  async discardMistake(entry) {
    await this.discard(entry);
    await outbox.clearDropped([entry.id]);
    this.onChange();
  }

  /**
   * What breaks a rule is written down as it happened.
   * @param {QueuedEntry} entry
   */
  insist(entry) {
    outbox.amend(
      entry.id,
      entry.events.map(({ id, recorded_at, ...rest }) => rest),
      { mode: "as_played" },
    );
  }

  /** Entries thrown away here, until they are deleted for good. @returns {QueuedEntry[]} */
  get discardedEntries() {
    return outbox.listDropped(this.stream);
  }

  forgetDiscarded() {
    outbox.clearDropped(this.discardedEntries.map((entry) => entry.id));
  }
}

/** What each writing of an event has of its own. */
const BOOKKEEPING = ["id", "recorded_at", "seq", "stored_at", "recorded_by", "basis", "accounts"];

/** @type {(event: DealEvent, other: DealEvent) => boolean} Whether two devices wrote the same. */
function hasSameContent(event, other) {
  const ownFields = (/** @type {DealEvent} */ one) =>
    Object.entries(one).filter(([name, value]) => !BOOKKEEPING.includes(name) && value !== null);
  return JSON.stringify(ownFields(event).sort()) === JSON.stringify(ownFields(other).sort());
}
