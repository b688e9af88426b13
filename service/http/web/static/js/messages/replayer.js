// @ts-check
/** What the replayer says. Sentences are short and in the players' language. */

import { gameName, isHidden, isSuitImplied, isSuitOnly, matadorName, rankOf, suitOf } from "../core/cards.js";
import { spanishTerms } from "../core/spanish-terms.js";
import { t, tc } from "../core/texts.js";

const CARD_COUNTS = [
  t("no cards"),
  t("one card"),
  t("two cards"),
  t("three cards"),
  t("four cards"),
  t("five cards"),
  t("six cards"),
  t("seven cards"),
  t("eight cards"),
  t("nine cards"),
  t("ten cards"),
  t("eleven cards"),
  t("twelve cards"),
  t("thirteen cards"),
];
/** @typedef {{ players?: Record<string, string>, trump?: string | null, contract?: string | null, [field: string]: any }} State - of a deal */
/** @typedef {{ event: any, state: State, withdrawn?: string | null }} Context - of a step */
/** @typedef {Record<string, string>} Texts - by code */

/** @type {Texts} */
const SUITS = spanishTerms?.suits ?? { S: t("spades"), H: t("hearts"), C: t("clubs"), D: t("diamonds") };
/** @type {Texts} */
const RANKS = spanishTerms?.ranks ?? {
  A: t("ace"),
  K: t("king"),
  Q: t("queen"),
  J: t("jack"),
  7: t("seven"),
  6: t("six"),
  5: t("five"),
  4: t("four"),
  3: t("three"),
  2: t("two"),
};
/** @type {Texts} */
const LETTERS = spanishTerms?.letters ?? {
  A: tc("on a card", "A"),
  K: tc("on a card", "K"),
  Q: tc("on a card", "Q"),
  J: tc("on a card", "J"),
};
/** @type {Texts} */
const SEATS = { forehand: t("forehand"), middlehand: t("middlehand"), backhand: t("backhand") };
/** @type {{ matadors?: Texts, bids?: Texts }} */
const { matadors, bids } = spanishTerms ?? {};
/** The sections of the rules. @type {Texts} */
const SECTIONS = {
  "1. Pack": tc("section", "1. Pack"),
  "1. Ranking": tc("section", "1. Ranking"),
  "2. Deal": tc("section", "2. Deal"),
  "3. Auction": tc("section", "3. Auction"),
  "3. Naming": tc("section", "3. Naming"),
  "4. Exchange": tc("section", "4. Exchange"),
  "5. Play": tc("section", "5. Play"),
  "5. Nolo ouvert": tc("section", "5. Nolo ouvert"),
  "6. Outcome": tc("section", "6. Outcome"),
  "6. Giving up": tc("section", "6. Giving up"),
  "6. All nine tricks": tc("section", "6. All nine tricks"),
  "7. Payments": tc("section", "7. Payments"),
  "8. Pool": tc("section", "8. Pool"),
  "8. Payments": tc("section", "8. Payments"),
  "8. Extras": tc("section", "8. Extras"),
  "8. Surrender": tc("section", "8. Surrender"),
  "8. Reserved puestas": tc("section", "8. Reserved puestas"),
  "9. Record": tc("section", "9. Record"),
  "9. Ruling": tc("section", "9. Ruling"),
  "9. Revoke": tc("section", "9. Revoke"),
  "9. Penalties": tc("section", "9. Penalties"),
  "9. Pairs play": tc("section", "9. Pairs play"),
};
/** @type {Record<string, (name: string) => string>} */
const OUTCOMES = {
  won: (name) => t("{name} wins the game.", { name }),
  bete: (name) => t("{name} is bête.", { name }),
  codille: (name) => t("{name} loses by codille.", { name }),
  passed_out: () => t("All have passed."),
  abandoned: (name) => t("{name} gave up.", { name }),
  forfeited: () => t("The game is forfeited."),
  voided: () => t("The deal is void."),
};

