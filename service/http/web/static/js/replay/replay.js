/** The replayer: fetches a deal's frames and lets a reader walk through them. */

import { beside } from "./beside-words.js";
import { found, wordsFor } from "./documents.js";
import { el } from "../core/dom.js";
import { calledByName } from "../core/names.js";
import { panelsFor } from "./panels.js";
import { layOutForPaper } from "../core/print.js";
import { heardAt, spoken } from "../core/spoken.js";
import { staying } from "../core/staying.js";
import { nextStop, stepAt, stepsOf } from "./steps.js";
import { Table } from "./table.js";
import { Playing, repeatWhileHeld } from "./walking.js";

const SWIPE = 40;

/** Where the arrow keys do something of their own. */
const HAS_ARROWS = "input, select, textarea, [contenteditable], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist]";

/** A reader who stands still for so many milliseconds is where the browser's address says. */
const REST = 200;

/** What players do one after another: a record without any of it is a slip. */
const ACTS = new Set([
  "bid_made", "contract_named", "talon_turned", "cards_discarded", "cards_drawn", "card_played",
]);

/** The device has chosen to see the cards without a shade on those that may not be played (seeing.js). */
const UNSHADED = /(?:^|; )spadille-shade=off(?:;|$)/;
const UNMOVED = /(?:^|; )spadille-motion=off(?:;|$)/;

