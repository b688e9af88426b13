// @ts-check
/**
 * Sends what waits in the outbox, one tab for all of them, each entry as often as it takes: what it says has its ids
 * already, so the service stores it once. What it refuses stays where it is, with its reason, for a person to decide.
 */

import { ApiError, sendRequest } from "./api.js";

/** @typedef {import("./outbox.js").StoredEntry} Entry */
/** @typedef {import("./outbox.js").Step} Step */

const LOCK_NAME = "spadille-outbox";
const LOCK_BUSY = Symbol("another tab sends");
/** Milliseconds to wait for an answer before sending again. */
const REQUEST_TIMEOUT_MS = 15_000;
/** The delay between failed attempts: the first, and the longest. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** How long a lease holds: longer than one request takes. */
const LEASE_MS = 2 * REQUEST_TIMEOUT_MS;
/** The number of other events that are read along with what could not be stored; the rest is counted. */
const MAX_INTERVENING_EVENTS = 100;

/**
 * Whether the failure is temporary: no answer, a request to try again, or an answer from something in between. What is too
 * large is too large the next time too.
 * @param {ApiError} error
 */
export const isTemporaryFailure = ({ type, status }) =>
  status >= 500 || [0, 408, 429].includes(status) || (type === "" && status !== 413);
/** Whether the caller has no right to it: the link has ended, or allows less. @param {ApiError} error */
const isAccessDenied = (error) => [401, 403, 404].includes(error.status);

export class OutboxSender {
  /**
   * `outbox` gives `nextSendable`, and receives the outcome; `broadcast` informs the other tabs.
   * @param {import("./outbox.js").Outbox} outbox
   * @param {(message: { rests: number }) => void} broadcast
   */
  constructor(outbox, broadcast) {
    this.outbox = outbox;
    this.broadcast = broadcast;
    /** Whether nobody answered when it was tried last. */
    this.isServiceUnreachable = false;
    this.failedAttempts = 0;
    this.pausedUntil = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Promise<void> | null} */
    this.running = null;
    this.needsAnotherRound = false;
    window.addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retryNow());
    window.addEventListener("pageshow", (event) => event.persisted && this.retryNow());
  }

  /** Something has changed for the better: tries at once, whatever was tried in vain before. */
  retryNow() {
    this.failedAttempts = 0;
    this.pausedUntil = 0;
    this.run();
  }

  /** Another tab has tried in vain: this one rests as long. @param {number} until */
  pauseUntil(until) {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    this.scheduleRun(this.pausedUntil - Date.now());
  }

  /** Sends what there is to send; one round at a time, and one more where it is asked for meanwhile. */
  run() {
    this.needsAnotherRound = true;
    this.running ??= this.runRounds().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async runRounds() {
    while (this.needsAnotherRound) {
      this.needsAnotherRound = false;
      if (this.pausedUntil > Date.now()) return this.scheduleRun(this.pausedUntil - Date.now());
      if ((await runExclusively(() => this.sendAll())) === LOCK_BUSY) return this.scheduleRun(LEASE_MS / 4);
    }
    return undefined;
  }

  /** What is not for this caller is asked about once in a round, and holds up nothing but what builds on it. */
  async sendAll() {
    /** @type {Set<string>} */
    const barredNow = new Set();
    for (
      let entry = await this.outbox.nextSendable(barredNow);
      entry;
      entry = await this.outbox.nextSendable(barredNow)
    ) {
      const continues = await this.sendEntry(entry, barredNow);
      if (!continues) return;
    }
    this.failedAttempts = 0;
    if (barredNow.size) this.scheduleRun(MAX_RETRY_MS);
  }

  /** Sends the steps of an entry that are not stored yet. Whether the next one may be tried. @param {Entry} sent @param {Set<string>} deniedEntryIds */
  async sendEntry(sent, deniedEntryIds) {
    /** @type {Entry | null} */
    let entry = sent;
    try {
      for (let step = entry.steps.findIndex((one) => !one.stored); step >= 0 && step < entry.steps.length; step += 1) {
        const { path, body, version, any } = entry.steps[step];
        await this.outbox.markTried(entry.id);
        const answer = await sendRequest("POST", path, body, {
          version: any ? "*" : (version ?? undefined),
          session: entry.session,
          timeout: REQUEST_TIMEOUT_MS,
        });
        this.isServiceUnreachable = false;
        entry = await this.outbox.markStepStored(entry.id, step, answer);
        // It was taken back while it was on its way.
        if (entry === null) return true;
      }
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.handleError(/** @type {Entry} */ (entry), error, deniedEntryIds);
    }
  }

  /** @param {Entry} entry @param {ApiError} error @param {Set<string>} deniedEntryIds */
  async handleError(entry, error, deniedEntryIds) {
    this.isServiceUnreachable = isTemporaryFailure(error);
    if (this.isServiceUnreachable) {
      this.outbox.notifyListeners();
      this.backOff(error.retryAfterSeconds);
      return false;
    }
    const problem = {
      status: error.status,
      type: error.type,
      detail: error.message,
      findings: error.problem.findings ?? null,
    };
    if (isAccessDenied(error)) {
      deniedEntryIds.add(entry.id);
      await this.outbox.markHeld(entry.id, problem);
      return true;
    }
    const step = /** @type {Step} */ (entry.steps.find((one) => !one.stored));
    try {
      const between = error.type === "stale-version" ? await readInterveningEvents(step) : null;
      await this.outbox.markBlocked(entry.id, problem, between);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What stands there could not be read: without it nobody can decide, so all of it is tried again.
      this.backOff(error.retryAfterSeconds);
      return false;
    }
  }

  /** @param {number | null} retryAfterSeconds */
  backOff(retryAfterSeconds) {
    const pause = retryAfterSeconds
      ? retryAfterSeconds * 1000
      : Math.min(FIRST_RETRY_MS * 2 ** this.failedAttempts, MAX_RETRY_MS);
    this.failedAttempts += 1;
    // Not all devices of a club at the same moment when the network is back.
    this.pausedUntil = Date.now() + pause * (0.75 + Math.random() / 2);
    this.broadcast({ rests: this.pausedUntil });
    this.scheduleRun(this.pausedUntil - Date.now());
  }

  /** @param {number} pause */
  scheduleRun(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), Math.max(pause, 0));
  }
}

