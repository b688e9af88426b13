"""A row that somebody types from paper, cell by cell: what it says of a deal, what is wrong, what is missing.

The words are those of a club's sheet, and beside them a name's or a contract's first letters. A cell that
cannot be read spoils no other, and a row that is not filled in yet is no fault.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.cards import SEATS, SUIT_OF, SUITS, Seat, Suit
from engine.core.events import ResultRecorded
from engine.play.phases import FIXED, trumps_open
from engine.rulesets import Rules
from engine.rulesets.model import Contract
from engine.tables import Seating, seated
from schemas.spreadsheet import cells, words
from schemas.spreadsheet.company import Company
from schemas.spreadsheet.phrases import Misfit, Tongue, told_of
from schemas.spreadsheet.shorts import by_short
from schemas.spreadsheet.words import contracts_of, folded
from schemas.wire.faults import WireError

Value = TypeVar("Value")

COLUMNS: Final = (
    "number", "dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras", "note", "paper",
)  # fmt: skip
"""The cells of a row; ``outcome`` takes a word or tricks, ``paper`` is what the paper says of the chips."""
PLANNED: Final = ("number", "dealer", "sits_out")
"""Cells that say what the table knows already: a row with nothing else is blank."""

_tricks: Final = re.compile(r"\+?[0-9?][0-9?\s+/:;,.|–—-]*").search
_estuches: Final = re.compile(r"([0-9]{1,2})\s*([^\W\d]*)").fullmatch
_between_extras: Final = re.compile(r"\s*[,;+/]\s*")
SIGNS: Final = {"+": "won", "-": "bete", "−": "bete", "–": "bete"}


class CellFault(NamedTuple):
    """Why a cell cannot be read: what stands there, what should, and the sentence that says both."""

    column: str
    read: str
    expected: str
    message: str


class Typed(NamedTuple):
    """What a row says.

    ``seating``: who sits where, by what it says and else as it is due; ``result`` None where it is not
    whole: ``missing`` names the cells, ``faults`` those that cannot be read. ``blank``: nothing but what the
    table knows stands in it.
    """

    number: int
    seating: Seating
    result: ResultRecorded | None
    note: str
    blank: bool
    missing: tuple[str, ...]
    faults: tuple[CellFault, ...]


class Frame(NamedTuple):
    """What all rows of a pile have in common: rules, players, the languages of whoever types.

    ``contracts``: those of the rules by everything that they may be called, abbreviations too.
    """

    rules: Rules
    company: Company
    tongue: Tongue
    contracts: Mapping[str, str]


def frame_of(rules: Rules, called: Mapping[str, Sequence[str]], lang: str) -> Frame:
    """The frame for a table by ``rules``, whose players are ``called`` so, in the order of play."""
    contracts = {**by_short(rules, lang), **contracts_of(rules)}
    return Frame(rules, Company(called), Tongue(lang, lang), contracts)


def contract_named(text: str, frame: Frame) -> tuple[str, Suit | None]:
    """A contract, with trumps that stand beside it: by a word, an abbreviation, or its first letters."""
    word = folded(text)
    try:
        return cells.contract(text, frame.rules, frame.contracts)
    except WireError:
        meant = {contract for name, contract in frame.contracts.items() if word and name.startswith(word)}
        begun = [one for one in frame.rules.contracts if one in meant]
        if not begun:
            raise
    if len(begun) == 1:
        return begun[0], None
    titles = [frame.rules.contracts[one].words[frame.tongue.lang] for one in begun]
    raise Misfit(text, "which_contract", contracts=", ".join(titles))


def suit(text: str) -> Suit:
    """A suit, also by its first letters."""
    word = folded(text)
    begun = {found for name, found in words.SUIT_OF.items() if word and name.startswith(word)}
    return SUIT_OF[begun.pop()] if word not in words.SUIT_OF and len(begun) == 1 else cells.suit(text)


class RowReader:
    """One row, read once."""

    def __init__(self, row: Mapping[str, str], frame: Frame) -> None:
        self.row, self.frame = row, frame
        self.rules, self.company, self.tongue = frame.rules, frame.company, frame.tongue
        self.faults: list[CellFault] = []

    def text(self, column: str) -> str:
        """What stands in a cell, "" where nothing does."""
        text = self.row.get(column, "").strip()
        return "" if text in words.BLANK and column != "outcome" else text

    def take(self, column: str, read: Callable[[str], Value]) -> Value | None:
        """What a cell says; None where nothing stands there, or what does is told as a fault."""
        text = self.text(column)
        try:
            return read(text) if text else None
        except WireError as error:
            self.faults.append(CellFault(column, *told_of(error, self.tongue)))
            return None

    def refuse(self, column: str, phrase: str, sentence: str = "", **parts: object) -> None:
        """Tells of a cell that can be read, and does not fit; by a ``sentence`` where it has its own."""
        fault = Misfit(self.text(column), phrase, **parts)
        if sentence:
            fault.saying(sentence)
        self.faults.append(CellFault(column, *told_of(fault, self.tongue)))

    def typed(
        self, number: int, due: Callable[[int], Seating], game: Sequence[str], taken: frozenset[int]
    ) -> Typed:
        """What the row says. ``number`` is the next deal's, of the ``game`` of these players.

        ``due``: who sits where in the deal of a number; ``taken``: numbers that other deals have.
        """
        stated = self.take("number", lambda text: cells.ordinal(text.rstrip("."))) or number
        if stated in taken:
            self.refuse("number", "new_number")
        seating = self._seating(due(stated), game)
        blank = not any(self.text(column) for column in COLUMNS if column not in (*PLANNED, "paper"))
        result, missing = (None, ()) if blank else self._result(seating, stated)
        note = self.take("note", cells.note) or ""
        whole = None if missing or self.faults else result
        return Typed(stated, seating, whole, note, blank, missing, tuple(self.faults))

    # Who sits where

    def _seating(self, due: Seating, game: Sequence[str]) -> Seating:
        dealer = self.take("dealer", lambda text: self.company.find(text, game)) or due.dealer
        planned = due if dealer == due.dealer else seated(game, dealer, self.rules.ruleset) or due
        out = self.take("sits_out", lambda text: self._out(text, game, len(planned.sitting_out)))
        if not out or set(out) == set(planned.sitting_out):
            return planned
        start = game.index(dealer)
        in_order = [game[(start + step) % len(game)] for step in range(1, len(game) + 1)]
        forehand, middlehand, backhand = (one for one in in_order if one not in out)
        return Seating(dealer, forehand, middlehand, backhand, tuple(one for one in in_order if one in out))

    def _out(self, text: str, game: Sequence[str], count: int) -> tuple[str, ...]:
        parts = [part for part in cells.parted(re.sub(r"\s+(?:og|and)\s+|[;/&+]", ",", text)) if part]
        found = tuple(dict.fromkeys(self.company.find(part, game) for part in parts))
        if len(found) != count:
            raise Misfit(text, "sitters", count=count, players=self.company.shown(game))
        return found

    # How it ended

    def _result(self, seating: Seating, number: int) -> tuple[ResultRecorded | None, tuple[str, ...]]:
        if self._all_passed():
            return ResultRecorded(outcome="passed_out"), ()
        declarer = self.take("declarer", lambda text: self._seat(text, seating, number))
        named = self.take("contract", lambda text: contract_named(text, self.frame))
        contract, trump = self._game(named)
        outcome, counts, slam = self._ending(declarer)
        extras = self.take("extras", self._extras) or ResultRecorded()
        ended = bool(self.text("outcome")) or extras.slam == "made"
        stands = {"contract": self.text("contract"), "declarer": self.text("declarer"), "outcome": ended}
        missing = tuple(column for column, there in stands.items() if not there)
        result = ResultRecorded(
            # A slip that says no more than that all nine were taken says that it was won.
            outcome=outcome or ("won" if extras.slam == "made" and not counts else None),
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=counts,
            slam=slam or extras.slam,
            primeras=extras.primeras,
            estuches=extras.estuches,
        )
        return result, missing

    def _all_passed(self) -> bool:
        """Whether the row says that all have passed; what says otherwise beside that is refused."""
        said = {
            column: self.text(column) for column in ("contract", "declarer", "outcome", "trump", "extras")
        }
        found = {column: text for column, text in said.items() if text not in words.BLANK}
        passed = [
            column for column, text in found.items() if words.OUTCOME_OF.get(folded(text)) == "passed_out"
        ]
        nobody = folded(said["declarer"]) in words.NOBODY
        rest = [column for column in found if column not in passed and not (column == "declarer" and nobody)]
        if "contract" in passed:
            for column in rest:
                self.refuse(column, "nobody", sentence="passed_alone")
            return True
        return bool(passed) and not rest

    def _seat(self, text: str, seating: Seating, number: int) -> Seat:
        word = words.SEAT_OF.get(folded(text))
        begins = any(self.company.begins(one, folded(text)) for one in seating.active)
        if word is not None and not begins:
            return SEATS[tuple(words.SEATS).index(word)]
        out = [one for one in seating.sitting_out if self.company.begins(one, folded(text))]
        if len(out) == 1 and not begins:
            players = self.company.shown(seating.active)
            player = self.company.shown(out)
            fault = Misfit(text, "plays", player=player, number=number, players=players)
            raise fault.saying("sits_out_there")
        return SEATS[seating.active.index(self.company.find(text, seating.active, "seat"))]

    def _game(self, named: tuple[str, Suit | None] | None) -> tuple[str | None, Suit | None]:
        """The contract as it is recorded, with its trumps where those do not follow from it."""
        beside = None if named is None else named[1]
        stated = self.take("trump", suit)
        if None not in (beside, stated) and beside != stated:
            self.refuse("trump", "same_suit")
        trump = stated if beside is None else beside
        if named is None:
            return None, trump
        contract = self.rules.contracts[cells.as_played(named[0], trump, self.rules)]
        return contract.id, self._trump(contract, trump, "contract" if stated is None else "trump")

    def _trump(self, contract: Contract, trump: Suit | None, column: str) -> Suit | None:
        """The trumps as they are recorded; ``column`` is the cell in which the suit stands."""
        if trump is None or contract.trump in ("chosen-after-draw", "turned"):
            return trump
        title = contract.words[self.tongue.lang]
        suits = trumps_open(self.rules, contract)
        if trump in suits:
            return None if contract.trump in FIXED else trump
        if suits:
            told = ", ".join(words.SUITS[SUITS[one]][self.tongue.lang == "da"] for one in sorted(suits))
            self.refuse(column, "trumps_of", contract=title, suits=told)
        elif contract.trump == "none":
            self.refuse(column, "no_trumps", sentence="has_no_trumps", contract=title)
        else:
            self.refuse(column, "no_suit", contract=title)
        return None

    def _ending(self, declarer: Seat | None) -> tuple[str | None, cells.Counts, str | None]:
        text = self.text("outcome")
        tricks = _tricks(text)
        counted = tricks.group(0).strip() if tricks else ""
        said = text.replace(counted, "").strip() if counted else text
        if folded(said) in words.TOUTS:
            return "won", (), "made"
        outcome = self.take("outcome", lambda _: outcome_of(said)) if said else None
        if not counted or (declarer is None and self.text("declarer")):
            return outcome, (), None
        # Whose tricks they are is known once a declarer stands there.
        seat = SEATS[0] if declarer is None else declarer
        return outcome, self.take("outcome", lambda _: cells.tricks(counted, seat)) or (), None

    def _extras(self, text: str) -> ResultRecorded:
        """All nine, the first five, estuches: with commas between."""
        fields: dict[str, Any] = {}
        for part in _between_extras.split(text):
            fields |= self._extra(part, text) if part else {}
        return ResultRecorded(**fields)

    def _extra(self, part: str, text: str) -> dict[str, Any]:
        word, ruleset = folded(part), self.rules.ruleset
        if ruleset.slam is not None and (slam := slam_in(word)):
            return {"slam": slam}
        if ruleset.pool is not None:
            if word in PRIMERAS:
                return {"primeras": True}
            number = _estuches(part)
            if number and (not number.group(2) or ESTUCHES.startswith(folded(number.group(2))[:3])):
                return {"estuches": int(number.group(1))}
        raise Misfit(text, "extra", extras=", ".join(extras_of(self.rules, self.tongue.lang)))


def outcome_of(text: str) -> str:
    """How a deal ended: by a word, its first letters, or a sign; by tricks it is for the rules to say.

    Raises `Misfit`.
    """
    if text in SIGNS:
        return SIGNS[text]
    word = folded(text)
    known = {found for name, found in words.OUTCOME_OF.items() if word and name.startswith(word)}
    if word not in words.OUTCOME_OF and len(known) == 1:
        return known.pop()
    if word in words.OUTCOME_OF:
        return words.OUTCOME_OF[word]
    raise Misfit(text, "ending")


PRIMERAS: Final = frozenset(map(folded, ("p", *words.COLUMNS["primeras"].spellings)))
ESTUCHES: Final = "estuche"
_SLAM: Final = re.compile(r"(?:tout|vole|allnine|alleni|t|v)?(.*)").fullmatch


def slam_in(word: str) -> str | None:
    """Whether a word says that all nine were made or failed: "tout", "tout glippet", "failed"."""
    if word in (*words.TOUTS, "t"):
        return "made"
    said = _SLAM(word)
    return (words.SLAM_OF.get(said.group(1)) if said else None) or words.SLAM_OF.get(word) or None


def extras_of(rules: Rules, lang: str) -> list[str]:
    """What the cell ``extras`` takes by these rules, as it is written in that language."""
    danish, found = lang == "da", []
    if rules.ruleset.slam is not None:
        made, failed = words.SLAMS["made"][danish], words.SLAMS["failed"][danish]
        found += [f"tout {made}", f"tout {failed}"]
    if rules.ruleset.pool is not None:
        found.append(words.COLUMNS["primeras"].words[lang])
        unit = words.COLUMNS["estuches"].words[lang]
        found += [f"{number} {unit}" for number in range(3, rules.ruleset.pool.estuches_most + 1)]
    return found
