/** A ruleset's table of payments, as its data has it. */

import { el } from "../core/dom.js";

/** The table of what each contract pays: by outcome, or, round a pool, its base; with what the pool is. */
export function buildTariffTable(rules, words) {
  const payingContracts = rules.contracts.filter((one) => one.pays);
  const columns = rules.pool ? ["base"] : ["won", "bete", "codille"];
  const head = el("tr", {}, el("th", { scope: "col", text: words.tariff.game }), ...columns.map((one) => el("th", { scope: "col", text: words.tariff[one] })));
  const rows = payingContracts.map((one) =>
    el("tr", {}, el("th", { scope: "row", text: one.name }), ...columns.map((column) => el("td", { text: formatTariffAmount(one.pays[column]) }))),
  );
  const pool = rules.pool ? el("p", { class: "muted", text: words.pool(rules.stake, rules.chip) }) : null;
  return [el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)), pool, el("p", { class: "muted", text: rules.source })].filter(Boolean);
}

/** One entry: a codille that costs more with every trick is shown from its least to its most. */
function formatTariffAmount(pays) {
  if (pays === null || pays === undefined || pays.length === 0) return "–";
  if (!Array.isArray(pays)) return String(pays);
  return pays.length === 1 ? String(pays[0]) : `${pays[0]}–${pays.at(-1)}`;
}
