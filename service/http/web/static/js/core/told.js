/** What a deal came to, in the words of the page: for the slip, the log and the sheet alike. */

import { el } from "./dom.js";

/** The game that was played: "solo i hjerter". */
export function gameOf(evening, words, contractId, trump) {
  const contract = evening.contract(contractId);
  return contract.name + (trump && contract.trumps.length ? ` ${words.inSuit(trump)}` : "");
}

/** How a deal ended, as one phrase: "Solo i hjerter: Bo vandt". `deal` as `Evening.deals` has it. */
export function endOf(evening, words, { line, result, opening, queued }) {
  // What waits to be sent, or was corrected here, is not in the ledger yet: it is told as it was entered.
  if (result && (queued || !line)) return entryTold(evening, words, result.event, opening?.players);
  if (!line || (!line.outcome && !line.contract)) return words.unfinished;
  if (!line.contract || !line.declarer) return words.ended(line.outcome ?? "", "", "") || words.unfinished;
  const game = words.upper(gameOf(evening, words, line.contract, line.trump));
  return words.ended(line.outcome ?? "open", evening.called(line.declarer), game);
}

/** What a deal that was struck out came to, as far as it is known: it has no line in the ledger any longer. */
export function struckTold(evening, words, deal) {
  if (deal.result) return entryTold(evening, words, deal.result.event, deal.opening?.players);
  const named = deal.named?.event;
  return named ? words.upper(gameOf(evening, words, named.contract, named.trump ?? null)) : words.slip.deal(deal.number);
}

/** What one entry of a result said, whether it stands or not. */
export function entryTold(evening, words, event, seating) {
  const who = event.declarer ? evening.called(seating?.[event.declarer] ?? event.declarer) : "";
  if (!event.contract) return words.ended(event.outcome ?? "open", who, "");
  const game = words.upper(gameOf(evening, words, event.contract, event.trump ?? null));
  if (!event.outcome && event.tricks) {
    const counts = Object.entries(event.tricks).map(([seat, count]) => `${evening.called(seating?.[seat] ?? seat)} ${count}`);
    return `${game}: ${words.tricksOf(counts.join(", "))}`;
  }
  return words.ended(event.outcome ?? "open", who, game);
}

/** What was corrected in a deal since it was written down: what stood there, where its result was another, and why. */
export function correctionsTold(evening, words, deal) {
  const undone = deal.results.filter((entry) => entry.undone);
  const known = new Set(undone.map((entry) => entry.undone));
  return [
    ...undone.map((entry) => undoneTold(words, entryTold(evening, words, entry.event, deal.line?.seating ?? deal.opening?.players), entry.undone.reason)),
    ...deal.reopened.filter((one) => !known.has(one)).map((one) => undoneTold(words, "", one.reason)),
  ];
}

/** What no longer stands, and why. */
export function undoneTold(words, told, reason) {
  return el("p", { class: "undone" }, told ? el("s", { text: told }) : null, told ? " " : null, el("i", { text: words.log.because(reason) }));
}

/** What came or went, as one phrase: "Dorthe comes", "Bo goes home". */
export function comingTold(evening, words, event) {
  const { company } = words;
  if (event.type === "player_joined") return company.arrives(evening.called(event.player));
  if (event.type === "player_left") return company.departs(evening.called(event.player));
  const order = company.sitSo(words.listed(event.players.map((player) => evening.called(player))));
  return event.dealer ? `${order}; ${words.slip.deals(evening.called(event.dealer))}` : order;
}

/** A number of chips as a piece of the page: its sign, and tabular figures. */
export const chipsTold = (words, number, className = "") => el("span", { class: `chips ${className}`.trim(), text: words.chips(number) });

/** The page of a deal, in the language that this page's address asks for. */
export const dealAddress = (deal) => inLanguage(`/deals/${deal}`);

/** Where it is recorded card by card. */
export const recorderAddress = (deal) => inLanguage(`/deals/${deal}/record`);

function inLanguage(address) {
  const lang = new URLSearchParams(location.search).get("lang");
  return `${address}${lang ? `?lang=${lang}` : ""}`;
}

/** A message that this page's words have for a refusal; undefined where they have none. */
export const knownRefusal = (words, { type, status }) => words.refused[type] ?? words.refused[status];

/** The same, or else the service's own sentence. */
export const refusalTold = (words, refused) => knownRefusal(words, refused) ?? (refused.message || words.refused[0]);

