// @ts-check
/** Entries and findings in sentences, as the page says them at the state that it knows. */

import { listEntries } from "../core/corrections.js";
import { t, tc } from "../core/texts.js";
import words from "../messages/evening.js";
import { FindingText } from "../replay/finding-text.js";
import { html } from "../vendor/preact.js";

/** @import { DealEvent, DealState, RecordedDeal } from "./recorded-deal.js" */

/**
 * One entry as a sentence, if only the current state of the deal is known as well.
 * @type {(event: DealEvent, state: DealState | DealEvent) => string}
 */
export function formatEntry(event, state) {
  if (event.type === "correction_made") return t("Struck out: {reason}", { reason: event.reason });
  if (event.type === "card_played") return `${words.player(state, event.seat)}: ${words.card(event.card)}.`;
  if (event.type === "note_added") return `${tc("recorder", "Note")}: ${event.text}`;
  return words.upper(words.sentence(event.type, { event, state }));
}

/**
 * The same of an entry that stands or waits: a card with its trick, as it lay when it was played.
 * @type {(event: DealEvent, record: RecordedDeal, state: DealState, address?: number | string | null) => string}
 */
export function formatStandingEntry(event, record, state, address = null) {
  if (event.type === "action_withdrawn") {
    const withdrawn = listEntries(record.entries).find((one) => String(one.address) === String(event.of));
    return words.upper(
      words.sentence(event.type, {
        event,
        state,
        withdrawn: withdrawn && formatEntry(record.withMemberNames(withdrawn.event), state),
      }),
    );
  }
  if (event.type !== "card_played") return formatEntry(event, state);
  const trick = state.tricks.find(({ cards, seqs }) =>
    address === null ? cards.includes(event.card) : seqs.some((seq) => String(seq) === String(address)),
  );
  if (!trick) return formatEntry(event, state);
  const place = trick.seats.indexOf(event.seat);
  const isLast = place === trick.cards.length - 1;
  const soFar = { ...trick, cards: trick.cards.slice(0, place + 1), winner: isLast ? trick.winner : null };
  return words.upper(words.sentence(event.type, { event, state: { ...state, tricks: [soFar] } }));
}

/** Findings as shown next to an entry. @param {{ findings: any[] }} props */
export const Findings = ({ findings }) =>
  findings.map((one) => html`<p class="notice-finding"><${FindingText} finding=${one} /></p>`);
