/**
 * What is on its way out: entered here, not stored yet. It says what came of it, and asks a person where the service did
 * not take it as it is.
 */

import { el } from "../core/dom.js";
import { outbox } from "../core/outbox.js";
import { findingLines, entryLines, notice } from "./record-notices.js";
import { refusalTold } from "../core/told.js";

const GRAVE = new Set(["impossible", "error", "warning"]);

/** What says the same whatever came in between. */
const ANY = new Set(["note_added", "irregularity_noted", "ruling_made", "deal_settled"]);

/** So many milliseconds nothing is said of an answer that has not come: mostly it comes sooner. */
const PATIENCE = 500;

export class Outgoing {
  /** `changed()` is called whenever there is something else to be shown. */
  constructor({ record, words, changed }) {
    Object.assign(this, { record, words, changed });
    this.stream = `/deals/${record.deal}`;
    this.said = null;
    this.known = null;
    // What was left from before has been waited for already.
    this.late = this.queued.length > 0;
    outbox.onChange(() => this.look());
    outbox.onStored(({ stream, opens, answer }) => [stream, opens].includes(this.stream) && record.take(answer.events));
    record.addEventListener("link", () => record.linked && outbox.wake());
  }

  /** Enters events. In "strict" mode what breaks a rule is asked about first. */
  enter(events, mode = "strict") {
    this.said = null;
    const any = events.every((event) => ANY.has(event.type));
    outbox.append(this.stream, events, { version: this.record.version, any, mode, told: { kind: "record" } });
  }

  /** What is not stored yet, in order. */
  get queued() {
    const known = new Set(this.record.entries.map((event) => event.id));
    // That the deal was begun here is seen on the table; what came of that, where it is not stored as it is.
    return outbox.queued(this.stream).filter((entry) => entry.state !== "waiting" || !known.has(entry.events[0].id));
  }

  /** The events that wait for an answer or the network, as far as nothing before them has been refused. */
  get coming() {
    const { queued } = this;
    const stuck = queued.findIndex((entry) => entry.state !== "waiting");
    return queued.slice(0, stuck < 0 ? queued.length : stuck).flatMap((entry) => entry.events);
  }

  /** The entry about which a person is asked, or null. */
  get stuck() {
    return this.queued.find((entry) => entry.state !== "waiting") ?? null;
  }

  /** For what an entry waits: to be "sent", a person's word ("refused", "conflict"), a link ("held"), or what is before it ("behind"). */
  waitOf(entry) {
    const { stuck } = this;
    if (entry.state !== "waiting") return entry.state;
    return stuck ? "behind" : "sent";
  }

  /** Tells of what is found now and was not before: a revoke shows in a later trick than it was made in. */
  beware(findings) {
    const grave = findings.filter((one) => GRAVE.has(one.severity));
    const fresh = this.known === null ? [] : grave.filter((one) => !this.known.has(keyOf(one)));
    this.known = new Set(grave.map(keyOf));
    if (fresh.length) this.said = { kind: "found", findings: fresh };
  }

  look() {
    const { queued } = this;
    if (!queued.length) {
      clearTimeout(this.timer);
      this.timer = null;
      this.late = false;
    } else {
      this.timer ??= setTimeout(() => { this.late = true; this.changed(); }, PATIENCE);
    }
    const stuck = this.stuck;
    if (stuck?.state === "conflict") {
      this.record.take(stuck.between.events);
      if (stuck.events.every((event, place) => stuck.between.events[place] && isSame(event, stuck.between.events[place]))) {
        this.said = { kind: "same" };
        outbox.drop(stuck.id);
        return;
      }
    }
    this.changed();
  }

  say(kind, more = {}) {
    this.said = kind ? { kind, ...more } : null;
    this.changed();
  }

  /** What was entered on top of an entry, and waits behind it. */
  behind(entry) {
    const { queued } = this;
    return queued.slice(queued.findIndex((one) => one.id === entry.id) + 1);
  }

