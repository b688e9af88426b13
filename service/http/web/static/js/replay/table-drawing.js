// @ts-check
/** Draws the table: forty cards that move from step to step, and a label at each seat. */

import { buildCardElement, drawPip, isKnown, showCardFace } from "../core/cards.js";
import { el } from "../core/dom.js";
import words from "../messages/replayer.js";
import { buildCardTracks, SEATS } from "./card-tracks.js";
import { questionedCards, questionedSeqs } from "./findings-panel.js";
import { setText } from "./step-sentence.js";
import { buildTablePlan, cardPosition, placeSeats } from "./table-plan.js";

/** @import { Slot, Track } from "./card-tracks.js" */
/** @import { ViewOptions } from "./deal-view.js" */
/** @import { TablePlan } from "./table-plan.js" */
/** @import { Finding, Frame, State, Step } from "./types.d.ts" */
/** @typedef {{ width: number, height: number }} Size */

/** The drawing of a replay's table inside `root`. */
export class TableDrawing {
  /** @type {TablePlan | null} */
  plan = null;
  /** The step that is shown. @type {number | null} */
  shown = null;
  /** @type {Size | null} */
  lockedSize = null;
  /** @type {Map<number, HTMLElement>} */
  pieceElements = new Map();
  /** @type {Map<HTMLElement, { transform: string, depth: number }>} */
  lastPlacements = new Map();
  /** The cards under question at this step, and who may play which. @type {Set<string>} */
  statedQuestionedCards = new Set();
  /** @type {ReturnType<typeof findPlayable>} */
  playable = null;

  /**
   * `later` names the cards that were known only later (later-known-cards.js), if they are seen.
   * @param {HTMLElement} root
   * @param {{ steps: Step[], findings: Finding[], direction: string, view: ViewOptions, later: ((tracks: Track[], states: State[]) => Track[]) | null }} deal
   */
  constructor(root, { steps, findings, direction, view, later }) {
    root.replaceChildren();
    this.root = root;
    this.steps = steps;
    this.sides = placeSeats(direction, view.bottom);
    this.isUnmoved = view.unmoved;
    root.classList.toggle("is-unshaded", view.unshaded);
    const states = steps.map((step) => step.frame.state);
    const tracks = buildCardTracks(states);
    this.tracks = later?.(tracks, states) ?? tracks;
    this.questionedSeqs = questionedSeqs(findings);
    this.labels = Object.fromEntries(SEATS.map((seat) => [seat, this.addLabel(seat)]));
    this.talonCount = root.appendChild(el("p", { class: "talon-count" }));
    this.resizeObserver = new ResizeObserver(() => this.updatePlan());
    for (const element of [root, ...root.querySelectorAll(".seat")]) this.resizeObserver.observe(element);
  }

  /** Ends it: another drawing takes its place. */
  destroy() {
    this.resizeObserver.disconnect();
  }

  /** @param {string} seat */
  addLabel(seat) {
    const name = el("span", { class: "seat-name" });
    const contractLabel = el("span", { class: "seat-more" });
    const label = el("p", { class: "seat" }, name, contractLabel);
    label.dataset.side = this.sides[seat];
    this.root.append(label);
    return { label, name, contractLabel };
  }

  /** Holds the table to a size in pixels, `{width, height}`; null releases it. @param {Size | null} size */
  lockSize(size) {
    this.lockedSize = size;
    this.root.style.width = size ? `${size.width}px` : "";
    this.root.style.height = size ? `${size.height}px` : "";
    this.updatePlan();
  }

  /** Lays out the plan again when the table or its labels have changed their size. */
  updatePlan() {
    const { width, height } = this.lockedSize ?? { width: this.root.clientWidth, height: this.root.clientHeight };
    if (!width || !height) return;
    const plan = buildTablePlan({ width, height }, this.sides, this.measureLabels());
    const isSame = JSON.stringify(plan) === JSON.stringify(this.plan);
    this.plan = plan;
    const lengths = {
      "card-width": plan.card.width,
      "row-top": plan.rowTop,
      "plan-margin": plan.margin,
      "plan-inner-margin": plan.innerMargin,
      "trick-top": plan.trickTop,
      "label-room": plan.labelRoom,
    };
    for (const [name, length] of Object.entries(lengths)) this.root.style.setProperty(`--${name}`, `${length}px`);
    if (this.shown === null) return;
    if (isSame) this.updateSeatLabels(this.steps[this.shown].frame.state);
    else this.show(this.shown, { withoutMotion: true });
  }

  /** The room that labels take with all that they say in the end: then nothing moves when one grows. */
  measureLabels() {
    this.updateSeatLabels(this.steps[this.steps.length - 1].frame.state);
    const labels = Object.fromEntries(SEATS.map((seat) => [this.sides[seat], this.labels[seat].label]));
    const { bottom, left, right } = labels;
    return {
      height: Math.max(left.offsetHeight, right.offsetHeight),
      width: Math.max(left.offsetWidth, right.offsetWidth),
      heightWithin: (/** @type {number} */ room) => {
        this.root.style.setProperty("--label-room", `${room}px`);
        return bottom.offsetHeight;
      },
    };
  }

