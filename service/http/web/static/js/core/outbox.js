/**
 * The outbox: what is written on this device and not stored by the service yet. An entry is kept in the browser's
 * database before anything is sent, so nothing is lost with the network, the page or the battery; its ids are made here,
 * so that it is stored once however often it is sent; and it is decided on a version of the record, so that nobody's
 * entries run over another's. docs/evening.md tells how a page uses it.
 *
 * An entry as it is told: `id`, `stream` (the log it is about: "/deals/…" or "/tables/…"), `events` (all of its events,
 * in order), `told` (whatever the page that wrote it wants to know again), `made_at`, `state`, `problem` ({status, type,
 * detail, findings} or null), `between` ({events, version}: what others wrote first, or null). Its `state` is
 *   "waiting"   for its turn, for the network, or for an answer (`tried` then says that it may have arrived);
 *   "held"      the link has ended or does not reach so far: sent again when there is one that does;
 *   "conflict"  others wrote into that log first: a person decides (`again`, `amend` or `drop`);
 *   "refused"   the service does not take it as it is: a person decides likewise;
 *   "dropped"   thrown away by a person; it is shown until it is cleared.
 */

import { newId } from "./api.js";
import { Sending } from "./sending.js";
import { Shelf } from "./shelf.js";
import { sessionHere } from "./session.js";

const LIVING = ["waiting", "held", "conflict", "refused"];
const STUCK = ["conflict", "refused"];

export class Outbox {
  constructor(shelf = new Shelf("outbox")) {
    this.shelf = shelf;
    this.entries = [];
    this.asked = 0;
    this.read = 0;
    this.listeners = new Set();
    this.takers = new Set();
    this.waiters = new Map();
    this.told = new Map();
    this.lasting = true;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("spadille-outbox") : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.hear(data);
    this.sending = new Sending(this, (news) => this.channel?.postMessage(news));
    /** Done when it is known what was left from before. */
    this.ready = this.begin();
  }

  async begin() {
    this.session = await sessionHere();
    await this.reread();
    if (this.entries.some((one) => this.isOwn(one))) this.sending.run();
  }

  // Writing

  /**
   * Writes `events` into the log at `stream`. `version` is how many entries of the service's log the writer has seen
   * (what waits here already comes on top by itself); `any` for remarks that may come in at any version; `mode` is
   * "strict" or "as_played" where that is to be said; `told` is kept with the entry for whoever draws it. Events without
   * an id get one. The entry, as soon as it is kept: it need not be stored yet (`outcome` tells).
   */
  append(stream, events, { version, any = false, mode = null, told = null } = {}) {
    const body = events.map(named);
    return this.put({ stream, told, steps: [{ path: `${stream}/events${asking(mode)}`, stream, body, version, any }] });
  }

  /** Starts a deal at a table, and writes what is known of it: `opening` may leave out what the table says. */
  start(table, opening, events, { version, mode = null, told = null } = {}) {
    const body = named(opening);
    const deal = `/deals/${body.id}`;
    const steps = [{ path: `${table}/deals`, stream: table, body, version, any: false, opens: deal }];
    if (events.length) steps.push({ path: `${deal}/events${asking(mode)}`, stream: deal, body: events.map(named), version: null, any: false });
    return this.put({ stream: table, told, steps });
  }

  /** Opens a deal that belongs to no table; the first of `events` is its `deal_opened`. */
  open(events, { mode = null, told = null } = {}) {
    const body = events.map(named);
    const deal = `/deals/${body[0].id}`;
    return this.put({ stream: deal, told, steps: [{ path: `/deals${asking(mode)}`, stream: deal, body, version: null, any: false, opens: deal }] });
  }

  async put({ stream, told, steps }) {
    await this.ready;
    const entry = { id: newId(), session: this.session, stream, told, made_at: new Date().toISOString(), state: "waiting", tried: false, problem: null, between: null };
    await this.change((all) => {
      // What builds on something that waits is decided on the version that this will make.
      const before = all.filter((one) => one.session === entry.session && LIVING.includes(one.state)).flatMap(streamsOf);
      const chained = steps.map((step) => ({ ...step, stored: null, seen: step.version, version: before.includes(step.stream) ? null : step.version }));
      return { put: [{ ...entry, steps: chained }] };
    });
    this.sending.run();
    return this.find(entry.id);
  }

  // Reading

  /** What is not stored yet of this session, in the order in which it was written; of one log where it is named. */
  queued(stream = null) {
    return this.entries.filter((one) => this.isOwn(one) && LIVING.includes(one.state) && about(one, stream)).map(shown);
  }

