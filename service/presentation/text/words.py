"""The words of the command line: single terms, headings, labels.

What a ruleset calls its bids and contracts is its own; cards, seats, calls and outcomes stand in
``schemas.i18n.card_words``, sentences where they are used.
"""

from typing import Final

SUIT_SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

RESULT_PHRASES: Final = {
    "won": "{game}: {name} won",
    "bete": "{game}: {name} bête",
    "codille": "{game}: {name} codille",
    "passed_out": "all passed",
    "abandoned": "{game}: {name} gave up",
    "forfeited": "{game}: forfeited",
    "voided": "void",
}
"""How a deal ended, in one phrase."""

SECTION_HEADINGS: Final = {
    "dealt": "Hands as dealt",
    "talon": "Talon",
    "auction": "Auction",
    "exchange": "Exchange",
    "played": "Hands in the play",
    "now": "Hands now",
    "tricks": "Tricks (* wins)",
    "score": "Score",
    "possible": "Still possible",
    "findings": "Findings",
    "next": "Next",
}

LABEL_PHRASES: Final = {
    "deal": "deal {number}",
    "place_and_number": "deal {place} (number {number})",
    "entry": "entry {seq}",
    "shown_at": "shown at {seqs}",
    "open": "not decided yet",
    "ruled": "as the director ruled",
    "unrecorded": "not known",
    "unknown": "{count} unknown",
    "unknowns": "{count} unknown",
    "stands": "stands",
    "discards": "discards {cards}",
    "draws": "draws {cards}",
    "left": "left in the talon: {cards}",
    "table": "table {value}",
    "board": "board {value}",
    "dealer": "{value} deals",
    "pool": "{value} in the pool",
    "sits_out": "sits out: {value}",
    "corrected": "The record has been corrected: what was replaced or taken back is not shown.",
    "leader": "leader",
    "order": "F–M–B",
    "played_on": "played on",
    "pays": "pays {name}",
    "sets_aside": "sets aside",
    "the_pool": "the pool",
    "pool_was": "The pool held {before} and now holds {after}.",
    "reserved": "Set aside: {puestas}.",
    "nobody_pays": "Nobody pays anything.",
    "from_each": "from each",
    "to_each": "to each",
    "in_all": "in all",
    "deals": "{count} deals: {sound} without fault, {faulty} with",
    "tricks": "tricks: {counts}",
    "and": "and",
}

STATISTICS_PHRASES: Final = {
    "total": "{deals}, {entries}; {faulty} with a fault",
    "left_out": "{count} left out that cannot be read",
    "deals": "{deals}, {entries}",
    "deal": "{count} deal",
    "many_deals": "{count} deals",
    "entry": "{count} entry",
    "many_entries": "{count} entries",
    "unknown_ruleset": "Rules that are not known here",
    "unknown_contract": "not known",
    "contract": "contract",
    "played": "played",
    "other": "other",
    "open": "open",
    "average": "a deal",
    "seat": "seat",
    "declarer": "played",
    "chips": "chips",
    "times": "times",
    "severity": "severity",
    "kind": "kind",
    "in_deals": "deals",
}
"""The headings and lines of ``stats``."""

NEXT_ACTION_PHRASES: Final = {
    "bid": "{name} to call: {what}",
    "name": "{name} to name the contract: {what}",
    "turn": "the talon's top card to be turned",
    "exchange": "{name} to exchange {least} to {most} cards",
    "draw": "{name} to draw {least}",
    "play": "{name} to play: {what}",
}
"""What is to happen next, by the action of ``legal``."""

LEDGER_PHRASES: Final = {
    "table": "Table",
    "table_in": "Table in {file}",
    "chip": "1 {chip} = {money}",
    "closed": "closed",
    "dealer": "deals",
    "pool": "pool",
    "total": "Total",
    "nothing": "Nothing has been dealt or paid yet.",
    "by_hand": "{payer} to {receiver}",
    "counts_not": "a payment that does not count",
    "standings": "Standings",
    "penalties": "Penalty points",
    "in_pool": "In the pool",
    "set_aside": "{puestas} set aside",
    "settled": "settled at the table",
    "for": "{player} for {before}",
    "shared": "Divided now: {shares}.",
    "owes": "Who owes whom",
    "even": "Nobody owes anything.",
    "due": (
        "Deal {number}: {dealer} deals; {forehand} is forehand, {middlehand} middlehand, {backhand} backhand"
    ),
    "left": "Deals left of {planned}: {count}.",
    "more_found": "… and {count} more, which spadille validate tells.",
}
"""The ledger of a table."""

SOMEBODY: Final = "somebody"

SEVERITY_WORDS: Final = {
    "impossible": "impossible",
    "error": "error",
    "warning": "warning",
    "info": "info",
}

CHIP_PLURALS: Final = {"bit": "bits", "ficha": "fichas", "chip": "chips"}
"""Several of a ruleset's chip; one that is not here stands as it is."""
