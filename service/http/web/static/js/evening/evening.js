// @ts-check
/**
 * What the page knows of a table: its log and those of its deals, from the live stream, with what waits in this
 * device's outbox at their ends, and the ledger that the service makes of them. A view listens for "change", or is a
 * component: who reads something of it there is drawn again. Nobody draws from anything else.
 */

import { followEventStream, getJson } from "../core/api.js";
import { findStandingEntry, listEntries } from "../core/corrections.js";
import { EVENT_TYPES } from "../core/event-types.js";
import { outbox } from "../core/outbox.js";
import { Refresher } from "../core/refresher.js";
import { signal } from "../vendor/preact.js";

/** @typedef {import("../core/corrections.js").LogEvent} LogEvent */
/** @typedef {import("../core/outbox.js").Entry} Entry */
/** @typedef {{ forehand: string, middlehand: string, backhand: string, dealer?: string | null, sitting_out?: string[] }} Seating */
/** @typedef {{ id: string, name: string, trumps: string[], outcomes: string[], nolo: boolean }} Contract */

const SEATING_EVENT_TYPES = new Set(["player_joined", "player_left", "seats_set"]);

/** Where an entry stands in its log: a corrected one in the place of what it stands for. @param {Pick<import("../core/corrections.js").LogEntry, "address" | "insertedBy">} entry @returns {number} */
const entryPosition = ({ address, insertedBy }) =>
  insertedBy
    ? Math.min(...(insertedBy.replaces ?? []).map(parseFloat), insertedBy.after ?? insertedBy.seq)
    : Number(address);

/** Which entry of the log wrote it. @param {import("../core/corrections.js").LogEntry} entry @returns {number} */
const writtenAt = ({ address, insertedBy }) => insertedBy?.seq ?? Number(address);

/** Milliseconds after its first entry in which the rest of a log arrives. */
const LOG_GATHER_MS = 25;
/** Milliseconds a stream has to start. */
const STREAM_START_TIMEOUT_MS = 3_000;

export class Evening extends EventTarget {
  /** The ledger as the service answered last. @type {any} */
  knownLedger = null;

  /** `table` is the table's id, `rules` what its slips can say (or null), `forgottenName` a word for members who were forgotten. @param {{ table: string, rules: any, forgottenName: string }} options */
  constructor({ table, rules, forgottenName }) {
    super();
    this.table = table;
    this.rules = rules;
    this.forgottenName = forgottenName;
    /** @type {Map<string, LogEvent[]>} */
    this.logs = new Map([[table, []]]);
    /** Counts the changes; components that read it are drawn again after each. */
    this.revision = signal(0);
    this.isConnected = true;
    this.isAccessRefused = false;
    this.refresher = new Refresher({
      fetch: async () => {
        this.ledger = await getJson(`/tables/${table}/ledger`);
      },
      hasData: () => this.ledger !== null,
      shouldDebounce: () => this.ledger !== null,
      onRefreshed: () => this.announceChange(),
    });
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.changeTimer = null;
    this.resolveTableLogReady = () => {};
    /** Done when the table's own log has begun to come in. @type {Promise<void>} */
    this.tableLogReady = new Promise((resolve) => {
      this.resolveTableLogReady = resolve;
    });
    outbox.onChange(() => this.scheduleChange());
    outbox.onStored((stored) => this.addStoredAnswer(stored));
  }

  /**
   * Reads the ledger and begins to follow; the page can be drawn when this is done. `cached` is what this device knows of
   * the table, where the page was made without the service.
   * @param {any} cached
   */
  async load(cached = null) {
    if (cached) {
      await outbox.ready;
      this.logs = new Map(
        Object.entries(/** @type {Record<string, LogEvent[]>} */ (cached.logs)).map(([stream, log]) => [
          stream,
          log.map((event) => ({ ...event, isCached: true })),
        ]),
      );
      this.ledger = cached.ledger;
      this.isConnected = false;
      this.resolveTableLogReady();
    } else {
      // They do not wait for each other: on a slow network each question is a part of a second.
      this.followLive();
      await Promise.all([outbox.ready, this.refresh()]);
      setTimeout(() => this.version() || this.fetchTableLog().catch(() => undefined), STREAM_START_TIMEOUT_MS);
    }
    if (cached) this.followLive();
  }

