/** The replayer: fetches a deal's frames and lets a reader walk through them. */

import stepMessages from "../messages/steps.js";
import { useRules } from "../core/cards.js";
import { loadReplayDocument, withCorrectionWords } from "./replay-document.js";
import { el } from "../core/dom.js";
import { replaceMemberIds } from "../core/member-ids.js";
import { buildPanels } from "./panels.js";
import { installPrintLayout } from "./print-layout.js";
import { buildScreenReaderNote, buildStepSentence } from "./step-sentence.js";
import { rememberPanelState } from "./panel-state.js";
import { nextStop, stepAt, buildSteps } from "./steps.js";
import { TableDrawing } from "./table-drawing.js";
import { Autoplay, repeatWhileHeld } from "./autoplay.js";
import words from "../messages/replayer.js";

const MIN_SWIPE_PX = 40;

/** Where the arrow keys do something of their own. */
const ARROW_KEY_SELECTOR = "input, select, textarea, [contenteditable], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist]";

/** Milliseconds without a step before the address follows the reader. */
const ADDRESS_DELAY_MS = 200;

/** What players do one after another: a record without any of it is a slip. */
const ACTION_EVENT_TYPES = new Set([
  "bid_made", "contract_named", "talon_turned", "cards_discarded", "cards_drawn", "card_played",
]);

/** The device has chosen to see the cards without a shade on those that may not be played (view-options.js). */
const UNSHADED_COOKIE_PATTERN = /(?:^|; )spadille-shade=off(?:;|$)/;
const UNMOVED_COOKIE_PATTERN = /(?:^|; )spadille-motion=off(?:;|$)/;

