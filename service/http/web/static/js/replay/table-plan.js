/**
 * The plan of the table, seen from above: where every card lies, in pixels from the top left.
 *
 * Forehand sits at the bottom, unless the table is turned. Play goes anticlockwise, so the next player sits at the
 * right-hand side of the plan; where a table plays clockwise at the left. Cards stay upright to the reader.
 */

import { SEATS } from "./card-tracks.js";

const CARD_ASPECT_RATIO = 1.42;
const ZONE_SCALES = { talon: 0.62, discard: 0.56, won: 0.3, aside: 0.3 };
const ZONE_DEPTHS = { talon: 0, discard: 100, won: 200, aside: 200, hand: 300, trick: 400 };

/**
 * The geometry for a table of `width` by `height` pixels with labels of `labelHeight` pixels' height.
 * `sides` maps a seat to "bottom", "right" or "left".
 */
export function buildTablePlan({ width, height, labelHeight }, direction = "anticlockwise", bottom = "forehand") {
  const edge = Math.max(8, Math.round(width * 0.018));
  const cardWidth = Math.min(width * 0.141, (height - 2 * labelHeight - 2 * edge) / 6.75, 92);
  const card = { width: cardWidth, height: cardWidth * CARD_ASPECT_RATIO };
  const round = direction === "clockwise" ? ["bottom", "left", "right"] : ["bottom", "right", "left"];
  const sides = Object.fromEntries(SEATS.map((seat, index) => [seat, round[(index - SEATS.indexOf(bottom) + 3) % 3]]));
  const handTop = height - edge - card.height * 1.06;
  const plan = { width, height, labelHeight, margin: edge, card, sides, columnTop: edge + labelHeight + 4, rowTop: handTop - labelHeight - 4 };
  return { ...plan, handTop, columnBottom: plan.rowTop - 6, innerMargin: edge * 2 + card.width };
}

/** Where a slot's card lies: `{x, y, turn, scale, depth}`, its middle, in degrees, 1 being a whole card. */
export function cardPosition(slot, plan) {
  const placed = POSITION_BY_ZONE[slot.zone](slot, plan);
  return { turn: 0, scale: ZONE_SCALES[slot.zone] ?? 1, ...placed, depth: ZONE_DEPTHS[slot.zone] + (placed.depth ?? slot.order) };
}

const POSITION_BY_ZONE = {
  hand: (slot, plan) => (plan.sides[slot.seat] === "bottom" ? bottomHandPosition(slot, plan) : sideHandPosition(slot, plan)),
  trick: trickPosition,
  talon: talonPosition,
  discard: discardPosition,
  won: wonTrickPosition,
  aside: (slot, plan) => wonTrickPosition({ ...slot, pile: 0 }, plan),
};

/** The hand at the bottom: a fan on a wide circle. */
function bottomHandPosition({ order, of }, plan) {
  const { width, margin, card, handTop } = plan;
  const step = Math.min(card.width * 0.78, (width - 2 * margin - card.width * 1.08) / Math.max(8, of - 1));
  const offset = order - (of - 1) / 2;
  const turn = offset * 1.3;
  const radius = step / Math.sin((1.3 * Math.PI) / 180);
  const sag = radius * (1 - Math.cos((turn * Math.PI) / 180));
  return { x: width / 2 + offset * step, y: handTop + card.height / 2 + sag, turn };
}

/** A hand at a side: a column that bulges a little towards the table. */
function sideHandPosition({ seat, order, of }, plan) {
  const { width, margin, card, columnTop, columnBottom } = plan;
  const towards = plan.sides[seat] === "left" ? 1 : -1;
  const room = columnBottom - columnTop - card.height;
  const step = Math.min(card.height * 0.37, room / Math.max(8, of - 1));
  const offset = order - (of - 1) / 2;
  const bulge = Math.max(0, 1 - (offset / 4.5) ** 2) * card.width * 0.09;
  const x = margin + card.width / 2 + bulge;
  return {
    x: towards > 0 ? x : width - x,
    y: (columnTop + columnBottom) / 2 + offset * step,
    turn: -towards * offset * 0.5,
  };
}

