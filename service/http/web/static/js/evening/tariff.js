// @ts-check
/** A ruleset's table of payments, as its data has it. */

import { t } from "../core/texts.js";
import { html } from "../vendor/preact.js";

/** What each contract pays: by outcome, or, round a pool, its base; with what the pool is. @param {{ rules: any }} props */
export function Tariff({ rules }) {
  const columns = rules.pool ? { base: t("Base") } : { won: t("Won"), bete: t("Bête"), codille: t("Codille") };
  const places = { stake: rules.stake, chip: rules.chip };
  return html`
    <div class="tariff">
      <table>
        <thead><tr>${[t("Game"), ...Object.values(columns)].map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
        <tbody>
          ${rules.contracts
            .filter((/** @type {any} */ one) => one.pays)
            .map(
              (/** @type {any} */ { name, pays }) =>
                html`<tr><th scope="row">${name}</th>${Object.keys(columns).map((one) => html`<td>${formatAmount(pays[one])}</td>`)}</tr>`,
            )}
        </tbody>
      </table>
      ${rules.pool && html`<p class="muted">${t("They play for a pool; the dealer stakes {stake} {chip}.", places)}</p>`}
      <p class="muted">${rules.source}</p>
    </div>
  `;
}

/** A codille that costs more with every trick is shown from its least to its most. @param {number | number[] | null} [pays] */
function formatAmount(pays) {
  const amounts = [pays ?? []].flat();
  return amounts.length > 1 ? `${amounts[0]}–${amounts.at(-1)}` : String(amounts[0] ?? "–");
}
