// @ts-check
/**
 * The outbox: what is written on this device and not stored by the service yet. An entry is kept in the browser's
 * database before anything is sent, so nothing is lost with the network, the page or the battery; its ids are made here,
 * so that it is stored once however often it is sent; and it is decided on a version of the record, so that nobody's
 * entries run over another's.
 *
 * An entry as pages see it: `id`, `stream` (the log it is about: "/deals/…" or "/tables/…"), `events` (all of its events,
 * in order), `context` (whatever the page that wrote it wants to know again), `made_at`, `state`, `problem` ({status, type,
 * detail, findings} or null), `between` ({events, version}: what others wrote first, or null). Its `state` is
 *   "waiting"   for its turn, for the network, or for an answer (`tried` then says that it may have arrived);
 *   "held"      the link has ended or does not reach so far: sent again when there is one that does;
 *   "conflict"  others wrote into that log first: a person decides (`resend`, `amend` or `drop`);
 *   "refused"   the service does not take it as it is: a person decides likewise;
 *   "dropped"   thrown away by a person; it is shown until it is cleared.
 */

import { newId } from "./api.js";
import { currentSessionId } from "./device-cache.js";
import { DeviceStore } from "./device-store.js";
import { OutboxSender } from "./outbox-sender.js";

/** @typedef {"waiting" | "held" | "conflict" | "refused" | "dropped"} State */
/** @typedef {{ status: number, type: string, detail: string, findings: any[] | null }} Problem */
/** @typedef {{ events: LogEvent[], version: number }} Between - what others wrote first */
/** @typedef {import("./corrections.js").LogEvent} LogEvent */
/**
 * @typedef {object} Step - a request; `opens` is the deal that it opens, `stored` the service's answer, `seen` the version that the writer saw
 * @property {string} path
 * @property {string} stream
 * @property {any} body
 * @property {number | null | undefined} version
 * @property {boolean} any
 * @property {string} [opens]
 * @property {any} [stored]
 * @property {number | null} [seen]
 */
/**
 * @typedef {object} StoredEntry - an entry as the device keeps it: in the order of `place`, with its `context` as `told`
 * @property {number} place
 * @property {string} id
 * @property {string} session
 * @property {string} stream
 * @property {any} told
 * @property {string} made_at
 * @property {State} state
 * @property {boolean} tried
 * @property {Problem | null} problem
 * @property {Between | null} between
 * @property {Step[]} steps
 */
/** @typedef {ReturnType<typeof publicEntry>} Entry */
/** @typedef {{ state: State | "stored", answers?: any[], problem?: Problem | null, between?: Between | null }} Outcome */
/** @typedef {{ id: string, step?: { stream: string, opens: string | null, answer: any }, outcome?: Outcome }} Message - to the other tabs */
/** @typedef {{ version?: number, any?: boolean, mode?: string | null, context?: any }} WriteOptions */
/** @typedef {(all: StoredEntry[]) => { put?: (StoredEntry | Omit<StoredEntry, "place">)[], remove?: number[] }} Decide */

const PENDING_STATES = ["waiting", "held", "conflict", "refused"];
const BLOCKED_STATES = ["conflict", "refused"];

export class Outbox {
  store = new DeviceStore("outbox");
  session = "";
  /** @type {StoredEntry[]} */
  entries = [];
  reloadsStarted = 0;
  reloadsApplied = 0;
  fingerprint = "";
  /** @type {Set<() => void>} */
  listeners = new Set();
  /** @type {Set<(stored: NonNullable<Message["step"]>) => void>} */
  storedListeners = new Set();
  /** @type {Map<string, (outcome: Outcome) => void>} */
  waiters = new Map();
  /** @type {Map<string, Outcome>} */
  earlyOutcomes = new Map();
  persistent = true;

  constructor() {
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("spadille-outbox") : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.receiveMessage(data);
    this.sender = new OutboxSender(this, (message) => this.channel?.postMessage(message));
    /** Done when it is known what was left from before. */
    this.ready = this.load();
  }

  async load() {
    this.session = await currentSessionId();
    await this.reload();
    if (this.entries.some((one) => this.isOwn(one))) this.sender.run();
  }

  // Writing

