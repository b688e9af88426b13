"""Read the cells of a row about one deal: a row of a club's sheet, or a slip typed from paper.

Both have the same words, or the first letters of them. An unreadable cell spoils no other.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.cards import SEAT_NAMES, SEATS, SUIT_LETTERS, Seat, Suit
from engine.core.events import ResultRecorded
from engine.play.phases import trump_choices
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract
from engine.tables import Seating
from schemas.i18n.catalogs import gettext, localize
from schemas.spreadsheet import cell_parsers, sheet_words
from schemas.spreadsheet.cell_parsers import Ending
from schemas.spreadsheet.player_lookup import PlayerNames
from schemas.spreadsheet.sheet_messages import CellValueError, SheetLanguages
from schemas.spreadsheet.sheet_words import fold_word
from schemas.wire.wire_faults import quote_value

Value = TypeVar("Value")
CHOSEN_TRUMPS: Final = ("chosen-after-draw", "turned")
"""How trumps are found where any suit is possible."""
PASS_COLUMNS: Final = ("contract", "declarer", "outcome", "tricks", "trump", "extras")
"""Cells that say that all passed, or are empty where all passed."""
PRIMERAS_WORDS: Final = frozenset(map(fold_word, ("p", *sheet_words.SHEET_COLUMNS["primeras"].spellings)))
ESTUCHE_WORD: Final = "estuche"
_match_estuches: Final = re.compile(r"([0-9]{1,2})\s*([^\W\d]*)").fullmatch
_between_extras: Final = re.compile(r"\s*[,;+/]\s*")


class RowContext(NamedTuple):
    """What all rows of a sheet, or of a slip batch, share.

    ``contract_by_word``: the contracts of the rules by all their names and abbreviations. ``names``: of the
    players at the table; a sheet, which names them in each row, has none here.
    """

    rules: CompiledRuleset
    languages: SheetLanguages
    contract_by_word: Mapping[str, str]
    names: PlayerNames


def build_row_context(
    rules: CompiledRuleset,
    languages: SheetLanguages,
    names_by_player: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> RowContext:
    """The context of rows under these rules; typed rows have the players of their table, in order of play."""
    contract_by_word = {
        **sheet_words.contract_by_abbreviation(rules, languages.sheet_lang),
        **sheet_words.build_contract_by_word(rules),
    }
    return RowContext(rules, languages, contract_by_word, PlayerNames(names_by_player))


class RowFault(NamedTuple):
    """What is wrong in a row, in a column or as a whole; it may contradict the rules and lose nothing."""

    column: str | int | None
    error: CellValueError
    loses_data: bool = True


class RowReader:
    """Reads the cells of one row, by column, into what they say; empty cells are left out."""

    def __init__(self, cells: Mapping[Any, str], context: RowContext) -> None:
        self.cells, self.context, self.rules, self.names = cells, context, context.rules, context.names
        self.faults: list[RowFault] = []
        self.stated_contract: str | None = None

    def read(self, column: str | int, parse: Callable[..., Value], *arguments: Any) -> Value | None:
        """Read a cell with ``parse(text, *arguments)``; None if it is empty or reported as a fault."""
        text = self.cells.get(column)
        try:
            return parse(text, *arguments) if text else None
        except CellValueError as error:
            self.faults.append(RowFault(column, error))
            return None

    def add_fault(
        self,
        column: str | int | None,
        expected: str,
        message: str = "",
        *,
        text: str | int | None = None,
        loses_data: bool = True,
        **parts: Any,
    ) -> None:
        """Report what stands in a cell, or that nothing does; see `CellValueError`."""
        text = self.cells.get(column, "") if text is None else text
        self.faults.append(RowFault(column, CellValueError(text, expected, message, **parts), loses_data))

    def read_number(self, next_number: int, taken_numbers: Container[int]) -> int:
        """The number of the deal, by default the next one; report a number of another deal."""
        stated = self.read("number", cell_parsers.parse_deal_number)
        if stated in taken_numbers:
            self.add_fault("number", "a number that no other deal has", loses_data=False)
        return stated or next_number

    # How it ended

    def read_result(
        self, seating: Seating, number: int, assumed_declarer: Seat | None = None
    ) -> ResultRecorded:
        """Read how the deal ended; tricks are those of ``assumed_declarer`` if no declarer is stated."""
        extras = self.read("extras", self._parse_extras) or ResultRecorded()
        extras = replace(
            extras,
            slam=extras.slam or self.read("slam", cell_parsers.parse_slam) or None,
            primeras=extras.primeras or self.read("primeras", cell_parsers.parse_flag),
            estuches=extras.estuches or self.read("estuches", cell_parsers.parse_count),
        )
        if self._is_passed_out(seating):
            return replace(extras, outcome="passed_out")
        declarer = self.read("declarer", self._parse_seat, seating, number)
        contract, trump = self._read_contract()
        is_unreadable = declarer is None and "declarer" in self.cells
        ending = self._read_ending(
            SEATS[0] if is_unreadable else assumed_declarer if declarer is None else declarer
        )
        if is_unreadable:
            ending = ending._replace(tricks=())  # nobody knows whose they are
        if ending.slam and extras.slam == "failed":
            outcome = quote_value(self.cells.get("outcome") or self.cells["tricks"])
            column = "slam" if "slam" in self.cells else "extras"
            self.add_fault(column, "that it was made, or nothing, as {outcome} says it was", outcome=outcome)
        return replace(
            extras,
            outcome=ending.outcome,
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=ending.tricks,
            slam=ending.slam or extras.slam,
        )

    def list_missing(self, result: ResultRecorded) -> tuple[str, ...]:
        """The cells that are still empty where a result is whole."""
        if result == ResultRecorded(outcome="passed_out"):
            return ()
        missing = tuple(column for column in ("contract", "declarer") if column not in self.cells)
        has_ended = "outcome" in self.cells or "tricks" in self.cells or result.slam == "made"
        return missing if has_ended else (*missing, "outcome")

    def _is_passed_out(self, seating: Seating) -> bool:
        """Whether the row says that all passed; report cells that say otherwise."""
        found = {
            column: fold_word(self.cells[column])
            for column in PASS_COLUMNS
            if self.cells.get(column, "") not in sheet_words.BLANK_CELLS
        }
        passed = {
            column for column, word in found.items() if sheet_words.OUTCOME_BY_WORD.get(word) == "passed_out"
        }
        if any(self.names.has_name(one, self.cells.get("declarer", "")) for one in seating.active):
            passed -= {"declarer"}
        elif found.get("declarer") in sheet_words.NOBODY_WORDS:
            del found["declarer"]
        rest = [column for column in found if column not in passed]
        if "contract" in passed:
            for column in rest:
                message = "Where all passed nothing else stands: delete {read}, or write what was played."
                self.add_fault(column, "nothing", message)
            return True
        return bool(passed) and not rest

    def _parse_seat(self, text: str, seating: Seating, number: int) -> Seat:
        names, seat_name = self.names, sheet_words.SEAT_NAME_BY_WORD.get(fold_word(text))
        matches, out = (names.list_matches(text, one) for one in (seating.active, seating.sitting_out))
        # A letter in a sheet is a seat; in a typed row it may begin a name.
        is_sheet = not self.context.names.names_by_player
        is_name = any(names.has_name(one, text) for one in matches) if is_sheet else bool(matches)
        if seat_name is not None and not is_name:
            return SEATS[SEAT_NAMES.index(seat_name)]
        if len(out) == 1 and not matches:
            players = names.format_names(seating.active)
            raise CellValueError(
                text,
                "one of those who play: {players}",
                "{player} sits out in deal {number}: write one of {players}, or change who sits out.",
                player=names.format_names(out),
                number=number,
                players=players,
            )
        player = names.find(text, seating.active, "one of {players}, or {seats}{meant}")
        return SEATS[seating.active.index(player)]

    def _read_contract(self) -> tuple[str | None, Suit | None]:
        """The contract to record, and the trumps that the row states."""
        named = self.read("contract", cell_parsers.parse_contract, self.rules, self.context.contract_by_word)
        self.stated_contract, implied = named or (None, None)
        stated = self.read("trump", cell_parsers.parse_suit)
        if None not in (implied, stated) and implied != stated:
            self.add_fault("trump", "the suit of the contract")
        trump = stated if implied is None else implied
        if self.stated_contract is None:
            return None, trump
        contract = self.rules.contracts[
            cell_parsers.recorded_contract_id(self.stated_contract, trump, self.rules)
        ]
        if trump is not None and contract.trump not in CHOSEN_TRUMPS:
            self._check_trump(contract, trump, "contract" if stated is None else "trump")
        return contract.id, trump

    def _check_trump(self, contract: Contract, trump: Suit, column: str) -> None:
        """Report a suit that the contract does not have; ``column`` is the cell with it."""
        suits, title = trump_choices(self.rules, contract), localize(contract.words)
        if trump in suits:
            return
        message = "{contract} has no trumps: leave the suit out." if contract.trump == "none" else ""
        expected = "one of the suits of {contract}: {suits}" if suits else "nothing, as {contract} says it"
        danish = self.context.languages.sheet_lang == "da"
        words = (sheet_words.SUIT_WORDS_BY_LETTER[SUIT_LETTERS[one]][danish] for one in sorted(suits))
        self.add_fault(column, expected, message, loses_data=False, contract=title, suits=", ".join(words))

    def _read_ending(self, declarer: Seat | None) -> Ending:
        """How it ended, by the outcome and the tricks, which may stand in one cell."""
        found = [
            self.read(column, self.parse_ending, declarer) or Ending() for column in ("outcome", "tricks")
        ]
        for outcome, tricks in zip(*found, strict=True):
            if outcome and tricks and outcome != tricks:
                outcome_text = quote_value(self.cells["outcome"])
                self.add_fault("tricks", "what {outcome} says, or nothing", outcome=outcome_text)
                break
        return Ending(*(outcome or tricks for outcome, tricks in zip(*found, strict=True)))

    def parse_ending(self, text: str, declarer: Seat | None) -> Ending:
        """How the deal ended, as one cell says."""
        return cell_parsers.parse_ending(text, declarer)

    def _parse_extras(self, text: str) -> ResultRecorded:
        """A slam, the first five tricks, estuches, with commas between them."""
        found, ruleset = ResultRecorded(), self.rules.ruleset
        for part in filter(None, _between_extras.split(text)):
            word, number, slam = fold_word(part), _match_estuches(part), None
            if ruleset.slam is not None:
                with suppress(CellValueError):
                    slam = cell_parsers.parse_slam(part)
            if slam is not None:
                found = replace(found, slam=slam or None)
            elif ruleset.pool is not None and word in PRIMERAS_WORDS:
                found = replace(found, primeras=True)
            elif ruleset.pool is not None and number and ESTUCHE_WORD.startswith(fold_word(number[2])[:3]):
                found = replace(found, estuches=int(number[1]))
            else:
                extras = ", ".join(list_extras_words(self.rules, self.context.languages.sheet_lang))
                raise CellValueError(text, "one of {choices}", choices=extras)
        return found


def list_extras_words(rules: CompiledRuleset, lang: str) -> list[str]:
    """What the cell ``extras`` takes by these rules, in that language."""
    danish, found = lang == "da", []
    if rules.ruleset.slam is not None:
        found += [f"tout {sheet_words.SLAM_WORDS_BY_ID[slam][danish]}" for slam in ("made", "failed")]
    if rules.ruleset.pool is not None:
        found.append(gettext(sheet_words.SHEET_COLUMNS["primeras"].words, lang))
        unit = gettext(sheet_words.SHEET_COLUMNS["estuches"].words, lang)
        found += [f"{number} {unit}" for number in range(3, rules.ruleset.pool.estuches_most + 1)]
    return found
