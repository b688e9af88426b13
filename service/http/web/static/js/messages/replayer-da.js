/** Sidens dansk. The page's Danish: the club's own words, short. */

import { isHidden, isSuitOnly, matadorName, rankOf, suitOf } from "../core/cards.js";
import { spanishTerms } from "../core/spanish-terms.js";

const NUMBERS = ["ingen", "et", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti", "elleve", "tolv", "tretten"];
const SUITS = spanishTerms?.suits ?? { S: "spar", H: "hjerter", C: "klør", D: "ruder" };
const RANKS = spanishTerms?.ranks ?? { A: "es", K: "konge", Q: "dame", J: "knægt" };
const LETTERS = spanishTerms?.letters ?? { A: "E", K: "K", Q: "D", J: "Kn" };
const SEATS = { forehand: "forhånd", middlehand: "mellemhånd", backhand: "baghånd" };
const BIDS = {
  pass: "pas", self: "kan selv", simple: "spil", "spade-game": "bedre spil", tourne: "tourné", "simple-nolo": "købe-nolo",
  "grand-tourne": "tourné respect", solo: "solo", "spade-solo": "solo spar", "pure-nolo": "ren nolo", "nolo-ouvert": "nolo ouvert",
  play: "spil", favor: "favor", higher: "højere", voltereta: "voltereta", oros: "oros", gascarille: "gascarille", countervole: "countervole",
  vole: "vole", grandissimo: "grandissimo", "favoured-play": "spil i favoritfarven", "favoured-solo": "solo i favoritfarven",
  ...spanishTerms?.bids,
};
const WITHOUT_SUIT = new Set(["spade-game", "spade-solo", "oros"]);
const OUTCOMES = {
  won: (name) => `${name} vinder spillet.`,
  bete: (name) => `${name} er bet.`,
  codille: (name) => `${name} er kruk.`,
  passed_out: () => "Alle har meldt pas.",
  abandoned: (name) => `${name} har givet op.`,
  forfeited: () => "Spillet er fortabt.",
  voided: () => "Spillet gælder ikke.",
};

/** The reasons for chips, which the service words in English; {game} is the contract's Danish name. */
const REASONS = [
  [/^vole won$/, "vole vundet"],
  [/^vole lost$/, "vole tabt"],
  [/^.+: given up, paid as bête$/, "{game} opgivet, betalt som bet"],
  [/^.+: given up, paid as kodille$/, "{game} opgivet, betalt som kruk"],
  [/^.+ won$/, "{game} vundet"],
  [/^.+ bête$/, "{game} bet"],
  [/^.+ kodille$/, "{game} kruk"],
  [/^all nine tricks made$/, "alle ni stik taget"],
  [/^all nine tricks failed$/, "alle ni stik glippet"],
  [/^(.+) surrendered: the base for each opponent$/, "{game} overgivet: grundtaksten for hver modspiller"],
  [/^.+: the base for each opponent, into the pool$/, "{game}: grundtaksten for hver modspiller, til puljen"],
  [/^.+: the base for each opponent, set aside$/, "{game}: grundtaksten for hver modspiller, lagt til side"],
  [/^.+: the base for each opponent, to him who won it$/, "{game}: grundtaksten for hver modspiller, til den, der vandt"],
  [/^.+: sacada$/, "{game}: sacada"],
  [/^puesta: .*set aside$/, "puesta: så meget som der ligger i puljen, lagt til side"],
  [/^puesta: .*$/, "puesta: så meget som der ligger i puljen, til puljen"],
  [/^codille: .*$/, "codille: så meget som der ligger i puljen, til den, der vandt"],
  [/^primeras: .*$/, "primeras: de første fem stik"],
  [/^estuches: (\d+) .*$/, "estuches: $1 i træk fra spadille"],
  [/^(.+): the base from the others$/, "{game}: grundtaksten fra de andre"],
  [/^as much as lies in the pool$/, "så meget som der ligger i puljen"],
  [/^the exchange fouled up by the declarer, paid as bête$/, "fejl i byttet af spilføreren, betalt som bet"],
  [/^the exchange fouled up: the value of the game to each$/, "fejl i byttet: spillets takst til hver"],
  [/^the exchange fouled up: a defender pays for all of them$/, "fejl i byttet: en modspiller betaler for alle"],
  [/^the pool$/, "puljen"],
  [/^as the director ruled$/, "som turneringslederen afgjorde"],
];

/** The sections of the rules. */
const RULES = {
  "1. Pack": "1. Kortene", "2. Deal": "2. Givningen", "3. Auction": "3. Meldingerne", "3. Naming": "3. Valg af spil",
  "4. Exchange": "4. Byttet", "5. Play": "5. Spillet", "5. Nolo ouvert": "5. Nolo ouvert", "6. Outcome": "6. Opgørelse",
  "6. Giving up": "6. At kaste", "6. All nine tricks": "6. Alle ni stik", "7. Payments": "7. Takster",
  "8. Pool": "8. Puljen", "8. Payments": "8. Takster", "8. Extras": "8. Tilvalg", "8. Surrender": "8. Overgivelse",
  "8. Reserved puestas": "8. Puester til side", "9. Record": "9. Optegnelsen", "9. Ruling": "9. Afgørelsen",
  "9. Penalties": "9. Straf",
};

/** A reason in Danish; one that is not known here is shown as the service words it. */
function translateReason(label, game) {
  const known = REASONS.find(([pattern]) => pattern.test(label));
  return known ? label.replace(...known).replace("{game}", game) : label;
}

const cards = (n) => (n === 1 ? "et kort" : `${NUMBERS[n] ?? n} kort`);
const withFullStop = (text) => (/[.!?…][«”]?$/.test(text) ? text : `${text}.`);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (items) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} og ${items.at(-1)}`);

function card(code) {
  if (isHidden(code)) return "et skjult kort";
  if (isSuitOnly(code)) return `en ${SUITS[suitOf(code)]}`;
  if (spanishTerms) return `${RANKS[rankOf(code)]} de ${SUITS[suitOf(code)]}`;
  return `${SUITS[suitOf(code)]} ${RANKS[rankOf(code)] ?? rankOf(code)}`;
}


/** A card as it is played: a matador by its name. */
function cardPlayed(code, trump, contract) {
  const name = matadorName(code, trump, contract);
  return spanishTerms?.matadors[name] ?? name ?? card(code);
}

const bid = (id) => BIDS[id] ?? id;
const contract = (id, trump) => bid(id) + (trump && !WITHOUT_SUIT.has(id) ? ` i ${SUITS[trump]}` : "");
const player = (state, seat) => state.players?.[seat] ?? SEATS[seat] ?? seat;

function formatCardPlayed({ event, state }) {
  const trick = state.tricks.at(-1);
  const what = cardPlayed(event.card, state.trump, state.contract);
  const who = player(state, event.seat);
  const sentence = `Stik ${trick.number}: ${who} ${trick.cards.length === 1 ? `spiller ${what} ud` : `lægger ${what}`}`;
  if (trick.cards.length < 3 || !trick.winner) return `${sentence}.`;
  return trick.winner === event.seat ? `${sentence} og tager stikket.` : `${sentence}; ${player(state, trick.winner)} tager stikket.`;
}

function formatBid({ event, state }) {
  const name = player(state, event.seat);
  const words = event.said ? `: »${event.said}«` : "";
  const early = event.trump ? ` og nævner ${SUITS[event.trump]}` : "";
  if (event.bid === "pass") return `${name} melder pas.`;
  if (event.bid === "self") return withFullStop(`${name} kan selv${words}`);
  return withFullStop(`${name} melder ${bid(event.bid)}${early}${words}`);
}

function formatResult({ event, state }) {
  const who = event.declarer ?? state.declarer;
  const what = event.contract ?? state.contract;
  const game = who && what ? `${player(state, who)} havde meldingen: ${contract(what, event.trump ?? state.trump)}.` : "Resultatet er skrevet ned.";
  return event.outcome ? `${game} ${OUTCOMES[event.outcome]?.(player(state, who)) ?? ""}`.trim() : game;
}

const formatTricks = (tricks, state) => listed(Object.entries(tricks).map(([seat, count]) => `${player(state, seat)} ${count}`));

const sentences = {
  deal_opened: ({ state }) => `${player(state, "forehand")} er forhånd, ${player(state, "middlehand")} mellemhånd, ${player(state, "backhand")} baghånd.`,
  hand_dealt: ({ event, state }) => `${player(state, event.seat)} har ${cards(event.cards.length)}.`,
  talon_laid: () => "Talonen er lagt frem.",
  bid_made: formatBid,
  cards_shown: ({ event, state }) => `${player(state, event.seat)} viser ${listed(event.cards.map(card))}.`,
  hand_held: ({ event, state }) => `Sådan er hånden hos ${player(state, event.seat)} nu.`,
  contract_named: ({ event, state }) => `${player(state, event.seat)} har meldingen: ${contract(event.contract, event.trump)}.`,
  trump_named: ({ event, state }) => `${player(state, event.seat)} nævner ${SUITS[event.trump]}.`,
  talon_turned: ({ event, state }) => `${upper(card(event.card))} er vendt${state.trump ? `: ${SUITS[state.trump]} er trumf` : ""}.`,
  exchange_yielded: ({ event, state }) => `${player(state, event.seat)} lader den anden købe først.`,
  talon_seen: () => "Resten af talonen bliver set.",
  cards_discarded: ({ event, state }) =>
    event.cards.length ? `${player(state, event.seat)} sælger ${cards(event.cards.length)}.` : `${player(state, event.seat)} køber ikke.`,
  cards_drawn: ({ event, state }) => `${player(state, event.seat)} køber ${cards(event.cards.length)}.`,
  hand_taken_over: ({ event }) => `${event.player} overtager kortene i ${SEATS[event.seat]}.`,
  card_played: formatCardPlayed,
  slam_announced: ({ event, state }) => `${player(state, event.seat)} går efter tout.`,
  tricks_claimed: ({ event, state }) => `${player(state, event.seat)} lægger kortene op: ${formatTricks(event.tricks, state)}.`,
  claim_answered: ({ event, state }) => `${player(state, event.seat)} ${event.answer === "accept" ? "er enig" : "er ikke enig"}.`,
  deal_abandoned: ({ event, state }) => `${player(state, event.seat)} kaster kortene.`,
  surrender_offered: ({ event, state }) => `${player(state, event.seat)} vil give op.`,
  surrender_answered: ({ event, state }) => `${player(state, event.seat)} ${event.answer === "accept" ? "tager imod" : "siger nej og spiller det selv"}.`,
  action_withdrawn: ({ event, withdrawn }) => `${withdrawn ? `Taget tilbage: ${withdrawn}` : "Det bliver taget tilbage."}${event.text ? ` ${upper(event.text)}` : ""}`,
  result_recorded: formatResult,
  irregularity_noted: ({ event, state }) => withFullStop(`Der gøres indsigelse mod ${player(state, event.seat)}: ${[event.kind, event.text].filter(Boolean).join(", ")}`),
  ruling_made: ({ event }) => (event.text ? `Afgørelse: ${event.text}` : "Turneringslederen afgør sagen."),
  deal_voided: ({ event }) => withFullStop(`Spillet gælder ikke${event.reason ? `: ${event.reason}` : ""}`),
  puesta_reserved: ({ event, state }) => `${player(state, event.seat)} lægger sin puesta til side.`,
  gap_noted: ({ event }) => `Her mangler noget i optegnelsen${event.text ? `: ${event.text}` : "."}`,
  note_added: ({ event }) => `Note: ${event.text}`,
  deal_settled: () => "Der er betalt ved bordet.",
  deal_closed: () => "Optegnelsen er lukket.",
  deal: ({ state }) => `Kortene er givet. ${player(state, "forehand")} er i forhånd og melder først.`,
};

export default {
  letter: (rank) => LETTERS[rank] ?? rank,
  hiddenCard: "et skjult kort",
  card, bid, contract, player,
  seat: (seat) => SEATS[seat] ?? seat,
  tricks: (n) => `${n} stik`,
  talon: (n) => `${n} i talonen`,
  unknownCards: (n) => `${cards(n)} kendes ikke`,
  outcome: (code, name) => OUTCOMES[code]?.(name) ?? code,
  sentence: (kind, context) => (sentences[kind] ?? (() => kind.replaceAll("_", " ")))(context),
  auction: "Meldingerne",
  exchange: "Byttet",
  sold: (n) => (n ? `solgte ${n}` : "købte ikke"),
  bought: (n) => `købte ${n}`,
  play: "Stikkene",
  playKey: "Prikken spiller ud, understregningen tager stikket.",
  trickNumber: (n) => `Stik ${n}`,
  leads: "spiller ud",
  hands: "Kortene i ord",
  talonHeading: "Talonen",
  legal: {
    bid: (legal) => `melde: ${legal.calls.map(bid).join(", ")}`,
    name: (legal) => `vælge: ${legal.contracts.map((one) => bid(one.contract)).join(", ")}`,
    turn: () => "vende talonens øverste kort",
    exchange: (legal) => `bytte ${legal.min} til ${legal.max} kort`,
    draw: (legal) => `købe ${cards(legal.count)}`,
    play: () => "spille",
  },
  score: "Regnskabet",
  open: "Endnu muligt",
  outcomeShort: { won: "vundet", bete: "bet", codille: "kruk", passed_out: "pas rundt", abandoned: "opgivet", forfeited: "fortabt", voided: "gælder ikke", slam_made: "alle ni taget", slam_failed: "alle ni glippet" },
  depends: "afhænger",
  each: (n) => `${n} fra hver`,
  eachPaid: (n) => `${n} til hver`,
  item: translateReason,
  rule: (name) => RULES[name] ?? name,
  poolWas: (pool) => `Der lå ${pool.before} i puljen, nu ligger der ${pool.after}.${pool.reserved?.length ? ` Sat til side: ${pool.reserved.join(", ")}.` : ""}`,
  findings: "Fejl",
  severity: { impossible: "Kan ikke være sket", error: "Imod reglerne", warning: "Usædvanligt", info: "Til orientering" },
  shownBy: "ses ved",
  entry: (seq) => `post ${seq}`,
  notes: "Noter",
  forgotten: "en, der er gået ud",
  loading: "Spillet hentes.",
  failed: "Spillet kunne ikke hentes.",
  again: "Prøv igen",
  empty: "Der er ikke skrevet noget endnu.",
  upper,
};
