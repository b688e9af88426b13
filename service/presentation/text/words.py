"""The words of the command line, in English and in Danish: single terms, headings, labels.

Whole sentences about events stand in ``service.presentation.text.phrases``. What a ruleset calls its bids and
contracts is the ruleset's own (``engine.rulesets``), and is taken from there; cards, seats, calls and
outcomes stand in ``service.presentation.i18n.card_words``.
"""

import re
from typing import Final

from engine.rulesets.model import BilingualText

TEXT_LANGUAGES: Final = ("da", "en")

SUIT_SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

SHOWN_RANK_LETTERS: Final[dict[str, dict[str, str]]] = {"en": {}, "da": {"A": "E", "Q": "D", "J": "Kn"}}
"""The letter of a rank on a card, where it is not the record's own."""

RESULT_PHRASES: Final = {
    "won": BilingualText("{game}: {name} won", "{game}: {name} vandt"),
    "bete": BilingualText("{game}: {name} bête", "{game}: {name} bet"),
    "codille": BilingualText("{game}: {name} codille", "{game}: {name} kruk"),
    "passed_out": BilingualText("all passed", "alle meldte pas"),
    "abandoned": BilingualText("{game}: {name} gave up", "{game}: {name} gav op"),
    "forfeited": BilingualText("{game}: forfeited", "{game}: fortabt"),
    "voided": BilingualText("void", "gælder ikke"),
}
"""How a deal ended, in one phrase."""

SECTION_HEADINGS: Final = {
    "dealt": BilingualText("Hands as dealt", "Kortene som de blev givet"),
    "talon": BilingualText("Talon", "Talon"),
    "auction": BilingualText("Auction", "Meldingerne"),
    "exchange": BilingualText("Exchange", "Byttet"),
    "played": BilingualText("Hands in the play", "Kortene i spillet"),
    "now": BilingualText("Hands now", "Kortene nu"),
    "tricks": BilingualText("Tricks (* wins)", "Stikkene (* tager)"),
    "score": BilingualText("Score", "Regnskab"),
    "possible": BilingualText("Still possible", "Endnu muligt"),
    "why": BilingualText("Why", "Hvorfor"),
    "findings": BilingualText("Findings", "Fejl"),
    "next": BilingualText("Next", "Næste"),
}

LABEL_PHRASES: Final = {
    "deal": BilingualText("deal {number}", "spil {number}"),
    "place_and_number": BilingualText("deal {place} (number {number})", "spil {place} (nr. {number})"),
    "entry": BilingualText("entry {seq}", "post {seq}"),
    "shown_at": BilingualText("shown at {seqs}", "ses ved {seqs}"),
    "open": BilingualText("not decided yet", "ikke afgjort endnu"),
    "ruled": BilingualText("as the director ruled", "efter turneringslederens afgørelse"),
    "unrecorded": BilingualText("not known", "ukendt"),
    "unknown": BilingualText("{count} unknown", "{count} ukendt"),
    "unknowns": BilingualText("{count} unknown", "{count} ukendte"),
    "turned": BilingualText("turned: {card}", "vendt: {card}"),
    "stands": BilingualText("stands", "køber ikke"),
    "discards": BilingualText("discards {cards}", "sælger {cards}"),
    "draws": BilingualText("draws {cards}", "køber {cards}"),
    "left": BilingualText("left in the talon: {cards}", "tilbage i talonen: {cards}"),
    "table": BilingualText("table {value}", "bord {value}"),
    "board": BilingualText("board {value}", "board {value}"),
    "dealer": BilingualText("{value} deals", "{value} giver"),
    "pool": BilingualText("{value} in the pool", "{value} i puljen"),
    "sits_out": BilingualText("sits out: {value}", "sidder over: {value}"),
    "corrected": BilingualText(
        "The record has been corrected: what was replaced or taken back is not shown.",
        "Optegnelsen er rettet: hvad der er erstattet eller taget tilbage, vises ikke.",
    ),
    "leader": BilingualText("leader", "udspil"),
    "order": BilingualText("F–M–B", "F–M–B"),
    "played_on": BilingualText("played on", "spillet videre"),
    "pays": BilingualText("pays {name}", "betaler {name}"),
    "sets_aside": BilingualText("sets aside", "lægger til side"),
    "the_pool": BilingualText("the pool", "puljen"),
    "pool_was": BilingualText(
        "The pool held {before} and now holds {after}.", "Der lå {before} i puljen, nu ligger der {after}."
    ),
    "reserved": BilingualText("Set aside: {puestas}.", "Sat til side: {puestas}."),
    "nobody_pays": BilingualText("Nobody pays anything.", "Ingen betaler noget."),
    "from_each": BilingualText("from each", "fra hver"),
    "to_each": BilingualText("to each", "til hver"),
    "in_all": BilingualText("in all", "i alt"),
    "deals": BilingualText(
        "{count} deals: {sound} without fault, {faulty} with", "{count} spil: {sound} uden fejl, {faulty} med"
    ),
    "tricks": BilingualText("tricks: {counts}", "stik: {counts}"),
    "and": BilingualText("and", "og"),
}  # fmt: skip

