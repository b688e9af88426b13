"""Labels, headings and phrases that several modules use.

The names of bids and contracts belong to a ruleset; cards, seats, calls and outcomes are in
`schemas.i18n.card_words`.
"""

from typing import Final

from schemas.i18n.catalogs import gettext

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
    "played": "Hands in the play",
    "now": "Hands now",
    "score": "Score",
    "findings": "Findings",
    "next": "Next",
}

LABEL_PHRASES: Final = {
    "deal": "deal {number}",
    "entry": "entry {seq}",
    "open": "not decided yet",
    "unrecorded": "not known",
    "table": "table {value}",
    "board": "board {value}",
    "dealer": "{value} deals",
    "pool": "{value} in the pool",
    "sits_out": "sits out: {value}",
    "pays": "pays {name}",
}

NEXT_ACTION_PHRASES: Final = {
    "bid": "{name} to call: {what}",
    "name": "{name} to name the contract: {what}",
    "turn": "the talon's top card to be turned",
    "exchange": "{name} to exchange {least} to {most} cards",
    "draw": "{name} to draw {least}",
    "play": "{name} to play: {what}",
}
"""What happens next, by the action of `engine.legal`."""

SOMEBODY: Final = "somebody"


def set_aside_sentence(reason: str, lang: str) -> str:
    """Say that a table counts nowhere, and why if that was said."""
    if not reason:
        return gettext("This table is set aside and counts nowhere.", lang)
    return gettext("This table is set aside and counts nowhere: {reason}", lang).format(reason=reason)
