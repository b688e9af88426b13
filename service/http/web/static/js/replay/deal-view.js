// @ts-check
/** A deal as a reader goes through it: which document is shown, at which step, and how the table is seen. */

import { useRules } from "../core/cards.js";
import { replaceMemberIds } from "../core/member-ids.js";
import words from "../messages/replayer.js";
import { batch, computed, signal } from "../vendor/preact.js";
import { Autoplay } from "./autoplay.js";
import { BestPlay } from "./best-play.js";
import { followReplayDocument } from "./follow-replay.js";
import { revealLaterKnownCards } from "./later-known-cards.js";
import { loadReplayDocument } from "./replay-document.js";
import { buildSteps, nextStop, stepAt } from "./steps.js";
import { WhatIfs } from "./what-ifs.js";

/** @import { PageFacts, ReplayDocument, Step } from "./types.d.ts" */

/**
 * How the table is seen. `mode`: "open" shows every card as far as the whole record tells, "then" as it was known at each
 * point, "seat" as `viewer` saw it; `bottom` is the seat in front.
 * @typedef {{ mode: "open" | "then" | "seat", viewer: string, bottom: string, unshaded: boolean, unmoved: boolean }} ViewOptions
 */

/** Where the arrow keys do something of their own. */
const ARROW_KEY_SELECTOR =
  "input, select, textarea, [contenteditable], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist]";
const BUTTON_SELECTOR = "button, input, select, textarea, a, summary";
const PLAIN_KEYS = { ArrowLeft: "back", ArrowRight: "on" };
const SHIFT_KEYS = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };
const BUTTON_KEYS = { ArrowUp: "trick-back", ArrowDown: "trick-on", Home: "start", End: "end" };

/** Milliseconds without a step before the address follows the reader: browsers limit how often it may change. */
const ADDRESS_DELAY_MS = 200;

/** What players do one after another: a record without any of it is a slip. */
const ACTION_EVENT_TYPES = new Set([
  "bid_made",
  "contract_named",
  "talon_turned",
  "cards_discarded",
  "cards_drawn",
  "card_played",
]);