STATISTICS_PHRASES: Final = {
    "total": BilingualText(
        "{deals}, {entries}; {faulty} with a fault",
        "{deals}, {entries}; {faulty} med fejl",
    ),
    "left_out": BilingualText("{count} left out that cannot be read", "{count} udeladt, som ikke kan læses"),
    "deals": BilingualText("{deals}, {entries}", "{deals}, {entries}"),
    "deal": BilingualText("{count} deal", "{count} spil"),
    "many_deals": BilingualText("{count} deals", "{count} spil"),
    "entry": BilingualText("{count} entry", "{count} post"),
    "many_entries": BilingualText("{count} entries", "{count} poster"),
    "unknown_ruleset": BilingualText("Rules that are not known here", "Regler, der ikke kendes her"),
    "unknown_contract": BilingualText("not known", "ukendt"),
    "contract": BilingualText("contract", "spil"),
    "played": BilingualText("played", "spillet"),
    "other": BilingualText("other", "andet"),
    "open": BilingualText("open", "åbne"),
    "average": BilingualText("a deal", "pr. spil"),
    "seat": BilingualText("seat", "plads"),
    "declarer": BilingualText("played", "spillet"),
    "chips": BilingualText("chips", "jetoner"),
    "times": BilingualText("times", "gange"),
    "severity": BilingualText("severity", "alvor"),
    "kind": BilingualText("kind", "art"),
    "in_deals": BilingualText("deals", "spil"),
}  # fmt: skip
"""The headings and lines of ``stats``."""

NEXT_ACTION_PHRASES: Final = {
    "bid": BilingualText("{name} to call: {what}", "{name} melder: {what}"),
    "name": BilingualText("{name} to name the contract: {what}", "{name} vælger: {what}"),
    "turn": BilingualText("the talon's top card to be turned", "talonens øverste kort skal vendes"),
    "exchange": BilingualText(
        "{name} to exchange {least} to {most} cards", "{name} bytter {least} til {most} kort"
    ),
    "draw": BilingualText("{name} to draw {least}", "{name} køber {least}"),
    "play": BilingualText("{name} to play: {what}", "{name} spiller: {what}"),
}
"""What is to happen next, by the action of ``legal``."""

LEDGER_PHRASES: Final = {
    "table": BilingualText("Table", "Bord"),
    "table_in": BilingualText("Table in {file}", "Bord i {file}"),
    "chip": BilingualText("1 {chip} = {money}", "1 {chip} = {money}"),
    "closed": BilingualText("closed", "afsluttet"),
    "dealer": BilingualText("deals", "giver"),
    "pool": BilingualText("pool", "pulje"),
    "total": BilingualText("Total", "I alt"),
    "nothing": BilingualText(
        "Nothing has been dealt or paid yet.", "Der er ikke givet eller betalt noget endnu."
    ),
    "by_hand": BilingualText("{payer} to {receiver}", "{payer} til {receiver}"),
    "counts_not": BilingualText("a payment that does not count", "en betaling, der ikke tæller"),
    "standings": BilingualText("Standings", "Stillingen"),
    "penalties": BilingualText("Penalty points", "Strafpoint"),
    "in_pool": BilingualText("In the pool", "I puljen"),
    "set_aside": BilingualText("{puestas} set aside", "{puestas} lagt til side"),
    "settled": BilingualText("settled at the table", "afregnet ved bordet"),
    "for": BilingualText("{player} for {before}", "{player} for {before}"),
    "shared": BilingualText("Divided now: {shares}.", "Delt nu: {shares}."),
    "owes": BilingualText("Who owes whom", "Hvem skylder hvem"),
    "even": BilingualText("Nobody owes anything.", "Ingen skylder noget."),
    "due": BilingualText(
        "Deal {number}: {dealer} deals; {forehand} is forehand, {middlehand} middlehand, {backhand} backhand",
        "Spil {number}: {dealer} giver; {forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd",
    ),
    "left": BilingualText("Deals left of {planned}: {count}.", "Spil tilbage af {planned}: {count}."),
    "more_found": BilingualText(
        "… and {count} more, which spadille validate tells.",
        "… og {count} til, som spadille validate viser.",
    ),
}
"""The ledger of a table."""