  /**
   * Writes `events` into the log at `stream`. `version` is how many entries of the service's log the writer has seen
   * (entries that wait here are added automatically); `any` is for remarks that are accepted at any version; `mode` is
   * "strict" or "as_played", if needed; `context` is kept with the entry for the code that draws it. Events without an id
   * get one. Returns the entry as soon as it is kept; `waitForOutcome` reports when it is stored.
   * @param {string} stream
   * @param {LogEvent[]} events
   * @param {WriteOptions} [options]
   */
  append(stream, events, { version, any = false, mode = null, context = null } = {}) {
    const body = events.map(withIdAndTime);
    return this.enqueue({
      stream,
      context,
      steps: [{ path: `${stream}/events${modeQuery(mode)}`, stream, body, version, any }],
    });
  }

  /** Starts a deal at a table, and writes what is known of it: `opening` may leave out what the table says. @param {string} table @param {LogEvent} opening @param {LogEvent[]} events @param {WriteOptions} [options] */
  startDeal(table, opening, events, { version, mode = null, context = null } = {}) {
    const body = withIdAndTime(opening);
    const deal = `/deals/${body.id}`;
    /** @type {Step[]} */
    const steps = [{ path: `${table}/deals`, stream: table, body, version, any: false, opens: deal }];
    if (events.length)
      steps.push({
        path: `${deal}/events${modeQuery(mode)}`,
        stream: deal,
        body: events.map(withIdAndTime),
        version: null,
        any: false,
      });
    return this.enqueue({ stream: table, context, steps });
  }

  /** Opens a deal that belongs to no table; the first of `events` is its `deal_opened`. @param {LogEvent[]} events @param {WriteOptions} [options] */
  openDeal(events, { mode = null, context = null } = {}) {
    const body = events.map(withIdAndTime);
    const deal = `/deals/${body[0].id}`;
    return this.enqueue({
      stream: deal,
      context,
      steps: [{ path: `/deals${modeQuery(mode)}`, stream: deal, body, version: null, any: false, opens: deal }],
    });
  }

  /** @param {{ stream: string, context: any, steps: Step[] }} written */
  async enqueue({ stream, context, steps }) {
    await this.ready;
    /** @type {Omit<StoredEntry, "place" | "steps">} */
    const entry = {
      id: newId(),
      session: this.session,
      stream,
      told: context,
      made_at: new Date().toISOString(),
      state: "waiting",
      tried: false,
      problem: null,
      between: null,
    };
    await this.transact((all) => {
      // What builds on something that waits is decided on the version that this will make.
      const before = all
        .filter((one) => one.session === entry.session && PENDING_STATES.includes(one.state))
        .flatMap(pendingStreams);
      const chained = steps.map((step) => ({
        ...step,
        stored: null,
        seen: step.version,
        version: before.includes(step.stream) ? null : step.version,
      }));
      return { put: [{ ...entry, steps: chained }] };
    });
    this.sender.run();
    return /** @type {Entry} */ (this.find(entry.id));
  }

  // Reading

  /** What is not stored yet of this session, in the order in which it was written; of one log where it is named. @param {string | null} stream */
  listQueued(stream = null) {
    return this.entries
      .filter((one) => this.isOwn(one) && PENDING_STATES.includes(one.state) && concernsStream(one, stream))
      .map(publicEntry);
  }

  /** What a person threw away, until it is cleared. @param {string | null} stream */
  listDropped(stream = null) {
    return this.entries
      .filter((one) => this.isOwn(one) && one.state === "dropped" && concernsStream(one, stream))
      .map(publicEntry);
  }

  /** What waits here of another login: never sent as anybody else's unless somebody takes it over. @param {string | null} stream */
  listForeign(stream = null) {
    return this.entries
      .filter((one) => !this.isOwn(one) && PENDING_STATES.includes(one.state) && concernsStream(one, stream))
      .map(publicEntry);
  }

  /** Whether what is put here outlives the page: not in a browser that keeps nothing, or has no room left. */
  get isPersistent() {
    return this.persistent;
  }

  /** Whether nobody answered when something was sent last: a stream may seem open long after the network is gone. */
  get isServiceUnreachable() {
    return this.sender.isServiceUnreachable;
  }

