// @ts-check
/** Pieces of what a deal came to, as components: its chips, and what was corrected in it. */

import { formatChips } from "../core/chips.js";
import { listCorrections } from "../core/deal-text.js";
import words from "../messages/evening.js";
import { html } from "../vendor/preact.js";

/** A number of chips with its sign, in tabular figures. @param {{ number: number }} props */
export const Chips = ({ number }) => html`<span class="chips">${formatChips(number)}</span>`;

/** What no longer stands, and why. @param {{ text?: string, reason: string }} props */
export const UndoneNote = ({ text = "", reason }) => html`
  <p class="replaced-entry">${text && html`<s>${text}</s> `}<i>${words.log.because(reason)}</i></p>
`;

/** What was corrected in a deal since it was written down. @param {{ evening: import("./evening.js").Evening, deal: any }} props */
export const CorrectionNotes = ({ evening, deal }) =>
  listCorrections(evening, words, deal).map((one) => html`<${UndoneNote} ...${one} />`);

/** Whether a deal was written down without what it pays: some tricks are missing. @param {any} deal - as `Evening.listDeals` has it */
export const lacksPayment = ({ line, result, struck, queued }) =>
  Boolean(
    line &&
      !line.decided &&
      line.contract &&
      result &&
      !struck &&
      !queued &&
      Object.keys(result.event.tricks ?? {}).length < 3,
  );
