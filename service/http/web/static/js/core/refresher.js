// @ts-check
/** Asks the service for the current state of something, whenever it may have changed. */

import { ApiError } from "./api.js";
import { isTemporaryFailure } from "./outbox-sender.js";

/** So many milliseconds what comes in is gathered before the service is asked: a stream begins with all that is there. */
const DEBOUNCE_MS = 25;
/** Where nobody answered it is asked again after so many milliseconds: at first, and at most. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** One question at a time, one more if anything came in meanwhile, and again after a while where nobody answered. */
export class Refresher {
  /** @type {Promise<void> | null} */
  running = null;
  stale = false;
  failedAttempts = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {object} owner
   * @param {() => Promise<void>} owner.fetch - asks
   * @param {() => boolean} owner.hasData - whether there is an answer from before, to go on with where none comes
   * @param {(round: number) => boolean} owner.shouldDebounce - whether what comes in is gathered before the question of that round
   * @param {() => void} owner.onRefreshed - is called after the last
   */
  constructor({ fetch, hasData, shouldDebounce, onRefreshed }) {
    this.fetch = fetch;
    this.hasData = hasData;
    this.shouldDebounce = shouldDebounce;
    this.onRefreshed = onRefreshed;
  }

  /** Asks again; done when an answer has come to all that was known by then. Throws `ApiError` where there is none at all. */
  refresh() {
    clearTimeout(this.timer);
    this.stale = true;
    this.running ??= this.runRounds().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async runRounds() {
    for (let round = 0; this.stale; round += 1) {
      if (this.shouldDebounce(round)) await new Promise((go) => setTimeout(go, DEBOUNCE_MS));
      this.stale = false;
      await this.fetchOnce();
    }
    this.onRefreshed();
  }

  async fetchOnce() {
    try {
      await this.fetch();
      this.failedAttempts = 0;
    } catch (error) {
      if (!(error instanceof ApiError) || !this.hasData()) throw error;
      if (isTemporaryFailure(error)) this.scheduleRetry();
    }
  }

  scheduleRetry() {
    this.timer = setTimeout(() => this.refresh(), Math.min(FIRST_RETRY_MS * 2 ** this.failedAttempts, MAX_RETRY_MS));
    this.failedAttempts += 1;
  }
}