  /** What a person threw away, until it is cleared. */
  dropped(stream = null) {
    return this.entries.filter((one) => this.isOwn(one) && one.state === "dropped" && about(one, stream)).map(shown);
  }

  /** What waits here of another login: never sent as anybody else's unless somebody takes it over. */
  foreign(stream = null) {
    return this.entries.filter((one) => !this.isOwn(one) && LIVING.includes(one.state) && about(one, stream)).map(shown);
  }

  /** Whether what is put here outlives the page: not in a browser that keeps nothing, or has no room left. */
  get lasts() {
    return this.lasting;
  }

  /** Whether nobody answered when something was sent last: a stream may seem open long after the network is gone. */
  get away() {
    return this.sending.away;
  }

  /** Calls `listen` whenever anything changes here, in whichever tab; answers with what ends it. */
  onChange(listen) {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  /** Calls `take({stream, opens, answer})` with the service's answer to whatever is stored, before it goes from here. */
  onStored(take) {
    this.takers.add(take);
    return () => this.takers.delete(take);
  }

  /** Something speaks for the network being back: what waits is tried at once. */
  wake() {
    this.sending.wake();
  }

  /**
   * What became of an entry: {state: "stored", answers} with the service's answers in order, or the state in which a
   * person is asked, with `problem` and `between`; {state: "waiting"} where that is not known within so many milliseconds
   * (Infinity: it is waited for).
   */
  outcome(id, within = 0) {
    return new Promise((resolve) => {
      const late = within === Infinity ? null : setTimeout(() => this.tell(id, { state: "waiting" }), within);
      this.waiters.set(id, (told) => {
        clearTimeout(late);
        resolve(told);
      });
      const now = this.find(id) ?? this.told.get(id);
      if (now && now.state !== "waiting") this.tell(id, now);
    });
  }

  // Deciding

  /** Enters it all the same, after what others wrote. */
  again(id) {
    return this.decide(id, (entry) => this.renewed(entry, entry.steps));
  }

  /**
   * Puts other events in place of those that could not be stored, and sends them: `events` instead of what was refused
   * (an opening, where it was that), and `rest` instead of what was to come behind it; `mode` where they are to be taken
   * in another one: what broke a rule may have been played so. Only what the service has refused
   * can be amended; anything else may have arrived.
   */
  amend(id, events, { rest = null, told = undefined, mode = null } = {}) {
    return this.decide(id, (entry) => {
      const at = entry.steps.findIndex((step) => !step.stored);
      const bodies = [events, rest];
      const asked = (step) => (mode ? { path: `${step.path.split("?")[0]}${asking(mode)}` } : {});
      const steps = entry.steps.map((step, place) => (bodies[place - at] ? { ...step, ...asked(step), body: instead(step, bodies[place - at]) } : step));
      return { ...this.renewed(entry, steps), ...(told === undefined ? {} : { told }) };
    });
  }

  /** Throws it away. It is shown as thrown away until it is cleared; what builds on its deal goes with it. */
  async drop(id) {
    await this.change((all) => {
      const entry = all.find((one) => one.id === id && LIVING.includes(one.state));
      if (!entry) return {};
      const gone = [entry];
      const opened = new Set(opening(entry));
      for (const one of all) {
        if (one !== entry && one.place > entry.place && LIVING.includes(one.state) && streamsOf(one).some((stream) => opened.has(stream))) {
          gone.push(one);
          opening(one).forEach((stream) => opened.add(stream));
        }
      }
      const dropped = gone.map((one) => ({ ...one, state: "dropped", dropped_at: new Date().toISOString() }));
      const rest = all.filter((one) => !gone.includes(one));
      return { put: [...dropped, ...followed(rest, entry, versionsBefore(entry))] };
    });
    this.sending.wake();
  }

  /** Forgets entries that were thrown away. */
  clear(ids) {
    return this.change((all) => ({ remove: all.filter((one) => this.isOwn(one) && one.state === "dropped" && ids.includes(one.id)).map((one) => one.place) }));
  }

  /** Takes over entries that another login left here: they are sent in this one's name from now on. */
  async adopt(ids) {
    const session = this.session;
    await this.change((all) => ({ put: this.lost(all, ids).map((one) => ({ ...one, session, state: one.state === "held" ? "waiting" : one.state })) }));
    this.sending.wake();
  }

  /** Throws away entries that another login left here. */
  disown(ids) {
    return this.change((all) => ({ remove: this.lost(all, ids).map((one) => one.place) }));
  }

  lost(all, ids) {
    return all.filter((one) => !this.isOwn(one) && ids.includes(one.id));
  }

  /** A further link was opened: the login goes on under another id, and so does what it wrote. */
  renamed(before, now) {
    return this.change((all) => ({ put: all.filter((one) => one.session === before).map((one) => ({ ...one, session: now })) }));
  }

  /** Forgets everything: somebody logs out. */
  async forget() {
    await this.shelf.clear();
    await this.changed();
  }

  // What becomes of entries, told by `Sending`

  /** The first entry whose turn it is, or null: everything that it builds on is stored. */
  async next(skipped) {
    await this.reread();
    const before = new Set();
    for (const one of this.entries) {
      if (!this.isOwn(one) || !LIVING.includes(one.state)) continue;
      const streams = streamsOf(one);
      const free = !STUCK.includes(one.state) && !skipped.has(one.id) && !streams.some((stream) => before.has(stream));
      if (free) return one;
      streams.forEach((stream) => before.add(stream));
    }
    return null;
  }

  trying(id) {
    return this.update(id, (entry) => (entry.tried ? null : { tried: true }));
  }

  /** A step is stored, as `answer` tells. The entry with what is left of it, or null when all is done. */
  async stored(id, at, answer) {
    let sent = null;
    let left = null;
    let answers = null;
    await this.shelf.change((all) => {
      const entry = all.find((one) => one.id === id);
      if (!entry) return {};
      sent = entry.steps[at];
      const versions = versionsIn(sent, answer);
      const steps = entry.steps.map((step, place) => {
        if (place === at) return { ...step, stored: answer };
        return place > at && step.version === null && step.stream in versions ? { ...step, version: versions[step.stream] } : step;
      });
      const now = { ...entry, steps, state: entry.state === "held" ? "waiting" : entry.state, problem: null };
      const rest = all.filter((one) => one.id !== id);
      // What this entry has still to write into a log comes before what others wait with.
      const own = new Set(steps.filter((step) => !step.stored).map((step) => step.stream));
      const behind = followed(rest, entry, Object.fromEntries(Object.entries(versions).filter(([stream]) => !own.has(stream))));
      if (steps.every((step) => step.stored) || entry.state === "dropped") {
        answers = steps.map((step) => step.stored);
        return { put: behind, remove: [entry.place] };
      }
      left = now;
      return { put: [now, ...behind] };
    });
    if (sent) this.announce({ id, step: { stream: sent.stream, opens: sent.opens ?? null, answer } });
    if (answers) this.announce({ id, outcome: { state: "stored", answers } });
    await this.changed();
    return left;
  }

  held(id, problem) {
    return this.update(id, () => ({ state: "held", problem }));
  }

  blocked(id, problem, between) {
    return this.update(id, () => ({ state: between ? "conflict" : "refused", problem, between }));
  }

  // The inside

  isOwn(entry) {
    return entry.session === this.session;
  }

  find(id) {
    const entry = this.entries.find((one) => one.id === id);
    return entry ? shown(entry) : null;
  }

  /** An entry with these steps, to be sent as the log stands that was shown with the conflict. */
  renewed(entry, steps) {
    const at = steps.findIndex((step) => !step.stored);
    const taken = entry.problem?.type === "id-conflict" && !steps[at].opens;
    const sent = steps.map((step, place) => (place !== at ? step : { ...step, version: entry.between?.version ?? step.version, body: taken ? renamed(step.body) : step.body }));
    return { steps: sent, state: "waiting", tried: false, problem: null, between: null };
  }

  async decide(id, change) {
    await this.update(id, (entry) => (STUCK.includes(entry.state) ? change(entry) : null));
    this.sending.wake();
  }

  async update(id, change) {
    await this.change((all) => {
      const entry = all.find((one) => one.id === id);
      const changes = entry ? change(entry) : null;
      return changes ? { put: [{ ...entry, ...changes }] } : {};
    });
    const now = this.find(id);
    if (now && now.state !== "waiting") this.announce({ id, outcome: now });
  }

  async change(decide) {
    await this.shelf.change(decide);
    await this.changed();
  }

  changed() {
    this.channel?.postMessage({ changed: true });
    return this.reread();
  }

  /** Reads what is here, and tells of it where it is not what was known: a tab that is closed tells nobody any more. */
  async reread() {
    this.asked += 1;
    const turn = this.asked;
    const [entries, lasting] = [await this.shelf.all(), await this.shelf.lasts()];
    // What was asked for earlier may come later: it is older than what is here already.
    if (turn < this.read) return;
    this.read = turn;
    // That it is being tried changes nothing for anybody who draws.
    const print = JSON.stringify([entries.map((entry) => ({ ...entry, tried: true })), lasting]);
    Object.assign(this, { entries, lasting });
    if (print === this.print) return;
    this.print = print;
    this.tellAll();
  }

  tellAll() {
    for (const listen of this.listeners) listen();
  }

  announce(told) {
    this.channel?.postMessage(told);
    this.heed(told);
  }

  heed({ id, step, outcome }) {
    if (step) for (const listen of this.takers) listen(step);
    if (outcome) this.tell(id, outcome);
  }

  tell(id, outcome) {
    const waiter = this.waiters.get(id);
    if (waiter) waiter(outcome);
    else if (outcome.state === "stored") this.told.set(id, outcome);
    this.waiters.delete(id);
  }

  async hear(told) {
    if (told.rests) this.sending.rest(told.rests);
    this.heed(told);
    if (told.changed) await this.reread();
  }
}

/** An event with an id, and when this device wrote it down: it may be sent much later. */
const named = (event) => ({ id: newId(), recorded_at: new Date().toISOString(), ...event });

const asking = (mode) => (mode ? `?mode=${mode}` : "");

/** The logs that an entry has still to do with. */
const streamsOf = (entry) => entry.steps.filter((step) => !step.stored).flatMap((step) => [step.stream, ...(step.opens ? [step.opens] : [])]);

/** The deals that an entry has still to open. */
const opening = (entry) => entry.steps.filter((step) => !step.stored && step.opens).map((step) => step.opens);

const about = (entry, stream) => stream === null || entry.steps.some((step) => step.stream === stream || step.opens === stream);

/** The version at which each log of a step stands by it: nothing that others wrote since is taken for seen. */
function versionsIn(step, answer) {
  const last = (events) => events.at(-1)?.seq;
  if (step.path.startsWith("/tables/") && step.opens) return { [step.stream]: last(answer.table.events), [step.opens]: last(answer.events) };
  const version = last(answer.events);
  if (!step.any) return { [step.stream]: version };
  // It may have come behind entries of others, which nobody here has seen.
  const seen = step.version === null || version - answer.events.length === step.version;
  return { [step.stream]: seen ? version : step.version };
}

/** The versions on which what comes behind an entry is decided when it is thrown away. */
function versionsBefore(entry) {
  const at = entry.steps.findIndex((step) => !step.stored);
  const versions = entry.steps.slice(at).map((step, place) => [step.stream, place === 0 && entry.between ? entry.between.version : step.version]);
  return Object.fromEntries(versions.filter(([, version]) => version !== null && version !== undefined));
}

/** What waits behind an entry in each log, told the version that it builds on: the first of each log alone. */
function followed(all, entry, versions) {
  const told = new Map();
  for (const [stream, version] of Object.entries(versions)) {
    const behind = all.find((one) => one.place > entry.place && one.session === entry.session && LIVING.includes(one.state) && one.steps.some((step) => step.stream === stream && !step.stored));
    if (!behind) continue;
    const now = told.get(behind.place) ?? behind;
    let first = true;
    const steps = now.steps.map((step) => {
      if (!first || step.stream !== stream || step.stored) return step;
      first = false;
      return step.version === null ? { ...step, version } : step;
    });
    told.set(behind.place, { ...now, steps });
  }
  return [...told.values()];
}

/** The same events with ids of their own, where the old ones name something else. */
const renamed = (body) => body.map((event) => ({ ...event, id: newId() }));

/** What stands in place of a step's events; an opening keeps its id, by which the deal is called that follows. */
function instead(step, body) {
  if (!step.opens) return body.map(named);
  const [before] = [step.body].flat();
  return Array.isArray(step.body) ? body.map((event, place) => named(place ? event : { ...event, id: before.id })) : named({ ...body, id: before.id });
}

/** An entry as pages see it. */
function shown({ id, stream, told, made_at, state, tried, problem, between, steps }) {
  const at = steps.findIndex((step) => !step.stored);
  return {
    id, stream, told, made_at, state, tried, problem, between,
    streams: [...new Set(steps.flatMap((step) => [step.stream, ...(step.opens ? [step.opens] : [])]))],
    events: steps.flatMap((step) => step.body),
    writes: steps.map((step) => ({ stream: step.stream, opens: step.opens ?? null, events: [step.body].flat() })),
    stored: steps.slice(0, at < 0 ? steps.length : at).flatMap((step) => step.body),
  };
}

/** The outbox of this page. */
export const outbox = new Outbox();