/** What others wrote into the log since the version that the step was decided on. @param {Step} step */
async function readInterveningEvents({ stream, version }) {
  const read = await sendRequest(
    "GET",
    `${stream}/events?after=${version}&limit=${MAX_INTERVENING_EVENTS}`,
    undefined,
    { timeout: REQUEST_TIMEOUT_MS },
  );
  const events = read.events ?? [];
  return { events, version: events.at(-1)?.seq ?? version };
}

/** Runs `act` while no other tab does; BUSY where one does and there is no waiting for it. @param {() => Promise<void>} act */
async function runExclusively(act) {
  if (navigator.locks) return navigator.locks.request(LOCK_NAME, act);
  if (!acquireLease()) return LOCK_BUSY;
  const renewing = setInterval(acquireLease, LEASE_MS / 4);
  try {
    return await act();
  } finally {
    clearInterval(renewing);
    releaseLease();
  }
}

const leaseHolderId = Math.random().toString(36).slice(2);

/**
 * Takes a lease where the browser has no locks. Two tabs could both believe that they have it for a moment: then the
 * same is sent twice, which is stored once.
 */
function acquireLease() {
  try {
    const [other, until] = (localStorage.getItem(LOCK_NAME) ?? "").split(" ");
    if (other && other !== leaseHolderId && Number(until) > Date.now()) return false;
    localStorage.setItem(LOCK_NAME, `${leaseHolderId} ${Date.now() + LEASE_MS}`);
    return localStorage.getItem(LOCK_NAME)?.startsWith(`${leaseHolderId} `) ?? false;
  } catch {
    return true;
  }
}

function releaseLease() {
  try {
    if (acquireLease()) localStorage.removeItem(LOCK_NAME);
  } catch {
    // Nothing was kept, so there is nothing to give back.
  }
}
