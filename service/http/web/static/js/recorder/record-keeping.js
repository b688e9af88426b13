/**
 * What this device keeps of a deal, so that its recorder opens and goes on without a network: what lay open on the table.
 * No hand ever, nor what was laid away or drawn, nor a note. It goes when somebody logs out, or when another login comes.
 */

import { byLastSeen, keepFrom, keepNow, kept, keptUnder, sessionHere } from "../core/session.js";

/** So many deals are kept, those that were seen last. */
const DEALS = 6;
/** Events of which everything was said or lay open; of any other its place, its kind and whose it is. */
const OPEN = new Set(["deal_opened", "bid_made", "contract_named", "trump_named", "talon_turned", "card_played", "slam_announced", "action_withdrawn", "deal_closed"]);

const keyOf = (deal) => `deal ${deal}`;

/** Keeps the deal as `record` knows it from now on; `frame` is what the page shows around it. */
export function keepDeal(record, frame) {
  const told = () => ({ deal: record.deal, frame, names: record.names, log: record.entries.map(stripped), now: opened(record.now) });
  keepFrom(record, keyOf(record.deal), { told, isOne: isDeal, most: DEALS });
}

const isDeal = (one) => Boolean(one.deal);

/** Keeps a deal that was begun here and waits to be stored: its opening, and how a deal stands then. */
export function keepBegun({ opening, frame, names, now }) {
  const told = () => ({ deal: opening.id, frame, names, log: [{ ...opening, type: "deal_opened", seq: 1 }], now: opened({ version: 1, ...now }) });
  return keepNow(keyOf(opening.id), { told, isOne: isDeal, most: DEALS });
}

const BEGINNING = "new deal";

/** Keeps what the page says on which a deal alone is begun, in its language: the rules, and how a deal stands by each. */
export function keepBeginning(language, said) {
  const told = (before) => ({ said: { ...before?.said, [language]: said } });
  return keepNow(BEGINNING, { told, isOne: (one) => one.key === BEGINNING, most: 1 });
}

/** What is kept of that, in this language if it can be; empty where nothing is. */
export async function keptBeginning(language) {
  const { said = {} } = (await keptUnder(BEGINNING)) ?? {};
  return said[language] ?? Object.values(said)[0] ?? {};
}

/** An event without anything that tells of a hand. */
function stripped({ kept: was, ...event }) {
  if (OPEN.has(event.type)) return event;
  const { id, seq, type, seat, replaces, of } = event;
  if (type === "correction_made") return { id, seq, type, replaces, with: event.with.map((part) => (OPEN.has(part.type) ? part : { type: part.type, seat: part.seat })), reason: "" };
  return { id, seq, type, ...(seat ? { seat } : {}), ...(of ? { of } : {}), ...("cards" in event ? { cards: event.cards.map(() => "??") } : {}) };
}

/** How a deal stands without anything that tells of a hand; what is legal does, too. */
function opened({ version, state, legal, score, paid }) {
  const covered = (piles) => Object.fromEntries(Object.entries(piles).map(([seat, { count }]) => [seat, { cards: Array(count).fill("??"), count }]));
  const hands = Object.fromEntries(Object.entries(state.hands).map(([seat, hand]) => [seat, { cards: [], unknown: hand.cards.length + hand.unknown }]));
  const talon = { ...state.talon, cards: Array(state.talon.count).fill("??") };
  return {
    version, state: { ...state, hands, talon, discards: covered(state.discards), draws: covered(state.draws) },
    legal: legal && { seat: legal.seat, action: legal.action, count: legal.count ?? 0, guessed: true }, score, paid, findings: [], unjudged: true,
  };
}

/** What is kept of a deal for this login; null where nothing is. */
export const keptDeal = (deal) => keptUnder(keyOf(deal));

/** The deals that are kept for this login, the one seen last first. */
export async function keptDeals() {
  const session = await sessionHere();
  return (await kept.all()).filter((one) => isDeal(one) && one.session === session).sort(byLastSeen);
}
