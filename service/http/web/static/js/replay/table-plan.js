// @ts-check
/**
 * The plan of the table, seen from above: where every card lies, in pixels from the top left.
 *
 * Forehand sits at the bottom, unless the table is turned. Play goes anticlockwise, so the next player sits at the
 * right-hand side of the plan; where a table plays clockwise at the left. Cards stay upright to the reader.
 */

import { SEATS } from "./card-tracks.js";

/** @import { Slot, Zone } from "./card-tracks.js" */
/** @typedef {"bottom" | "right" | "left"} Side */
/** @typedef {ReturnType<typeof buildTablePlan>} TablePlan */
/** @typedef {{ x: number, y: number, turn?: number, scale?: number, depth?: number, covered?: boolean }} Placement */

const CARD_ASPECT_RATIO = 1.42;
/** @type {Record<Zone, number>} */
const ZONE_SCALES = { talon: 0.5, discard: 0.5, won: 0.2, aside: 0.2, hand: 1, trick: 1 };
const ZONE_DEPTHS = { talon: 0, discard: 100, won: 200, aside: 200, hand: 300, trick: 400 };

/** Talon, trick and hand below each other, in card widths. */
const STACK = CARD_ASPECT_RATIO * (ZONE_SCALES.talon + 1.55 + 1.06);

/** Below this ratio of height to width the talon lies between the labels, not below them, unless they are wider than this part. */
const WIDE_TABLE_RATIO = 0.65;
const MAX_LABEL_SHARE = 0.35;
const MAX_CARD_WIDTH = 129;
/** The parts of the row above the hand, where it is one: the label, and what was sold. */
const LABEL_SHARE = 0.64;
const DISCARD_SHARE = 0.36;

/** On which side of the plan each seat is, with `bottom` in front. @type {(direction: string, bottom: string) => Record<string, Side>} */
export function placeSeats(direction, bottom) {
  /** @type {Side[]} */
  const round = direction === "clockwise" ? ["bottom", "left", "right"] : ["bottom", "right", "left"];
  return Object.fromEntries(SEATS.map((seat, index) => [seat, round[(index - SEATS.indexOf(bottom) + 3) % 3]]));
}

/**
 * The geometry for a table of `width` by `height` pixels. `sides` maps a seat to "bottom", "right" or "left"; `labels` are
 * how high and wide those at the sides are, and how high the one at the bottom is in so much room. The hand at the bottom
 * lies between those at the sides where the table is wide enough and its label has room next to the trick, else below them.
 * @param {{ width: number, height: number }} size
 * @param {Record<string, Side>} sides
 * @param {{ width: number, height: number, heightWithin: (room: number) => number }} labels
 */
