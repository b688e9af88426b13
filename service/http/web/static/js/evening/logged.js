/** The log of an evening: what was entered for each deal, what was undone and why. Nothing goes from it. */

import { el } from "../core/dom.js";
import { chipsTold, comingTold, correctionsTold, dealAddress, endOf, recorderAddress, struckTold, undoneTold } from "../core/told.js";

/**
 * Draws the deals of `evening`, and who came and went, into `list`, the latest first; `mend(deal)`, `restore(deal)` of one
 * that was struck out, and `undo(coming)` are offered where they are given. `doubts` knows what does not fit in a deal.
 */
export function drawLog(list, { evening, words, doubts, mend, restore, undo }) {
  const comings = evening.comings().reverse();
  const items = evening.deals().flatMap((deal) => {
    const later = comings.splice(0, comings.findLastIndex((one) => one.at > deal.at) + 1);
    return [...later.map((one) => coming(one, evening, words, undo)), item(deal, evening, words, { doubts, mend, restore })];
  });
  items.push(...comings.map((one) => coming(one, evening, words, undo)));
  list.replaceChildren(...(items.length ? items : [el("li", { class: "quiet", text: words.log.empty })]));
}

function coming(one, evening, words, undo) {
  const told = comingTold(evening, words, one.event);
  return el("li", { class: "entry-line is-coming" },
    el("span", { class: "entry-number" }),
    el("div", { class: "entry-told" }, one.undone ? undoneTold(words, told, one.undone.reason) : el("p", { text: told })),
    undo && one.latest && !one.undone ? el("button", { type: "button", class: "worded mend", "aria-label": words.company.undoNamed(told), text: words.company.undo, on: { click: () => undo(one) } }) : null,
  );
}

function item(deal, evening, words, { doubts, mend, restore }) {
  const told = deal.struck ? struckTold(evening, words, deal) : endOf(evening, words, deal);
  const link = deal.opening?.queued ? el("b", { text: told }) : el("a", { href: dealAddress(deal.deal), text: told });
  return el(
    "li", { class: `entry-line${deal.struck ? " is-struck" : ""}${deal.queued ? " is-queued" : ""}`, "data-deal": deal.deal },
    el("span", { class: "entry-number", text: String(deal.number) }),
    el("div", { class: "entry-told" },
      deal.struck ? el("p", { class: "undone" }, el("s", {}, link), " ", el("i", { text: words.log.struck(deal.struck.reason) })) : el("p", {}, link),
      deal.queued ? el("p", { class: "entry-waits", text: words.offline.entryWaits }) : null,
      ...doubts.of(deal).map((fault) => el("p", { class: "fault" }, el("span", { class: "unseen", text: `${words.sheet.findings}: ` }), fault)),
      ...correctionsTold(evening, words, deal),
      deal.line && !deal.struck && !deal.queued ? paid(deal.line, evening, words) : null,
    ),
    mend && !deal.struck && isPlayed(deal) ? el("a", { class: "worded mend", href: recorderAddress(deal.deal), "aria-label": words.log.cardsOf(deal.number), text: words.log.cards }) : null,
    mend && !deal.struck && deal.opening && !isPlayed(deal) && canBeMended(deal)
      ? el("button", { type: "button", class: "worded mend", "aria-label": words.log.mendDeal(deal.number, Boolean(deal.result)), text: deal.result ? words.log.mend : words.log.finish, on: { click: () => mend(deal) } })
      : null,
    restore && canBeRestored(deal) ? el("button", { type: "button", class: "worded mend", "aria-label": words.log.restoreDeal(deal.number), text: words.log.restore, on: { click: () => restore(deal) } }) : null,
  );
}

/** What was struck out is put in again when that is stored: until then nobody knows which entry it will be. */
const canBeRestored = ({ struck }) => Boolean(struck && !struck.queued);

/** What was recorded card by card is gone on with, and mended, there. */
const isPlayed = (deal) => !deal.result && Boolean(deal.line?.contract);

/** What another correction waits for is mended when that is stored: until then nobody knows which entry it will be. */
export const canBeMended = (deal) => !deal.queued || Boolean(deal.opening.queued);

function paid(line, evening, words) {
  const players = Object.keys(line.chips);
  if (!line.decided) return el("p", { class: "entry-chips quiet", text: line.contract ? words.log.open : "" });
  if (players.every((player) => !line.chips[player])) return null;
  return el("p", { class: "entry-chips" }, ...players.map((player) =>
    el("span", { class: "entry-share" }, `${evening.called(player)} `, chipsTold(words, line.chips[player])),
  ));
}
