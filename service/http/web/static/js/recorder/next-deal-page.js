// @ts-check
/** Where a table's next deal is begun card by card, and one that is not finished is gone on with. */

import { newId } from "../core/api.js";
import { formatApiError } from "../core/deal-text.js";
import { t, tc } from "../core/texts.js";
import { buildOpening } from "../evening/table-entries.js";
import { openTablePage } from "../evening/table-page.js";
import { html, render, signal } from "../vendor/preact.js";
import { cacheDealOpening, PLACEHOLDER_DEAL_ID, startTableDeal } from "./deal-start.js";

/** @typedef {{ number: number, seating: Record<string, any> }} NextDeal */
/** @typedef {{ root: HTMLElement, parts: Record<string, HTMLElement>, evening: any, words: any, mayWrite: boolean }} TablePage */

const SEATS = ["forehand", "middlehand", "backhand"];

/** Counts what changed at the table. */
const changes = signal(0);
const fault = signal("");
let isSending = false;

/** @param {{ page: TablePage }} props */
function NextDealPage({ page }) {
  changes.value;
  const { evening, words, mayWrite, parts } = page;
  const recorderUrl = (/** @type {string} */ deal) =>
    (parts.begin.dataset.recordUrl ?? "").replace(PLACEHOLDER_DEAL_ID, deal);
  const unfinished = evening.listUnfinishedDeals();
  const nextDeals = mayWrite && !evening.isClosed ? evening.listNextDeals() : [];
  const slip = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".table-nav a"));
  const start = async (/** @type {NextDeal} */ next) => {
    if (isSending) return;
    isSending = true;
    fault.value = "";
    try {
      location.assign(recorderUrl(await startDeal(page, next)));
    } catch (error) {
      if (/** @type {any} */ (error).status === undefined) throw error;
      isSending = false;
      fault.value = formatApiError(words, error);
      await evening.refresh();
    }
  };
  return html`
    <div class="deal-start-next">${nextDeals.map((/** @type {NextDeal} */ next) => html`<${NextDealPart} key=${next.number} page=${page} next=${next} onStart=${() => start(next)} />`)}</div>
    <p class="ask" role="alert">${fault.value}</p>
    <div class="deal-start-open">
      ${evening.isClosed && html`<p class="lead">${words.slip.overHow} ${mayWrite && html`<a href=${slip?.href}>${words.slip.reopen}</a>`}</p>`}
      ${
        unfinished.length > 0 &&
        html`<h2>${tc("recorder", "Not finished")}</h2><ul class="deal-start-list">${unfinished.map(
          (/** @type {any} */ { deal, number }) =>
            html`<li key=${deal}><a class="button" href=${recorderUrl(deal)}>${evening.isClosed ? words.slip.deal(number) : t("Go on with deal {number}", { number })}</a></li>`,
        )}</ul>`
      }
      ${!nextDeals.length && !unfinished.length && !evening.isClosed && html`<p class="lead">${t("There is no deal to go on with.")}</p>`}
    </div>`;
}

/** @param {{ page: TablePage, next: NextDeal, onStart: () => void }} props */
function NextDealPart({ page: { evening, words }, next: { number, seating }, onStart }) {
  const name = (/** @type {string} */ player) => evening.displayName(player);
  const sittingOut = (seating.sitting_out ?? []).map(name);
  const details = [
    seating.dealer && words.slip.deals(name(seating.dealer)),
    sittingOut.length && words.slip.sitsOut(words.listed(sittingOut), sittingOut.length),
  ];
  return html`<section>
    <h2 class="deal-number">${words.slip.deal(number)}</h2>
    <p class="deal-seats">${details.filter(Boolean).join(" · ")}</p>
    <dl class="deal-start-seats">${SEATS.map((seat) => html`<div><dt>${words.seat(seat)}</dt><dd>${name(seating[seat])}</dd></div>`)}</dl>
    <button type="button" class="confirm" data-begin=${number} onClick=${onStart}>${t("Record deal {number}", { number })}</button>
  </section>`;
}

/** Begins the deal; the id of its record. Throws `ApiError`. @type {(page: TablePage, next: NextDeal) => Promise<string>} */
async function startDeal({ root, evening, words }, { number, seating }) {
  const opening = { id: newId(), ...buildOpening(seating) };
  const cacheOpening = () =>
    cacheDealOpening(
      { number, ...opening },
      {
        dealStart: JSON.parse(root.dataset.begun ?? "null"),
        displayName: (/** @type {string} */ player) => evening.displayName(player),
        names: evening.ledger.names ?? {},
        heading: words.slip.deal(number),
        data: { table: evening.table, mayOpen: "" },
      },
    );
  const version = evening.version();
  await startTableDeal(evening.table, opening, {
    version,
    number,
    seating,
    isReachable: evening.isReachable,
    cacheOpening,
  });
  return opening.id;
}

openTablePage((/** @type {TablePage} */ page) => {
  page.evening.addEventListener("change", () => {
    changes.value += 1;
  });
  page.parts.begin.replaceChildren();
  render(html`<${NextDealPage} page=${page} />`, page.parts.begin);
});
