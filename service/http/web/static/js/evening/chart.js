// @ts-check
/** The chart of an evening: a line for each player over the deals, named at its end, distinguishable without colour. */

import { formatChips } from "../core/chips.js";
import { html } from "../vendor/preact.js";

/** @typedef {{ name: string, points: (number | null)[] }} Line - a running total before the first entry and after each, null until the player came */

const MARGIN = { left: 40, top: 14, bottom: 26 };
const LETTER_WIDTH = 7.4;
const NARROW_CHART_WIDTH = 480;
const LABEL_SPACING = 17;
/** Dashes of the lines, and the marks at their ends. */
const LINE_DASHES = ["none", "7 4", "2 4", "12 4 2 4", "5 3 1 3 1 3", "1 3"];

/**
 * @param {object} props
 * @param {Line[]} props.lines
 * @param {(number | null)[]} props.deals - the number of the deal that each entry is, null for payments outside the deals
 * @param {string} props.description - the same in words
 * @param {number} props.width
 */
export function TotalsChart({ lines, deals, description, width }) {
  const height = width < NARROW_CHART_WIDTH ? 230 : 280;
  const letters = Math.min(
    width < NARROW_CHART_WIDTH ? Math.min(12, Math.floor(width / 28)) : 24,
    Math.max(...lines.map(({ name }) => name.length)),
  );
  const end = width - 26 - letters * LETTER_WIDTH;
  const scale = buildChartScale(lines.flatMap(({ points }) => points.map((value) => value ?? 0)));
  const floor = height - MARGIN.bottom;
  /** @param {number} entry */
  const x = (entry) => round(MARGIN.left + (entry / deals.length) * (end - MARGIN.left));
  /** @param {number | null | undefined} value */
  const y = (value) =>
    round(MARGIN.top + ((scale.max - (value ?? 0)) / (scale.max - scale.min)) * (floor - MARGIN.top));
  const ends = spreadLabels(
    lines.map(({ points }) => y(points.at(-1))),
    floor,
  );
  const last = x(deals.length);
  return html`
    <svg viewBox="0 0 ${width} ${height}" class="chart" preserveAspectRatio="xMinYMid meet" role="img" aria-label=${description}>
      ${scale.levels.map(
        (value) => html`
          <path d="M${MARGIN.left} ${y(value)}H${end}" class=${value === 0 ? "chart-zero" : "chart-level"} />
          <text x=${MARGIN.left - 7} y=${y(value) + 4} text-anchor="end" class="chart-mark">${formatChips(value)}</text>
        `,
      )}
      ${labelledDeals(deals, end - MARGIN.left).map(
        ({ deal, entry }) =>
          html`<text x=${x(entry)} y=${height - 6} text-anchor="middle" class="chart-mark">${deal}</text>`,
      )}
      ${lines.map(({ name, points }, index) => {
        const stops = points.flatMap((value, entry) => (value === null ? [] : [`${x(entry)} ${y(value)}`]));
        const level = y(points.at(-1));
        const colour = `line-${index + 1}`;
        return html`
          <path d="M${stops.join("L")}" class="chart-line ${colour}" stroke-dasharray=${LINE_DASHES[index % LINE_DASHES.length]} />
          <circle cx=${last} cy=${level} r="3" class="chart-end ${colour}" />
          <path d="M${last + 3} ${level}L${last + 12} ${ends[index]}" class="chart-lead ${colour}" />
          <text x=${last + 15} y=${ends[index] + 5} text-anchor="start" class="chart-name">${shortenName(name, letters)}</text>
        `;
      })}
    </svg>
  `;
}

/** @param {string} name @param {number} letters */
const shortenName = (name, letters) => (name.length > letters ? `${name.slice(0, letters - 1).trim()}…` : name);

/** Round levels from below the least to above the most, nothing among them. @param {number[]} values */
function buildChartScale(values) {
  const min = Math.min(0, ...values);
  const max = Math.max(0, ...values);
  const roughStep = Math.max(1, (max - min) / 4);
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const step = power * ([1, 2, 5].find((one) => one * power >= roughStep) ?? 10);
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(max / step));
  const levels = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: first * step, max: last * step, levels };
}

/** The deals that are numbered below, by their own numbers: the last, and round ones before it. @param {(number | null)[]} deals @param {number} room */
function labelledDeals(deals, room) {
  const played = deals.flatMap((deal, index) => (deal === null ? [] : [{ deal, entry: index + 1 }]));
  const step = [1, 5, 10, 20].find((one) => (deals.length / one) * 26 < room) ?? 50;
  const last = played[played.length - 1];
  return played.filter((one) => one === last || (one.deal % step === 0 && last.entry - one.entry > step / 3));
}

/** Heights for labels near `preferred` of which none covers another, none below `lowest` if there is room. @param {number[]} preferred @param {number} lowest */
function spreadLabels(preferred, lowest) {
  const found = [...preferred];
  const order = [...preferred.keys()].sort((one, other) => preferred[one] - preferred[other]);
  let least = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    found[index] = Math.max(found[index], least);
    least = found[index] + LABEL_SPACING;
  }
  let most = lowest;
  for (const index of order.reverse()) {
    found[index] = Math.min(found[index], most);
    most = found[index] - LABEL_SPACING;
  }
  return found;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
