/** Draws the table: forty cards that move from step to step, and a label at each seat. */

import { buildCardElement, isKnown, drawPip, showCardFace } from "../core/cards.js";
import { el } from "../core/dom.js";
import { questionedCards, questionedSeqs } from "./findings-panel.js";
import { buildTablePlan, cardPosition, placeSeats } from "./table-plan.js";
import { setText } from "./step-sentence.js";
import { SEATS, buildCardTracks } from "./card-tracks.js";

/**
 * The drawing of a replay's table inside `root`. `steps` and `findings` as in the replay document; `view` says how it is
 * seen: `bottomSeat` is the seat in front, `later` null or what names the cards that were known only later (later-known-cards.js), `unshaded`
 * turns off the shading of cards that may not be played, `isUnmoved` the animation.
 */
export class TableDrawing {
  constructor(root, { steps, findings, direction, words, view }) {
    root.replaceChildren();
    this.root = root;
    this.steps = steps;
    this.words = words;
    this.sides = placeSeats(direction, view.bottom);
    this.isUnmoved = view.unmoved;
    root.classList.toggle("is-unshaded", view.unshaded);
    const states = steps.map((step) => step.frame.state);
    this.tracks = view.later ? view.later(buildCardTracks(states), states) : buildCardTracks(states);
    this.questionedSeqs = questionedSeqs(findings);
    this.pieceElements = new Map();
    this.lastPlacements = new Map();
    this.labels = Object.fromEntries(SEATS.map((seat) => [seat, this.addLabel(seat)]));
    this.talonCount = root.appendChild(el("p", { class: "talon-count" }));
    this.shown = null;
    this.resizeObserver = new ResizeObserver(() => this.updatePlan());
    for (const element of [root, ...root.querySelectorAll(".seat")]) this.resizeObserver.observe(element);
  }

  /** Ends it: another drawing takes its place. */
  destroy() {
    this.resizeObserver.disconnect();
  }

  addLabel(seat) {
    const name = el("span", { class: "seat-name" });
    const contractLabel = el("span", { class: "seat-more" });
    const label = el("p", { class: "seat" }, name, contractLabel);
    label.dataset.side = this.sides[seat];
    this.root.append(label);
    return { label, name, contractLabel };
  }

  /** Holds the table to a size in pixels, `{width, height}`; null releases it. */
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
    const lengths = { "card-width": plan.card.width, "row-top": plan.rowTop, "plan-margin": plan.margin, "plan-inner-margin": plan.innerMargin, "trick-top": plan.trickTop, "label-room": plan.labelRoom };
    for (const [name, length] of Object.entries(lengths)) this.root.style.setProperty(`--${name}`, `${length}px`);
    if (this.shown === null) return;
    if (isSame) this.updateSeatLabels(this.steps[this.shown].frame.state);
    else this.show(this.shown, { withoutMotion: true });
  }

  /** The room that labels take with all that they say in the end: then nothing moves when one grows. */
  measureLabels() {
    this.updateSeatLabels(this.steps.at(-1).frame.state);
    const atSides = SEATS.filter((seat) => this.sides[seat] !== "bottom").map((seat) => this.labels[seat].label);
    const { label } = this.labels[SEATS.find((seat) => this.sides[seat] === "bottom")];
    return {
      height: Math.max(...atSides.map((one) => one.offsetHeight)),
      width: Math.max(...atSides.map((one) => one.offsetWidth)),
      heightWithin: (room) => {
        this.root.style.setProperty("--label-room", `${room}px`);
        return label.offsetHeight;
      },
    };
  }

  /** Shows the table after step `index`; without movement where the step is not the next one or the one before. */
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
    for (const [number, slot] of slots) this.placePiece(this.findPiece(number), withSpread(slot, slots));
    for (const [number, piece] of this.pieceElements) piece.hidden = !slots.has(number);
    this.updateTalonCount(step.frame.state);
  }

  findPiece(number) {
    if (!this.pieceElements.has(number)) this.pieceElements.set(number, this.root.appendChild(buildCardElement()));
    return this.pieceElements.get(number);
  }

  placePiece(piece, slot) {
    const { x, y, turn, scale, depth, covered } = cardPosition(slot, this.plan);
    const { width, height } = this.plan.card;
    const transform = `translate(${round(x - width / 2)}px, ${round(y - height / 2)}px) rotate(${turn}deg) scale(${scale})`;
    const before = this.lastPlacements.get(piece);
    if (before?.transform !== transform) piece.style.transform = transform;
    if (before?.depth !== depth) piece.style.zIndex = depth;
    this.lastPlacements.set(piece, { transform, depth });
    showCardFace(piece, slot.card, slot.faceDown);
    piece.classList.toggle("is-covered", Boolean(covered));
    piece.classList.toggle("is-in-trick", slot.zone === "trick");
    piece.classList.toggle("is-won", Boolean(slot.won));
    piece.classList.toggle("is-known-later", Boolean(slot.later));
    piece.classList.toggle("is-questioned", this.isQuestioned(slot));
    piece.classList.toggle("is-unplayable", this.isUnplayable(slot));
  }

  isQuestioned(slot) {
    return slot.zone === "trick" ? this.questionedSeqs.has(String(slot.seq)) : this.statedQuestionedCards.has(slot.card);
  }

  isUnplayable({ zone, seat, card }) {
    return zone === "hand" && seat === this.playable?.seat && isKnown(card) && !this.playable.cards.has(card);
  }

  updateSeatLabels(state) {
    for (const seat of SEATS) {
      const { label, name, contractLabel } = this.labels[seat];
      const player = state.players?.[seat] ?? this.words.seat(seat);
      const labelKey = [player, ...(state.declarer === seat ? [state.contract, state.trump] : [])].join(" ");
      label.classList.toggle("to-act", state.to_act === seat);
      if (name.dataset.called !== labelKey) name.replaceChildren(el("b", { text: player }), ...this.buildContractLabel(state, seat));
      name.dataset.called = labelKey;
      const tricks = state.tricks_won?.[seat] ?? 0;
      const count = state.tricks?.length || tricks ? ` · ${this.words.tricks(tricks)}` : "";
      setText(contractLabel, this.words.seat(seat) + count);
    }
  }

  buildContractLabel(state, seat) {
    if (state.declarer !== seat || !state.contract) return [];
    return [el("i", { text: this.words.bid(state.contract) }), ...(state.trump ? [drawPip(state.trump)] : [])];
  }

  updateTalonCount(state) {
    const count = state.talon?.count ?? 0;
    const playing = state.phase === "play" || state.phase === "finished";
    const spread = (state.talon?.cards ?? []).some((card) => isKnown(card) && card !== state.talon.turned);
    setText(this.talonCount, count && !playing && !spread ? this.words.talon(count) : "");
  }
}

/** Who plays next at a point, and which cards are allowed; null if nobody plays, or if it is unknown. */
function findPlayable({ legal }) {
  return legal?.action === "play" && !legal.hidden ? { seat: legal.seat, cards: new Set(legal.cards) } : null;
}

/** A pile that somebody knows is spread, so that it can be read; an unknown one is only counted. */
function withSpread(slot, slots) {
  if (slot.zone !== "talon" && slot.zone !== "discard") return slot;
  for (const other of slots.values()) {
    if (other.zone === slot.zone && other.seat === slot.seat && isKnown(other.card) && !other.turned) {
      return { ...slot, spread: true };
    }
  }
  return slot;
}

const round = (value) => Math.round(value * 10) / 10;
