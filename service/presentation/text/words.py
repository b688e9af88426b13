"""The words of the command line, in English and in Danish: single terms, headings, labels.

Whole sentences about events stand in ``phrases``. What a ruleset calls its bids and contracts
is the ruleset's own (``engine.rulesets``), and is taken from there; cards, seats, calls and outcomes
stand in ``service.presentation.i18n.card_words``.
"""

import re
from typing import Final

from engine.rulesets.model import Words

LANGUAGES: Final = ("da", "en")

SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

LETTERS: Final[dict[str, dict[str, str]]] = {"en": {}, "da": {"A": "E", "Q": "D", "J": "Kn"}}
"""The letter of a rank on a card, where it is not the record's own."""

RESULTS: Final = {
    "won": Words("{game}: {name} won", "{game}: {name} vandt"),
    "bete": Words("{game}: {name} bête", "{game}: {name} bet"),
    "codille": Words("{game}: {name} codille", "{game}: {name} kruk"),
    "passed_out": Words("all passed", "alle meldte pas"),
    "abandoned": Words("{game}: {name} gave up", "{game}: {name} gav op"),
    "forfeited": Words("{game}: forfeited", "{game}: fortabt"),
    "voided": Words("void", "gælder ikke"),
}
"""How a deal ended, in one phrase."""

HEADINGS: Final = {
    "dealt": Words("Hands as dealt", "Kortene som de blev givet"),
    "talon": Words("Talon", "Talon"),
    "auction": Words("Auction", "Meldingerne"),
    "exchange": Words("Exchange", "Byttet"),
    "played": Words("Hands in the play", "Kortene i spillet"),
    "now": Words("Hands now", "Kortene nu"),
    "tricks": Words("Tricks (* wins)", "Stikkene (* tager)"),
    "score": Words("Score", "Regnskab"),
    "possible": Words("Still possible", "Endnu muligt"),
    "why": Words("Why", "Hvorfor"),
    "findings": Words("Findings", "Fejl"),
    "next": Words("Next", "Næste"),
}

LABELS: Final = {
    "deal": Words("deal {number}", "spil {number}"),
    "place_and_number": Words("deal {place} (number {number})", "spil {place} (nr. {number})"),
    "entry": Words("entry {seq}", "post {seq}"),
    "shown_at": Words("shown at {seqs}", "ses ved {seqs}"),
    "open": Words("not decided yet", "ikke afgjort endnu"),
    "ruled": Words("as the director ruled", "efter turneringslederens afgørelse"),
    "unrecorded": Words("not known", "ukendt"),
    "unknown": Words("{count} unknown", "{count} ukendt"),
    "unknowns": Words("{count} unknown", "{count} ukendte"),
    "turned": Words("turned: {card}", "vendt: {card}"),
    "stands": Words("stands", "køber ikke"),
    "discards": Words("discards {cards}", "sælger {cards}"),
    "draws": Words("draws {cards}", "køber {cards}"),
    "left": Words("left in the talon: {cards}", "tilbage i talonen: {cards}"),
    "table": Words("table {value}", "bord {value}"),
    "board": Words("board {value}", "board {value}"),
    "dealer": Words("{value} deals", "{value} giver"),
    "pool": Words("{value} in the pool", "{value} i puljen"),
    "sits_out": Words("sits out: {value}", "sidder over: {value}"),
    "corrected": Words(
        "The record has been corrected: what was replaced or taken back is not shown.",
        "Optegnelsen er rettet: hvad der er erstattet eller taget tilbage, vises ikke.",
    ),
    "leader": Words("leader", "udspil"),
    "order": Words("F–M–B", "F–M–B"),
    "played_on": Words("played on", "spillet videre"),
    "pays": Words("pays {name}", "betaler {name}"),
    "sets_aside": Words("sets aside", "lægger til side"),
    "the_pool": Words("the pool", "puljen"),
    "pool_was": Words(
        "The pool held {before} and now holds {after}.", "Der lå {before} i puljen, nu ligger der {after}."
    ),
    "reserved": Words("Set aside: {puestas}.", "Sat til side: {puestas}."),
    "nobody_pays": Words("Nobody pays anything.", "Ingen betaler noget."),
    "from_each": Words("from each", "fra hver"),
    "to_each": Words("to each", "til hver"),
    "in_all": Words("in all", "i alt"),
    "deals": Words(
        "{count} deals: {sound} without fault, {faulty} with", "{count} spil: {sound} uden fejl, {faulty} med"
    ),
    "tricks": Words("tricks: {counts}", "stik: {counts}"),
    "and": Words("and", "og"),
}  # fmt: skip