const cards = (/** @type {number} */ n) => CARD_COUNTS[n] ?? t("{n} cards", { n });
const withFullStop = (/** @type {string} */ text) => (/[.!?…][«”]?$/.test(text) ? text : `${text}.`);
const upper = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (/** @type {string[]} */ items) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${t("and")} ${items.at(-1)}`;

/** @param {string} code */
function card(code) {
  const suit = SUITS[suitOf(code)];
  if (isHidden(code)) return t("an unseen card");
  if (isSuitOnly(code)) return t("one of the {suit}", { suit });
  const rank = RANKS[rankOf(code)];
  return spanishTerms ? `${rank} de ${suit}` : t("the {rank} of {suit}", { rank, suit });
}

/** A card as it is played: a matador by its name. @param {string} code @param {string | null | undefined} trump @param {string | null | undefined} contract */
function cardPlayed(code, trump, contract) {
  const name = matadorName(code, trump, contract);
  return (name && (matadors?.[name] ?? name)) || card(code);
}

const bid = (/** @type {string | null | undefined} */ id) => (id ? (bids?.[id] ?? gameName(id)) : "");
const contract = (/** @type {string} */ id, /** @type {string | null | undefined} */ trump) =>
  trump && !isSuitImplied(id) ? t("{game} in {suit}", { game: bid(id), suit: SUITS[trump] }) : bid(id);
const player = (/** @type {State} */ state, /** @type {string | null | undefined} */ seat) =>
  seat ? (state.players?.[seat] ?? SEATS[seat] ?? seat) : "";

/** @param {Context} context */
function formatCardPlayed({ event, state }) {
  const { number, cards: played, winner, played_on: isPlayedOn } = state.tricks.at(-1);
  const parts = { number, name: player(state, event.seat), card: cardPlayed(event.card, state.trump, state.contract) };
  if (isPlayedOn) return t("Trick {number}, played on: {name} plays {card}.", parts);
  if (played.length === 1) return t("Trick {number}: {name} leads {card}.", parts);
  if (played.length < 3 || !winner) return t("Trick {number}: {name} plays {card}.", parts);
  if (winner === event.seat) return t("Trick {number}: {name} plays {card} and takes the trick.", parts);
  return t("Trick {number}: {name} plays {card}; {winner} takes the trick.", {
    ...parts,
    winner: player(state, winner),
  });
}

/** @param {Context} context */
function formatBid({ event, state }) {
  const name = player(state, event.seat);
  const words = event.said ? t(": “{said}”", event) : "";
  const early = event.trump ? t(", naming {suit}", { suit: SUITS[event.trump] }) : "";
  if (event.bid === "pass") return t("{name} passes.", { name });
  if (event.bid === "self") return withFullStop(t("{name} takes the same bid", { name }) + words);
  return withFullStop(t("{name} bids {bid}", { name, bid: bid(event.bid) }) + early + words);
}

/** @param {Context} context */
function formatResult({ event, state }) {
  const who = event.declarer ?? state.declarer;
  const what = event.contract ?? state.contract;
  const game =
    who && what
      ? t("{name} had the bid: {game}.", { name: player(state, who), game: contract(what, event.trump ?? state.trump) })
      : t("The result is recorded.");
  return event.outcome ? `${game} ${OUTCOMES[event.outcome]?.(player(state, who)) ?? ""}`.trim() : game;
}

const formatTricks = (/** @type {Record<string, number>} */ tricks, /** @type {State} */ state) =>
  listed(Object.entries(tricks).map(([seat, count]) => `${player(state, seat)} ${count}`));

/** @type {Record<string, (context: Context) => string>} */
const sentences = {
  deal_opened: ({ state }) =>
    t("{forehand} is forehand, {middlehand} middlehand, {backhand} backhand.", {
      forehand: player(state, "forehand"),
      middlehand: player(state, "middlehand"),
      backhand: player(state, "backhand"),
    }),
  hand_dealt: ({ event, state }) =>
    t("{name} has {cards}.", { name: player(state, event.seat), cards: cards(event.cards.length) }),
  talon_laid: () => t("The talon is laid out."),
  bid_made: formatBid,
  cards_shown: ({ event, state }) =>
    t("{name} shows {cards}.", { name: player(state, event.seat), cards: listed(event.cards.map(card)) }),
  hand_held: ({ event, state }) => t("The hand of {name} at this point.", { name: player(state, event.seat) }),
  contract_named: ({ event, state }) =>
    t("{name} has the bid: {game}.", { name: player(state, event.seat), game: contract(event.contract, event.trump) }),
  trump_named: ({ event, state }) =>
    t("{name} names {suit}.", { name: player(state, event.seat), suit: SUITS[event.trump] }),
  talon_turned: ({ event, state }) => {
    const parts = { card: upper(card(event.card)), suit: SUITS[state.trump ?? ""] };
    return state.trump ? t("{card} is turned: {suit} are trumps.", parts) : t("{card} is turned.", parts);
  },
  exchange_yielded: ({ event, state }) => t("{name} yields the first choice.", { name: player(state, event.seat) }),
  talon_seen: () => t("The rest of the talon is looked at."),
  cards_discarded: ({ event, state }) => {
    const parts = { name: player(state, event.seat), cards: cards(event.cards.length) };
    return event.cards.length ? t("{name} discards {cards}.", parts) : t("{name} keeps the hand as it is.", parts);
  },
  cards_drawn: ({ event, state }) =>
    t("{name} draws {cards}.", { name: player(state, event.seat), cards: cards(event.cards.length) }),
  hand_taken_over: ({ event }) =>
    t("{player} takes over the hand of {seat}.", { player: event.player, seat: SEATS[event.seat] }),
  card_played: formatCardPlayed,
  slam_announced: ({ event, state }) => t("{name} goes for all nine tricks.", { name: player(state, event.seat) }),
  tricks_claimed: ({ event, state }) =>
    t("{name} claims: {tricks}.", { name: player(state, event.seat), tricks: formatTricks(event.tricks, state) }),
  claim_answered: ({ event, state }) =>
    event.answer === "accept"
      ? t("{name} agrees to the claim.", { name: player(state, event.seat) })
      : t("{name} contests the claim.", { name: player(state, event.seat) }),
  deal_abandoned: ({ event, state }) => t("{name} gives up.", { name: player(state, event.seat) }),
  surrender_offered: ({ event, state }) => t("{name} offers to surrender.", { name: player(state, event.seat) }),
  surrender_answered: ({ event, state }) =>
    event.answer === "accept"
      ? t("{name} accepts the surrender.", { name: player(state, event.seat) })
      : t("{name} forbids the surrender and plays on alone.", { name: player(state, event.seat) }),
  action_withdrawn: ({ event, withdrawn }) =>
    `${withdrawn ? t("Taken back: {withdrawn}", { withdrawn }) : t("That is taken back.")}${event.text ? ` ${upper(event.text)}` : ""}`,
  result_recorded: formatResult,
  irregularity_noted: ({ event, state }) =>
    withFullStop(
      t("An irregularity is called against {name}: {kind}", {
        name: player(state, event.seat),
        kind: [event.kind, event.text].filter(Boolean).join(", "),
      }),
    ),
  ruling_made: ({ event }) => (event.text ? t("Ruling: {text}", { text: event.text }) : t("The director rules.")),
  deal_voided: ({ event }) =>
    withFullStop(event.reason ? t("The deal is void: {reason}", event) : t("The deal is void.")),
  puesta_reserved: ({ event, state }) => t("{name} sets the puesta aside.", { name: player(state, event.seat) }),
  gap_noted: ({ event }) =>
    event.text ? t("Entries are missing here: {text}", event) : t("Entries are missing here."),
  note_added: ({ event }) => t("Note: {text}", { text: event.text }),
  deal_settled: () => t("It is paid at the table."),
  deal_closed: () => t("The record is closed."),
  deal: ({ state }) =>
    t("The cards are dealt. {name} is forehand and speaks first.", { name: player(state, "forehand") }),
};

export default {
  listed,
  letter: (/** @type {string} */ rank) => LETTERS[rank] ?? rank,
  hiddenCard: t("an unseen card"),
  card,
  bid,
  contract,
  player,
  seat: (/** @type {string} */ seat) => SEATS[seat] ?? seat,
  tricks: (/** @type {number} */ n) => (n === 1 ? t("1 trick") : t("{n} tricks", { n })),
  talon: (/** @type {number} */ n) => t("{n} in the talon", { n }),
  unknownCards: (/** @type {number} */ n) => t("{cards} not known", { cards: cards(n) }),
  outcome: (/** @type {string} */ code, /** @type {string} */ name) => OUTCOMES[code]?.(name) ?? code,
  sentence: (/** @type {string} */ kind, /** @type {Context} */ context) =>
    (sentences[kind] ?? (() => kind.replaceAll("_", " ")))(context),
  auction: t("The bidding"),
  exchange: t("The exchange"),
  sold: (/** @type {number} */ n) => (n ? t("discarded {n}", { n }) : t("stood")),
  bought: (/** @type {number} */ n) => t("drew {n}", { n }),
  play: t("The tricks"),
  playedOn: (/** @type {number[]} */ numbers) => `${t("Played on after the end")}: ${numbers.join(", ")}.`,
  playKey: t("Dot: leads. Underline: wins."),
  trickNumber: (/** @type {number} */ n) => t("Trick {n}", { n }),
  leads: t("leads"),
  hands: t("The hands in words"),
  talonHeading: t("The talon"),
  /** @type {Record<string, (legal: any) => string>} */
  legal: {
    bid: (legal) => t("bid: {calls}", { calls: legal.calls.map(bid).join(", ") }),
    name: (legal) =>
      t("name: {games}", { games: legal.contracts.map((/** @type {any} */ one) => bid(one.contract)).join(", ") }),
    turn: () => t("turn the top card of the talon"),
    exchange: (legal) => t("exchange {min} to {max} cards", { min: legal.min, max: legal.max }),
    draw: (legal) => t("draw {cards}", { cards: cards(legal.count) }),
    play: () => tc("replayer", "play"),
  },
  score: t("The score"),
  open: t("Still open"),
  /** @type {Record<string, string>} */
  outcomeShort: {
    won: t("won"),
    bete: t("bête"),
    codille: t("codille"),
    passed_out: t("passed out"),
    abandoned: t("given up"),
    forfeited: t("forfeited"),
    voided: t("void"),
    slam_made: t("all nine made"),
    slam_failed: tc("replayer", "all nine failed"),
  },
  depends: t("depends"),
  each: (/** @type {number} */ n) => t("{n} from each", { n }),
  eachPaid: (/** @type {number} */ n) => t("{n} to each", { n }),
  rule: (/** @type {string} */ section) => SECTIONS[section] ?? section,
  poolWas: (/** @type {any} */ pool) => {
    const held = t("The pool held {before} and now holds {after}.", pool);
    return pool.reserved?.length
      ? `${held} ${t("Set aside: {puestas}.", { puestas: pool.reserved.join(", ") })}`
      : held;
  },
  findings: t("Findings"),
  /** @type {Texts} */
  severity: {
    impossible: t("Impossible"),
    error: t("Against the rules"),
    warning: t("Unusual"),
    info: tc("replayer", "Note"),
  },
  shownBy: t("shows at"),
  entry: (/** @type {number | string} */ seq) => t("entry {seq}", { seq }),
  notes: t("Notes"),
  forgotten: t("someone who left"),
  loading: t("Fetching the deal."),
  failed: t("The deal could not be fetched."),
  again: t("Try again"),
  empty: t("This record has no entries yet."),
  upper,
};