/** An address that shows the deal as it was not played. */
const WHAT_IF_ADDRESS_PATTERN = /[#&](if|of)=/;

/** Whether this device has switched something off. @param {string} name */
const isSwitchedOff = (name) => document.cookie.split("; ").includes(`spadille-${name}=off`);

export class DealView {
  /** What is written in place of the sentence, if something failed. */
  message = signal("");
  /** The tool that is open, by its name: "what-if", "best-play", … */
  tool = signal(/** @type {string | null} */ (null));
  /** Whether the keys are listed over the page. */
  areKeysShown = signal(false);
  #addressTimer = 0;

  /**
   * @param {HTMLElement} root - the element that names the document in `data-replay`
   * @param {ReplayDocument} replay
   * @param {PageFacts} facts
   */
  constructor(root, replay, facts) {
    this.root = root;
    this.facts = facts;
    useRules(replay);
    this.document = signal(replay);
    this.steps = computed(() => /** @type {Step[]} */ (buildSteps(this.document.value)));
    this.isFinished = replay.frames.at(-1)?.state.phase === "finished";
    /** @type {ViewOptions} */
    const options = {
      mode: this.isFinished ? "open" : "then",
      viewer: "forehand",
      bottom: "forehand",
      unshaded: isSwitchedOff("shade"),
      unmoved: isSwitchedOff("motion"),
    };
    this.options = signal(options);
    this.index = signal(this.#addressIndex);
    /** Whether everybody sees the deal, and how it stands in the library, where the reader may change that. */
    this.sharing = signal({ isPublic: facts.is_public ?? false, publishing: facts.publishing ?? null });
    this.autoplay = new Autoplay(
      () => this.stepForward(),
      () => this.#show(0),
    );
    this.whatIfs = facts.what_ifs ? new WhatIfs(this) : null;
    this.bestPlay = this.whatIfs && facts.links ? new BestPlay(this, this.whatIfs) : null;
    this.lastHash = location.hash;
    document.addEventListener("keydown", (event) => this.#handleKey(event));
    window.addEventListener("hashchange", () => this.#goToAddress());
    /** Until the what-if in the address is there; null if it names none. */
    this.opening = WHAT_IF_ADDRESS_PATTERN.test(location.hash) ? this.#goToAddress() : null;
    if (facts.live && !replay.frames.some(({ event }) => event.type === "deal_closed")) this.#follow(facts.live);
  }

  get step() {
    return this.steps.value[this.index.value];
  }

  get lastIndex() {
    return this.steps.value.length - 1;
  }

  /** Names the cards that were known only later; null where they stay hidden. */
  get later() {
    return this.options.value.mode === "open" ? revealLaterKnownCards : null;
  }

  /** By whom the document is seen: "all", a seat or "public". */
  get viewer() {
    const { mode, viewer } = this.options.value;
    return mode === "seat" ? viewer : "all";
  }

  /** Where the document is, as it is seen now. */
  get documentUrl() {
    const address = new URL(this.root.dataset.replay ?? "", location.href);
    if (this.viewer !== "all") address.searchParams.set("viewer", this.viewer);
    return address.pathname + address.search;
  }

  /** Follows a deal that may go on: a reader at its end moves along. @param {string} stream */
  #follow(stream) {
    /** @param {ReplayDocument} replay */
    const fingerprint = (replay) =>
      JSON.stringify([replay.frames.length, replay.frames.at(-1), replay.findings, replay.mendings]);
    const after = Math.max(...this.document.value.frames.map(({ seq }) => Number.parseInt(String(seq), 10)));
    followReplayDocument(
      stream,
      String(after),
      () => this.documentUrl,
      (/** @type {any} */ answer) => {
        const replay = replaceMemberIds(answer, answer.names ?? {}, words.forgotten);
        const wasAtEnd = this.index.value === this.lastIndex;
        if (fingerprint(replay) === fingerprint(this.document.value) || this.whatIfs?.updateMainDocument(replay))
          return;
        this.replaceDocument(replay);
        if (wasAtEnd && this.stepForward() && this.index.value < this.lastIndex) this.autoplay.start();
      },
    );
  }

  /** Takes another document of the same deal, and stays where the reader is. @param {ReplayDocument} replay */
  replaceDocument(replay) {
    const { seq } = this.step.frame;
    useRules(replay);
    batch(() => {
      this.document.value = replay;
      this.index.value = stepAt(this.steps.value, seq);
    });
  }

  /** Shows the table as a reader chooses to see it. @param {Partial<ViewOptions>} changes */
  async setOptions(changes) {
    const before = this.viewer;
    this.autoplay.stop();
    this.options.value = { ...this.options.value, ...changes };
    if (this.viewer === before) return;
    try {
      const replay = await loadReplayDocument(this.documentUrl, words);
      this.whatIfs?.changeViewer(replay);
      this.replaceDocument(replay);
    } catch (error) {
      console.error(error);
      this.message.value = words.failed;
    }
  }

  // Steps

  /** The step after this one, where the deal then is; null at its end. */
  stepForward() {
    if (this.index.value === this.lastIndex) return null;
    this.#show(this.index.value + 1);
    return this.step;
  }

  /** Goes where a reader asks to go. @param {number} index */
  jumpTo(index) {
    this.autoplay.stop();
    this.#show(index);
  }

  /** @param {number} index */
  #show(index) {
    if (index === this.index.value) return;
    this.message.value = "";
    this.index.value = index;
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_DELAY_MS);
  }

  /** Where a move leads: "start", "end", "back", "on", "trick-back", "trick-on". @param {string} move */
  runMove(move) {
    const { lastIndex } = this;
    const index = this.index.value;
    /** @type {Record<string, number>} */
    const targets = {
      start: 0,
      end: lastIndex,
      back: Math.max(0, index - 1),
      on: Math.min(lastIndex, index + 1),
      "trick-back": nextStop(this.steps.value, index, -1),
      "trick-on": nextStop(this.steps.value, index, 1),
    };
    this.jumpTo(targets[move]);
  }

  /** Left and right step anywhere but where one writes or chooses; keys that also scroll only on the buttons. @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isInStage = target.closest('[data-part="stage"]') !== null;
    if ((!isInStage && target.closest(ARROW_KEY_SELECTOR)) || this.areKeysShown.value) return;
    const buttonKeys = isInStage && !target.matches("input, select") ? BUTTON_KEYS : {};
    /** @type {Record<string, string>} */
    const keys = { ...buttonKeys, ...(event.shiftKey ? SHIFT_KEYS : PLAIN_KEYS) };
    if (event.key in keys) this.runMove(keys[event.key]);
    else if (event.key === "?") this.areKeysShown.value = true;
    else if (event.key === " " && !target.closest(BUTTON_SELECTOR)) this.autoplay.toggle();
    else return;
    event.preventDefault();
  }

  // The address

  /** The step in the address. A record with only a result opens on that result. */
  get #addressIndex() {
    const seq = new URLSearchParams(location.hash.slice(1)).get("at");
    return seq ? stepAt(this.steps.value, seq) : this.#defaultIndex;
  }

  get #defaultIndex() {
    return this.hasOnlyResult ? this.lastIndex : 0;
  }

  /** Whether the record has no bids and cards, only a result. */
  get hasOnlyResult() {
    return !this.steps.value.some((step) => ACTION_EVENT_TYPES.has(step.kind));
  }

  /** Goes to the point in the address, or into its what-if. */
  async #goToAddress() {
    const hash = location.hash;
    this.lastHash = hash;
    clearTimeout(this.#addressTimer);
    if (!(await this.whatIfs?.openFromAddress(hash.slice(1)))) this.jumpTo(this.#addressIndex);
  }

  /** Writes the point into the address, once the reader pauses. */
  writeAddress() {
    clearTimeout(this.#addressTimer);
    // The user has entered another address: the browser reports it soon, and nothing must overwrite it.
    if (location.hash !== this.lastHash) return;
    try {
      history.replaceState(null, "", this.#stepUrl);
      this.lastHash = location.hash;
    } catch {
      // A browser that has taken too many says so by failing: the next one that it takes is right again.
    }
  }

  /** A link, whole, to what is seen. */
  get linkUrl() {
    return new URL(this.#stepUrl, location.href).href;
  }

  get #stepUrl() {
    const { seq } = this.step.frame;
    const whatIf = this.whatIfs?.addressAt(seq);
    if (whatIf) return `#${whatIf}`;
    return this.index.value === this.#defaultIndex ? location.pathname + location.search : `#at=${seq}`;
  }
}