  /** Reads the table's own log if its stream does not arrive: something in between may block it. */
  async fetchTableLog() {
    await this.addEvents(this.table, (await getJson(`/tables/${this.table}/events?limit=500`)).events);
  }

  followLive() {
    followEventStream(`/tables/${this.table}/live`, {
      types: EVENT_TYPES,
      onEvent: (stream, event) => this.addEvents(stream, [event]),
      onReset: (content) => this.reset(content),
      onConnectionChange: (isConnected) => this.setConnected(isConnected),
      onAccessRefused: () => this.setAccessRefused(),
    });
  }

  /** Takes entries of a log, from the stream or from an answer: each once, whichever comes first. @param {string} stream @param {LogEvent[]} events */
  addEvents(stream, events) {
    const log = this.logs.get(stream) ?? [];
    this.logs.set(stream, log);
    const newEvents = events.filter((event) => log[event.seq - 1] === undefined || log[event.seq - 1].isCached);
    for (const event of newEvents) log[event.seq - 1] = event;
    // What comes in one go is drawn in one go.
    if (stream === this.table && log[0]) setTimeout(this.resolveTableLogReady, LOG_GATHER_MS);
    return newEvents.length ? this.refresh() : (this.refresher.running ?? Promise.resolve());
  }

  /** Takes what the service answered to an entry of the outbox, if that is about this table. @param {{ stream: string, opens: string | null, answer: any }} stored */
  addStoredAnswer({ stream, opens, answer }) {
    if (!this.listStreams().has(stream)) return;
    const id = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);
    if (opens && stream !== opens) this.addEvents(id(stream), answer.table.events);
    this.addEvents(id(opens ?? stream), answer.events);
  }

  /** @param {{ stream: string | null, version: number, events: LogEvent[] }} content */
  reset({ stream, version, events }) {
    if (stream === null) this.logs = new Map([[this.table, []]]);
    else this.logs.set(stream, [...events, ...(this.logs.get(stream) ?? []).slice(version)]);
    if (stream === this.table) this.resolveTableLogReady();
    this.refresh();
  }

  setAccessRefused() {
    this.isAccessRefused = true;
    this.dispatchEvent(new Event("link"));
  }

  /** @param {boolean} isConnected */
  setConnected(isConnected) {
    if (isConnected) outbox.retryNow();
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) this.refresh();
    this.dispatchEvent(new Event("link"));
  }

  /** Asks for the ledger again. */
  refresh() {
    return this.refresher.refresh();
  }

  /** Several changes of the outbox in one go are drawn once. */
  scheduleChange() {
    this.changeTimer ??= setTimeout(() => {
      this.changeTimer = null;
      // What others wrote first is known here immediately.
      for (const { stream, stored, between } of outbox.listQueued())
        if (between && stream === `/tables/${this.table}` && !stored.length) this.addEvents(this.table, between.events);
      if (this.ledger) this.announceChange();
    });
  }

  announceChange() {
    this.dispatchEvent(new Event("change"));
    this.revision.value += 1;
  }

  /** What the service makes of the table; `null` until it has answered. @returns {any} */
  get ledger() {
    return this.revision.value < 0 ? null : this.knownLedger;
  }

  set ledger(ledger) {
    this.knownLedger = ledger;
  }

  /** Whether the service can be asked, as far as is known. */
  get isReachable() {
    return this.isConnected && !outbox.isServiceUnreachable;
  }

  /** How a player is called. @param {string | null | undefined} player @returns {string} */
  displayName(player) {
    const names = this.ledger?.names ?? {};
    return player && Object.hasOwn(names, player) ? (names[player] ?? this.forgottenName) : (player ?? "");
  }

  /** The version of a log that this page has seen. @param {string} stream */
  version(stream = this.table) {
    const log = this.logs.get(stream) ?? [];
    // biome-ignore lint/complexity/useIndexOf: it steps over what was never there
    const gap = log.findIndex((event) => event === undefined);
    return gap < 0 ? log.length : gap;
  }

  /** A log as far as it is known here without a gap, as the service has it. @param {string} stream */
  storedLog(stream) {
    return (this.logs.get(stream) ?? []).slice(0, this.version(stream));
  }

  /** A log with what waits for it at its end: entries that are `queuedEntries`, with the numbers that they will have. @param {string} stream @returns {LogEvent[]} */
  logWithQueued(stream) {
    this.revision.value;
    const stored = this.storedLog(stream);
    const known = new Set(stored.map((event) => event.id));
    const started = new Set(stored.map((event) => event.deal));
    const queuedEvents = outbox
      .listQueued()
      .flatMap((entry) => this.listQueuedEvents(entry, stream))
      .filter((event) => !known.has(event.id) && !(event.deal && started.has(event.deal)));
    return [
      ...stored,
      ...queuedEvents.map((event, index) => ({ ...event, seq: stored.length + index + 1, queued: true })),
    ];
  }

  /** What an entry of the outbox writes into a log. @param {Entry} entry @param {string} stream @returns {LogEvent[]} */
  listQueuedEvents(entry, stream) {
    return entry.writes.flatMap((write) => {
      if (write.opens === `/deals/${stream}`)
        return [{ type: "deal_opened", ...write.events[0] }, ...write.events.slice(1)];
      if (write.stream === `/tables/${stream}` && write.opens)
        return [{ type: "deal_started", id: null, deal: write.events[0].id }];
      return [`/tables/${stream}`, `/deals/${stream}`].includes(write.stream) ? write.events : [];
    });
  }

  /** What waits in the outbox for this table or one of its deals. */
  get queuedEntries() {
    return this.filterOwnEntries(outbox.listQueued());
  }

  /** Those entries of the outbox that are about this table or one of its deals. @param {Entry[]} entries */
  filterOwnEntries(entries) {
    const streams = this.listStreams();
    return entries.filter((entry) => {
      const isOwn = entry.streams.some((stream) => streams.has(stream));
      // What another login left may go on with a deal that it has still to start.
      if (isOwn) for (const stream of entry.streams) streams.add(stream);
      return isOwn;
    });
  }

  /** The logs of the table and of its deals, those included that wait to be started. */
  listStreams() {
    return new Set([
      `/tables/${this.table}`,
      ...this.logWithQueued(this.table)
        .filter((event) => event.deal)
        .map((event) => `/deals/${event.deal}`),
    ]);
  }

  /** The contract of that id as this table's rules have it, or one that is called by its id. @param {string} id @returns {Contract} */
  findContract(id) {
    return (
      this.rules?.contracts.find((/** @type {Contract} */ one) => one.id === id) ?? {
        id,
        name: id,
        trumps: [],
        outcomes: [],
        nolo: false,
      }
    );
  }

  /** Whether the evening is over, also where that is not sent yet. */
  get isClosed() {
    return Boolean(
      this.ledger?.closed ||
        (this.logWithQueued(this.table).some((event) => event.queued) &&
          findStandingEntry(this.logWithQueued(this.table), "table_closed")),
    );
  }

  /** Whether the table counts nowhere. */
  get isSetAside() {
    return typeof this.ledger?.voided === "string";
  }

  /**
   * Who came, who left, and how they sat then, in order: `address`, `event`, `at` (the entry of the table's log after
   * which it stands), the correction that undid it or null, and whether nothing was played since (`isLatest`).
   */
  listSeatingChanges() {
    const entries = listEntries(this.logWithQueued(this.table));
    const lastDeal = Math.max(0, ...entries.filter((entry) => entry.event.type === "deal_started").map(entryPosition));
    return entries
      .filter((entry) => SEATING_EVENT_TYPES.has(entry.event.type))
      .map((entry) => ({
        address: entry.address,
        event: entry.event,
        undoneBy: entry.undoneBy,
        at: entryPosition(entry),
        isLatest: entryPosition(entry) > lastDeal,
      }))
      .sort((one, other) => one.at - other.at);
  }

  /**
   * Every deal of the evening, the latest first: `deal` (its id), `number`, `line` (its line of the ledger; null where
   * the deal was struck out, or waits to be sent), `struck` (the correction that did it, or null), `results` (what was
   * entered, with what undid it, and who sat where then), `openingAddress`, `result` and `contractEntry` (the result and the naming in force, or null), `correctionsAfterClosing` (the corrections after its closing)
   * and `queuedEntries`, whether some of it is not sent yet.
   */
  listDeals() {
    const lines = new Map(
      (this.ledger?.lines ?? [])
        .filter((/** @type {any} */ line) => line.deal)
        .map((/** @type {any} */ line) => [line.deal, line]),
    );
    const started = listEntries(this.logWithQueued(this.table)).filter((entry) => entry.event.type === "deal_started");
    const next = 1 + Math.max(0, ...started.map((entry) => entry.event.number ?? 0));
    let unnumbered = 0;
    return started
      .map(({ address, event, undoneBy, insertedBy }) => {
        const log = this.logWithQueued(event.deal);
        const openings = listEntries(log).filter((entry) => entry.event.type === "deal_opened");
        const opening = openings.findLast((entry) => !entry.undoneBy) ?? null;
        return {
          deal: event.deal,
          number: event.number ?? next + unnumbered++,
          address,
          at: entryPosition({ address, insertedBy }),
          struck: undoneBy,
          /** @type {any} */
          line: undoneBy ? null : (lines.get(event.deal) ?? null),
          /** @type {any} */
          opening: opening?.event ?? null,
          openingAddress: opening?.address ?? null,
          results: listEntries(log)
            .filter((entry) => entry.event.type === "result_recorded")
            .map((entry) => ({
              ...entry,
              seating: openings.findLast((one) => writtenAt(one) <= writtenAt(entry))?.event.players,
            })),
          result: findStandingEntry(log, "result_recorded"),
          contractEntry: findStandingEntry(log, "contract_named"),
          correctionsAfterClosing: findCorrectionsAfterClosing(log),
          queued: Boolean(event.queued || undoneBy?.queued || log.some((one) => one.queued)),
        };
      })
      .reverse();
  }

  /** The deals that were begun and are not finished, as far as is known here. */
  listUnfinishedDeals() {
    return this.listDeals().filter(
      ({ struck, line, result, queued }) => !struck && (line ? !line.outcome : queued && !result),
    );
  }

  /**
   * What the next deal of each game is opened with, from the ledger, after the deals that it does not know of yet:
   * the service has said who sits where in a whole round. The pool is unknown then: `pool` is undefined.
   * @returns {any[]}
   */
  listNextDeals() {
    const pendingDeals = this.listDeals().filter((deal) => !deal.line && !deal.struck);
    return (this.ledger?.following ?? []).map((/** @type {any} */ nextDeal) => {
      const gameDeals = pendingDeals.filter((deal) => belongsToGame(nextDeal, deal.opening?.players));
      const advanced = gameDeals.filter(
        (deal) => !(nextDeal.dealt_again ?? []).includes(deal.result?.event.outcome),
      ).length;
      if (!pendingDeals.length) return nextDeal;
      const round = [nextDeal.seating, ...(nextDeal.then ?? [])];
      const pool = gameDeals.length && nextDeal.pool !== null ? undefined : nextDeal.pool;
      return {
        ...nextDeal,
        number: nextDeal.number + pendingDeals.length,
        seating: round[advanced % round.length],
        pool,
      };
    });
  }

  /** How many deals of the agreed plan are left, after those that wait; null if none was agreed. */
  get dealsLeft() {
    const dealsLeft = this.ledger?.deals_left ?? null;
    if (dealsLeft === null) return null;
    const redealt = new Set(this.ledger.following.flatMap((/** @type {any} */ nextDeal) => nextDeal.dealt_again ?? []));
    const pendingDeals = this.listDeals().filter(
      (deal) => !deal.line && !deal.struck && !redealt.has(deal.result?.event.outcome),
    );
    return Math.max(0, dealsLeft - pendingDeals.length);
  }
}

/** The corrections that came when a deal had been closed: typing errors during the recording are not shown. @param {LogEvent[]} log */
function findCorrectionsAfterClosing(log) {
  const closed = log.findIndex((event) => event.type === "deal_closed");
  return closed < 0 ? [] : log.slice(closed).filter((event) => event.type === "correction_made");
}

/** Whether a deal is one of the game that is due, with its players. @param {{ seating: Seating }} due @param {Record<string, string> | undefined} seats */
function belongsToGame({ seating }, seats) {
  const seated = [seating.forehand, seating.middlehand, seating.backhand, ...(seating.sitting_out ?? [])];
  return !seats || ["forehand", "middlehand", "backhand"].every((seat) => seated.includes(seats[seat]));
}
