/** Walking without a tap for every card: a button that is held goes on, and a deal plays itself. */

/** Milliseconds after which a pressed button counts as held, and then between steps. */
const HOLD_DELAY_MS = 400;
const REPEAT_DELAY_MS = 150;
/** Milliseconds that a card, and a complete trick, is shown while the deal plays itself. */
const CARD_DELAY_MS = 1_100;
const TRICK_DELAY_MS = 2_200;

/** The moves that go on while their button is held. */
const REPEATABLE_MOVES = new Set(["back", "on", "trick-back", "trick-on"]);

/** Calls `runMove(move)` again and again while the button of a move in `root` is held. */
export function repeatWhileHeld(root, runMove) {
  let timer = null;
  let went = false;
  const moveOf = (event) => event.target.closest("[data-move]")?.dataset.move;
  const end = () => clearTimeout(timer);
  const go = (move) => {
    went = true;
    runMove(move);
    timer = setTimeout(() => go(move), REPEAT_DELAY_MS);
  };
  root.addEventListener("pointerdown", (event) => {
    end();
    went = false;
    const move = moveOf(event);
    if (event.isPrimary && event.button === 0 && REPEATABLE_MOVES.has(move)) timer = setTimeout(() => go(move), HOLD_DELAY_MS);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(type, end);
  window.addEventListener("blur", end);
  // A finger that rests asks for a menu: here it walks.
  root.addEventListener("contextmenu", (event) => moveOf(event) && event.preventDefault());
  root.addEventListener("click", (event) => {
    // What was held has walked already.
    if (went && event.detail) event.stopImmediatePropagation();
    went = false;
  }, { capture: true });
}

/** A deal that plays itself, at the pace of a table, until its end or until somebody takes it in hand. */
export class Autoplay {
  /** `stepForward()` goes a step on and answers with it, or with null at the end; `goToStart()` goes to the beginning. */
  constructor(button, { stepForward, goToStart, words }) {
    Object.assign(this, { button, stepForward, goToStart, words });
    this.timer = null;
    button.addEventListener("click", () => (this.timer === null ? this.start() : this.stop()));
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    this.updateButton();
  }

  start() {
    if (!this.playStep()) {
      this.goToStart();
      this.scheduleStep(CARD_DELAY_MS);
    }
    this.updateButton();
  }

  /** Goes a step on; whether there was one. */
  playStep() {
    const step = this.stepForward();
    if (step) this.scheduleStep(step.isStop ? TRICK_DELAY_MS : CARD_DELAY_MS);
    return Boolean(step);
  }

  scheduleStep(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.playStep() || this.stop(), pause);
  }

  stop() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.updateButton();
  }

  updateButton() {
    const isPlaying = this.timer !== null;
    const label = isPlaying ? this.words.pause : this.words.playOn;
    this.button.dataset.plays = isPlaying;
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
  }
}