  /** Shows the table after step `index`; without movement where the step is not the next one or the one before. @param {number} index */
  show(index, { withoutMotion = false } = {}) {
    const isJump = this.shown === null || Math.abs(index - this.shown) > 1;
    this.root.classList.toggle("is-still", withoutMotion || isJump || this.isUnmoved);
    this.shown = index;
    const step = this.steps[index];
    this.updateSeatLabels(step.frame.state);
    if (!this.plan) return this.updatePlan();
    const slots = this.tracks[index];
    this.statedQuestionedCards = questionedCards(step);
    this.playable = findPlayable(step.frame);
    for (const [number, slot] of slots) this.placePiece(this.findPiece(number), withSpread(slot, slots), this.plan);
    for (const [number, piece] of this.pieceElements) piece.hidden = !slots.has(number);
    this.updateTalonCount(step.frame.state);
  }

  /** @param {number} number */
  findPiece(number) {
    const piece = this.pieceElements.get(number) ?? this.root.appendChild(buildCardElement());
    this.pieceElements.set(number, piece);
    return piece;
  }

  /** @type {(piece: HTMLElement, slot: Slot, plan: TablePlan) => void} */
  placePiece(piece, slot, plan) {
    const { x, y, turn, scale, depth, covered } = cardPosition(slot, plan);
    const { width, height } = plan.card;
    const transform = `translate(${round(x - width / 2)}px, ${round(y - height / 2)}px) rotate(${turn}deg) scale(${scale})`;
    const before = this.lastPlacements.get(piece);
    if (before?.transform !== transform) piece.style.transform = transform;
    if (before?.depth !== depth) piece.style.zIndex = String(depth);
    this.lastPlacements.set(piece, { transform, depth });
    showCardFace(piece, slot.card, slot.faceDown);
    piece.classList.toggle("is-covered", covered);
    piece.classList.toggle("is-in-trick", slot.zone === "trick");
    piece.classList.toggle("is-won", Boolean(slot.won));
    piece.classList.toggle("is-known-later", Boolean(slot.later));
    piece.classList.toggle("is-questioned", this.isQuestioned(slot));
    piece.classList.toggle("is-unplayable", this.isUnplayable(slot));
  }

  /** @param {Slot} slot */
  isQuestioned(slot) {
    return slot.zone === "trick"
      ? this.questionedSeqs.has(String(slot.seq))
      : this.statedQuestionedCards.has(slot.card);
  }

  /** @param {Slot} slot */
  isUnplayable({ zone, seat, card }) {
    const { playable } = this;
    return zone === "hand" && playable?.seat === seat && isKnown(card) && !playable.cards.has(card);
  }

  /** @param {State} state */
  updateSeatLabels(state) {
    for (const seat of SEATS) {
      const { label, name, contractLabel } = this.labels[seat];
      const player = state.players?.[seat] ?? words.seat(seat);
      const labelKey = [player, ...(state.declarer === seat ? [state.contract, state.trump] : [])].join(" ");
      label.classList.toggle("to-act", state.to_act === seat);
      if (name.dataset.called !== labelKey)
        name.replaceChildren(el("b", { text: player }), ...this.buildContractLabel(state, seat));
      name.dataset.called = labelKey;
      const tricks = state.tricks_won?.[seat] ?? 0;
      const count = state.tricks?.length || tricks ? ` · ${words.tricks(tricks)}` : "";
      setText(contractLabel, words.seat(seat) + count);
    }
  }

  /** @type {(state: State, seat: string) => Element[]} */
  buildContractLabel(state, seat) {
    if (state.declarer !== seat || !state.contract) return [];
    return [el("i", { text: words.bid(state.contract) }), ...(state.trump ? [drawPip(state.trump)] : [])];
  }

  /** @param {State} state */
  updateTalonCount(state) {
    const count = state.talon?.count ?? 0;
    const playing = state.phase === "play" || state.phase === "finished";
    const spread = (state.talon?.cards ?? []).some(
      (/** @type {string} */ card) => isKnown(card) && card !== state.talon.turned,
    );
    setText(this.talonCount, count && !playing && !spread ? words.talon(count) : "");
  }
}

/** Who plays next at a point, and which cards are allowed; null if nobody plays, or if it is unknown. @param {Frame} frame */
function findPlayable({ legal }) {
  return legal?.action === "play" && !legal.hidden ? { seat: legal.seat, cards: new Set(legal.cards) } : null;
}

/** A pile that somebody knows is spread, so that it can be read; an unknown one is only counted. @type {(slot: Slot, slots: Track) => Slot} */
function withSpread(slot, slots) {
  if (slot.zone !== "talon" && slot.zone !== "discard") return slot;
  for (const other of slots.values()) {
    if (other.zone === slot.zone && other.seat === slot.seat && isKnown(other.card) && !other.turned) {
      return { ...slot, spread: true };
    }
  }
  return slot;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