/** An address that shows the deal as it was not played. */
const TELLS_WHAT_IF = /[#&](if|of)=/;

/** One replay on the page: `root` is the element that names the document in `data-replay`. */
export class Replay {
  constructor(root, replay, words) {
    this.root = root;
    this.words = words;
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    this.seen = { viewer: "all", later: null, bottom: "forehand", unshaded: UNSHADED.test(document.cookie), unmoved: UNMOVED.test(document.cookie) };
    this.index = -1;
    this.playing = new Playing(this.parts.play, { next: () => this.goOn(), again: () => this.goto(0), words: beside });
    this.take(replay);
    this.wire();
    this.addressed = location.hash;
    this.goto(this.stepInAddress());
    if (root.dataset.live && !replay.frames.some((frame) => frame.event.type === "deal_closed")) this.follow(root.dataset.live);
  }

  /** Follows a deal that may go on: whoever is at its end walks along. */
  async follow(stream) {
    const { follow } = await import("../core/following.js");
    const tell = (replay) => JSON.stringify([replay.frames.length, replay.frames.at(-1), replay.findings, replay.mendings]);
    const after = Math.max(...this.replay.frames.map((frame) => parseInt(frame.seq, 10)));
    follow(stream, String(after), () => this.address(), (told) => {
      const replay = calledByName(told, told.names ?? {}, this.words.forgotten);
      if (tell(replay) === tell(this.replay)) return;
      const along = this.index === this.steps.length - 1;
      if (this.whatIfs?.takes(replay)) return;
      this.retake(replay);
      if (along && this.goOn() && this.index < this.steps.length - 1) this.playing.begin();
    });
  }

  /** Where the document is, as it is seen now. */
  address() {
    const address = new URL(this.root.dataset.replay, location.href);
    if (this.seen.viewer !== "all") address.searchParams.set("viewer", this.seen.viewer);
    return address.pathname + address.search;
  }

  /** Takes a document: the first, or another of the same deal. */
  take(replay) {
    this.replay = replay;
    this.steps = stepsOf(replay);
    const findings = replay.findings ?? [];
    const last = replay.frames.at(-1).state;
    const { steps, words, seen } = this;
    this.table?.end();
    this.table = new Table(this.parts.table, { steps, findings, direction: replay.direction, words, seen });
    this.panels = panelsFor({ steps, findings, last, words, tracks: this.table.tracks, goto: (index) => this.reach(index) });
    const sections = this.panels.map((panel) => panel.section);
    const isNote = (section) => section.classList.contains("notes");
    // On a phone what is said of this point stands right below the walk.
    this.parts.beside.replaceChildren(...sections.filter(isNote));
    this.parts.margin.replaceChildren(...sections.filter((section) => !isNote(section)));
    const { scrubber, ticks } = this.parts;
    scrubber.max = steps.length - 1;
    scrubber.disabled = steps.length < 2;
    ticks.replaceChildren();
    drawTicks(ticks, steps);
  }

  /** Takes another document, and stays where the reader is. */
  retake(replay) {
    const { seq } = this.steps[this.index].frame;
    const stay = staying(this.parts.margin);
    this.take(replay);
    this.index = -1;
    this.goto(stepAt(this.steps, seq));
    this.fit();
    stay();
  }

  wire() {
    const { controls, scrubber, seeing, sharing, branching } = this.parts;
    const backwards = ["start", "back", "trick-back"];
    this.ends = [...controls.querySelectorAll("[data-move]")].map((button) => [button, !backwards.includes(button.dataset.move)]);
    const act = (move) => this.act(move);
    scrubber.addEventListener("input", () => this.reach(Number(scrubber.value)));
    controls.addEventListener("click", (event) => act(event.target.closest("[data-move]")?.dataset.move));
    repeatWhileHeld(controls, act);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("hashchange", () => this.arrive());
    this.listenForSwipes();
    window.addEventListener("resize", () => this.fit());
    document.fonts?.ready.then(() => this.fit());
    this.fit();
    layOutForPaper(this);
    seeing.addEventListener("toggle", () => this.offerWaysToSee(), { once: true });
    sharing?.addEventListener("toggle", () => this.offerWaysToShare(), { once: true });
    branching?.addEventListener("toggle", () => this.offerWhatIfs(), { once: true });
    if (TELLS_WHAT_IF.test(location.hash)) this.arrive();
  }

  /** Goes where the address says: into a what-if where it tells one. */
  async arrive() {
    const told = location.hash;
    this.addressed = told;
    clearTimeout(this.noting);
    if (TELLS_WHAT_IF.test(told)) await this.offerWhatIfs();
    if (!(await this.whatIfs?.arrive(told.slice(1)))) this.reach(this.stepInAddress());
  }

  /** What-ifs come when they are asked for, too; a file of its own has none. */
  async offerWhatIfs() {
    if (!this.parts.branching) return;
    this.branched ??= import("./branching.js").then(({ begun }) => begun(this));
    this.whatIfs = await this.branched;
  }

  /** Most readers look at a deal as it is: how else it can be seen comes when it is asked for. */
  async offerWaysToSee() {
    const { waysToSee } = await import("./seeing.js");
    const { players } = this.replay;
    this.parts.seeing.append(...(await waysToSee({ players, words: this.words, viewers: "views" in this.root.dataset, seen: this.seen, choose: () => this.see() })));
  }

  async offerWaysToShare() {
    const { waysToShare } = await import("./deal-sharing.js");
    const { sharing } = this.parts;
    sharing.append(...(await waysToShare({ root: sharing, seq: () => this.steps[this.index].frame.seq, viewer: () => this.seen.viewer, whatIfs: () => this.whatIfs })));
  }

  /** Shows the table as a reader has chosen to see it. */
  async see() {
    this.playing.stop();
    const { viewer } = this.seen;
    if ((this.viewer ?? "all") !== viewer) {
      try {
        this.replay = await found(this.address(), this.words);
        this.viewer = viewer;
        this.whatIfs?.sees(this.replay);
      } catch (error) {
        console.error(error);
        this.parts.sentence.textContent = this.words.failed;
        return;
      }
    }
    this.retake(this.replay);
  }

  /** The step after this one, where the deal then is; null at its end. */
  goOn() {
    if (this.index === this.steps.length - 1) return null;
    this.goto(this.index + 1);
    return this.steps[this.index];
  }

  /** Goes where a reader asks to go. */
  reach(index) {
    this.playing.stop();
    this.goto(index);
  }

  /**
   * Gives the table what the screen has left above the walk. Room is kept for the longest sentence, so that no button
   * moves under the finger.
   */
  fit() {
    const { stage, walk, sentence } = this.parts;
    sentence.style.minHeight = `${this.tallestSentence()}px`;
    // Not asked of the table itself, which may have stuck to the window's edge on the way down the page.
    const head = this.root.querySelector(".deal-head").getBoundingClientRect();
    const above = head.bottom + window.scrollY + parseFloat(getComputedStyle(this.root).rowGap);
    stage.style.setProperty("--around", `${Math.ceil(above + walk.offsetHeight)}px`);
  }

  tallestSentence() {
    const trial = el("p", { class: "sentence is-trial", "aria-hidden": "true" });
    this.parts.sentence.after(trial);
    const heights = this.steps.map((step) => {
      trial.replaceChildren(...spoken(step, this.steps, this.words));
      return trial.offsetHeight;
    });
    trial.remove();
    return Math.max(...heights);
  }

  stepInAddress() {
    const seq = new URLSearchParams(location.hash.slice(1)).get("at");
    return seq ? stepAt(this.steps, seq) : this.opening();
  }

  /** The step of an address that names none. A record of nothing but a result opens on what it tells. */
  opening() {
    return this.steps.some((step) => ACTS.has(step.kind)) ? 0 : this.steps.length - 1;
  }

  /** Where a move leads: "start", "end", "back", "on", "trick-back", "trick-on". */
  act(move) {
    const last = this.steps.length - 1;
    const targets = {
      start: () => 0,
      end: () => last,
      back: () => Math.max(0, this.index - 1),
      on: () => Math.min(last, this.index + 1),
      "trick-back": () => nextStop(this.steps, this.index, -1),
      "trick-on": () => nextStop(this.steps, this.index, 1),
    };
    if (move in targets) this.reach(targets[move]());
  }

  goto(index) {
    if (index === this.index) return;
    const first = this.index < 0;
    this.index = index;
    const step = this.steps[index];
    this.table.show(index);
    for (const panel of this.panels) panel.show(index);
    this.say(step);
    const { scrubber } = this.parts;
    scrubber.value = index;
    scrubber.setAttribute("aria-valuetext", beside.stepOf(index + 1, this.steps.length));
    for (const [button, end] of this.ends) whether(button, "aria-disabled", index === (end ? this.steps.length - 1 : 0));
    // What a link tells of a what-if stays in the address until that has come.
    if (!first || (location.hash && !TELLS_WHAT_IF.test(location.hash))) this.noteAddress();
    this.whatIfs?.show();
  }

  /** Writes the address once the reader rests: a browser does as much for it as for a step, and takes only so many of them. */
  noteAddress() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.writeAddress(), REST);
  }

  writeAddress() {
    clearTimeout(this.noting);
    // Somebody has entered another address: the browser is about to tell of it, and nothing is written over it.
    if (location.hash !== this.addressed) return;
    try {
      history.replaceState(null, "", this.addressOf(this.index));
      this.addressed = location.hash;
    } catch {
      // A browser that has taken too many says so by failing: the next one that it takes is right again.
    }
  }

  /** A link, whole, to what is seen. */
  link() {
    return new URL(this.addressOf(this.index), location.href).href;
  }

  addressOf(index) {
    const { seq } = this.steps[index].frame;
    const whatIf = this.whatIfs?.address(seq);
    if (whatIf) return `#${whatIf}`;
    return index === this.opening() ? location.pathname + location.search : `#at=${seq}`;
  }

  say(step) {
    this.parts.sentence.replaceChildren(...spoken(step, this.steps, this.words), ...heardAt(step));
  }

  /** Left and right walk anywhere but where they write or choose; the keys that also scroll it only where a button of the walk has the focus. */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return undefined;
    const inside = this.parts.stage.contains(document.activeElement);
    if (!inside && event.target.closest?.(HAS_ARROWS)) return undefined;
    if (event.key === " " && !event.target.closest("button, input, select, textarea, a, summary")) {
      event.preventDefault();
      return this.parts.play.click();
    }
    const anywhere = event.shiftKey
      ? { ArrowLeft: "trick-back", ArrowRight: "trick-on" }
      : { ArrowLeft: "back", ArrowRight: "on" };
    const onButtons = { ArrowUp: "trick-back", ArrowDown: "trick-on", Home: "start", End: "end" };
    const move = anywhere[event.key] ?? (inside && event.target !== this.parts.scrubber ? onButtons[event.key] : undefined);
    if (!move) return undefined;
    event.preventDefault();
    return this.act(move);
  }

  listenForSwipes() {
    const { table } = this.parts;
    let from = null;
    table.addEventListener("pointerdown", (event) => (from = event.pointerType === "touch" ? event : null));
    table.addEventListener("pointercancel", () => (from = null));
    table.addEventListener("pointerup", (event) => {
      const across = from ? event.clientX - from.clientX : 0;
      const down = from ? Math.abs(event.clientY - from.clientY) : 0;
      from = null;
      if (Math.abs(across) > SWIPE && down < Math.abs(across)) this.act(across < 0 ? "on" : "back");
    });
  }
}

