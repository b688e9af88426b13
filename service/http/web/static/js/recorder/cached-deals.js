// @ts-check
/**
 * What this device keeps of a deal, so that its recorder opens and goes on without a network: what lay open on the table.
 * Never a hand, cards discarded or drawn, or a note. It is deleted at logout, or when another login comes.
 */

import {
  cacheOnChange,
  compareLastSeen,
  currentSessionId,
  deviceCache,
  readCached,
  writeCached,
} from "../core/device-cache.js";

/** @import { DealEvent, Point, RecordedDeal } from "./recorded-deal.js" */
/** @typedef {{ heading?: string | null, data: Record<string, any> }} Frame - what the page shows around a deal */

/** The number of deals that are kept: the latest ones. */
const MAX_CACHED_DEALS = 6;
/** Events of which everything was said or lay open; of any other its place, its kind and whose it is. */
const UNREDACTED_TYPES = new Set([
  "deal_opened",
  "bid_made",
  "contract_named",
  "trump_named",
  "talon_turned",
  "card_played",
  "slam_announced",
  "action_withdrawn",
  "deal_closed",
]);

const dealKey = (/** @type {string} */ deal) => `deal ${deal}`;

/** Keeps the deal as `record` knows it from now on. @type {(record: RecordedDeal, frame: Frame) => void} */
export function startDealCache(record, frame) {
  const buildContent = () => ({
    deal: record.deal,
    frame,
    names: record.names,
    log: record.entries.map(redactEvent),
    now: redactPoint(record.current),
  });
  cacheOnChange(record, dealKey(record.deal), { buildContent, isSameKind: isCachedDeal, maxEntries: MAX_CACHED_DEALS });
}

const isCachedDeal = (/** @type {any} */ one) => Boolean(one.deal);

/**
 * Keeps a deal that was begun here and waits to be stored: its opening, and how a deal stands then.
 * @param {{ opening: DealEvent, frame: Frame, names: Record<string, string>, point: any }} start
 */
export function cacheStartedDeal({ opening, frame, names, point }) {
  const buildContent = () => ({
    deal: opening.id,
    frame,
    names,
    log: [{ ...opening, type: "deal_opened", seq: 1 }],
    now: redactPoint({ version: 1, ...point }),
  });
  return writeCached(dealKey(opening.id), { buildContent, isSameKind: isCachedDeal, maxEntries: MAX_CACHED_DEALS });
}

const NEW_DEAL_PAGE_KEY = "new deal";

/**
 * Keeps what the page says on which a deal alone is begun, in its language: the rules, and how a deal stands by each.
 * @param {string} language
 * @param {Record<string, string | undefined>} serviceTexts
 */
export function cacheNewDealPage(language, serviceTexts) {
  // `said`, and `begun` among the texts, are what devices hold already.
  const buildContent = (/** @type {any} */ before) => ({ said: { ...before?.said, [language]: serviceTexts } });
  return writeCached(NEW_DEAL_PAGE_KEY, {
    buildContent,
    isSameKind: (/** @type {any} */ one) => one.key === NEW_DEAL_PAGE_KEY,
    maxEntries: 1,
  });
}

/** What is kept of that, in this language if it can be; empty if nothing is. @param {string} language */
export async function readCachedNewDealPage(language) {
  const { said: texts = {} } = (await readCached(NEW_DEAL_PAGE_KEY)) ?? {};
  return texts[language] ?? Object.values(texts)[0] ?? {};
}

/** An event without anything that reveals a hand. @type {(event: DealEvent) => DealEvent} */
function redactEvent({ isCached: _, ...event }) {
  if (UNREDACTED_TYPES.has(event.type)) return event;
  const { id, seq, type, seat, replaces, of } = event;
  if (type === "correction_made")
    return {
      id,
      seq,
      type,
      replaces,
      with: event.with.map((/** @type {DealEvent} */ part) =>
        UNREDACTED_TYPES.has(part.type) ? part : { type: part.type, seat: part.seat },
      ),
      reason: "",
    };
  return {
    id,
    seq,
    type,
    ...(seat ? { seat } : {}),
    ...(of ? { of } : {}),
    ...("cards" in event ? { cards: event.cards.map(() => "??") } : {}),
  };
}

/** The state of a deal without anything that reveals a hand, and so without what is legal. @type {(point: Point) => Point} */
function redactPoint({ version, state, legal, score, paid }) {
  const covered = (/** @type {any} */ piles) =>
    Object.fromEntries(
      Object.entries(piles).map(([seat, { count }]) => [seat, { cards: Array(count).fill("??"), count }]),
    );
  const hands = Object.fromEntries(
    Object.entries(state.hands).map(([seat, hand]) => [seat, { cards: [], unknown: hand.cards.length + hand.unknown }]),
  );
  const talon = { ...state.talon, cards: Array(state.talon.count).fill("??") };
  return {
    version,
    state: { ...state, hands, talon, discards: covered(state.discards), draws: covered(state.draws) },
    legal: legal && { seat: legal.seat, action: legal.action, count: legal.count ?? 0, guessed: true },
    score,
    paid,
    findings: [],
    unjudged: true,
  };
}

/** What is kept of a deal for this login; null if nothing is. @param {string} deal */
export const readCachedDeal = (deal) => readCached(dealKey(deal));

/** The deals that are kept for this login, the one seen last first. */
export async function listCachedDeals() {
  const session = await currentSessionId();
  return (await deviceCache.readAll())
    .filter((one) => isCachedDeal(one) && one.session === session)
    .sort(compareLastSeen);
}