/** An address that shows the deal as it was not played. */
const WHAT_IF_ADDRESS_PATTERN = /[#&](if|of)=/;

/** One replay on the page: `root` is the element that names the document in `data-replay`. */
export class Replayer {
  constructor(root, replay, words) {
    this.root = root;
    this.words = words;
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.view = { viewer: "all", later: null, bottom: "forehand", unshaded: UNSHADED_COOKIE_PATTERN.test(document.cookie), unmoved: UNMOVED_COOKIE_PATTERN.test(document.cookie) };
    this.index = -1;
    this.autoplay = new Autoplay(this.parts.play, { stepForward: () => this.stepForward(), goToStart: () => this.showStep(0), words: stepMessages });
    this.setDocument(replay);
    this.addListeners();
    this.lastHash = location.hash;
    this.showStep(this.stepIndexInAddress());
    if (root.dataset.live && !replay.frames.some((frame) => frame.event.type === "deal_closed")) this.followLive(root.dataset.live);
  }

  /** Follows a deal that may go on: a reader at its end moves along. */
  async followLive(stream) {
    const { followReplayDocument } = await import("./follow-replay.js");
    const fingerprint = (replay) => JSON.stringify([replay.frames.length, replay.frames.at(-1), replay.findings, replay.mendings]);
    const after = Math.max(...this.document.frames.map((frame) => parseInt(frame.seq, 10)));
    followReplayDocument(stream, String(after), () => this.documentUrl(), (answer) => {
      const replay = replaceMemberIds(answer, answer.names ?? {}, this.words.forgotten);
      if (fingerprint(replay) === fingerprint(this.document)) return;
      const wasAtEnd = this.index === this.steps.length - 1;
      if (this.whatIfs?.updateMainDocument(replay)) return;
      this.replaceDocument(replay);
      if (wasAtEnd && this.stepForward() && this.index < this.steps.length - 1) this.autoplay.start();
    });
  }

  /** Where the document is, as it is seen now. */
  documentUrl() {
    const address = new URL(this.root.dataset.replay, location.href);
    if (this.view.viewer !== "all") address.searchParams.set("viewer", this.view.viewer);
    return address.pathname + address.search;
  }

  /** Takes a document: the first, or another of the same deal. */
  setDocument(replay) {
    this.document = replay;
    useRules(replay);
    this.steps = buildSteps(replay);
    const findings = replay.findings ?? [];
    const last = replay.frames.at(-1).state;
    const { steps, words, view } = this;
    this.table?.destroy();
    this.table = new TableDrawing(this.parts.table, { steps, findings, direction: replay.direction, words, view });
    this.panels = buildPanels({ steps, findings, last, words, tracks: this.table.tracks, goto: (index) => this.jumpTo(index) });
    const sections = this.panels.map((panel) => panel.section);
    const isNote = (section) => section.classList.contains("notes");
    // On a phone the remarks on this point are directly below the buttons.
    this.parts.beside.replaceChildren(...sections.filter(isNote));
    this.parts.margin.replaceChildren(...sections.filter((section) => !isNote(section)));
    const { scrubber, ticks } = this.parts;
    scrubber.max = steps.length - 1;
    scrubber.disabled = steps.length < 2;
    ticks.replaceChildren();
    drawTicks(ticks, steps);
  }

  /** Takes another document, and stays where the reader is. */
  replaceDocument(replay) {
    const { seq } = this.steps[this.index].frame;
    const restorePanels = rememberPanelState(this.parts.margin);
    this.setDocument(replay);
    this.index = -1;
    this.showStep(stepAt(this.steps, seq));
    this.fitToScreen();
    restorePanels();
  }

  addListeners() {
    const { controls, scrubber, seeing, sharing, branching } = this.parts;
    const backwards = ["start", "back", "trick-back"];
    this.moveButtons = [...controls.querySelectorAll("[data-move]")].map((button) => [button, !backwards.includes(button.dataset.move)]);
    const act = (move) => this.runMove(move);
    scrubber.addEventListener("input", () => this.jumpTo(Number(scrubber.value)));
    controls.addEventListener("click", (event) => act(event.target.closest("[data-move]")?.dataset.move));
    repeatWhileHeld(controls, act);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("hashchange", () => this.goToAddress());
    this.listenForSwipes();
    window.addEventListener("resize", () => this.fitToScreen());
    document.fonts?.ready.then(() => this.fitToScreen());
    this.fitToScreen();
    installPrintLayout(this);
    seeing.addEventListener("toggle", () => this.loadViewOptions(), { once: true });
    sharing?.addEventListener("toggle", () => this.loadSharing(), { once: true });
    branching?.addEventListener("toggle", () => this.loadWhatIfs(), { once: true });
    if (WHAT_IF_ADDRESS_PATTERN.test(location.hash)) this.goToAddress();
  }

  /** Goes to the point in the address, or into its what-if. */
  async goToAddress() {
    const hash = location.hash;
    this.lastHash = hash;
    clearTimeout(this.addressTimer);
    if (WHAT_IF_ADDRESS_PATTERN.test(hash)) await this.loadWhatIfs();
    if (!(await this.whatIfs?.openFromAddress(hash.slice(1)))) this.jumpTo(this.stepIndexInAddress());
  }

  /** What-ifs come when they are asked for, too; a file of its own has none. */
  async loadWhatIfs() {
    if (!this.parts.branching) return;
    this.whatIfsPromise ??= import("./what-ifs.js").then(({ startWhatIfs }) => startWhatIfs(this));
    this.whatIfs = await this.whatIfsPromise;
  }

  /** Most readers look at a deal as it is: the view options are loaded on demand. */
  async loadViewOptions() {
    const { buildViewOptions } = await import("./view-options.js");
    const { players } = this.document;
    this.parts.seeing.append(...(await buildViewOptions({ players, words: this.words, canChooseViewer: "views" in this.root.dataset, view: this.view, onChange: () => this.applyView() })));
  }

  async loadSharing() {
    const { buildSharingPanel } = await import("./deal-sharing.js");
    const { sharing } = this.parts;
    sharing.append(...(await buildSharingPanel({ root: sharing, getSeq: () => this.steps[this.index].frame.seq, getViewer: () => this.view.viewer, getWhatIfs: () => this.whatIfs })));
  }

  /** Shows the table as a reader has chosen to see it. */
  async applyView() {
    this.autoplay.stop();
    const { viewer } = this.view;
    if ((this.viewer ?? "all") !== viewer) {
      try {
        this.document = await loadReplayDocument(this.documentUrl(), this.words);
        this.viewer = viewer;
        this.whatIfs?.changeViewer(this.document);
      } catch (error) {
        console.error(error);
        this.parts.sentence.textContent = this.words.failed;
        return;
      }
    }
    this.replaceDocument(this.document);
  }

  /** The step after this one, where the deal then is; null at its end. */
  stepForward() {
    if (this.index === this.steps.length - 1) return null;
    this.showStep(this.index + 1);
    return this.steps[this.index];
  }

  /** Goes where a reader asks to go. */
  jumpTo(index) {
    this.autoplay.stop();
    this.showStep(index);
  }

  /**
   * Gives the table what the screen has left above the walk. Room is kept for the longest sentence, so that no button
   * moves under the finger.
   */
  fitToScreen() {
    const { stage, walk, sentence } = this.parts;
    sentence.style.minHeight = `${this.maxSentenceHeight()}px`;
    // Not asked of the table itself, which may have stuck to the window's edge on the way down the page.
    const head = this.root.querySelector(".deal-head").getBoundingClientRect();
    const above = head.bottom + window.scrollY + parseFloat(getComputedStyle(this.root).rowGap);
    stage.style.setProperty("--reserved-height", `${Math.ceil(above + walk.offsetHeight)}px`);
  }

  maxSentenceHeight() {
    const trial = el("p", { class: "sentence is-measuring", "aria-hidden": "true" });
    this.parts.sentence.after(trial);
    const heights = this.steps.map((step) => {
      trial.replaceChildren(...buildStepSentence(step, this.steps, this.words));
      return trial.offsetHeight;
    });
    trial.remove();
    return Math.max(...heights);
  }

  stepIndexInAddress() {
    const seq = new URLSearchParams(location.hash.slice(1)).get("at");
    return seq ? stepAt(this.steps, seq) : this.defaultStepIndex();
  }

  /** The step of an address that names none. A record with only a result opens on that result. */
  defaultStepIndex() {
    return this.steps.some((step) => ACTION_EVENT_TYPES.has(step.kind)) ? 0 : this.steps.length - 1;
  }

  /** Where a move leads: "start", "end", "back", "on", "trick-back", "trick-on". */
  runMove(move) {
    const last = this.steps.length - 1;
    const targets = {
      start: () => 0,
      end: () => last,
      back: () => Math.max(0, this.index - 1),
      on: () => Math.min(last, this.index + 1),
      "trick-back": () => nextStop(this.steps, this.index, -1),
      "trick-on": () => nextStop(this.steps, this.index, 1),
    };
    if (move in targets) this.jumpTo(targets[move]());
  }

  showStep(index) {
    if (index === this.index) return;
    const first = this.index < 0;
    this.index = index;
    const step = this.steps[index];
    this.table.show(index);
    for (const panel of this.panels) panel.show(index);
    this.showSentence(step);
    const { scrubber } = this.parts;
    scrubber.value = index;
    scrubber.setAttribute("aria-valuetext", stepMessages.stepOf(index + 1, this.steps.length));
    for (const [button, end] of this.moveButtons) setAttributeIfChanged(button, "aria-disabled", index === (end ? this.steps.length - 1 : 0));
    // A what-if in a link stays in the address until it is loaded.
    if (!first || (location.hash && !WHAT_IF_ADDRESS_PATTERN.test(location.hash))) this.scheduleAddressUpdate();
    this.whatIfs?.updatePanel();
  }

  /** Writes the address once the reader pauses: it costs a browser as much as a step, and browsers limit how often. */
  scheduleAddressUpdate() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.writeAddress(), ADDRESS_DELAY_MS);
  }

  writeAddress() {
    clearTimeout(this.addressTimer);
    // The user has entered another address: the browser reports it soon, and nothing must overwrite it.
    if (location.hash !== this.lastHash) return;
    try {
      history.replaceState(null, "", this.stepUrl(this.index));
      this.lastHash = location.hash;
    } catch {
      // A browser that has taken too many says so by failing: the next one that it takes is right again.
    }
  }

  /** A link, whole, to what is seen. */
  linkUrl() {
    return new URL(this.stepUrl(this.index), location.href).href;
  }

  stepUrl(index) {
    const { seq } = this.steps[index].frame;
    const whatIf = this.whatIfs?.addressAt(seq);
    if (whatIf) return `#${whatIf}`;
    return index === this.defaultStepIndex() ? location.pathname + location.search : `#at=${seq}`;
  }

  showSentence(step) {
    this.parts.sentence.replaceChildren(...buildStepSentence(step, this.steps, this.words), ...buildScreenReaderNote(step));
  }

  /** Left and right walk anywhere but where they write or choose; the keys that also scroll it only where a button of the walk has the focus. */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return undefined;
    const inside = this.parts.stage.contains(document.activeElement);
    if (!inside && event.target.closest?.(ARROW_KEY_SELECTOR)) return undefined;
    if (event.key === " " && !event.target.closest("button, input, select, textarea, a, summary")) {
      event.preventDefault();
      return this.parts.play.click();
    }
    const globalKeys = event.shiftKey
      ? { ArrowLeft: "trick-back", ArrowRight: "trick-on" }
      : { ArrowLeft: "back", ArrowRight: "on" };
    const onButtons = { ArrowUp: "trick-back", ArrowDown: "trick-on", Home: "start", End: "end" };
    const move = globalKeys[event.key] ?? (inside && event.target !== this.parts.scrubber ? onButtons[event.key] : undefined);
    if (!move) return undefined;
    event.preventDefault();
    return this.runMove(move);
  }

  listenForSwipes() {
    const { table } = this.parts;
    let from = null;
    table.addEventListener("pointerdown", (event) => (from = event.pointerType === "touch" ? event : null));
    table.addEventListener("pointercancel", () => (from = null));
    table.addEventListener("pointerup", (event) => {
      const deltaX = from ? event.clientX - from.clientX : 0;
      const deltaY = from ? Math.abs(event.clientY - from.clientY) : 0;
      from = null;
      if (Math.abs(deltaX) > MIN_SWIPE_PX && deltaY < Math.abs(deltaX)) this.runMove(deltaX < 0 ? "on" : "back");
    });
  }
}

