// @ts-check
/**
 * What the page knows of a deal: its log from the live stream, and its state, what is legal, what it pays
 * and what is found, as the service reports for exactly that log. A view listens for "change".
 */

import { followEventStream, getJson } from "../core/api.js";
import { findStandingEntry, listEntries } from "../core/corrections.js";
import { EVENT_TYPES } from "../core/event-types.js";
import { replaceMemberIds } from "../core/member-ids.js";
import { Refresher } from "../core/refresher.js";

/** @typedef {Record<string, any>} DealEvent */
/** @typedef {{ number: number, leader: string, seats: string[], cards: string[], seqs: (number | null)[], winner: string | null }} Trick */
/** @typedef {Record<string, any> & { hands: Record<string, { cards: string[], unknown: number }>, tricks: Trick[] }} DealState */
/** @typedef {Record<string, any> & { seat: string | null, action: string, guessed?: boolean }} Legal */
/** @typedef {{ version: number, point?: number | string, state: DealState, legal: Legal | null, score: any, paid?: any, findings: any[], unjudged?: boolean }} Point */
/** @typedef {{ address: number | string, event: DealEvent, insertedBy: DealEvent | null, undoneBy: DealEvent | null }} LogEntry */

const ASPECTS = ["state", "legal", "score", "findings"];

/** Entries that say something about the deal and are no part of it: undoing does not begin with them. */
const NOT_UNDOABLE_TYPES = new Set(["deal_opened", "correction_made"]);

export class RecordedDeal extends EventTarget {
  /**
   * @param {object} parts
   * @param {string} parts.deal
   * @param {Record<string, string | null>} parts.names - the members' names by id
   * @param {string} parts.forgottenName - the word for members who were forgotten
   */
  constructor({ deal, names, forgottenName }) {
    super();
    this.deal = deal;
    this.forgottenName = forgottenName;
    this.names = names;
    /** @type {DealEvent[]} */
    this.log = [];
    /** @type {Point | null} */
    this.latest = null;
    this.isConnected = true;
    /** Whether the reader may no longer see the deal. */
    this.isAccessRefused = false;
    this.refresher = new Refresher({
      fetch: async () => {
        this.latest = await this.fetchPoint({ known: this.version });
      },
      hasData: () => this.latest !== null,
      // Entries made here are answered immediately.
      shouldDebounce: (/** @type {number} */ round) => round > 0 || this.latest === null,
      onRefreshed: () => this.dispatchEvent(new Event("change")),
    });
  }

  /** The deal as it stands; there is one once `load` is done. */
  get current() {
    return /** @type {Point} */ (this.latest);
  }

  /**
   * Begins to follow; done when the deal is known as it stands. `cached` is what this device knows of it, where the page
   * was made without the service.
   * @param {{ log: DealEvent[], now: Point } | null} cached
   */
  async load(cached = null) {
    if (cached) {
      this.log = cached.log.map((event) => ({ ...event, isCached: true }));
      this.latest = cached.now;
      this.isConnected = false;
    }
    const request = cached ? null : getJson(`/deals/${this.deal}/events?limit=500`);
    followEventStream(`/deals/${this.deal}/live`, {
      types: EVENT_TYPES,
      onEvent: (/** @type {string} */ _, /** @type {DealEvent} */ event) => this.addEvents([event]),
      onReset: (/** @type {{ version: number, events: DealEvent[] }} */ content) => this.reset(content),
      onConnectionChange: (/** @type {boolean} */ isConnected) => this.setConnected(isConnected),
      onAccessRefused: () => this.setAccessRefused(),
    });
    if (request) await this.addEvents((await request).events);
  }

  /**
   * Takes entries, from the stream or from an answer: each once, whichever comes first.
   * @param {DealEvent[]} events
   */
  addEvents(events) {
    const newEvents = events.filter(({ seq }) => this.log[seq - 1] === undefined || this.log[seq - 1].isCached);
    for (const event of newEvents) this.log[event.seq - 1] = event;
    return newEvents.length ? this.refresher.refresh() : (this.refresher.running ?? Promise.resolve());
  }

  /** @param {{ version: number, events: DealEvent[] }} content */
  reset({ version, events }) {
    this.log = [...events, ...this.log.slice(version)];
    this.refresher.refresh();
  }

  /** @param {boolean} isConnected */
  setConnected(isConnected) {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) this.refresher.refresh();
    this.dispatchEvent(new Event("link"));
  }

  setAccessRefused() {
    this.isAccessRefused = true;
    this.dispatchEvent(new Event("link"));
  }

  /**
   * How the deal stands at a point, with members called by name.
   * @param {{ known: number }} point
   * @returns {Promise<Point>}
   */
  async fetchPoint(point) {
    const requests = ASPECTS.map((aspect) => getJson(`/deals/${this.deal}/${aspect}?known=${point.known}`));
    const answers = await Promise.all(requests);
    const [state, legal, score, { findings }] = answers.map((one) => this.withMemberNames(one));
    // What is written back names players as the record does.
    return { version: point.known, state, legal, score, findings, paid: answers[2] };
  }

  /** Every entry in force with the state after it, as in the replay. */
  async fetchReplay() {
    return this.withMemberNames(await getJson(`/deals/${this.deal}/replay`));
  }

  /**
   * What the service says, with members of the club called by name.
   * @param {any} answer
   */
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
    const gap = this.log.findIndex((event) => !event);
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

  /** Every entry as they follow one another: what a correction puts in stands after what it replaces. */
  listInOrder() {
    /** @type {LogEntry[]} */
    const ordered = [];
    for (const entry of /** @type {LogEntry[]} */ (listEntries(this.entries))) {
      const anchor = entry.insertedBy?.replaces?.at(-1) ?? entry.insertedBy?.after;
      let place = ordered.findIndex(({ address }) => String(address) === String(anchor)) + 1;
      while (place && ordered[place]?.insertedBy === entry.insertedBy) place += 1;
      ordered.splice(place || ordered.length, 0, entry);
    }
    return ordered;
  }

  /**
   * The last that was entered and stands: `{addresses, entry}`. A draw goes with the discard before it, and what was
   * taken back at the table is passed over. Null where nothing is left to undo.
   */
  lastEntry() {
    const standing = listEntries(this.entries).filter((entry) => !entry.undoneBy);
    const takenBack = new Set(
      standing.filter(({ event }) => event.type === "action_withdrawn").map(({ event }) => String(event.of)),
    );
    const open = standing.filter(
      ({ address, event }) => !NOT_UNDOABLE_TYPES.has(event.type) && !takenBack.has(String(address)),
    );
    const entry = open.at(-1);
    if (!entry) return null;
    const before = open.at(-2);
    const isPair =
      entry.event.type === "cards_drawn" &&
      before?.event.type === "cards_discarded" &&
      before.event.seat === entry.event.seat;
    return { entry, addresses: isPair ? [before.address, entry.address] : [entry.address] };
  }
}
