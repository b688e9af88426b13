/**
 * The one way out for what the recorder enters: it is kept, sent in order, each once however often it takes, and where
 * somebody else was first or a rule is broken a person is asked. What keeps it beyond this page is to take its place.
 */

import { Refused, appended, asked, newId } from "./api.js";

const PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

class WayOut {
  constructor() {
    this.entries = [];
    this.listeners = new Set();
    this.takers = new Set();
    this.vain = 0;
    this.running = false;
    /** Done when it is known what was left from before. */
    this.ready = Promise.resolve();
    window.addEventListener("online", () => this.wake());
  }

  /**
   * Writes `events` into the log at `stream` ("/deals/…"), of which the writer has seen `version` entries; `any` for
   * what may come in at any version; `mode` "strict" or "as_played".
   */
  async append(stream, events, { version, any = false, mode }) {
    const entry = { id: newId(), stream, events: events.map(named), version, any, mode, state: "waiting", tried: false, problem: null, between: null };
    this.entries.push(entry);
    this.changed();
    this.run();
    return entry;
  }

  /** What is not stored yet, in order: each with `events`, `state` (waiting, held, conflict, refused), `problem`, `between`. */
  queued(stream) {
    return this.entries.filter((one) => one.stream === stream);
  }

  onChange(listen) {
    this.listeners.add(listen);
  }

  /** Calls `take({stream, answer})` with the service's answer to whatever is stored. */
  onStored(take) {
    this.takers.add(take);
  }

  /** Something speaks for the network being back. */
  wake() {
    this.vain = 0;
    this.run();
  }

  /** Enters it all the same, after what others wrote. */
  again(id) {
    this.decide(id, (entry) => ({ version: entry.between?.version ?? entry.version, events: entry.events.map(renamed) }));
  }

  /** Puts other events in place of those that could not be stored, to be taken in `mode`. */
  amend(id, events, { mode }) {
    this.decide(id, () => ({ events: events.map(named), mode }));
  }

  /** Throws it away. */
  drop(id) {
    const at = this.entries.findIndex((one) => one.id === id);
    if (at < 0) return;
    const [gone] = this.entries.splice(at, 1);
    const behind = this.entries[at];
    if (behind && gone.between) behind.version = gone.between.version;
    this.changed();
    this.run();
  }

  decide(id, change) {
    const entry = this.entries.find((one) => one.id === id);
    if (!entry) return;
    Object.assign(entry, change(entry), { state: "waiting", tried: false, problem: null, between: null });
    this.changed();
    this.wake();
  }

  changed() {
    for (const listen of this.listeners) listen();
  }

  async run() {
    if (this.running) return;
    this.running = true;
    clearTimeout(this.timer);
    try {
      while (this.entries[0]?.state === "waiting" && (await this.sendOne(this.entries[0])));
    } finally {
      this.running = false;
    }
  }

  async sendOne(entry) {
    entry.tried = true;
    const path = `${entry.stream}/events?mode=${entry.mode}`;
    try {
      const answer = await appended(path.replace(/^\/api\/v1/, ""), entry.events, entry.any ? "*" : entry.version);
      this.entries.splice(this.entries.indexOf(entry), 1);
      if (this.entries[0]) this.entries[0].version = Math.max(this.entries[0].version, answer.version);
      for (const take of this.takers) take({ stream: entry.stream, answer });
      this.vain = 0;
      this.changed();
      return true;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      return this.refused(entry, refused);
    }
  }

  async refused(entry, refused) {
    if (refused.status === 0 || refused.status >= 500 || refused.status === 429) {
      this.timer = setTimeout(() => this.run(), Math.min(PAUSE * 2 ** this.vain, LONGEST_PAUSE));
      this.vain += 1;
      this.changed();
      return false;
    }
    entry.problem = { status: refused.status, type: refused.type, detail: refused.message, findings: refused.problem.findings ?? null };
    if (refused.type === "stale-version") {
      const { events } = await asked(`${entry.stream}/events?after=${entry.version}&limit=500`).catch(() => ({ events: null }));
      if (events === null) return false;
      entry.between = { events, version: events.at(-1)?.seq ?? entry.version };
    }
    entry.state = entry.between ? "conflict" : [401, 403, 404].includes(refused.status) ? "held" : "refused";
    this.changed();
    return false;
  }
}

const named = (event) => ({ id: newId(), recorded_at: new Date().toISOString(), ...event });
const renamed = (event) => ({ ...event, id: newId() });

/** The way out of this page. */
export const wayOut = new WayOut();
