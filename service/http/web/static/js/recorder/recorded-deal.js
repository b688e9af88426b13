/**
 * What the page knows of a deal: its log from the live stream, and its state, what is legal, what it pays
 * and what is found, as the service reports for exactly that log. A view listens for "change".
 */

import { getJson, followEventStream } from "../core/api.js";
import { Refresher } from "../core/refresher.js";
import { findStandingEntry, listEntries } from "../core/corrections.js";
import { EVENT_TYPES } from "../core/event-types.js";
import { replaceMemberIds } from "../core/member-ids.js";

const ASPECTS = ["state", "legal", "score", "findings"];

/** Entries that say something about the deal and are no part of it: undoing does not begin with them. */
const NOT_UNDOABLE_TYPES = new Set(["deal_opened", "correction_made"]);

export class RecordedDeal extends EventTarget {
  /** `names` are the members' names, `forgottenName` is a word for members who were forgotten. */
  constructor({ deal, names, forgottenName }) {
    super();
    this.deal = deal;
    this.forgottenName = forgottenName;
    this.log = [];
    this.names = names;
    this.current = null;
    this.isConnected = true;
    this.refresher = new Refresher({
      fetch: async () => { this.current = await this.fetchPoint({ known: this.version }); },
      hasData: () => this.current !== null,
      // Entries made here are answered immediately.
      shouldDebounce: (round) => round > 0 || this.current === null,
      onRefreshed: () => this.dispatchEvent(new Event("change")),
    });
  }

  /**
   * Begins to follow; done when the deal is known as it stands. `cached` is what this device knows of it, where the page
   * was made without the service.
   */
  async load(cached = null) {
    if (cached) {
      this.log = cached.log.map((event) => ({ ...event, isCached: true }));
      this.current = cached.now;
      this.isConnected = false;
    }
    const request = cached ? null : getJson(`/deals/${this.deal}/events?limit=500`);
    followEventStream(`/deals/${this.deal}/live`, {
      types: EVENT_TYPES,
      onEvent: (_, event) => this.addEvents([event]),
      onReset: (content) => this.reset(content),
      onConnectionChange: (isConnected) => this.setConnected(isConnected),
    });
    if (request) await this.addEvents((await request).events);
  }

  /** Takes entries, from the stream or from an answer: each once, whichever comes first. */
  addEvents(events) {
    const newEvents = events.filter((event) => this.log[event.seq - 1] === undefined || this.log[event.seq - 1].isCached);
    for (const event of newEvents) this.log[event.seq - 1] = event;
    return newEvents.length ? this.refresher.refresh() : this.refresher.running ?? Promise.resolve();
  }

  reset({ version, events }) {
    this.log = [...events, ...this.log.slice(version)];
    this.refresher.refresh();
  }

  setConnected(isConnected) {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) this.refresher.refresh();
    this.dispatchEvent(new Event("link"));
  }

  /** How the deal stands at a point: `{version, state, legal, score, findings}`, with members called by name. */
  async fetchPoint(point) {
    const query = new URLSearchParams(Object.entries(point).map(([name, value]) => [name, String(value)]));
    const requests = ASPECTS.map((aspect) => getJson(`/deals/${this.deal}/${aspect}?${query}`));
    const answers = await Promise.all(requests);
    const [state, legal, score, { findings }] = answers.map((one) => this.withMemberNames(one));
    // What is written back names players as the record does.
    return { version: point.known, state, legal, score, findings, paid: answers[2] };
  }

  /** Reads what came in since, without waiting for the stream. */
  async fetchMissedEvents() {
    await this.addEvents((await getJson(`/deals/${this.deal}/events?after=${this.version}&limit=500`)).events);
  }

  /** Every entry in force with the state after it, as in the replay. */
  async fetchReplay() {
    return this.withMemberNames(await getJson(`/deals/${this.deal}/replay`));
  }

  /** What the service says, with members of the club called by name. */
  withMemberNames(answer) {
    return replaceMemberIds(answer, this.names, this.forgottenName);
  }

  /** Whether nobody answered when it was asked last how the deal stands: it is asked again. */
  get isServiceUnreachable() {
    return this.refresher.failedAttempts > 0;
  }

  /** The version of the log that this page has seen without a gap. */
  get version() {
    // Not `indexOf`: it steps over what was never there.
    const gap = this.log.findIndex((event) => event === undefined);
    return gap < 0 ? this.log.length : gap;
  }

  /** The log up to its first gap. */
  get entries() {
    return this.log.slice(0, this.version);
  }

  /** The opening that stands: `{address, event}`. */
  get opening() {
    return findStandingEntry(this.entries, "deal_opened");
  }

  /** The players as the record names them: by id where they are members. */
  get players() {
    return this.opening?.event.players ?? {};
  }

  get isClosed() {
    return listEntries(this.entries).some((entry) => entry.event.type === "deal_closed" && !entry.undoneBy);
  }

  /**
   * The last that was entered and stands: `{addresses, entry}`. A draw goes with the discard before it, and what was
   * taken back at the table is passed over. Null where nothing is left to undo.
   */
  lastEntry() {
    const standing = listEntries(this.entries).filter((entry) => !entry.undoneBy);
    const takenBack = new Set(standing.filter(({ event }) => event.type === "action_withdrawn").map(({ event }) => String(event.of)));
    const open = standing.filter(({ address, event }) => !NOT_UNDOABLE_TYPES.has(event.type) && !takenBack.has(String(address)));
    const entry = open.at(-1);
    if (!entry) return null;
    const before = open.at(-2);
    const pair = entry.event.type === "cards_drawn" && before?.event.type === "cards_discarded" && before.event.seat === entry.event.seat;
    return { entry, addresses: pair ? [before.address, entry.address] : [entry.address] };
  }
}
