// @ts-check
/** The score sheet: running totals deal by deal, the reason for every chip one tap away, who owes whom, and what each player did. */

import { getJson } from "../core/api.js";
import { formatChips } from "../core/chips.js";
import { dealUrl, formatDealEnd, formatGame, formatSeatingChange, listCorrections } from "../core/deal-text.js";
import { fitStyle } from "../core/fit-text.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { DecidedScore } from "../replay/score-panel.js";
import { html, render, signal, useEffect, useSignal } from "../vendor/preact.js";
import { TotalsChart } from "./chart.js";
import { Chips, CorrectionNotes } from "./deal-notes.js";
import { useFoldableTable } from "./foldable-table.js";
import { SlipFindings } from "./slip-findings.js";
import { openTablePage } from "./table-page.js";

/** @typedef {import("./evening.js").Evening} Evening */
/** @typedef {{ evening: Evening, findings: SlipFindings, players: string[], deals: Map<string, any>, openDeals: import("../vendor/preact.js").Signal<string[]> }} Sheet */
/** @typedef {{ width: number, type: number }} Space - so wide the page is, and so large its type */

const MAX_CHART_WIDTH = 760;
const MIN_CHART_WIDTH = 230;
/** So large is the type for which a chart is drawn; where the reader's is larger, so is all of the chart. */
const CHART_TYPE_SIZE = 17;
/** The number of deals that fit on one printed sheet with a chart. */
const MAX_ROWS_WITH_CHART = 42;
/** The figures of a player, by the names that the ledger has for them. */
const FIGURES = {
  played: t("Deals"),
  declared: t("Declared"),
  won: t("Won"),
  bete: t("Bête"),
  codille: t("Codille"),
};

openTablePage(({ parts, evening }) => {
  const root = parts.sheet;
  const findings = new SlipFindings(evening);
  const readSpace = () => ({ width: root.clientWidth, type: parseFloat(getComputedStyle(root).fontSize) });
  const space = signal(readSpace());
  const openDeals = signal(/** @type {string[]} */ ([]));
  parts.print.addEventListener("click", () => window.print());
  evening.addEventListener("change", () => findings.refresh());
  findings.refresh();
  root.replaceChildren();
  render(html`<${ScoreSheet} ...${{ evening, findings, space, openDeals }} />`, root);
  new ResizeObserver(() => {
    const { width, type } = readSpace();
    if (width !== space.value.width || type !== space.value.type) space.value = { width, type };
  }).observe(root);
});

/** @param {{ evening: Evening, findings: SlipFindings, space: import("../vendor/preact.js").Signal<Space>, openDeals: Sheet["openDeals"] }} props */
function ScoreSheet({ evening, findings, space, openDeals }) {
  const { ledger } = evening;
  if (!ledger.lines.length)
    return html`<p class="lead">${t("Nothing has been played yet.")}</p><${Debts} evening=${evening} />`;
  // Players who went home count in the sum.
  const players = Object.keys(ledger.totals);
  const deals = new Map(evening.listDeals().map((deal) => [deal.deal, deal]));
  return html`
    <${Debts} evening=${evening} />
    <${DealsTable} sheet=${{ evening, findings, players, deals, openDeals }} space=${space.value} />
    <${ChartPart} evening=${evening} players=${players} space=${space.value} />
    <${PlayersPart} evening=${evening} space=${space.value} />
  `;
}

// Deal by deal

/** @param {{ sheet: Sheet, space: Space }} props */
function DealsTable({ sheet }) {
  const table = useFoldableTable();
  const { evening, players } = sheet;
  const { lines, totals } = evening.ledger;
  return html`
    <section class="sheet-part sheet-table ${lines.length > MAX_ROWS_WITH_CHART ? "is-long" : ""}">
      <h2>${t("Deal by deal")}</h2>
      <p class="muted">${t("The total after each deal; the small number is what the deal changed.")}</p>
      <table ref=${table} class="score-sheet foldable-table" data-abreast=${players.length} aria-label=${t("Deal by deal")}>
        <thead>
          <tr>
            <th scope="col" class="row-label">${t("Deal")}</th>
            ${players.map((player) => {
              const name = evening.displayName(player);
              return html`<th scope="col"><span class="head-cell"><span class="head-name" style=${fitStyle(name)}>${name}</span></span></th>`;
            })}
          </tr>
        </thead>
        <tbody>${listRows(sheet)}</tbody>
        <tfoot>
          <tr>
            <th scope="row">${t("Total")}</th>
            ${players.map((player) => html`<td><${Chips} number=${totals[player]} /></td>`)}
          </tr>
        </tfoot>
      </table>
    </section>
  `;
}