  /** Throws away an entry, and what was entered on top of it: that answered what is not there then. The last goes first. */
  async drop(entry) {
    this.said = null;
    for (const one of [entry, ...this.behind(entry)].reverse()) await outbox.drop(one.id);
    this.changed();
  }

  /** What breaks a rule and was not meant so leaves no trace: it was never written down. What waited behind it stays in sight. */
  async mistaken(entry) {
    await this.drop(entry);
    await outbox.clear([entry.id]);
    this.changed();
  }

  /** What has to be said now: a question first, then what was noticed. Null for nothing. */
  notice() {
    const { stuck, said } = this;
    if (stuck) return this.question(stuck);
    return said ? this.remark(said) : null;
  }

  question(entry) {
    const { words } = this;
    const { record: told } = words;
    const drop = ["drop", told.drop, () => this.drop(entry)];
    if (entry.told?.kind === "begun") return this.begun(entry, drop);
    const own = [entry, ...this.behind(entry)].flatMap((one) => one.events);
    if (entry.state === "conflict") {
      const lines = [...this.lines(entry.between.events), el("p", { class: "quiet", text: told.yours }), ...this.lines(own)];
      return notice("overtaken", told.overtaken, lines, [drop, ["still", told.stillWrite, () => outbox.again(entry.id)]]);
    }
    if (entry.problem.type === "against-the-rules") {
      const found = entry.problem.findings ? findingLines(this.record.called(entry.problem.findings), words) : [el("p", { text: entry.problem.detail })];
      return notice("against", told.against, found, [["no", told.no, () => this.mistaken(entry)], ["happened", told.happened, () => outbox.amend(entry.id, bare(entry.events), { mode: "as_played" })]]);
    }
    const refused = { type: entry.problem.type, status: entry.problem.status, message: entry.problem.detail };
    return notice("refused", refusalTold(words, refused), this.lines(own), [drop, ["again", told.again, () => outbox.again(entry.id)]]);
  }

  /** The deal itself could not be begun as it was: the table has moved on, or does not take it. */
  begun(entry, drop) {
    const { record: told } = this.words;
    const { problem } = entry;
    const refused = entry.state === "conflict" ? told.tableMoved : refusalTold(this.words, { type: problem.type, status: problem.status, message: problem.detail });
    return notice("begun", refused, [], [["again", told.beginAgain, () => outbox.again(entry.id)], ["drop", told.dropDeal, drop[2]]]);
  }

  remark(said) {
    const { record: told } = this.words;
    const well = [["well", told.well, () => this.say(null)]];
    if (said.kind === "found") return notice("found", told.found, findingLines(said.findings, this.words), well);
    if (said.kind === "same") return notice("same", told.same, [], well);
    return notice("refused", said.text, [], well);
  }

  /** What a person threw away here, until he has it forgotten. */
  get thrown() {
    return outbox.dropped(this.stream);
  }

  thrownAway() {
    const { thrown } = this;
    const lines = this.lines(thrown.flatMap((entry) => entry.events)).map((line) => el("s", {}, line));
    const clear = el("button", { type: "button", class: "worded", "data-act": "forget", text: this.words.offline.clear, on: { click: () => outbox.clear(thrown.map((entry) => entry.id)) } });
    return [...lines, clear];
  }

  lines(events) {
    return entryLines(events.map((event) => this.record.called(event)), this.record.now.state, this.words);
  }
}

/** By what a finding is the same as one that was told before. */
const keyOf = ({ seq, code, seat }) => `${seq} ${code} ${seat}`;

/** Events without what makes each a writing of its own. */
const bare = (events) => events.map(({ id, recorded_at, ...rest }) => rest);

/** Whether two devices wrote the same. */
function isSame(mine, theirs) {
  const own = ["id", "recorded_at", "seq", "stored_at", "recorded_by", "basis", "accounts"];
  const kept = (event) => Object.entries(event).filter(([name, value]) => !own.includes(name) && value !== null);
  return JSON.stringify(kept(mine).sort()) === JSON.stringify(kept(theirs).sort());
}