STATISTICS: Final = {
    "total": Words(
        "{deals}, {entries}; {faulty} with a fault",
        "{deals}, {entries}; {faulty} med fejl",
    ),
    "left_out": Words("{count} left out that cannot be read", "{count} udeladt, som ikke kan læses"),
    "deals": Words("{deals}, {entries}", "{deals}, {entries}"),
    "deal": Words("{count} deal", "{count} spil"),
    "many_deals": Words("{count} deals", "{count} spil"),
    "entry": Words("{count} entry", "{count} post"),
    "many_entries": Words("{count} entries", "{count} poster"),
    "unknown_ruleset": Words("Rules that are not known here", "Regler, der ikke kendes her"),
    "unknown_contract": Words("not known", "ukendt"),
    "contract": Words("contract", "spil"),
    "played": Words("played", "spillet"),
    "other": Words("other", "andet"),
    "open": Words("open", "åbne"),
    "average": Words("a deal", "pr. spil"),
    "seat": Words("seat", "plads"),
    "declarer": Words("played", "spillet"),
    "chips": Words("chips", "jetoner"),
    "times": Words("times", "gange"),
    "severity": Words("severity", "alvor"),
    "kind": Words("kind", "art"),
    "in_deals": Words("deals", "spil"),
}  # fmt: skip
"""The headings and lines of ``stats``."""

NEXT: Final = {
    "bid": Words("{name} to call: {what}", "{name} melder: {what}"),
    "name": Words("{name} to name the contract: {what}", "{name} vælger: {what}"),
    "turn": Words("the talon's top card to be turned", "talonens øverste kort skal vendes"),
    "exchange": Words("{name} to exchange {least} to {most} cards", "{name} bytter {least} til {most} kort"),
    "draw": Words("{name} to draw {least}", "{name} køber {least}"),
    "play": Words("{name} to play: {what}", "{name} spiller: {what}"),
}
"""What is to happen next, by the action of ``legal``."""

LEDGER: Final = {
    "table": Words("Table", "Bord"),
    "table_in": Words("Table in {file}", "Bord i {file}"),
    "chip": Words("1 {chip} = {money}", "1 {chip} = {money}"),
    "closed": Words("closed", "afsluttet"),
    "dealer": Words("deals", "giver"),
    "pool": Words("pool", "pulje"),
    "total": Words("Total", "I alt"),
    "nothing": Words("Nothing has been dealt or paid yet.", "Der er ikke givet eller betalt noget endnu."),
    "by_hand": Words("{payer} to {receiver}", "{payer} til {receiver}"),
    "counts_not": Words("a payment that does not count", "en betaling, der ikke tæller"),
    "standings": Words("Standings", "Stillingen"),
    "penalties": Words("Penalty points", "Strafpoint"),
    "in_pool": Words("In the pool", "I puljen"),
    "set_aside": Words("{puestas} set aside", "{puestas} lagt til side"),
    "settled": Words("settled at the table", "afregnet ved bordet"),
    "for": Words("{player} for {before}", "{player} for {before}"),
    "shared": Words("Divided now: {shares}.", "Delt nu: {shares}."),
    "owes": Words("Who owes whom", "Hvem skylder hvem"),
    "even": Words("Nobody owes anything.", "Ingen skylder noget."),
    "due": Words(
        "Deal {number}: {dealer} deals; {forehand} is forehand, {middlehand} middlehand, {backhand} backhand",
        "Spil {number}: {dealer} giver; {forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd",
    ),
    "left": Words("Deals left of {planned}: {count}.", "Spil tilbage af {planned}: {count}."),
    "more_found": Words(
        "… and {count} more, which spadille validate tells.",
        "… og {count} til, som spadille validate viser.",
    ),
}
"""The ledger of a table."""

SOMEBODY: Final = Words("somebody", "nogen")

SEVERITIES: Final = {
    "impossible": Words("impossible", "umuligt"),
    "error": Words("error", "fejl"),
    "warning": Words("warning", "advarsel"),
    "info": Words("info", "oplysning"),
}

REASONS: Final = (
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

ENDS: Final = {
    "won": "vundet", "lost": "tabt", "bête": "bet", "kodille": "kruk", "made": "taget", "failed": "glippet",
}  # fmt: skip

CHIPS: Final = {
    "bit": "bits",
    "bet": "bet",
    "ficha": "fichas",
    "chip": "chips",
    "jeton": "jetoner",
    "fish": "fish",
    "fisk": "fisk",
}
"""Many of a ruleset's chip; one that is not here stands as it is."""
