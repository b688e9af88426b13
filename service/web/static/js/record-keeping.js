/**
 * What this device keeps of a deal, so that its recorder opens and goes on without a network: what lay open on the table.
 * No hand ever, nor what was laid away or drawn, nor a note. It goes when somebody logs out, or when another login comes.
 */

import { KEY as SESSION, kept, sessionHere } from "./session.js";

/** So many deals are kept, those that were seen last. */
const DEALS = 6;
/** Events of which everything was said or lay open; of any other its place, its kind and whose it is. */
const OPEN = new Set(["deal_opened", "bid_made", "contract_named", "trump_named", "talon_turned", "card_played", "slam_announced", "action_withdrawn", "deal_closed"]);
/** A moment after a change, so that a run of them is kept once. */
const PAUSE = 300;

const keyOf = (deal) => `deal ${deal}`;

/** Keeps the deal as `record` knows it from now on; `frame` is what the page shows around it. */
export function keepDeal(record, frame) {
  let timer = null;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(record, frame), PAUSE);
  };
  record.addEventListener("change", later);
  later();
}

async function keep(record, frame) {
  const session = await sessionHere();
  const { deal, names, entries, now } = record;
  const key = keyOf(deal);
  await kept.change((all) => {
    // Somebody logged out, or another came, in another tab: then nothing is kept for this one any more.
    if (all.find((one) => one.key === SESSION)?.id !== session) return {};
    const old = all.filter((one) => one.deal && one.key !== key).sort((one, other) => (one.at < other.at ? 1 : -1)).slice(DEALS - 1);
    return { put: [{ key, session, deal, at: new Date().toISOString(), frame, names, log: entries.map(stripped), now: opened(now) }], remove: old.map((one) => one.key) };
  });
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
export async function keptDeal(deal) {
  const session = await sessionHere();
  return (await kept.all()).find((one) => one.key === keyOf(deal) && one.session === session) ?? null;
}
