// @ts-check
/** Stepping without a tap for every card: a button that is held goes on, and a deal plays itself. */

import { signal } from "../vendor/preact.js";

/** @import { Step } from "./types.d.ts" */

/** Milliseconds after which a pressed button counts as held, and then between steps. */
const HOLD_DELAY_MS = 400;
const REPEAT_DELAY_MS = 150;
/** Milliseconds that a card, and a complete trick, is shown while the deal plays itself. */
const CARD_DELAY_MS = 1_100;
const TRICK_DELAY_MS = 2_200;
/** How many times as fast as that it plays. */
export const SPEEDS = [0.5, 1, 2, 4];

/** The moves that go on while their button is held. */
const REPEATABLE_MOVES = new Set(["back", "on", "trick-back", "trick-on"]);

/**
 * Calls `runMove(move)` again and again while the button of a move in `root` is held.
 * @param {HTMLElement} root
 * @param {(move: string) => void} runMove
 */
export function repeatWhileHeld(root, runMove) {
  let timer = 0;
  let went = false;
  /** @param {Event} event */
  const moveOf = (event) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-move]"))?.dataset.move ??
    "";
  const end = () => clearTimeout(timer);
  /** @param {string} move */
  const go = (move) => {
    went = true;
    runMove(move);
    timer = setTimeout(() => go(move), REPEAT_DELAY_MS);
  };
  root.addEventListener("pointerdown", (event) => {
    end();
    went = false;
    const move = moveOf(event);
    if (event.isPrimary && event.button === 0 && REPEATABLE_MOVES.has(move))
      timer = setTimeout(() => go(move), HOLD_DELAY_MS);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(type, end);
  window.addEventListener("blur", end);
  // A finger that rests asks for a menu: here it steps.
  root.addEventListener("contextmenu", (event) => moveOf(event) && event.preventDefault());
  const stopClick = (/** @type {MouseEvent} */ event) => {
    // What was held has stepped already.
    if (went && event.detail) event.stopImmediatePropagation();
    went = false;
  };
  root.addEventListener("click", stopClick, { capture: true });
}

/** A deal that plays itself, at the pace of a table, until its end or until somebody takes it in hand. */
export class Autoplay {
  isPlaying = signal(false);
  speed = signal(1);
  #timer = 0;

  /**
   * @param {() => Step | null} stepForward - goes a step on and answers with it, or with null at the end
   * @param {() => void} goToStart
   */
  constructor(stepForward, goToStart) {
    this.stepForward = stepForward;
    this.goToStart = goToStart;
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
  }

  toggle() {
    if (this.isPlaying.value) this.stop();
    else this.start();
  }

  start() {
    this.isPlaying.value = true;
    if (this.#playStep()) return;
    this.goToStart();
    this.#scheduleStep(CARD_DELAY_MS);
  }

  /** Goes a step on; whether there was one. */
  #playStep() {
    const step = this.stepForward();
    if (step) this.#scheduleStep(step.isStop ? TRICK_DELAY_MS : CARD_DELAY_MS);
    return Boolean(step);
  }

  /** @param {number} pause */
  #scheduleStep(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#playStep() || this.stop(), pause / this.speed.value);
  }

  stop() {
    clearTimeout(this.#timer);
    this.isPlaying.value = false;
  }
}
