/** Walking without a tap for every card: a button that is held goes on, and a deal plays itself. */

/** A button is held when it is pressed for so many milliseconds; from then on it goes a step in each of so many. */
const HELD = 400;
const EACH = 150;
/** So many milliseconds a card lies there while the deal plays itself, and so many a trick that is complete. */
const A_CARD = 1_100;
const A_TRICK = 2_200;

/** The moves that go on while their button is held. */
const GOES_ON = new Set(["back", "on", "trick-back", "trick-on"]);

/** Calls `act(move)` again and again while the button of a move in `root` is held. */
export function repeatWhileHeld(root, act) {
  let timer = null;
  let went = false;
  const moveOf = (event) => event.target.closest("[data-move]")?.dataset.move;
  const end = () => clearTimeout(timer);
  const go = (move) => {
    went = true;
    act(move);
    timer = setTimeout(() => go(move), EACH);
  };
  root.addEventListener("pointerdown", (event) => {
    end();
    went = false;
    const move = moveOf(event);
    if (event.isPrimary && event.button === 0 && GOES_ON.has(move)) timer = setTimeout(() => go(move), HELD);
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
export class Playing {
  /** `next()` goes a step on and answers with it, or with null at the end; `again()` goes to the beginning. */
  constructor(button, { next, again, words }) {
    Object.assign(this, { button, next, again, words });
    this.timer = null;
    button.addEventListener("click", () => (this.timer === null ? this.begin() : this.stop()));
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    this.show();
  }

  begin() {
    if (!this.step()) {
      this.again();
      this.wait(A_CARD);
    }
    this.show();
  }

  /** Goes a step on; whether there was one. */
  step() {
    const step = this.next();
    if (step) this.wait(step.stop ? A_TRICK : A_CARD);
    return Boolean(step);
  }

  wait(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.step() || this.stop(), pause);
  }

  stop() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    const plays = this.timer !== null;
    const told = plays ? this.words.pause : this.words.playOn;
    this.button.dataset.plays = plays;
    this.button.setAttribute("aria-label", told);
    this.button.title = told;
  }
}