/** The middle of the table, where tricks are played. */
function tableMiddle({ width, rowTop, columnTop, card }) {
  const top = columnTop + card.height * (ZONE_SCALES.talon + ZONE_SCALES.discard) + 14;
  return { x: width / 2, y: top + (rowTop - top) * 0.42 };
}

/** A card of the trick lies towards its player. */
function trickPosition({ seat, order, trick: number }, plan) {
  const { card, sides } = plan;
  const centre = tableMiddle(plan);
  const side = sides[seat];
  const sway = (((number ?? 1) * 7 + order * 5) % 5) - 2;
  const scale = Math.min(1.2, Math.max(1, plan.width / card.width / 8));
  const spread = Math.min(1.02, (plan.width / 2 - plan.innerMargin - card.width * 0.85) / card.width / scale);
  const offsetX = side === "bottom" ? 0 : (side === "right" ? 1 : -1) * card.width * spread;
  const offsetY = side === "bottom" ? card.height * 0.42 : -card.height * 0.2;
  const lean = side === "bottom" ? 0 : side === "right" ? 5 : -5;
  return { x: centre.x + offsetX * scale, y: centre.y + offsetY * scale, turn: lean + sway, scale };
}

/** The talon at the free side of the table: a pile, or a row when its cards are known; the turned card next to it. */
function talonPosition(slot, plan) {
  const { width, columnTop, card } = plan;
  const { order, of } = slot;
  const y = columnTop + (card.height * ZONE_SCALES.talon) / 2;
  const depth = of - order;
  if (slot.turned && !slot.spread) return { x: width / 2 + card.width * 0.95, y: y + card.height * 0.06, turn: 4, scale: 0.74, depth: 60 };
  const room = width - 2 * plan.innerMargin - card.width * ZONE_SCALES.talon;
  if (!slot.spread) return { x: width / 2 - depth * 0.4, y: y - depth * 0.4, depth };
  const step = Math.min(card.width * 0.36, room / Math.max(1, of - 1));
  const forward = slot.turned ? card.height * 0.22 : 0;
  return { x: width / 2 + (order - (of - 1) / 2) * step, y: y + forward, depth: order };
}

/** What a player sold lies in front of that player, on the talon's side of the trick. */
function discardPosition({ seat, order, of, spread }, plan) {
  const { width, innerMargin, columnTop, handTop, card } = plan;
  const side = plan.sides[seat];
  const size = card.width * ZONE_SCALES.discard;
  const room = width / 2 - innerMargin - size - 4;
  const step = Math.min(size * (spread ? 0.72 : 0.16), room / Math.max(1, of - 1));
  const half = size / 2;
  const y = columnTop + card.height * (ZONE_SCALES.talon + ZONE_SCALES.discard / 2) + 8;
  if (side === "left") return { x: innerMargin + half + order * step, y, depth: order };
  if (side === "right") return { x: width - innerMargin - half - (of - 1 - order) * step, y, depth: order };
  return { x: Math.min(width * 0.42, 230) + half + order * step, y: handTop - (card.height * ZONE_SCALES.discard) / 2 - 5, depth: order };
}

/** Tricks won lie in small packets before the winner, every other one crosswise, so that they can be counted. */
function wonTrickPosition({ seat, pile, order }, plan) {
  const { width, margin, innerMargin, rowTop, columnBottom, card } = plan;
  const step = card.width * 0.19;
  const size = card.height * ZONE_SCALES.won;
  const turn = pile % 2 ? 90 : 0;
  const depth = pile * 3 + order;
  const side = plan.sides[seat];
  if (side === "bottom") return { x: width - margin - size / 2 - pile * step * 1.25, y: rowTop + size * 0.75, turn, depth };
  const x = innerMargin + size / 2;
  return { x: side === "left" ? x : width - x, y: columnBottom - card.height * 0.5 - pile * step, turn, depth };
}