export function buildTablePlan({ width, height }, sides, labels) {
  const margin = Math.max(8, Math.round(width * 0.018));
  const columnTop = margin + labels.height + 4;
  const isTalonBetween = height < width * WIDE_TABLE_RATIO && labels.width < width * MAX_LABEL_SHARE;
  const talonTop = isTalonBetween ? margin : columnTop;
  const free = height - talonTop - margin - 14;
  /** @param {number} rowHeight */
  const widthBelowAt = (rowHeight) =>
    Math.min(width * 0.197, (free - rowHeight) / STACK, (free + 9) / (STACK + CARD_ASPECT_RATIO / 2));
  /** @param {boolean} between @param {number} wantedWidth */
  const layOut = (between, wantedWidth) => {
    const cardWidth = Math.max(8, Math.min(wantedWidth, MAX_CARD_WIDTH));
    const card = { width: cardWidth, height: cardWidth * CARD_ASPECT_RATIO };
    const handTop = height - margin - card.height * 1.06;
    const columnBottom = between ? height - margin : handTop - 6;
    const innerMargin = margin * 2 + card.width;
    const middleWidth = width - 2 * innerMargin;
    const trickTop = talonTop + card.height * ZONE_SCALES.talon + 6;
    const trickScaleAt = (/** @type {number} */ bottom) =>
      Math.max(0.5, Math.min(between ? 1.15 : 1, (bottom - trickTop) / card.height / 1.55));
    // The room next to the trick's lower card, or a part of the middle where there is none.
    const rowRoom = (/** @type {number} */ part) =>
      between ? middleWidth / 2 - card.width * trickScaleAt(handTop - 6) * 0.56 : middleWidth * part;
    const labelRoom = rowRoom(LABEL_SHARE);
    const labelHeight = labels.heightWithin(labelRoom);
    const rowHeight = Math.max(labelHeight + 4, card.height * ZONE_SCALES.discard + 5);
    const trickBottom = handTop - 6 - (between ? 0 : rowHeight);
    const trickScale = trickScaleAt(trickBottom);
    const rowTop = handTop - labelHeight - 4;
    return {
      width,
      height,
      margin,
      card,
      sides,
      between,
      columnTop,
      columnBottom,
      talonTop,
      handTop,
      rowTop,
      innerMargin,
      middleWidth,
      trickTop,
      trickBottom,
      trickScale,
      labelRoom,
      labelHeight,
      discardRoom: rowRoom(DISCARD_SHARE),
    };
  };
  const beside = layOut(true, Math.min((width - 4 * margin) / 6.55, free / STACK));
  const below = layOut(false, widthBelowAt(layOut(false, widthBelowAt(0)).labelHeight));
  const isClear =
    beside.rowTop > (beside.trickTop + beside.trickBottom) / 2 + beside.card.height * beside.trickScale * 0.17;
  return isClear && beside.card.width > below.card.width * 0.95 ? beside : below;
}

/** Where a slot's card lies: `x` and `y` of its middle, `turn` in degrees, `scale` 1 being a whole card; `covered` but for its top edge. @type {(slot: Slot, plan: TablePlan) => Required<Placement>} */
export function cardPosition(slot, plan) {
  const placed = POSITION_BY_ZONE[slot.zone](slot, plan);
  return {
    turn: 0,
    scale: ZONE_SCALES[slot.zone],
    covered: false,
    ...placed,
    depth: ZONE_DEPTHS[slot.zone] + (placed.depth ?? slot.order),
  };
}

/** @type {Record<Zone, (slot: Slot, plan: TablePlan) => Placement>} */
const POSITION_BY_ZONE = {
  hand: (slot, plan) =>
    sideOf(slot, plan) === "bottom" ? bottomHandPosition(slot, plan) : sideHandPosition(slot, plan),
  trick: trickPosition,
  talon: talonPosition,
  discard: discardPosition,
  won: wonTrickPosition,
  aside: wonTrickPosition,
};

/** The side of the plan at which a slot's card belongs. @type {(slot: Slot, plan: TablePlan) => Side} */
const sideOf = ({ seat }, { sides }) => sides[seat];

/** The hand at the bottom: a fan on a wide circle. @type {(slot: Slot, plan: TablePlan) => Placement} */
function bottomHandPosition({ order, of }, { width, margin, card, handTop, between, middleWidth }) {
  const room = between ? middleWidth : width - 2 * margin;
  const step = Math.min(card.width * 0.62, (room - card.width * 1.08) / Math.max(5, of - 1));
  const offset = order - (of - 1) / 2;
  const turn = offset * 1.3;
  const radius = step / Math.sin((1.3 * Math.PI) / 180);
  const sag = radius * (1 - Math.cos((turn * Math.PI) / 180));
  return { x: width / 2 + offset * step, y: handTop + card.height / 2 + sag, turn };
}

/** A hand at a side: a column below its label that bulges a little towards the table. @type {(slot: Slot, plan: TablePlan) => Placement} */
function sideHandPosition(slot, plan) {
  const { order, of } = slot;
  const { width, margin, card, columnTop, columnBottom } = plan;
  const towards = sideOf(slot, plan) === "left" ? 1 : -1;
  const room = columnBottom - columnTop - card.height;
  const step = Math.min(card.width * 0.36, room / Math.max(8, of - 1));
  const offset = order - (of - 1) / 2;
  const bulge = Math.max(0, 1 - (offset / 4.5) ** 2) * card.width * 0.05;
  const x = margin + card.width / 2 + bulge;
  return {
    x: towards > 0 ? x : width - x,
    y: columnTop + card.height * 0.51 + order * step,
    turn: -towards * offset * 0.4,
    covered: order < of - 1,
  };
}