/** The lines, and between them who came and who left. @param {Sheet} sheet */
function listRows(sheet) {
  const { evening, players } = sheet;
  /** @param {string[]} seated */
  const without = (seated) => new Set(players.filter((player) => !seated.includes(player)));
  let away = without(evening.logWithQueued(evening.table)[0]?.players ?? []);
  const changes = evening.listSeatingChanges().filter((one) => !one.undoneBy);
  /** @param {any} change */
  const seatingRow = ({ address, event }) => {
    if (event.type === "seats_set") away = without(event.players);
    else if (event.type === "player_left") away.add(event.player);
    else away.delete(event.player);
    return html`<tr key=${address} class="seating-row"><td colspan=${players.length + 1}>${formatSeatingChange(evening, words, event)}</td></tr>`;
  };
  const rows = evening.ledger.lines.flatMap((/** @type {any} */ line) => {
    const before = changes.splice(0, changes.findLastIndex((one) => one.at < line.seq) + 1).map(seatingRow);
    return [
      ...before,
      html`<${LineRow} key=${line.deal ?? line.seq} sheet=${sheet} line=${line} away=${new Set(away)} />`,
    ];
  });
  return [...rows, ...changes.map(seatingRow)];
}

/** @param {{ sheet: Sheet, line: any, away: Set<string> }} props */
function LineRow({ sheet, line, away }) {
  const { players, openDeals } = sheet;
  return html`
    <tr>
      <th scope="row" class="row-label">${line.deal ? html`<${DealButton} sheet=${sheet} line=${line} />` : html`<span class="deal-text">${formatPayment(sheet, line)}</span>`}</th>
      ${players.map((player) => {
        const total = line.totals[player];
        const takesPart = player in line.chips || player in line.stake;
        const change = (line.chips[player] ?? 0) - (line.stake[player] ?? 0);
        return html`<td class=${away.has(player) ? "is-away" : null}>${total !== undefined && html`<span class="running-total">${formatChips(total)}</span>`}${takesPart && html`<span class="chips-change">${formatChips(change)}</span>`}</td>`;
      })}
    </tr>
    ${
      openDeals.value.includes(line.deal) &&
      html`<tr class="reason-row"><td colspan=${players.length + 1}><div class="score"><${Reason} sheet=${sheet} line=${line} /></div></td></tr>`
    }
  `;
}

/** @param {{ sheet: Sheet, line: any }} props */
function DealButton({ sheet: { evening, findings, deals, openDeals }, line }) {
  const deal = deals.get(line.deal);
  const isOpen = openDeals.value.includes(line.deal);
  const toggle = () => {
    openDeals.value = isOpen ? openDeals.value.filter((one) => one !== line.deal) : [...openDeals.value, line.deal];
  };
  return html`
    <button type="button" class="plain-button deal-toggle" data-why=${line.deal} aria-expanded=${isOpen} onClick=${toggle}>
      <span class="entry-number">${line.number}</span><span><span class="deal-text">${formatDealEnd(evening, words, deal ?? { line, result: null, opening: null, queued: false })}</span>${
        deal &&
        findings.listFindingTexts(deal).length > 0 &&
        html` <span class="doubt"><span aria-hidden="true">?</span><span class="visually-hidden">${t("Not in order")}</span></span>`
      }${deal && listCorrections(evening, words, deal).length > 0 && html` <span class="mark">${t("corrected")}</span>`}</span>
    </button>
  `;
}

/** What was paid outside the deals. @param {Sheet} sheet @param {any} line */
function formatPayment({ evening, players }, { chips, text }) {
  const from = players.find((player) => chips[player] < 0);
  const to = players.find((player) => chips[player] > 0);
  const names = { from: from && evening.displayName(from), to: to && evening.displayName(to) };
  return [from && to ? t("{from} gave {to}", names) : "", text].filter(Boolean).join(": ");
}

/** Why the chips of a deal are what they are: the deal's own score, as of the version that is known of it. @param {{ sheet: Sheet, line: any }} props */
function Reason({ sheet: { evening, findings, deals }, line }) {
  const answer = useSignal(/** @type {{ score: any } | null} */ (null));
  const version = evening.version(line.deal);
  useEffect(() => {
    getJson(`/deals/${line.deal}/score`).then(
      (score) => (answer.value = { score }),
      () => (answer.value = { score: null }),
    );
  }, [version]);
  if (!answer.value) return null;
  const { score } = answer.value;
  if (!score) return html`<p class="ask">${t("The reason could not be fetched. Try again.")}</p>`;
  const deal = deals.get(line.deal);
  const seats = Object.entries(line.seating ?? {}).filter(([, player]) => typeof player === "string");
  const players = Object.fromEntries(seats.map(([seat, player]) => [seat, evening.displayName(player)]));
  // What a slip does not say, nobody has counted.
  const counted = deal?.result?.event.tricks ? score : { ...score, tricks: null };
  return html`
    ${line.contract && html`<p class="muted">${words.upper(formatGame(evening, words, line.contract, line.trump))}</p>`}
    ${deal && findings.listFindingTexts(deal).map((text) => html`<p class="fault">${text}</p>`)}
    ${score.decided ? html`<${DecidedScore} score=${counted} state=${{ players }} />` : html`<p>${words.log.open}</p>`}
    ${deal && html`<${CorrectionNotes} evening=${evening} deal=${deal} />`}
    <p class="deal-link"><a href=${dealUrl(line.deal)}>${t("The whole deal")}</a></p>
  `;
}

