/** Asking the service anew how something stands, whenever it may have changed. */

import { Refused } from "./api.js";
import { passes } from "./sending.js";

/** So many milliseconds what comes in is gathered before the service is asked: a stream begins with all that is there. */
const GATHER = 25;
/** Where nobody answered it is asked again after so many milliseconds: at first, and at most. */
const PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** One question at a time, one more if anything came in meanwhile, and again after a while where nobody answered. */
export class Asking {
  /**
   * `ask()` asks; `isKnown()` tells whether there is an answer from before, to go on with where none comes; `gathers(round)`
   * whether what comes in is gathered before the question of that round; `done()` is called behind the last.
   */
  constructor({ ask, isKnown, gathers, done }) {
    Object.assign(this, { ask, isKnown, gathers, done });
    this.running = null;
    this.stale = false;
    this.vain = 0;
    this.timer = null;
  }

  /** Asks anew; done when an answer has come to all that was known by then. Throws `Refused` where there is none at all. */
  anew() {
    clearTimeout(this.timer);
    this.stale = true;
    this.running ??= this.rounds().finally(() => (this.running = null));
    return this.running;
  }

  async rounds() {
    for (let round = 0; this.stale; round += 1) {
      if (this.gathers(round)) await new Promise((go) => setTimeout(go, GATHER));
      this.stale = false;
      await this.askOnce();
    }
    this.done();
  }

  async askOnce() {
    try {
      await this.ask();
      this.vain = 0;
    } catch (refused) {
      if (!(refused instanceof Refused) || !this.isKnown()) throw refused;
      if (passes(refused)) this.later();
    }
  }

  later() {
    this.timer = setTimeout(() => this.anew(), Math.min(PAUSE * 2 ** this.vain, LONGEST_PAUSE));
    this.vain += 1;
  }
}