/** Says of an element whether something is so, where it does not say so already. */
function whether(element, name, so) {
  if (element.getAttribute(name) !== String(so)) element.setAttribute(name, so);
}

/** Under the slider: the number of each trick where it ends, and a sign where something is found or noted. */
function drawTicks(root, steps) {
  const at = (index, className, text) => {
    const tick = el("span", { class: className, text });
    tick.style.setProperty("--at", steps.length > 1 ? index / (steps.length - 1) : 0);
    root.append(tick);
  };
  steps.forEach((step, index) => {
    if (step.stop && step.kind === "card_played" && step.trick) at(index, "tick", step.trick);
    if (step.findings.some((finding) => finding.severity !== "info")) at(index, "tick tick-finding", "?");
    else if (step.notes.length) at(index, "tick tick-note", "");
  });
}

async function start(root) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: words } = await import(danish ? "../messages/words-da.js" : "../messages/words-en.js");
  const sentence = root.querySelector('[data-part="sentence"]');
  sentence.textContent = words.loading;
  try {
    const replay = await found(root.dataset.replay, words);
    const all = await wordsFor(replay, words, Boolean(root.dataset.live));
    root.removeAttribute("data-waiting");
    if (replay.frames.length) new Replay(root, replay, all);
    else sentence.textContent = words.empty;
  } catch (error) {
    console.error(error);
    const again = el("button", { type: "button", class: "worded", text: words.again, on: { click: () => start(root) } });
    sentence.replaceChildren(words.failed, " ", again);
  }
}

for (const root of document.querySelectorAll("[data-replay]")) start(root);