/** A card of the trick lies towards its player; the lowest lies on top and covers no index. @type {(slot: Slot, plan: TablePlan) => Placement} */
function trickPosition(slot, plan) {
  const { order, trick: number } = slot;
  const { width, card, trickTop, trickBottom, trickScale: scale, middleWidth } = plan;
  const side = sideOf(slot, plan);
  const middle = (trickTop + trickBottom) / 2;
  const sway = (((number ?? 1) * 7 + order * 5) % 5) - 2;
  const across = Math.min(card.width * scale * 0.9, middleWidth / 2 - card.width * scale * 0.53);
  const down = Math.min(0.33 * card.height * scale, (trickBottom - trickTop - card.height * scale) / 2);
  if (side === "bottom") return { x: width / 2, y: middle + down, turn: sway, scale, depth: 9 };
  const sign = side === "right" ? 1 : -1;
  return { x: width / 2 + sign * across, y: middle - down, turn: sign * 3 + sway * 0.7, scale };
}

/** The talon at the free side of the table: a pile, or a row when its cards are known; the turned card next to it. @type {(slot: Slot, plan: TablePlan) => Placement} */
function talonPosition({ order, of, spread, turned }, { width, card, talonTop, middleWidth }) {
  const scale = ZONE_SCALES.talon;
  const y = talonTop + (card.height * scale) / 2;
  const depth = of - order;
  if (turned && !spread)
    return { x: width / 2 + card.width * 0.66, y: y + card.height * 0.06, turn: 4, scale: 0.62, depth: 60 };
  if (!spread) return { x: width / 2 - depth * 0.4, y: y - depth * 0.4, depth };
  const step = Math.min(card.width * 0.3, (middleWidth * 0.44 - card.width * scale) / Math.max(1, of - 1));
  const forward = turned ? card.height * 0.15 : 0;
  return { x: width / 2 + (order - (of - 1) / 2) * step, y: y + forward, depth: order };
}

/** What a player sold: at the sides next to the talon, at the bottom above the hand. @type {(slot: Slot, plan: TablePlan) => Placement} */
function discardPosition(slot, plan) {
  const { order, of, spread } = slot;
  const { width, innerMargin, columnTop, handTop, middleWidth } = plan;
  const side = sideOf(slot, plan);
  const size = { width: plan.card.width * ZONE_SCALES.discard, height: plan.card.height * ZONE_SCALES.discard };
  const room = side === "bottom" ? plan.discardRoom - 4 : middleWidth * 0.28;
  const step = Math.min(size.width * (spread ? 0.72 : 0.16), (room - size.width) / Math.max(1, of - 1));
  const along = side === "left" ? order : of - 1 - order;
  const x = innerMargin + size.width / 2 + along * step;
  const y = side === "bottom" ? handTop - size.height / 2 - 5 : columnTop + size.height / 2;
  return { x: side === "left" ? x : width - x, y, depth: order };
}

/** Tricks won lie in small packets before the winner, every other one crosswise, so that they can be counted. @type {(slot: Slot, plan: TablePlan) => Placement} */
function wonTrickPosition(slot, plan) {
  const { order } = slot;
  const pile = slot.pile ?? 0;
  const { width, innerMargin, rowTop, card } = plan;
  const side = sideOf(slot, plan);
  const size = card.height * ZONE_SCALES.won;
  const x = innerMargin + size / 2 + pile * card.width * 0.13;
  const y = rowTop - size * (side === "bottom" ? 0.65 : 1.9);
  return { x: side === "right" ? width - x : x, y, turn: pile % 2 ? 90 : 0, depth: pile * 3 + order };
}
