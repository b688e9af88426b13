"""Findings: every way in which a record breaks the rules or contradicts itself (DESIGN 5)."""

from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, Seat
from engine.core.field_types import Seq
from engine.core.message import Message, Term
from engine.play.state import State

SEVERITIES: Final = ("impossible", "error", "warning", "info")
FAULT_SEVERITIES: Final = SEVERITIES[:2]
"""The severities that make a record faulty."""

CODES_BY_SEVERITY: Final[dict[str, dict[str, str]]] = {
    "impossible": {
        "unknown_card": "A code that is no card of the pack.",
        "card_duplicated": "The same card in two places, or twice in one.",
        "hand_size": "A hand with more or fewer cards than it can have then.",
        "hand_mismatch": "A stated hand lacks a card that is certainly in it.",
        "card_not_held": "A card leaves a hand that cannot have held it.",
        "talon_mismatch": "A card drawn or turned that is not the one in that place of the talon.",
        "contradiction": "Entries whose cards cannot all be as recorded, hidden ones among them.",
        "misprint_likely": "A card that is written wrongly, as the rest of the record shows.",
        "trick_mismatch": "A trick number that the record has already passed, or that does not exist.",
    },
    "error": {
        "wrong_phase": "An act that does not belong to this part of the deal.",
        "wrong_seat": "An act by a seat that is not in turn.",
        "bid_too_low": "A bid that does not outbid the standing bid.",
        "bid_not_allowed": "A call that this seat may not make.",
        "contract_not_allowed": "A contract or a trump suit that the winning bid does not allow.",
        "exchange_not_allowed": "An exchange, or a look at the talon, by a seat that has no right to it.",
        "exchange_count": "Fewer cards exchanged than required, or more than allowed.",
        "exchange_mismatch": "The numbers of cards drawn and discarded differ.",
        "revoke": "A card that does not follow suit, from a hand that has to.",
        "slam_not_allowed": "All nine tricks announced where the rules do not have it, or too late.",
        "abandon_not_allowed": "A deal given up by a player, at a time or for a price that the rules do "
        "not allow.",
        "reserve_not_allowed": "A puesta set aside by a player who may not, or from too small a pool.",
        "claim_not_possible": "A claim whose tricks are impossible.",
        "result_mismatch": "A recorded result that the cards, or its own figures, contradict.",
        "settlement_mismatch": "A payment that is not what the rules say.",
        "pool_mismatch": "A pool that is not what the earlier deals left, or from which more is taken "
        "than it holds.",
        "entry_doubled": "An entry that repeats an earlier one, of something that happened once.",
        "entry_missing": "An act, such as a card played, that was not entered before the entry that "
        "follows it.",
        "seat_mistaken": "An entry that belongs to another seat, as the rest of the record shows.",
        "contract_mistaken": "A contract or trump suit that was another, as the rest of the record shows.",
        "order_mistaken": "Two neighbouring entries that have changed places.",
        "deal_doubled": "A deal of a table that was entered before, under another number.",
        "correction_not_possible": "A correction or withdrawal of an entry that does not exist.",
        "unknown_ruleset": "A ruleset or revision that is unknown here: nothing can be judged.",
    },
    "warning": {
        "unknown_switch": "A house rule that the ruleset does not have, or that is set twice; it has no "
        "effect.",
        "seating_mismatch": "Players whose seats do not follow from the order of the deals, or who sit "
        "in two places.",
        "table_mismatch": "An entry of a table that does not fit those before it, or that is impossible.",
        "number_missing": "A number that is missing between those of a table's deals.",
        "deal_unfinished": "A deal of a table whose end or closing was not recorded, although the table "
        "went on.",
        "beginning_missing": "A variation of a deal that is not here, or that has no such point: what "
        "came before is unknown.",
        "penalty_possible": "Something for which the director may give a penalty.",
    },
    "info": {
        "incomplete": "Entries are missing, or the record ends before the deal does.",
        "entry_after_close": "An entry of a table after its closing.",
        "matador_withheld": "A trump lead not followed from a hand with matadors, called a revoke: "
        "what their privilege excuses.",
        "play_after_end": "Cards played after the end of the deal; they do not count.",
    },
}
FINDING_CODES: Final = {
    code: (severity, text) for severity, codes in CODES_BY_SEVERITY.items() for code, text in codes.items()
}
"""The usual severity and the meaning of each code."""

CARD_FINDING_CODES: Final = frozenset(
    ("unknown_card", "card_duplicated", "hand_size", "hand_mismatch", "card_not_held", "talon_mismatch",
     "contradiction")
)  # fmt: skip
"""Codes of findings that a card cannot have been where the record has it."""


class Finding(NamedTuple):
    """One way in which the record breaks a rule or contradicts itself.

    ``seq`` is the entry that broke the rule, ``evidence`` the entries that show it; ``rule`` names the
    section of the rules; ``message`` is English and remembers how it was made. ``about`` distinguishes faults
    of one code at one entry: the card, or another subject of the fault.
    """

    seq: Seq
    code: str
    severity: str
    seat: Seat | None
    message: Message
    rule: str
    evidence: tuple[Seq, ...]
    about: str | None = None


_SEATS: Final = tuple(Term("seat", name) for name in SEAT_NAMES)

Findings = tuple[Finding, ...]
NO_FINDINGS: Final[Findings] = ()


def card_findings(findings: Findings) -> Findings:
    """The impossible findings about cards alone: empty if each card can have been where the record has it."""
    return tuple(one for one in findings if one.code in CARD_FINDING_CODES)


def build_finding(
    seq: Seq,
    code: str,
    message: Message,
    rule: str,
    seat: Seat | None = None,
    evidence: tuple[Seq, ...] = (),
    about: str | None = None,
) -> Finding:
    """Build a finding with its code's usual severity; ``seq`` is always part of its evidence."""
    shown = dict.fromkeys((*evidence, seq))
    return Finding(seq, code, FINDING_CODES[code][0], seat, message, rule, tuple(shown), about)


def player_or_seat(state: State, seat: Seat) -> str:
    """The name of a seat in messages: its player, or the seat itself if no player is named."""
    return state.opening.players.at(seat) or seat_term(seat)


def seat_term(seat: Seat) -> Term:
    """The name of a place at the table in messages."""
    return _SEATS[seat]