  /** Calls `listen` whenever anything changes here, in whichever tab; answers with what ends it. @param {() => void} listen */
  onChange(listen) {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  /** Calls `take({stream, opens, answer})` with the service's answer to whatever is stored, before it goes from here. @param {(stored: NonNullable<Message["step"]>) => void} take */
  onStored(take) {
    this.storedListeners.add(take);
    return () => this.storedListeners.delete(take);
  }

  /** Something speaks for the network being back: what waits is tried at once. */
  retryNow() {
    this.sender.retryNow();
  }

  /**
   * What became of an entry: {state: "stored", answers} with the service's answers in order, or the state in which a
   * person is asked, with `problem` and `between`; {state: "waiting"} where that is not known within so many milliseconds
   * (Infinity: it is waited for).
   * @param {string} id
   * @param {number} timeout
   * @returns {Promise<Outcome>}
   */
  waitForOutcome(id, timeout = 0) {
    return new Promise((resolve) => {
      const timer =
        timeout === Infinity ? undefined : setTimeout(() => this.settleOutcome(id, { state: "waiting" }), timeout);
      this.waiters.set(id, (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      });
      const known = this.find(id) ?? this.earlyOutcomes.get(id);
      if (known && known.state !== "waiting") this.settleOutcome(id, known);
    });
  }

  // Deciding

  /** Enters it anyway, after what others wrote. @param {string} id */
  resend(id) {
    return this.resolveBlocked(id, (entry) => this.buildRetry(entry, entry.steps));
  }

  /**
   * Puts other events in place of those that could not be stored, and sends them: `events` instead of what was refused
   * (an opening, where it was that), and `rest` instead of what was to come behind it; `mode` where they are to be taken
   * in another one: what broke a rule may have been played so. Only what the service has refused
   * can be amended; anything else may have arrived.
   * @param {string} id
   * @param {LogEvent[] | LogEvent} events
   * @param {{ rest?: LogEvent[] | null, context?: any, mode?: string | null }} [options]
   */
  amend(id, events, { rest = null, context = undefined, mode = null } = {}) {
    return this.resolveBlocked(id, (entry) => {
      const at = entry.steps.findIndex((step) => !step.stored);
      const bodies = [events, rest];
      const withMode = (/** @type {Step} */ step) =>
        mode ? { path: `${step.path.split("?")[0]}${modeQuery(mode)}` } : {};
      const steps = entry.steps.map((step, index) =>
        bodies[index - at]
          ? { ...step, ...withMode(step), body: buildReplacementBody(step, bodies[index - at]) }
          : step,
      );
      return { ...this.buildRetry(entry, steps), ...(context === undefined ? {} : { told: context }) };
    });
  }

  /** Throws it away. It is shown as thrown away until it is cleared; what builds on its deal goes with it. @param {string} id */
  async drop(id) {
    await this.transact((all) => {
      const entry = all.find((one) => one.id === id && PENDING_STATES.includes(one.state));
      if (!entry) return {};
      const removed = [entry];
      const openedDeals = new Set(pendingDealStreams(entry));
      for (const one of all) {
        if (
          one !== entry &&
          one.place > entry.place &&
          PENDING_STATES.includes(one.state) &&
          pendingStreams(one).some((stream) => openedDeals.has(stream))
        ) {
          removed.push(one);
          for (const stream of pendingDealStreams(one)) openedDeals.add(stream);
        }
      }
      const dropped = removed.map((one) => ({
        ...one,
        state: /** @type {State} */ ("dropped"),
        dropped_at: new Date().toISOString(),
      }));
      const rest = all.filter((one) => !removed.includes(one));
      return { put: [...dropped, ...rebaseFollowers(rest, entry, versionsBeforeEntry(entry))] };
    });
    this.sender.retryNow();
  }

  /** Forgets entries that were thrown away. @param {string[]} ids */
  clearDropped(ids) {
    return this.transact((all) => ({
      remove: all
        .filter((one) => this.isOwn(one) && one.state === "dropped" && ids.includes(one.id))
        .map((one) => one.place),
    }));
  }

  /** Takes over entries that another login left here: they are sent in this one's name from now on. @param {string[]} ids */
  async adoptForeign(ids) {
    const session = this.session;
    await this.transact((all) => ({
      put: this.filterForeign(all, ids).map((one) => ({
        ...one,
        session,
        state: one.state === "held" ? "waiting" : one.state,
      })),
    }));
    this.sender.retryNow();
  }

  /** Throws away entries that another login left here. @param {string[]} ids */
  discardForeign(ids) {
    return this.transact((all) => ({ remove: this.filterForeign(all, ids).map((one) => one.place) }));
  }

  /** @param {StoredEntry[]} all @param {string[]} ids */
  filterForeign(all, ids) {
    return all.filter((one) => !this.isOwn(one) && ids.includes(one.id));
  }

  /** A further link was opened: the login goes on under another id, and so does what it wrote. @param {string} oldSession @param {string} newSession */
  moveToSession(oldSession, newSession) {
    return this.transact((all) => ({
      put: all.filter((one) => one.session === oldSession).map((one) => ({ ...one, session: newSession })),
    }));
  }

  /** Forgets everything: somebody logs out. */
  async deleteAll() {
    await this.store.clear();
    await this.broadcastChange();
  }

  // What becomes of entries, told by `OutboxSender`

  /** The first entry whose turn it is, or null: everything that it builds on is stored. @param {Set<string>} skipped */
  async nextSendable(skipped) {
    await this.reload();
    /** @type {Set<string>} */
    const before = new Set();
    for (const one of this.entries) {
      if (!this.isOwn(one) || !PENDING_STATES.includes(one.state)) continue;
      const streams = pendingStreams(one);
      const free =
        !BLOCKED_STATES.includes(one.state) && !skipped.has(one.id) && !streams.some((stream) => before.has(stream));
      if (free) return one;
      for (const stream of streams) before.add(stream);
    }
    return null;
  }

  /** @param {string} id */
  markTried(id) {
    return this.updateEntry(id, (entry) => (entry.tried ? null : { tried: true }));
  }

  /** A step is stored, as `answer` tells. The entry with what is left of it, or null when all is done. @param {string} id @param {number} at @param {any} answer @returns {Promise<StoredEntry | null>} */
  async markStepStored(id, at, answer) {
    /** @type {Step | undefined} */
    let sentStep;
    /** @type {StoredEntry | null} */
    let remaining = null;
    /** @type {any[] | null} */
    let answers = null;
    await this.storeChanges((all) => {
      const entry = all.find((one) => one.id === id);
      if (!entry) return {};
      sentStep = entry.steps[at];
      const versions = versionsAfterStep(sentStep, answer);
      const steps = entry.steps.map((step, index) => {
        if (index === at) return { ...step, stored: answer };
        return index > at && step.version === null && step.stream in versions
          ? { ...step, version: versions[step.stream] }
          : step;
      });
      const updated = { ...entry, steps, state: entry.state === "held" ? "waiting" : entry.state, problem: null };
      const rest = all.filter((one) => one.id !== id);
      // What this entry has still to write into a log comes before what others wait with.
      const own = new Set(steps.filter((step) => !step.stored).map((step) => step.stream));
      const followers = rebaseFollowers(
        rest,
        entry,
        Object.fromEntries(Object.entries(versions).filter(([stream]) => !own.has(stream))),
      );
      if (steps.every((step) => step.stored) || entry.state === "dropped") {
        answers = steps.map((step) => step.stored);
        return { put: followers, remove: [entry.place] };
      }
      remaining = updated;
      return { put: [updated, ...followers] };
    });
    const sent = /** @type {Step | undefined} */ (sentStep);
    if (sent) this.publish({ id, step: { stream: sent.stream, opens: sent.opens ?? null, answer } });
    if (answers) this.publish({ id, outcome: { state: "stored", answers } });
    await this.broadcastChange();
    return remaining;
  }

  /** @param {string} id @param {Problem} problem */
  markHeld(id, problem) {
    return this.updateEntry(id, () => ({ state: "held", problem }));
  }

  /** @param {string} id @param {Problem} problem @param {Between | null} between */
  markBlocked(id, problem, between) {
    return this.updateEntry(id, () => ({ state: between ? "conflict" : "refused", problem, between }));
  }

  // The inside

  /** @param {StoredEntry} entry */
  isOwn(entry) {
    return entry.session === this.session;
  }

  /** @param {string} id */
  find(id) {
    const entry = this.entries.find((one) => one.id === id);
    return entry ? publicEntry(entry) : null;
  }

  /** An entry with these steps, to be sent as the log stands that was shown with the conflict. @param {StoredEntry} entry @param {Step[]} steps @returns {Partial<StoredEntry>} */
  buildRetry(entry, steps) {
    const at = steps.findIndex((step) => !step.stored);
    const isIdTaken = entry.problem?.type === "id-conflict" && !steps[at].opens;
    const retrySteps = steps.map((step, index) =>
      index !== at
        ? step
        : {
            ...step,
            version: entry.between?.version ?? step.version,
            body: isIdTaken ? withNewIds(step.body) : step.body,
          },
    );
    return { steps: retrySteps, state: "waiting", tried: false, problem: null, between: null };
  }

  /** @param {string} id @param {(entry: StoredEntry) => Partial<StoredEntry> | null} change */
  async resolveBlocked(id, change) {
    await this.updateEntry(id, (entry) => (BLOCKED_STATES.includes(entry.state) ? change(entry) : null));
    this.sender.retryNow();
  }

  /** @param {string} id @param {(entry: StoredEntry) => Partial<StoredEntry> | null} change */
  async updateEntry(id, change) {
    await this.transact((all) => {
      const entry = all.find((one) => one.id === id);
      const changes = entry && change(entry);
      return changes ? { put: [{ ...entry, ...changes }] } : {};
    });
    const now = this.find(id);
    if (now && now.state !== "waiting") this.publish({ id, outcome: now });
  }

  /** @param {Decide} decide */
  async transact(decide) {
    await this.storeChanges(decide);
    await this.broadcastChange();
  }

  /** @param {Decide} decide */
  storeChanges(decide) {
    return this.store.transact(/** @type {import("./device-store.js").Decide} */ (decide));
  }

  broadcastChange() {
    this.channel?.postMessage({ changed: true });
    return this.reload();
  }

  /** Reads what is here, and tells of it where it is not what was known: a tab that is closed tells nobody any more. */
  async reload() {
    this.reloadsStarted += 1;
    const turn = this.reloadsStarted;
    const entries = /** @type {StoredEntry[]} */ (await this.store.readAll());
    const persistent = await this.store.isPersistent();
    // What was asked for earlier may come later: it is older than what is here already.
    if (turn < this.reloadsApplied) return;
    this.reloadsApplied = turn;
    // That it is being tried changes nothing for anybody who draws.
    const print = JSON.stringify([entries.map((entry) => ({ ...entry, tried: true })), persistent]);
    Object.assign(this, { entries, persistent });
    if (print === this.fingerprint) return;
    this.fingerprint = print;
    this.notifyListeners();
  }

  notifyListeners() {
    for (const listen of this.listeners) listen();
  }

  /** @param {Message} message */
  publish(message) {
    this.channel?.postMessage(message);
    this.dispatch(message);
  }

  /** @param {Message} message */
  dispatch({ id, step, outcome }) {
    if (step) for (const listen of this.storedListeners) listen(step);
    if (outcome) this.settleOutcome(id, outcome);
  }

  /** @param {string} id @param {Outcome} outcome */
  settleOutcome(id, outcome) {
    const waiter = this.waiters.get(id);
    if (waiter) waiter(outcome);
    else if (outcome.state === "stored") this.earlyOutcomes.set(id, outcome);
    this.waiters.delete(id);
  }

  /** @param {Message & { rests?: number, changed?: boolean }} message */
  async receiveMessage(message) {
    if (message.rests) this.sender.pauseUntil(message.rests);
    this.dispatch(message);
    if (message.changed) await this.reload();
  }
}

/** An event with an id, and when this device wrote it down: it may be sent much later. @param {LogEvent} event */
const withIdAndTime = (event) => ({ id: newId(), recorded_at: new Date().toISOString(), ...event });

/** @param {string | null} mode */
const modeQuery = (mode) => (mode ? `?mode=${mode}` : "");

/** The logs that an entry has still to do with. @param {StoredEntry} entry */
const pendingStreams = (entry) =>
  entry.steps.filter((step) => !step.stored).flatMap((step) => [step.stream, ...(step.opens ? [step.opens] : [])]);

/** The deals that an entry has still to open. @param {StoredEntry} entry */
const pendingDealStreams = (entry) => entry.steps.flatMap((step) => (!step.stored && step.opens ? [step.opens] : []));

/** @param {StoredEntry} entry @param {string | null} stream */
const concernsStream = (entry, stream) =>
  stream === null || entry.steps.some((step) => step.stream === stream || step.opens === stream);

/** The version at which each log of a step stands by it: nothing that others wrote since is taken for seen. @param {Step} step @param {any} answer @returns {Record<string, any>} */
function versionsAfterStep(step, answer) {
  const last = (/** @type {LogEvent[]} */ events) => events.at(-1)?.seq;
  if (step.path.startsWith("/tables/") && step.opens)
    return { [step.stream]: last(answer.table.events), [step.opens]: last(answer.events) };
  const version = last(answer.events);
  if (!step.any) return { [step.stream]: version };
  // It may have come behind entries of others, which nobody here has seen.
  const isSeen = step.version === null || version - answer.events.length === step.version;
  return { [step.stream]: isSeen ? version : step.version };
}

/** The versions on which what comes behind an entry is decided when it is thrown away. @param {StoredEntry} entry */
function versionsBeforeEntry(entry) {
  const at = entry.steps.findIndex((step) => !step.stored);
  const versions = entry.steps
    .slice(at)
    .map((step, index) => [step.stream, index === 0 && entry.between ? entry.between.version : step.version]);
  return Object.fromEntries(versions.filter(([, version]) => version !== null && version !== undefined));
}

/** What waits behind an entry in each log, told the version that it builds on: the first of each log alone. @param {StoredEntry[]} all @param {StoredEntry} entry @param {Record<string, any>} versions */
function rebaseFollowers(all, entry, versions) {
  /** @type {Map<number, StoredEntry>} */
  const rebased = new Map();
  for (const [stream, version] of Object.entries(versions)) {
    const follower = all.find(
      (one) =>
        one.place > entry.place &&
        one.session === entry.session &&
        PENDING_STATES.includes(one.state) &&
        one.steps.some((step) => step.stream === stream && !step.stored),
    );
    if (!follower) continue;
    const entryNow = rebased.get(follower.place) ?? follower;
    let first = true;
    const steps = entryNow.steps.map((step) => {
      if (!first || step.stream !== stream || step.stored) return step;
      first = false;
      return step.version === null ? { ...step, version } : step;
    });
    rebased.set(follower.place, { ...entryNow, steps });
  }
  return [...rebased.values()];
}

/** The same events with ids of their own, where the old ones name something else. @param {LogEvent[]} body */
const withNewIds = (body) => body.map((event) => ({ ...event, id: newId() }));

/** What stands in place of a step's events; an opening keeps its id, by which the deal is called that follows. @param {Step} step @param {any} body */
function buildReplacementBody(step, body) {
  if (!step.opens) return body.map(withIdAndTime);
  const [before] = [step.body].flat();
  return Array.isArray(step.body)
    ? body.map((/** @type {LogEvent} */ event, /** @type {number} */ index) =>
        withIdAndTime(index ? event : { ...event, id: before.id }),
      )
    : withIdAndTime({ ...body, id: before.id });
}

/** An entry as pages see it. Stored entries have its `context` as `told`: devices hold entries from before. @param {StoredEntry} entry */
function publicEntry({ id, stream, told: context, made_at, state, tried, problem, between, steps }) {
  const at = steps.findIndex((step) => !step.stored);
  return {
    id,
    stream,
    context,
    made_at,
    state,
    tried,
    problem,
    between,
    streams: [...new Set(steps.flatMap((step) => [step.stream, ...(step.opens ? [step.opens] : [])]))],
    events: steps.flatMap((step) => step.body),
    writes: steps.map((step) => ({ stream: step.stream, opens: step.opens ?? null, events: [step.body].flat() })),
    stored: steps.slice(0, at < 0 ? steps.length : at).flatMap((step) => step.body),
  };
}

/** The outbox of this page. */
export const outbox = new Outbox();
