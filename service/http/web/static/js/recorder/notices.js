/** What has to be said about an entry: that it breaks a rule, that somebody was first, that it has not arrived. */

import { listEntries } from "../core/corrections.js";
import { el } from "../core/dom.js";
import { buildFindingText } from "../replay/finding-text.js";

/** A notice: a heading, what it is about, and its buttons as `[name, label, act]`, the first to the fore. */
export function buildNotice(kind, heading, content, actions) {
  // While an entry is corrected, what is tapped below is to the fore.
  const mainIndex = kind === "correcting" ? -1 : 0;
  const buttons = actions.map(([name, label, act], index) =>
    el("button", { type: "button", class: index === mainIndex ? "button is-main" : "button", "data-way": name, text: label, on: { click: act } }),
  );
  return el("div", { class: `notice is-${kind}`, "data-notice": kind },
    el("p", { class: "notice-head" }, el("b", { text: heading })), ...content, actions.length ? el("p", { class: "notice-actions" }, ...buttons) : null);
}

/** Findings as shown next to an entry. */
export const buildFindingLines = (findings, words) => findings.map((one) => el("p", { class: "notice-finding" }, ...buildFindingText(one, words)));

/** Entries in sentences, as the page says them at the state that it knows. */
export const buildEntryLines = (events, state, words) => events.map((event) => el("p", { class: "notice-entry", text: formatEntry(event, state, words) }));

/** One entry as a sentence, if only the current state of the deal is known as well. */
export function formatEntry(event, state, words) {
  if (event.type === "correction_made") return words.record.struck(event.reason);
  if (event.type === "card_played") return `${words.player(state, event.seat)}: ${words.card(event.card)}.`;
  if (event.type === "note_added") return `${words.record.kinds.note}: ${event.text}`;
  return words.upper(words.sentence(event.type, { event, state }));
}

/** What an entry of the `record` took back, in a sentence; null for an entry that took nothing back. */
export function formatWithdrawnEntry(event, record, state, words) {
  if (event.type !== "action_withdrawn") return null;
  const withdrawn = listEntries(record.entries).find(({ address }) => String(address) === String(event.of));
  return withdrawn ? formatEntry(record.withMemberNames(withdrawn.event), state, words) : null;
}
