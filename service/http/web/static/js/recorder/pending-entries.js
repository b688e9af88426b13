/**
 * What is on its way out: entered here, not stored yet. It says what came of it, and asks a person where the service did
 * not take it as it is.
 */

import { el } from "../core/dom.js";
import { outbox } from "../core/outbox.js";
import { buildFindingLines, buildEntryLines, buildNotice } from "./notices.js";
import { formatApiError } from "../core/deal-text.js";

const SERIOUS_SEVERITIES = new Set(["impossible", "error", "warning"]);

/** What says the same whatever came in between. */
const VERSION_INDEPENDENT = new Set(["note_added", "irregularity_noted", "ruling_made", "deal_settled"]);

/** Milliseconds before the page mentions a missing answer: mostly it comes sooner. */
const LATE_NOTICE_DELAY_MS = 500;

export class PendingEntries {
  /** `onChange()` is called whenever there is something else to be shown. */
  constructor({ record, words, onChange }) {
    Object.assign(this, { record, words, onChange });
    this.stream = `/deals/${record.deal}`;
    this.remark = null;
    this.knownFindings = null;
    // What was left from before has been waited for already.
    this.isLate = this.queued.length > 0;
    outbox.onChange(() => this.update());
    outbox.onStored(({ stream, opens, answer }) => [stream, opens].includes(this.stream) && record.addEvents(answer.events));
    record.addEventListener("link", () => record.isConnected && outbox.retryNow());
  }

  /** Enters events. In "strict" mode what breaks a rule is asked about first. */
  submit(events, mode = "strict") {
    this.remark = null;
    const any = events.every((event) => VERSION_INDEPENDENT.has(event.type));
    outbox.append(this.stream, events, { version: this.record.version, any, mode, context: { kind: "record" } });
  }

