/** The log of an evening: what was entered for each deal, what was undone and why. Nothing goes from it. */

import { el } from "../core/dom.js";
import { buildChips, formatSeatingChange, buildCorrectionNotes, dealUrl, formatDealEnd, recorderUrl, formatStruckDeal, buildUndoneNote } from "../core/deal-text.js";

/**
 * Draws the deals of `evening`, and who came and went, into `list`, the latest first; `onCorrect(deal)`, `onRestore(deal)` of one
 * that was struck out, and `onUndo(change)` are offered where they are given. `slipFindings` knows what does not fit in a deal.
 */
export function drawTableLog(list, { evening, words, slipFindings, onCorrect, onRestore, onUndo }) {
  const seatingChanges = evening.listSeatingChanges().reverse();
  const items = evening.listDeals().flatMap((deal) => {
    const later = seatingChanges.splice(0, seatingChanges.findLastIndex((one) => one.at > deal.at) + 1);
    return [...later.map((one) => buildSeatingItem(one, evening, words, onUndo)), buildDealItem(deal, evening, words, { slipFindings, onCorrect, onRestore })];
  });
  items.push(...seatingChanges.map((one) => buildSeatingItem(one, evening, words, onUndo)));
  list.replaceChildren(...(items.length ? items : [el("li", { class: "muted", text: words.log.empty })]));
}

function buildSeatingItem(one, evening, words, undo) {
  const changeText = formatSeatingChange(evening, words, one.event);
  return el("li", { class: "entry-line is-seating-change" },
    el("span", { class: "entry-number" }),
    el("div", { class: "entry-text" }, one.undoneBy ? buildUndoneNote(words, changeText, one.undoneBy.reason) : el("p", { text: changeText })),
    undo && one.isLatest && !one.undoneBy ? el("button", { type: "button", class: "button correct-button", "aria-label": words.company.undoNamed(changeText), text: words.company.undo, on: { click: () => undo(one) } }) : null,
  );
}

function buildDealItem(deal, evening, words, { slipFindings, onCorrect, onRestore }) {
  const dealText = deal.struck ? formatStruckDeal(evening, words, deal) : formatDealEnd(evening, words, deal);
  const link = deal.opening?.queued ? el("b", { text: dealText }) : el("a", { href: dealUrl(deal.deal), text: dealText });
  return el(
    "li", { class: `entry-line${deal.struck ? " is-struck" : ""}${deal.queued ? " is-queued" : ""}`, "data-deal": deal.deal },
    el("span", { class: "entry-number", text: String(deal.number) }),
    el("div", { class: "entry-text" },
      deal.struck ? el("p", { class: "replaced-entry" }, el("s", {}, link), " ", el("i", { text: words.log.struck(deal.struck.reason) })) : el("p", {}, link),
      deal.queued ? el("p", { class: "entry-queued", text: words.offline.entryWaits }) : null,
      ...slipFindings.listFindingTexts(deal).map((fault) => el("p", { class: "fault" }, el("span", { class: "visually-hidden", text: `${words.sheet.findings}: ` }), fault)),
      ...buildCorrectionNotes(evening, words, deal),
      deal.line && !deal.struck && !deal.queued ? buildChipsLine(deal.line, evening, words) : null,
    ),
    onCorrect && !deal.struck && isRecordedCardByCard(deal) ? el("a", { class: "button correct-button", href: recorderUrl(deal.deal), "aria-label": words.log.cardsOf(deal.number), text: words.log.cards }) : null,
    onCorrect && !deal.struck && deal.opening && !isRecordedCardByCard(deal) && canCorrect(deal)
      ? el("button", { type: "button", class: "button correct-button", "aria-label": words.log.correctDeal(deal.number, Boolean(deal.result)), text: deal.result ? words.log.correct : words.log.finish, on: { click: () => onCorrect(deal) } })
      : null,
    onRestore && canRestore(deal) ? el("button", { type: "button", class: "button correct-button", "aria-label": words.log.restoreDeal(deal.number), text: words.log.restore, on: { click: () => onRestore(deal) } }) : null,
  );
}

/** What was struck out is put in again when that is stored: until then nobody knows which entry it will be. */
const canRestore = ({ struck }) => Boolean(struck && !struck.queued);

/** What was recorded card by card is continued and corrected there. */
const isRecordedCardByCard = (deal) => !deal.result && Boolean(deal.line?.contract);

/** What another correction waits for is corrected when that is stored: until then nobody knows which entry it will be. */
export const canCorrect = (deal) => !deal.queued || Boolean(deal.opening.queued);

function buildChipsLine(line, evening, words) {
  const players = Object.keys(line.chips);
  if (!line.decided) return el("p", { class: "entry-chips muted", text: line.contract ? words.log.open : "" });
  if (players.every((player) => !line.chips[player])) return null;
  return el("p", { class: "entry-chips" }, ...players.map((player) =>
    el("span", { class: "entry-share" }, `${evening.displayName(player)} `, buildChips(words, line.chips[player])),
  ));
}
