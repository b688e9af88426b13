// @ts-check
/** What has been entered, the latest first, with what waits and what was struck out: each entry can be corrected. */

import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html } from "../vendor/preact.js";
import { formatEntry, formatStandingEntry } from "./entry-text.js";

/** @import { DealEvent, LogEntry } from "./recorded-deal.js" */
/** @import { RecorderSession } from "./session.js" */

/** @param {{ session: RecorderSession }} props */
export function EntryLog({ session }) {
  const { pending, record } = session;
  const state = (session.pendingPoint.value ?? record.current).state;
  const waiting = pending.queued.flatMap((entry) =>
    entry.events.map((event) => ({
      event: record.withMemberNames(event),
      mark: WAIT_TEXTS[pending.waitReason(entry)],
    })),
  );
  return html`<section class="record-log"><h2>${t("What has been entered")}</h2><ol class="entry-list">
    ${waiting.reverse().map(({ event, mark }) => html`<li key=${event.id} class="entry-item"><span class="entry-number"></span><span class="entry-text">${formatEntry(event, state)} <i class="muted">${mark}</i></span></li>`)}
    ${record
      .listInOrder()
      .reverse()
      .map((entry) => html`<${Entry} key=${entry.address} session=${session} entry=${entry} />`)}
  </ol></section>`;
}

/** @type {Record<string, string>} For what an entry waits. */
export const WAIT_TEXTS = {
  sent: t("(not sent yet)"),
  behind: t("(waits for the answer below)"),
  refused: t("(not written down: answer below)"),
  conflict: t("(somebody else was first: answer below)"),
  held: t("(waits for a valid link)"),
};

/** @param {{ session: RecorderSession, entry: LogEntry }} props */
function Entry({ session, entry: { address, event: stored, undoneBy } }) {
  const { record, mayWrite } = session;
  const event = record.withMemberNames(stored);
  const { state } = record.current;
  if (undoneBy) {
    const text = formatEntry(event, event.type === "deal_opened" ? event : state);
    return html`<li class="entry-item is-struck"><span class="entry-number"></span><span class="entry-text"><s>${text}</s> <i class="muted">${words.log.because(undoneBy.reason)}</i></span></li>`;
  }
  const sentence = formatStandingEntry(
    event,
    record,
    event.type === "deal_opened" ? /** @type {any} */ (event) : state,
    address,
  );
  const correct = () => session.startCorrection({ seq: address, event: stored, sentence });
  return html`<li class="entry-item" data-entry=${address}><span class="entry-number">${address}</span><span class="entry-text">${sentence}</span>
    ${mayWrite && !event.branch && html`<button type="button" class="button correct-button" aria-label=${t("Correct: {entry}", { entry: sentence })} onClick=${correct}>${t("Correct")}</button>`}</li>`;
}