// The evening

/** @param {{ evening: Evening, players: string[], space: Space }} props */
function ChartPart({ evening, players, space: { width, type } }) {
  /** @type {any[]} */
  const entries = evening.ledger.lines;
  const lines = players.map((player) => {
    const first = entries.findIndex((line) => line.totals[player] !== undefined);
    const totals = [0, ...entries.map((line) => line.totals[player] ?? 0)];
    return {
      name: evening.displayName(player),
      points: totals.map((total, index) => (index < first ? null : total)),
    };
  });
  const standings = words.listed(lines.map(({ name, points }) => `${name} ${formatChips(points.at(-1))}`));
  const description = t("Lines show how each player stood after every deal. At the end: {standings}.", { standings });
  const room = Math.floor((width * CHART_TYPE_SIZE) / type);
  return html`
    <section class="sheet-part chart-part">
      <h2>${t("How the evening went")}</h2>
      <${TotalsChart} lines=${lines} deals=${entries.map((line) => line.number)} description=${description}
        width=${Math.min(MAX_CHART_WIDTH, Math.max(MIN_CHART_WIDTH, room))} />
    </section>
  `;
}

/** @param {{ evening: Evening }} props */
function Debts({ evening }) {
  const { owes, pots, penalties, chip_value: value, currency } = evening.ledger;
  const chip = evening.rules?.chip ?? "";
  const name = (/** @type {string} */ player) => evening.displayName(player);
  const money = (/** @type {unknown} */ amount) =>
    `${String(amount).replace(".", tc("decimal mark", "."))} ${currency ?? ""}`.trim();
  const count = (/** @type {number} */ n) => `${n} ${n !== 1 && chip === t("chip") ? t("chips") : chip}`;
  const others = [
    ...pots.map((/** @type {any} */ pot) => t("The pool: {n}", { n: pot.pool ?? pot.chips ?? 0 })),
    ...Object.entries(penalties).map(([player, n]) => t("{name}: {n} penalty points", { name: name(player), n })),
  ];
  const debt = (/** @type {any} */ one) => {
    const places = { debtor: name(one.debtor), creditor: name(one.creditor), chips: count(one.chips) };
    return t("{debtor} gives {creditor} {chips}", places) + (one.money ? ` (${money(one.money)})` : "");
  };
  return html`
    <section class="sheet-part debts">
      <h2>${t("Who owes whom")}</h2>
      ${owes.length ? html`<ul>${owes.map((/** @type {any} */ one) => html`<li>${debt(one)}</li>`)}</ul>` : html`<p class="muted">${t("Nobody owes anybody.")}</p>`}
      ${others.length > 0 && html`<ul>${others.map((text) => html`<li>${text}</li>`)}</ul>`}
      ${value && html`<p class="muted">${`1 ${chip} = ${money(value)}`}</p>`}
    </section>
  `;
}

/** @param {{ evening: Evening, space: Space }} props */
function PlayersPart({ evening }) {
  const table = useFoldableTable();
  const heads = [t("Player"), t("Stands at"), ...Object.values(FIGURES)];
  const formatContract = (/** @type {any} */ { contract, played }) =>
    evening.findContract(contract).name + (played > 1 ? ` ×${played}` : "");
  return html`
    <section class="sheet-part players">
      <h2>${t("The players")}</h2>
      <div>
        <table ref=${table} class="figures foldable-table" aria-label=${t("The players")}>
          <thead><tr>${heads.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
          <tbody>
            ${(evening.ledger.figures ?? []).map(
              (/** @type {any} */ one) => html`
                <tr key=${one.player}>
                  <th scope="row">${evening.displayName(one.player)}${one.contracts.length > 0 && html`<span class="contract-list">${one.contracts.map(formatContract).join(", ")}</span>`}</th>
                  <td><${Chips} number=${one.chips} /></td>
                  ${Object.keys(FIGURES).map((column) => html`<td>${one[column]}</td>`)}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}