SOMEBODY: Final = BilingualText("somebody", "nogen")

SEVERITY_WORDS: Final = {
    "impossible": BilingualText("impossible", "umuligt"),
    "error": BilingualText("error", "fejl"),
    "warning": BilingualText("warning", "advarsel"),
    "info": BilingualText("info", "oplysning"),
}

DANISH_REASON_PATTERNS: Final = (
    (re.compile(r"(?P<game>[^:]+): sacada"), "{game}: sacada"),
    (
        re.compile(r"(?P<game>[^:]+) surrendered: the base for each opponent"),
        "{game} overgivet: grundtaksten for hver modspiller",
    ),
    (re.compile(r"(?P<game>[^:]+): the base from the others"), "{game}: grundtaksten fra de andre"),
    (re.compile(r"as much as lies in the pool"), "så meget som i puljen"),
    (
        re.compile(r"the exchange fouled up by the declarer, paid as bête"),
        "fejl i byttet af spilføreren, betalt som bet",
    ),
    (
        re.compile(r"the exchange fouled up: the value of the game to each"),
        "fejl i byttet: spillets takst til hver",
    ),
    (
        re.compile(r"the exchange fouled up: a defender pays for all of them"),
        "fejl i byttet: en modspiller betaler for alle",
    ),
    (
        re.compile(r"(?P<game>[^:]+): the base for each opponent, into the pool"),
        "{game}: grundtaksten for hver modspiller, til puljen",
    ),
    (
        re.compile(r"(?P<game>[^:]+): the base for each opponent, set aside"),
        "{game}: grundtaksten for hver modspiller, lagt til side",
    ),
    (
        re.compile(r"(?P<game>[^:]+): the base for each opponent, to him who won it"),
        "{game}: grundtaksten for hver modspiller, til den, der vandt",
    ),
    (re.compile(r"(?P<game>[^:]+) (?P<end>won|bête|kodille)"), "{game} {end}"),
    (
        re.compile(r"(?P<game>[^:]+) (?P<end>won|bête|kodille): given up, paid as (?P<given>bête|kodille)"),
        "{game} opgivet, betalt som {given}",
    ),
    (re.compile(r"all nine tricks (?P<end>made|failed)"), "alle ni stik {end}"),
    (re.compile(r"vole (?P<end>won|lost)"), "vole {end}"),
    (re.compile(r"primeras: .+"), "primeras: de fem første stik"),
    (re.compile(r"estuches: (?P<count>\d+) .+"), "estuches: {count} i træk fra spadille"),
    (re.compile(r"puesta: .+, set aside"), "puesta: så meget som i puljen, lagt til side"),
    (re.compile(r"puesta: .+"), "puesta: så meget som i puljen, lagt i den"),
    (re.compile(r"codille: .+"), "codille: så meget som i puljen, til ham, der vandt"),
    (re.compile(r"the pool"), "puljen"),
    (re.compile(r"as the director ruled"), "efter turneringslederens afgørelse"),
)  # fmt: skip
"""The labels of a score's items in Danish; one that fits none keeps its English."""

DANISH_REASON_ENDS: Final = {
    "won": "vundet", "lost": "tabt", "bête": "bet", "kodille": "kruk", "made": "taget", "failed": "glippet",
}  # fmt: skip

CHIP_PLURALS: Final = {
    "bit": "bits",
    "bet": "bet",
    "ficha": "fichas",
    "chip": "chips",
    "jeton": "jetoner",
    "fish": "fish",
    "fisk": "fisk",
}
"""Many of a ruleset's chip; one that is not here stands as it is."""
