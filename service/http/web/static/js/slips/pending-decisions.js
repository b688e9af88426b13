// @ts-check
/**
 * What only a person can decide: entries that others were quicker than, or that the service does not take; what another
 * login left on this device; and what was thrown away. Nothing is lost without having been shown here.
 */

import { findErrorMessage, formatDealEnd, formatResultEntry } from "../core/deal-text.js";
import { outbox } from "../core/outbox.js";
import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html } from "../vendor/preact.js";

/** @typedef {import("../evening/evening.js").Evening} Evening */
/** @typedef {{ id: string, state: string, context: any, events: any[], between: any, problem: any }} Entry - of the outbox */

const BLOCKED_STATES = ["conflict", "refused"];
/** @type {Record<string, (name: string) => string>} */
const WRITTEN_TEXTS = {
  player_joined: (name) => t("{name} sat down at the table", { name }),
  player_left: (name) => t("{name} went home", { name }),
  seats_set: () => t("They sit differently now"),
  payment_made: (name) => t("{name} paid something by hand", { name }),
  penalty_given: (name) => t("{name} got penalty points", { name }),
  table_closed: () => t("The table was closed"),
  table_voided: () => t("The table was set aside"),
};

/** `onAmend(entry)` takes what waits into the form. @param {{ evening: Evening, onAmend: (entry: Entry) => void }} props */
export function PendingDecisions({ evening, onAmend }) {
  const blocked = evening.queuedEntries.filter((/** @type {Entry} */ entry) => BLOCKED_STATES.includes(entry.state));
  const held = evening.queuedEntries.filter((/** @type {Entry} */ entry) => entry.state === "held");
  const foreign = evening.filterOwnEntries(outbox.listForeign());
  const foreignIds = foreign.map((/** @type {Entry} */ entry) => entry.id);
  const n = foreign.length;
  return html`
    <div class="decisions">
      ${
        held.length > 0 &&
        html`
          <section class="decision" role="alert">
            <h2>${t("The link is no longer valid")}</h2>
            <${EntryList} evening=${evening} entries=${held} />
            <p>${held.length === 1 ? t("An entry waits here. To send it, open the link again or ask for another.") : t("{n} entries wait here. To send them, open the link again or ask for another.", { n: held.length })}</p>
          </section>
        `
      }
      ${blocked.map((/** @type {Entry} */ entry) => html`<${Question} key=${entry.id} evening=${evening} entry=${entry} onAmend=${onAmend} />`)}
      ${
        n > 0 &&
        html`
          <section class="decision">
            <h2>${n === 1 ? t("An entry waits here, written under another login") : t("{n} entries wait here, written under another login", { n })}</h2>
            <${EntryList} evening=${evening} entries=${foreign} />
            <div class="choices">
              <${Answer} text=${t("Enter with my link")} act=${() => outbox.adoptForeign(foreignIds)} />
              <${Answer} text=${t("Throw it away")} act=${() => outbox.discardForeign(foreignIds)} />
            </div>
          </section>
        `
      }
    </div>
  `;
}

/** What was thrown away on this device. @param {{ evening: Evening }} props */
export function DiscardedEntries({ evening }) {
  const entries = evening.filterOwnEntries(outbox.listDropped());
  if (!entries.length) return null;
  return html`
    <h3>${words.offline.thrown}</h3>
    <ul>${entries.map((/** @type {Entry} */ entry) => html`<li><s>${formatEntry(evening, entry)}</s></li>`)}</ul>
    <button type="button" class="button" onClick=${() => outbox.clearDropped(entries.map((/** @type {Entry} */ entry) => entry.id))}>${words.offline.clear}</button>
  `;
}

/** @param {{ evening: Evening, entry: Entry, onAmend: (entry: Entry) => void }} props */
function Question({ evening, entry, onAmend }) {
  const isConflict = entry.state === "conflict";
  const what = entry.context?.number ? words.slip.deal(entry.context.number) : t("What you wrote");
  return html`
    <section class="decision" role="alert" data-entry=${entry.id}>
      <h2>${isConflict ? t("{what}: somebody else wrote first", { what }) : t("{what} was not accepted", { what })}</h2>
      ${
        isConflict
          ? html`<p class="muted">${t("This was written meanwhile:")}</p>
            <ul>${entry.between.events.map((/** @type {any} */ event) => html`<li>${formatOtherEvent(evening, event)}</li>`)}</ul>`
          : html`<${Refusal} ...${entry.problem ?? {}} />`
      }
      <p class="muted">${t("This waits here:")}</p>
      <p class="decision-entry">${formatEntry(evening, entry)}</p>
      <div class="choices">
        <${Answer} text=${isConflict ? t("Enter it as well") : t("Send it again")} act=${() => outbox.resend(entry.id)} />
        ${entry.context?.result && html`<${Answer} text=${t("Change it")} act=${() => onAmend(entry)} />`}
        <${Answer} text=${t("Throw it away")} act=${() => outbox.drop(entry.id)} />
      </div>
    </section>
  `;
}

/** Why the service did not take it: in the page's words, or else in its own, which are English but for findings. @param {any} problem */
function Refusal({ type, status, detail = "", findings }) {
  const message = findErrorMessage(words, { type, status });
  return html`<p lang=${message || findings ? undefined : "en"}>${message ?? detail}</p>`;
}

/** @param {{ evening: Evening, entries: Entry[] }} props */
const EntryList = ({ evening, entries }) =>
  html`<ul>${entries.map((entry) => html`<li>${formatEntry(evening, entry)}</li>`)}</ul>`;

/** @param {{ text: string, act: () => void }} props */
const Answer = ({ text, act }) => html`<button type="button" class="choice" onClick=${act}>${text}</button>`;

/** What waits, as one line. @param {Evening} evening @param {Entry} entry */
function formatEntry(evening, { context, events }) {
  const deal = context?.number ? `${words.slip.deal(context.number)}. ` : "";
  if (context?.result) return deal + formatResultEntry(evening, words, context.result, context.seating);
  if (context?.kind === "struck") return `${deal}${t("Strike the deal out")}: ${context.reason}`;
  if (context?.kind === "restored") return deal + t("Restore it");
  if (context?.kind === "closed") return t("That is all for tonight");
  return deal + (events.length === 1 ? t("1 entry") : t("{n} entries", { n: events.length }));
}

/** What somebody else wrote, as one line. @param {Evening} evening @param {any} event */
function formatOtherEvent(evening, event) {
  const deals = evening.listDeals();
  const deal = deals.find((one) => one.deal === event.deal);
  if (deal) return `${words.slip.deal(deal.number)}. ${formatDealEnd(evening, words, deal)}`;
  if (event.type === "deal_started") return words.slip.deal(event.number);
  if (event.type === "result_recorded") {
    const seating = deals.find((one) => one.results.some((result) => result.event.id === event.id))?.opening?.players;
    return formatResultEntry(evening, words, event, seating);
  }
  if (event.type === "correction_made") return words.log.because(event.reason);
  return (
    WRITTEN_TEXTS[event.type]?.(evening.displayName(event.player ?? event.from ?? "")) ?? t("Something about the table")
  );
}
