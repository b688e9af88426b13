/** The page's English. Sentences are short and in the players' language. */

import { isHidden, isSuitOnly, matadorName, rankOf, suitOf } from "../core/cards.js";
import { spanishTerms } from "../core/spanish-terms.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"];
const SUITS = spanishTerms?.suits ?? { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };
const RANKS = spanishTerms?.ranks ?? { A: "ace", K: "king", Q: "queen", J: "jack", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const SEATS = { forehand: "forehand", middlehand: "middlehand", backhand: "backhand" };
const BIDS = {
  pass: "pass", self: "self", simple: "simple game", "spade-game": "spade game", tourne: "tourné", "simple-nolo": "simple nolo",
  "grand-tourne": "grand tourné", solo: "solo", "spade-solo": "spade solo", "pure-nolo": "pure nolo", "nolo-ouvert": "nolo ouvert",
  play: "play", favor: "favor", higher: "higher", voltereta: "voltereta", oros: "oros", gascarille: "gascarille", countervole: "countervole",
  vole: "vole", grandissimo: "grandissimo", "favoured-play": "play in the favoured suit", "favoured-solo": "solo in the favoured suit",
  ...spanishTerms?.bids,
};
const WITHOUT_SUIT = new Set(["spade-game", "spade-solo", "oros"]);
const OUTCOMES = {
  won: (name) => `${name} wins the game.`,
  bete: (name) => `${name} is bête.`,
  codille: (name) => `${name} loses by codille.`,
  passed_out: () => "All have passed.",
  abandoned: (name) => `${name} gave up.`,
  forfeited: () => "The game is forfeited.",
  voided: () => "The deal is void.",
};

const formatCount = (n, one, many = `${one}s`) => `${NUMBERS[n] ?? n} ${n === 1 ? one : many}`;
const withFullStop = (text) => (/[.!?…][«”]?$/.test(text) ? text : `${text}.`);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (items) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`);

function card(code) {
  if (isHidden(code)) return "an unseen card";
  if (isSuitOnly(code)) return `one of the ${SUITS[suitOf(code)]}`;
  if (spanishTerms) return `${RANKS[rankOf(code)]} de ${SUITS[suitOf(code)]}`;
  return `the ${RANKS[rankOf(code)]} of ${SUITS[suitOf(code)]}`;
}


/** A card as it is played: a matador by its name. */
function cardPlayed(code, trump, contract) {
  const name = matadorName(code, trump, contract);
  return spanishTerms?.matadors[name] ?? name ?? card(code);
}

const bid = (id) => BIDS[id] ?? id;
const contract = (id, trump) => bid(id) + (trump && !WITHOUT_SUIT.has(id) ? ` in ${SUITS[trump]}` : "");
const player = (state, seat) => state.players?.[seat] ?? SEATS[seat] ?? seat;

function formatCardPlayed({ event, state }) {
  const trick = state.tricks.at(-1);
  const verb = trick.cards.length === 1 ? "leads" : "plays";
  const sentence = `Trick ${trick.number}: ${player(state, event.seat)} ${verb} ${cardPlayed(event.card, state.trump, state.contract)}`;
  if (trick.cards.length < 3 || !trick.winner) return `${sentence}.`;
  return trick.winner === event.seat ? `${sentence} and takes the trick.` : `${sentence}; ${player(state, trick.winner)} takes the trick.`;
}

function formatBid({ event, state }) {
  const name = player(state, event.seat);
  const words = event.said ? `: “${event.said}”` : "";
  const early = event.trump ? `, naming ${SUITS[event.trump]}` : "";
  if (event.bid === "pass") return `${name} passes.`;
  if (event.bid === "self") return withFullStop(`${name} takes the same bid${words}`);
  return withFullStop(`${name} bids ${bid(event.bid)}${early}${words}`);
}

function formatResult({ event, state }) {
  const who = event.declarer ?? state.declarer;
  const what = event.contract ?? state.contract;
  const game = who && what ? `${player(state, who)} had the bid: ${contract(what, event.trump ?? state.trump)}.` : "The result is recorded.";
  return event.outcome ? `${game} ${OUTCOMES[event.outcome]?.(player(state, who)) ?? ""}`.trim() : game;
}

const formatTricks = (tricks, state) => listed(Object.entries(tricks).map(([seat, count]) => `${player(state, seat)} ${count}`));

const sentences = {
  deal_opened: ({ state }) => `${player(state, "forehand")} is forehand, ${player(state, "middlehand")} middlehand, ${player(state, "backhand")} backhand.`,
  hand_dealt: ({ event, state }) => `${player(state, event.seat)} has ${formatCount(event.cards.length, "card")}.`,
  talon_laid: () => "The talon is laid out.",
  bid_made: formatBid,
  cards_shown: ({ event, state }) => `${player(state, event.seat)} shows ${listed(event.cards.map(card))}.`,
  hand_held: ({ event, state }) => `The hand of ${player(state, event.seat)} at this point.`,
  contract_named: ({ event, state }) => `${player(state, event.seat)} has the bid: ${contract(event.contract, event.trump)}.`,
  trump_named: ({ event, state }) => `${player(state, event.seat)} names ${SUITS[event.trump]}.`,
  talon_turned: ({ event, state }) => `${upper(card(event.card))} is turned${state.trump ? `: ${SUITS[state.trump]} are trumps` : ""}.`,
  exchange_yielded: ({ event, state }) => `${player(state, event.seat)} yields the first choice.`,
  talon_seen: () => "What is left of the talon is looked at.",
  cards_discarded: ({ event, state }) =>
    event.cards.length ? `${player(state, event.seat)} discards ${NUMBERS[event.cards.length] ?? event.cards.length}.` : `${player(state, event.seat)} keeps the hand as it is.`,
  cards_drawn: ({ event, state }) => `${player(state, event.seat)} draws ${NUMBERS[event.cards.length] ?? event.cards.length}.`,
  hand_taken_over: ({ event }) => `${event.player} takes over the hand of ${SEATS[event.seat]}.`,
  card_played: formatCardPlayed,
  slam_announced: ({ event, state }) => `${player(state, event.seat)} goes for all nine tricks.`,
  tricks_claimed: ({ event, state }) => `${player(state, event.seat)} claims: ${formatTricks(event.tricks, state)}.`,
  claim_answered: ({ event, state }) => `${player(state, event.seat)} ${event.answer === "accept" ? "agrees to the claim" : "contests the claim"}.`,
  deal_abandoned: ({ event, state }) => `${player(state, event.seat)} gives up.`,
  surrender_offered: ({ event, state }) => `${player(state, event.seat)} offers to surrender.`,
  surrender_answered: ({ event, state }) => `${player(state, event.seat)} ${event.answer === "accept" ? "accepts the surrender" : "forbids the surrender, and plays it"}.`,
  action_withdrawn: ({ event, withdrawn }) => `${withdrawn ? `Taken back: ${withdrawn}` : "That is taken back."}${event.text ? ` ${upper(event.text)}` : ""}`,
  result_recorded: formatResult,
  irregularity_noted: ({ event, state }) => withFullStop(`Something is called on ${player(state, event.seat)}: ${[event.kind, event.text].filter(Boolean).join(", ")}`),
  ruling_made: ({ event }) => (event.text ? `Ruling: ${event.text}` : "The director rules."),
  deal_voided: ({ event }) => withFullStop(`The deal is void${event.reason ? `: ${event.reason}` : ""}`),
  puesta_reserved: ({ event, state }) => `${player(state, event.seat)} sets the puesta aside.`,
  gap_noted: ({ event }) => `Here entries are missing${event.text ? `: ${event.text}` : "."}`,
  note_added: ({ event }) => `Note: ${event.text}`,
  deal_settled: () => "It is paid at the table.",
  deal_closed: () => "The record is closed.",
  deal: ({ state }) => `The cards are dealt. ${player(state, "forehand")} is forehand and speaks first.`,
};

export default {
  letter: (rank) => spanishTerms?.letters[rank] ?? rank,
  hiddenCard: "an unseen card",
  card, bid, contract, player,
  seat: (seat) => SEATS[seat] ?? seat,
  tricks: (n) => `${n} ${n === 1 ? "trick" : "tricks"}`,
  talon: (n) => `${n} in the talon`,
  unknownCards: (n) => `${formatCount(n, "card")} not known`,
  outcome: (code, name) => OUTCOMES[code]?.(name) ?? code,
  sentence: (kind, context) => (sentences[kind] ?? (() => kind.replaceAll("_", " ")))(context),
  auction: "The bidding",
  exchange: "The exchange",
  sold: (n) => (n ? `discarded ${n}` : "stood"),
  bought: (n) => `drew ${n}`,
  play: "The tricks",
  playKey: "A dot leads, an underline wins.",
  trickNumber: (n) => `Trick ${n}`,
  leads: "leads",
  hands: "The hands in words",
  talonHeading: "The talon",
  legal: {
    bid: (legal) => `bid: ${legal.calls.map(bid).join(", ")}`,
    name: (legal) => `name: ${legal.contracts.map((one) => bid(one.contract)).join(", ")}`,
    turn: () => "turn the top card of the talon",
    exchange: (legal) => `exchange ${legal.min} to ${legal.max} cards`,
    draw: (legal) => `draw ${formatCount(legal.count, "card")}`,
    play: () => "play",
  },
  score: "The score",
  open: "Still open",
  outcomeShort: { won: "won", bete: "bête", codille: "codille", passed_out: "passed out", abandoned: "given up", forfeited: "forfeited", voided: "void", slam_made: "all nine made", slam_failed: "all nine failed" },
  depends: "depends",
  each: (n) => `${n} from each`,
  eachPaid: (n) => `${n} to each`,
  item: (label) => label,
  rule: (name) => name,
  poolWas: (pool) => `The pool held ${pool.before} and now holds ${pool.after}.${pool.reserved?.length ? ` Set aside: ${pool.reserved.join(", ")}.` : ""}`,
  findings: "Findings",
  severity: { impossible: "Cannot have been", error: "Against the rules", warning: "Unusual", info: "Note" },
  shownBy: "shows at",
  entry: (seq) => `entry ${seq}`,
  notes: "Notes",
  forgotten: "someone who left",
  loading: "The deal is being fetched.",
  failed: "The deal could not be fetched.",
  again: "Try again",
  empty: "This record has no entries yet.",
  upper,
};