/** Says of an element whether something is so, where it does not say so already. */
function setAttributeIfChanged(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Under the slider: the number of each trick where it ends, and a sign where something is found or noted. */
function drawTicks(root, steps) {
  const at = (index, className, text) => {
    const tick = el("span", { class: className, text });
    tick.style.setProperty("--tick-position", steps.length > 1 ? index / (steps.length - 1) : 0);
    root.append(tick);
  };
  steps.forEach((step, index) => {
    if (step.isStop && step.kind === "card_played" && step.trick) at(index, "tick", step.trick);
    if (step.findings.some((finding) => finding.severity !== "info")) at(index, "tick tick-finding", "?");
    else if (step.notes.length) at(index, "tick tick-note", "");
  });
}

async function start(root) {
  const sentence = root.querySelector('[data-part="sentence"]');
  sentence.textContent = words.loading;
  try {
    const replay = await loadReplayDocument(root.dataset.replay, words);
    const all = await withCorrectionWords(replay, words, Boolean(root.dataset.live));
    root.removeAttribute("data-waiting");
    if (replay.frames.length) new Replayer(root, replay, all);
    else sentence.textContent = words.empty;
  } catch (error) {
    console.error(error);
    const retryButton = el("button", { type: "button", class: "button", text: words.again, on: { click: () => start(root) } });
    sentence.replaceChildren(words.failed, " ", retryButton);
  }
}

for (const root of document.querySelectorAll("[data-replay]")) start(root);