  /** What is not stored yet, in order. */
  get queued() {
    const known = new Set(this.record.entries.map((event) => event.id));
    // The table shows that the deal was started here; this shows it only if it was not stored as it is.
    return outbox.listQueued(this.stream).filter((entry) => entry.state !== "waiting" || !known.has(entry.events[0].id));
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

  /** For what an entry waits: to be "sent", a person's word ("refused", "conflict"), a link ("held"), or an earlier entry ("behind"). */
  waitReason(entry) {
    const { blockedEntry } = this;
    if (entry.state !== "waiting") return entry.state;
    return blockedEntry ? "behind" : "sent";
  }

  /** Reports new findings: a revoke shows in a later trick than its own. */
  noteNewFindings(findings) {
    const serious = findings.filter((one) => SERIOUS_SEVERITIES.has(one.severity));
    const newFindings = this.knownFindings === null ? [] : serious.filter((one) => !this.knownFindings.has(findingKey(one)));
    this.knownFindings = new Set(serious.map(findingKey));
    if (newFindings.length) this.remark = { kind: "found", findings: newFindings };
  }

  update() {
    const { queued } = this;
    if (!queued.length) {
      clearTimeout(this.timer);
      this.timer = null;
      this.isLate = false;
    } else {
      this.timer ??= setTimeout(() => { this.isLate = true; this.onChange(); }, LATE_NOTICE_DELAY_MS);
    }
    const blocked = this.blockedEntry;
    if (blocked?.state === "conflict") {
      this.record.addEvents(blocked.between.events);
      if (blocked.events.every((event, index) => blocked.between.events[index] && hasSameContent(event, blocked.between.events[index]))) {
        this.remark = { kind: "same" };
        outbox.drop(blocked.id);
        return;
      }
    }
    this.onChange();
  }

  setRemark(kind, details = {}) {
    this.remark = kind ? { kind, ...details } : null;
    this.onChange();
  }

  /** What was entered on top of an entry and waits for it. */
  listLaterEntries(entry) {
    const { queued } = this;
    return queued.slice(queued.findIndex((one) => one.id === entry.id) + 1);
  }

  /** Throws away an entry and what was entered on top of it, the last one first. */
  async discard(entry) {
    this.remark = null;
    for (const one of [entry, ...this.listLaterEntries(entry)].reverse()) await outbox.drop(one.id);
    this.onChange();
  }

  /** An accidental breach of a rule leaves no trace: it was never written down. What waited for it stays visible. */
  async discardMistake(entry) {
    await this.discard(entry);
    await outbox.clearDropped([entry.id]);
    this.onChange();
  }

  /** What has to be said now: a question first, then what was noticed. Null for nothing. */
  buildNotice() {
    const { blockedEntry, remark } = this;
    if (blockedEntry) return this.buildQuestion(blockedEntry);
    return remark ? this.buildRemark(remark) : null;
  }

  buildQuestion(entry) {
    const { words } = this;
    const { record: recordWords } = words;
    const drop = ["drop", recordWords.drop, () => this.discard(entry)];
    if (entry.context?.kind === "begun") return this.buildDealStartQuestion(entry, drop);
    const ownEvents = [entry, ...this.listLaterEntries(entry)].flatMap((one) => one.events);
    if (entry.state === "conflict") {
      const lines = [...this.buildLines(entry.between.events), el("p", { class: "muted", text: recordWords.yours }), ...this.buildLines(ownEvents)];
      return buildNotice("overtaken", recordWords.overtaken, lines, [drop, ["still", recordWords.stillWrite, () => outbox.resend(entry.id)]]);
    }
    if (entry.problem.type === "against-the-rules") {
      const found = entry.problem.findings ? buildFindingLines(this.record.withMemberNames(entry.problem.findings), words) : [el("p", { text: entry.problem.detail })];
      return buildNotice("against", recordWords.against, found, [["no", recordWords.no, () => this.discardMistake(entry)], ["happened", recordWords.happened, () => outbox.amend(entry.id, withoutIds(entry.events), { mode: "as_played" })]]);
    }
    const error = { type: entry.problem.type, status: entry.problem.status, message: entry.problem.detail };
    return buildNotice("refused", formatApiError(words, error), this.buildLines(ownEvents), [drop, ["again", recordWords.again, () => outbox.resend(entry.id)]]);
  }

  /** The deal itself could not be begun as it was: the table has moved on, or does not take it. */
  buildDealStartQuestion(entry, drop) {
    const { record: recordWords } = this.words;
    const { problem } = entry;
    const error = entry.state === "conflict" ? recordWords.tableMoved : formatApiError(this.words, { type: problem.type, status: problem.status, message: problem.detail });
    return buildNotice("begun", error, [], [["again", recordWords.beginAgain, () => outbox.resend(entry.id)], ["drop", recordWords.dropDeal, drop[2]]]);
  }

  buildRemark(remark) {
    const { record: recordWords } = this.words;
    const acknowledge = [["well", recordWords.well, () => this.setRemark(null)]];
    if (remark.kind === "found") return buildNotice("found", recordWords.found, buildFindingLines(remark.findings, this.words), acknowledge);
    if (remark.kind === "same") return buildNotice("same", recordWords.same, [], acknowledge);
    return buildNotice("refused", remark.text, [], acknowledge);
  }

  /** Entries thrown away here, until they are deleted for good. */
  get discardedEntries() {
    return outbox.listDropped(this.stream);
  }

  buildDiscardedList() {
    const { discardedEntries } = this;
    const lines = this.buildLines(discardedEntries.flatMap((entry) => entry.events)).map((line) => el("s", {}, line));
    const clear = el("button", { type: "button", class: "button", "data-act": "forget", text: this.words.offline.clear, on: { click: () => outbox.clearDropped(discardedEntries.map((entry) => entry.id)) } });
    return [...lines, clear];
  }

  buildLines(events) {
    return buildEntryLines(events.map((event) => this.record.withMemberNames(event)), this.record.current.state, this.words);
  }
}

/** What identifies a finding, to recognise one that was shown before. */
const findingKey = ({ seq, code, seat }) => `${seq} ${code} ${seat}`;

/** Events without what makes each a writing of its own. */
const withoutIds = (events) => events.map(({ id, recorded_at, ...rest }) => rest);

/** Whether two devices wrote the same. */
function hasSameContent(event, other) {
  const ignored = ["id", "recorded_at", "seq", "stored_at", "recorded_by", "basis", "accounts"];
  const ownFields = (event) => Object.entries(event).filter(([name, value]) => !ignored.includes(name) && value !== null);
  return JSON.stringify(ownFields(event).sort()) === JSON.stringify(ownFields(other).sort());
}
