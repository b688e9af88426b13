/** The chart of an evening: a line for each player over the deals, named at its end, distinguishable without colour. */

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = { left: 40, top: 14, bottom: 26 };
const LETTER_WIDTH = 7.4;
const NARROW_CHART_WIDTH = 480;
const LABEL_SPACING = 17;
/** Dashes of the lines, and the marks at their ends. */
const LINE_DASHES = ["none", "7 4", "2 4", "12 4 2 4", "5 3 1 3 1 3", "1 3"];

/**
 * Draws `lines`, a list of `{name, points}` with a running total before the first entry and after each (null until they
 * came), `width` units wide. `deals` has the number of the deal that each entry is, null for payments outside the deals;
 * `description` says the same in words. Null where there is nothing to draw yet.
 */
export function drawTotalsChart(lines, { deals, description, formatChips, width }) {
  const { length } = deals;
  if (!length) return null;
  const height = width < NARROW_CHART_WIDTH ? 230 : 280;
  const letters = Math.min(width < NARROW_CHART_WIDTH ? 12 : 24, Math.max(...lines.map((line) => line.name.length)));
  const end = width - 26 - letters * LETTER_WIDTH;
  const scale = buildChartScale(lines.flatMap((line) => line.points));
  const x = (entry) => MARGIN.left + (entry / length) * (end - MARGIN.left);
  const y = (value) => MARGIN.top + ((scale.max - value) / (scale.max - scale.min)) * (height - MARGIN.top - MARGIN.bottom);
  const svg = buildShape("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", preserveAspectRatio: "xMinYMid meet", role: "img", "aria-label": description });
  for (const value of scale.levels) svg.append(...drawLevel(value, y(value), { chips: formatChips, end }));
  for (const { deal, entry } of labelledDeals(deals, end - MARGIN.left)) svg.append(drawLabel(x(entry), height - 6, String(deal), "middle", "chart-mark"));
  const ends = spreadLabels(lines.map((line) => y(line.points.at(-1))), height - MARGIN.bottom);
  lines.forEach((line, index) => svg.append(...drawLine(line, index, { x, y, length, letters, end: ends[index] })));
  return svg;
}

function drawLine({ name, points }, index, { x, y, length, letters, end }) {
  const known = points.map((value, entry) => ({ value, entry })).filter((one) => one.value !== null);
  const path = known.map(({ value, entry }, step) => `${step ? "L" : "M"}${round(x(entry))} ${round(y(value))}`).join("");
  const last = x(length);
  const stroke = buildShape("path", { d: path, class: `chart-line line-${index + 1}`, "stroke-dasharray": LINE_DASHES[index % LINE_DASHES.length] });
  const leadLine = buildShape("path", { d: `M${round(last + 3)} ${round(y(points.at(-1)))}L${round(last + 12)} ${round(end)}`, class: `chart-lead line-${index + 1}` });
  return [stroke, buildShape("circle", { cx: round(last), cy: round(y(points.at(-1))), r: 3, class: `chart-end line-${index + 1}` }), leadLine, drawLabel(last + 15, end + 5, shortenName(name, letters), "start", "chart-name")];
}

function drawLevel(value, at, { chips, end }) {
  const line = buildShape("path", { d: `M${MARGIN.left} ${round(at)}H${end}`, class: value === 0 ? "chart-zero" : "chart-level" });
  return [line, drawLabel(MARGIN.left - 7, at + 4, chips(value), "end", "chart-mark")];
}

const shortenName = (name, letters) => (name.length > letters ? `${name.slice(0, letters - 1).trim()}…` : name);

function drawLabel(x, y, text, anchor, className) {
  const written = buildShape("text", { x: round(x), y: round(y), "text-anchor": anchor, class: className });
  written.textContent = text;
  return written;
}

function buildShape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Round levels from below the least to above the most, nothing among them. */
export function buildChartScale(values) {
  const min = Math.min(0, ...values);
  const max = Math.max(0, ...values);
  const roughStep = Math.max(1, (max - min) / 4);
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= roughStep);
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(max / step));
  const marks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: first * step, max: last * step, levels: marks };
}

/** The deals that are numbered below, by their own numbers: the last, and round ones before it, as `{deal, entry}`. */
export function labelledDeals(deals, room) {
  const played = deals.map((deal, index) => ({ deal, entry: index + 1 })).filter(({ deal }) => deal !== null);
  const step = [1, 5, 10, 20].find((one) => (deals.length / one) * 26 < room) ?? 50;
  const last = played.at(-1);
  return played.filter((one) => one === last || (one.deal % step === 0 && last.entry - one.entry > step / 3));
}

/** Heights for labels near `preferred` of which none covers another, none below `lowest` if there is room. */
export function spreadLabels(preferred, lowest) {
  const order = preferred.map((height, index) => ({ height, index })).sort((one, other) => one.height - other.height);
  for (let index = 1; index < order.length; index += 1) order[index].height = Math.max(order[index].height, order[index - 1].height + LABEL_SPACING);
  const over = Math.max(0, (order.at(-1)?.height ?? 0) - lowest);
  if (over) {
    order.at(-1).height -= over;
    for (let index = order.length - 2; index >= 0; index -= 1) order[index].height = Math.min(order[index].height, order[index + 1].height - LABEL_SPACING);
  }
  const found = [];
  for (const { height, index } of order) found[index] = height;
  return found;
}

const round = (value) => Math.round(value * 10) / 10;
