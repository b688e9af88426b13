// @ts-check
/** What a deal came to, in the words of the page: for the slip, the log and the sheet alike. */

import { t } from "./texts.js";

/** @typedef {{ findContract: (id: string) => { name: string, trumps: string[] }, displayName: (player: string) => string }} Evening */
/** @typedef {{ line: any, result: any, opening: any, queued: boolean }} DealEnd */
/** @typedef {{ number: number, result: any, opening: any, contractEntry: any, results: any[], correctionsAfterClosing: LogEvent[] }} Deal */
/** @typedef {typeof import("../messages/evening.js").default} Words */
/** @typedef {import("./corrections.js").LogEvent} LogEvent */
/** @typedef {{ refused: Record<string | number, string> }} Refusals - what a page says where a request is refused */

/** The game that was played: "solo i hjerter". @param {Evening} evening @param {Words} words @param {string} contractId @param {string | null} [trump] */
export function formatGame(evening, words, contractId, trump) {
  const contract = evening.findContract(contractId);
  return contract.name + (trump && contract.trumps.length ? ` ${words.inSuit(trump)}` : "");
}

/** How a deal ended, as one phrase: "Solo i hjerter: Bo vandt". `deal` as `Evening.listDeals` has it. @param {Evening} evening @param {Words} words @param {DealEnd} deal */
export function formatDealEnd(evening, words, { line, result, opening, queued }) {
  // What waits to be sent, or was corrected here, is not in the ledger yet: it is shown as it was entered.
  if (result && (queued || !line)) return formatResultEntry(evening, words, result.event, opening?.players);
  if (!line || (!line.outcome && !line.contract)) return words.unfinished;
  if (!line.contract || !line.declarer) return words.ended(line.outcome ?? "", "", "") || words.unfinished;
  const game = words.upper(formatGame(evening, words, line.contract, line.trump));
  return words.ended(line.outcome ?? "open", evening.displayName(line.declarer), game);
}

/** What a deal that was struck out came to, as far as it is known: it has no line in the ledger any longer. @param {Evening} evening @param {Words} words @param {Deal} deal */
export function formatStruckDeal(evening, words, deal) {
  if (deal.result) return formatResultEntry(evening, words, deal.result.event, deal.opening?.players);
  const contractEvent = deal.contractEntry?.event;
  return contractEvent
    ? words.upper(formatGame(evening, words, contractEvent.contract, contractEvent.trump ?? null))
    : words.slip.deal(deal.number);
}

/** What one entry of a result said, whether it stands or not. @param {Evening} evening @param {Words} words @param {LogEvent} event @param {Record<string, any>} [seating] */
export function formatResultEntry(evening, words, event, seating) {
  const who = event.declarer ? evening.displayName(seating?.[event.declarer] ?? event.declarer) : "";
  if (!event.contract) return words.ended(event.outcome ?? "open", who, "");
  const game = words.upper(formatGame(evening, words, event.contract, event.trump ?? null));
  if (!event.outcome && event.tricks) {
    const counts = Object.entries(event.tricks).map(
      ([seat, count]) => `${evening.displayName(seating?.[seat] ?? seat)} ${count}`,
    );
    return `${game}: ${words.tricksOf(counts.join(", "))}`;
  }
  return words.ended(event.outcome ?? "open", who, game);
}

/** What was corrected in a deal since it was written down: the `text` that stood there, where its result was another, and the `reason`. @param {Evening} evening @param {Words} words @param {Deal} deal @returns {{ text: string, reason: string }[]} */
export function listCorrections(evening, words, deal) {
  const undone = deal.results.filter((entry) => entry.undoneBy);
  const undoing = new Set(undone.map((entry) => entry.undoneBy));
  return [
    ...undone.map((entry) => ({
      text: formatResultEntry(evening, words, entry.event, entry.seating ?? deal.opening?.players),
      reason: entry.undoneBy?.reason,
    })),
    ...deal.correctionsAfterClosing.filter((one) => !undoing.has(one)).map((one) => ({ text: "", reason: one.reason })),
  ];
}

/** What came or went, as one phrase: "Dorthe comes", "Bo goes home". @param {Evening} evening @param {Words} words @param {LogEvent} event */
export function formatSeatingChange(evening, words, { type, player, players, dealer }) {
  if (type === "player_joined") return t("{name} comes", { name: evening.displayName(player) });
  if (type === "player_left") return t("{name} goes home", { name: evening.displayName(player) });
  const order = t("Round the table: {names}", {
    names: words.listed(players.map((/** @type {string} */ one) => evening.displayName(one))),
  });
  return dealer ? `${order}; ${words.slip.deals(evening.displayName(dealer))}` : order;
}

/** The page of a deal, in the language that this page's address asks for. @param {string} deal */
export const dealUrl = (deal) => withPageLanguage(`/deals/${deal}`);

/** Where it is recorded card by card. @param {string} deal */
export const recorderUrl = (deal) => withPageLanguage(`/deals/${deal}/record`);

/** @param {string} address */
function withPageLanguage(address) {
  const lang = new URLSearchParams(location.search).get("lang");
  return `${address}${lang ? `?lang=${lang}` : ""}`;
}

/** A message that this page's words have for a refusal; undefined if they have none. @param {Refusals} words @param {{ type: string, status: number }} error @returns {string | undefined} */
export const findErrorMessage = (words, { type, status }) => words.refused[type] ?? words.refused[status];

/** The same, or else the service's own sentence. @param {Refusals} words @param {any} error @returns {string} */
export const formatApiError = (words, error) => findErrorMessage(words, error) ?? (error.message || words.refused[0]);
