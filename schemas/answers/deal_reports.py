"""What commands and routes answer about a whole deal: a report, and its replay entry by entry."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from engine import Audit, History, Log, State, effective, evolve, initial_state, legal, score
from engine.core.cards import BASTA, CARD_CODES, NO_TRUMP, SPADILLE, SUIT_BY_LETTER, Suit
from engine.core.events import DealOpened, Event, NoteAdded
from engine.core.field_types import Branch
from engine.core.ranking import suit_ladders
from engine.diagnosis.finding_caveats import add_caveats
from engine.play.amendments import Amendment, list_amendments
from engine.play.auction import PASS, SELF
from engine.play.phases import FIXED_TRUMPS
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, RulesetBook
from schemas.answers.states import (
    Json,
    finding_objects,
    legal_object,
    opening_object,
    score_object,
    state_object,
)
from schemas.i18n.catalogs import SOURCE_LANGUAGE, gettext
from schemas.logs.deal_size import FragmentEncoder, require_displayable
from schemas.wire.event_writer import entry_object

SUIT_ORDER: Final = "SHCD"
BLACK_ACES: Final = {int(SPADILLE): "S", int(BASTA): "B"}
"""How the black aces are written among the ranks of the trumps."""


def card_order_object(rules: CompiledRuleset) -> dict[str, Any]:
    """``suits`` by trump (a letter, ``none`` in a nolo, ``unknown``); ``nolos``: contracts without trumps."""
    trumps = {"unknown": None, "none": NO_TRUMP, **{suit: SUIT_BY_LETTER[suit] for suit in SUIT_ORDER}}
    return {
        "nolos": [contract.id for contract in rules.contracts.values() if contract.aim == "nolo"],
        "suits": {name: _ranks_by_suit(trump, rules) for name, trump in trumps.items()},
    }


def games_object(rules: CompiledRuleset, lang: str) -> dict[str, Any]:
    """``names`` of calls and contracts by id, in a language; ``implied_suits``: contracts with one suit."""
    words = {PASS: "pass", SELF: "self"}
    words |= {bid.id: bid.words for bid in rules.bids.values()}
    words |= {contract.id: contract.words for contract in rules.contracts.values()}
    return {
        "names": {game: gettext(name, lang) for game, name in words.items()},
        "implied_suits": [one.id for one in rules.contracts.values() if one.trump in FIXED_TRUMPS],
    }


def _ranks_by_suit(trump: Suit | None, rules: CompiledRuleset) -> dict[str, str]:
    """Each suit with its ranks, the highest first, such as ``S7BKQJA23456`` for trump hearts."""
    ladders = suit_ladders(trump, rules.ruleset.red_trumps, SUIT_ORDER)
    aces = {} if trump is None or trump == NO_TRUMP else BLACK_ACES
    # The lowest card of the trumps too is of their suit.
    return {
        CARD_CODES[ladder[-1]][0]: "".join(aces.get(card, CARD_CODES[card][1]) for card in ladder)
        for ladder in ladders
    }


def find_deal_opening(log: Log) -> DealOpened | None:
    """The event that opens the deal as the record has it now; None where there is none."""
    entries = effective(log).entries
    return next((entry.event for entry in entries if isinstance(entry.event, DealOpened)), None)


def branch_object(branch: Branch | None) -> Json | None:
    """Where a variation leaves another deal, as its opening says it; None where it does not."""
    return None if branch is None else asdict(branch)


def report_object(audit: Audit, file: str, number: int, lang: str = SOURCE_LANGUAGE) -> Json:
    """The report of one deal of a file: what it breaks, in the language ``lang``, and what it pays
    (DESIGN 6)."""
    return {
        "file": file,
        "deal": number,
        **opening_object(audit.state),
        "ok": audit.ok,
        "findings": finding_objects(add_caveats(audit), lang),
        "score": score_object(audit.score, lang),
    }


def replay_frames(
    history: History, book: RulesetBook = PUBLISHED_RULESETS, lang: str = SOURCE_LANGUAGE
) -> Iterator[Json]:
    """The deal entry by entry: each event with the state, legal actions and score after it."""
    state: State = initial_state(book)
    for entry in history.entries:
        state = evolve(state, entry)
        yield {
            "seq": entry.seq,
            "event": entry_object(entry),
            "state": state_object(state),
            "legal": legal_object(legal(state)),
            "score": score_object(score(state), lang),
        }


def _is_visible_note(event: Event) -> bool:
    """Whether an event is a note, and not the place of one whose words are hidden from who looks."""
    return isinstance(event, NoteAdded) and bool(event.text or event.mark)


def amendment_object(amendment: Amendment) -> Json:
    """A correction or a withdrawal, and what it took away."""
    return {
        "at": amendment.position_seq,
        "event": entry_object(amendment.entry),
        "before": [entry_object(entry) for entry in amendment.replaced_entries],
    }


def replay_object(audit: Audit, lang: str = SOURCE_LANGUAGE) -> Json:
    """Build one answer with a whole deal, for a replayer; ``lang`` is the language of its findings.

    The frames and the amendments are JSON already (`orjson.Fragment`). Raises `DealTooLarge`.
    """
    require_displayable(audit.history)
    opening = audit.state.opening
    opening_event = opening.event
    pieces = FragmentEncoder()
    seqs = {entry.seq for entry in audit.history.entries}
    amendments = (
        one for one in list_amendments(audit.history) if one.position_seq is None or one.position_seq in seqs
    )
    return {
        "title": getattr(opening_event, "title", None),
        "source": getattr(opening_event, "source", None),
        "ruleset": getattr(opening_event, "ruleset", None),
        "branch": branch_object(getattr(opening_event, "branch", None)),
        "direction": opening.rules.ruleset.direction,
        "card_order": card_order_object(opening.rules),
        "games": games_object(opening.rules, lang),
        "players": state_object(audit.state)["players"],
        "frames": [pieces.encode(frame) for frame in replay_frames(audit.history, opening.book, lang)],
        "mendings": [pieces.encode(amendment_object(one)) for one in amendments],
        "findings": finding_objects(add_caveats(audit), lang),
        "notes": [entry_object(entry) for entry in audit.history.entries if _is_visible_note(entry.event)],
        "score": score_object(audit.score, lang),
    }
