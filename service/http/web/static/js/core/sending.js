/**
 * Sends what waits in the outbox, one tab for all of them, each entry as often as it takes: what it says has its ids
 * already, so the service stores it once. What it refuses stays where it is, with its reason, for a person to decide.
 */

import { Refused, sent } from "./api.js";

const LOCK = "spadille-outbox";
const BUSY = Symbol("another tab sends");
/** So many milliseconds an answer is waited for; then the same is sent again. */
const PATIENCE = 15_000;
/** Between two tries in vain: at first, and at most. */
const PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** A lease holds for so long; longer than one request takes. */
const LEASE = 2 * PATIENCE;
/** Events of others that are read beside what could not be stored; the rest is counted. */
const READ = 100;

/**
 * Whether that came to nothing only for now: nobody answered, or it is asked to come again, or something between answered
 * in the service's place. What is too large is so the next time too, whoever says it.
 */
export const passes = ({ type, status }) => status >= 500 || [0, 408, 429].includes(status) || (type === "" && status !== 413);
/** Whether it is not for this caller: his link has ended, or does not reach so far. */
export const barred = (refused) => [401, 403, 404].includes(refused.status);

export class Sending {
  /** `outbox` gives `next`, and is told what became of it; `news` tells the other tabs. */
  constructor(outbox, news) {
    this.outbox = outbox;
    this.news = news;
    /** Whether nobody answered when it was tried last. */
    this.away = false;
    this.vain = 0;
    this.rests = 0;
    this.timer = null;
    this.running = null;
    this.again = false;
    window.addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake());
    window.addEventListener("pageshow", (event) => event.persisted && this.wake());
  }

  /** Something has changed for the better: tries at once, whatever was tried in vain before. */
  wake() {
    this.vain = 0;
    this.rests = 0;
    this.run();
  }

  /** Another tab has tried in vain: this one rests as long. */
  rest(until) {
    this.rests = Math.max(this.rests, until);
    this.later(this.rests - Date.now());
  }

  /** Sends what there is to send; one round at a time, and one more where it is asked for meanwhile. */
  run() {
    this.again = true;
    this.running ??= this.rounds().finally(() => (this.running = null));
    return this.running;
  }

  async rounds() {
    while (this.again) {
      this.again = false;
      if (this.rests > Date.now()) return this.later(this.rests - Date.now());
      if ((await alone(() => this.send())) === BUSY) return this.later(LEASE / 4);
    }
    return undefined;
  }

  /** What is not for this caller is asked about once in a round, and holds up nothing but what builds on it. */
  async send() {
    const barredNow = new Set();
    for (let entry = await this.outbox.next(barredNow); entry; entry = await this.outbox.next(barredNow)) {
      const going = await this.sendOne(entry, barredNow);
      if (!going) return;
    }
    this.vain = 0;
    if (barredNow.size) this.later(LONGEST_PAUSE);
  }

  /** Sends the steps of an entry that are not stored yet. Whether the next one may be tried. */
  async sendOne(entry, barredNow) {
    try {
      for (let step = entry.steps.findIndex((one) => !one.stored); step >= 0 && step < entry.steps.length; step += 1) {
        const { path, body, version, any } = entry.steps[step];
        await this.outbox.trying(entry.id);
        const answer = await sent("POST", path, body, { version: any ? "*" : version ?? undefined, session: entry.session, patience: PATIENCE });
        this.away = false;
        entry = await this.outbox.stored(entry.id, step, answer);
        // It was taken back while it was on its way.
        if (entry === null) return true;
      }
      return true;
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      return this.refused(entry, refused, barredNow);
    }
  }

  async refused(entry, refused, barredNow) {
    this.away = passes(refused);
    if (this.away) {
      this.outbox.tellAll();
      this.pause(refused.wait);
      return false;
    }
    const problem = { status: refused.status, type: refused.type, detail: refused.message, findings: refused.problem.findings ?? null };
    if (barred(refused)) {
      barredNow.add(entry.id);
      await this.outbox.held(entry.id, problem);
      return true;
    }
    const step = entry.steps.find((one) => !one.stored);
    try {
      const between = refused.type === "stale-version" ? await inBetween(step) : null;
      await this.outbox.blocked(entry.id, problem, between);
      return true;
    } catch (failed) {
      if (!(failed instanceof Refused)) throw failed;
      // What stands there could not be read: without it nobody can decide, so all of it is tried again.
      this.pause(failed.wait);
      return false;
    }
  }

  pause(wait) {
    const pause = wait ? wait * 1000 : Math.min(PAUSE * 2 ** this.vain, LONGEST_PAUSE);
    this.vain += 1;
    // Not all devices of a club at the same moment when the network is back.
    this.rests = Date.now() + pause * (0.75 + Math.random() / 2);
    this.news({ rests: this.rests });
    this.later(this.rests - Date.now());
  }

  later(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), Math.max(pause, 0));
  }
}

/** What others wrote into the log since the version that the step was decided on. */
async function inBetween({ stream, version }) {
  const read = await sent("GET", `${stream}/events?after=${version}&limit=${READ}`, undefined, { patience: PATIENCE });
  const events = read.events ?? [];
  return { events, version: events.at(-1)?.seq ?? version };
}

/** Runs `act` while no other tab does; BUSY where one does and there is no waiting for it. */
async function alone(act) {
  if (navigator.locks) return navigator.locks.request(LOCK, act);
  if (!leased()) return BUSY;
  const renewing = setInterval(leased, LEASE / 4);
  try {
    return await act();
  } finally {
    clearInterval(renewing);
    released();
  }
}

const holder = Math.random().toString(36).slice(2);

/**
 * Takes a lease where the browser has no locks. Two tabs could both believe that they have it for a moment: then the
 * same is sent twice, which is stored once.
 */
function leased() {
  try {
    const [other, until] = (localStorage.getItem(LOCK) ?? "").split(" ");
    if (other && other !== holder && Number(until) > Date.now()) return false;
    localStorage.setItem(LOCK, `${holder} ${Date.now() + LEASE}`);
    return localStorage.getItem(LOCK).startsWith(`${holder} `);
  } catch {
    return true;
  }
}

function released() {
  try {
    if (leased()) localStorage.removeItem(LOCK);
  } catch {
    // Nothing was kept, so there is nothing to give back.
  }
}
