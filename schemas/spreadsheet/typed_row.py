"""Read a row that is typed from paper, cell by cell: what it says of a deal, what is wrong, what is missing.

The words are those of a club's sheet, or the first letters of a name or a contract. An unreadable cell spoils
no other, and a row that is not filled in yet is no fault.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.cards import SEAT_NAMES, SEATS, SUIT_BY_LETTER, SUIT_LETTERS, Seat, Suit
from engine.core.events import ResultRecorded
from engine.play.phases import FIXED_TRUMPS, trump_choices
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract
from engine.tables import Seating, seat_players
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import cell_parsers, sheet_words
from schemas.spreadsheet.player_lookup import PlayerNames
from schemas.spreadsheet.sheet_messages import (
    OUTCOME_CHOICES,
    CellValueError,
    SheetLanguages,
    describe_cell_error,
)
from schemas.spreadsheet.sheet_words import build_contract_by_word, contract_by_abbreviation, fold_word
from schemas.wire.wire_faults import WireError

Value = TypeVar("Value")

TYPED_ROW_COLUMNS: Final = (
    "number", "dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras", "note", "paper",
)  # fmt: skip
"""The cells of a row; ``outcome`` takes a word or tricks, ``paper`` the chips that the paper shows."""
PLANNED_COLUMNS: Final = ("number", "dealer", "sits_out")
"""Cells with what the table knows already: a row with nothing else is blank."""

_find_tricks: Final = re.compile(r"\+?[0-9?][0-9?\s+/:;,.|–—-]*").search
_match_estuches: Final = re.compile(r"([0-9]{1,2})\s*([^\W\d]*)").fullmatch
_between_extras: Final = re.compile(r"\s*[,;+/]\s*")
OUTCOME_BY_SIGN: Final = {"+": "won", "-": "bete", "−": "bete", "–": "bete"}


class CellFault(NamedTuple):
    """Why a cell cannot be read: what stands there, what should, and a sentence with both."""

    column: str
    read: str
    expected: str
    message: str


class TypedSlip(NamedTuple):
    """What a row says.

    ``seating``: as stated, else as planned. ``result`` None: it is not whole, as ``missing_columns`` and
    ``faults`` show. ``is_blank``: the row has nothing but what the table knows.
    """

    number: int
    seating: Seating
    result: ResultRecorded | None
    note: str
    is_blank: bool
    missing_columns: tuple[str, ...]
    faults: tuple[CellFault, ...]


class TypingContext(NamedTuple):
    """What all rows of a slip batch share.

    ``contract_by_word``: the contracts of the rules by all their names, including abbreviations.
    """

    rules: CompiledRuleset
    player_names: PlayerNames
    languages: SheetLanguages
    contract_by_word: Mapping[str, str]

    def find_player(self, text: str) -> str:
        """Find a player of the table. Raises `CellValueError`."""
        return self.player_names.find(text, tuple(self.player_names.names_by_player))


def build_typing_context(
    rules: CompiledRuleset, names_by_player: Mapping[str, Sequence[str]], lang: str
) -> TypingContext:
    """The context of a table; ``names_by_player`` has its players in the order of play."""
    contracts = {**contract_by_abbreviation(rules, lang), **build_contract_by_word(rules)}
    return TypingContext(rules, PlayerNames(names_by_player), SheetLanguages(lang, lang), contracts)


def find_contract(text: str, context: TypingContext) -> tuple[str, Suit | None]:
    """A contract by a word, an abbreviation, or its first letters, with trumps next to it."""
    try:
        return cell_parsers.parse_contract(text, context.rules, context.contract_by_word)
    except WireError:
        matching_ids = _find_by_first_letters(text, context.contract_by_word)
        candidates = [one for one in context.rules.contracts if one in matching_ids]
        if not candidates:
            raise
    if len(candidates) == 1:
        return candidates[0], None
    titles = [gettext(context.rules.contracts[one].words, context.languages.lang) for one in candidates]
    raise CellValueError(text, "which of them: {contracts}", contracts=", ".join(titles))


def _find_by_first_letters(text: str, meaning_by_word: Mapping[str, str]) -> set[str]:
    word = fold_word(text)
    return {meaning for name, meaning in meaning_by_word.items() if word and name.startswith(word)}


def _find_by_word_or_first_letters(text: str, meaning_by_word: Mapping[str, str]) -> str | None:
    """The meaning of a whole word, or of the only word that begins with the text."""
    found = _find_by_first_letters(text, meaning_by_word)
    return meaning_by_word.get(fold_word(text)) or (found.pop() if len(found) == 1 else None)


def parse_typed_suit(text: str) -> Suit:
    """A suit, also by its first letters."""
    letter = _find_by_word_or_first_letters(text, sheet_words.SUIT_LETTER_BY_WORD)
    return SUIT_BY_LETTER[letter] if letter else cell_parsers.parse_suit(text)


def parse_typed_outcome(text: str) -> str:
    """How a deal ended, by a word, its first letters, or a sign. Raises `CellValueError`."""
    outcome = OUTCOME_BY_SIGN.get(text) or _find_by_word_or_first_letters(text, sheet_words.OUTCOME_BY_WORD)
    if outcome is None:
        raise CellValueError(
            text,
            "how it ended ({outcomes}), or the declarer's tricks, or three numbers, the declarer's first: "
            "5-2-2",
            outcomes=OUTCOME_CHOICES,
        )
    return outcome


class TypedRowReader:
    """Reads one row."""

    def __init__(self, row: Mapping[str, str], context: TypingContext) -> None:
        self.row, self.context = row, context
        self.rules, self.player_names, self.languages, _ = context
        self.faults: list[CellFault] = []

    def cell_text(self, column: str) -> str:
        """The text in a cell; "" if there is none."""
        text = self.row.get(column, "").strip()
        return "" if text in sheet_words.BLANK_CELLS and column != "outcome" else text

    def read_column(self, column: str, read: Callable[..., Value], *context: Any) -> Value | None:
        """Read a cell with ``read(text, *context)``; None if it is empty or reported as a fault."""
        text = self.cell_text(column)
        try:
            return read(text, *context) if text else None
        except WireError as error:
            self._add_fault(column, error)
            return None

    def _add_fault(self, column: str, error: WireError) -> None:
        self.faults.append(CellFault(column, *describe_cell_error(error, self.languages)))

    def read_typed_slip(
        self,
        number: int,
        find_seating: Callable[[int], Seating],
        game_players: Sequence[str],
        taken_numbers: frozenset[int],
    ) -> TypedSlip:
        """Read the slip of the next deal, with this ``number``, of the game of ``game_players``.

        ``find_seating`` returns who sits where in the deal of a number; other deals have ``taken_numbers``.
        """
        stated = self.read_column("number", cell_parsers.parse_deal_number) or number
        if stated in taken_numbers:
            text = self.cell_text("number")
            self._add_fault("number", CellValueError(text, "a number that no other deal has"))
        seating = self._read_seating(find_seating(stated), game_players)
        blank = not any(map(self.cell_text, set(TYPED_ROW_COLUMNS) - {*PLANNED_COLUMNS, "paper"}))
        result, missing = (None, ()) if blank else self._read_result(seating, stated)
        note = self.read_column("note", cell_parsers.parse_note) or ""
        complete_result = None if missing or self.faults else result
        return TypedSlip(stated, seating, complete_result, note, blank, missing, tuple(self.faults))

    # Who sits where

    def _read_seating(self, expected_seating: Seating, game_players: Sequence[str]) -> Seating:
        dealer = self.read_column("dealer", self.player_names.find, game_players) or expected_seating.dealer
        planned_seating = expected_seating
        if dealer != expected_seating.dealer:
            planned_seating = seat_players(game_players, dealer, self.rules.ruleset) or expected_seating
        sitting_out = planned_seating.sitting_out
        out = self.read_column("sits_out", self._read_sitters, game_players, len(sitting_out))
        if not out or set(out) == set(sitting_out):
            return planned_seating
        after_dealer = game_players.index(dealer) + 1
        players_in_order = (*game_players[after_dealer:], *game_players[:after_dealer])
        forehand, middlehand, backhand = (one for one in players_in_order if one not in out)
        out_in_order = tuple(one for one in players_in_order if one in out)
        return Seating(dealer, forehand, middlehand, backhand, out_in_order)

    def _read_sitters(self, text: str, game_players: Sequence[str], count: int) -> tuple[str, ...]:
        parts = cell_parsers.split_at_commas(re.sub(r"\s+(?:og|and)\s+|[;/&+]", ",", text))
        found = tuple(dict.fromkeys(self.player_names.find(part, game_players) for part in parts))
        if len(found) != count:
            players = self.player_names.format_names(game_players)
            expected = "as many as sit out: {count} of {players}"
            raise CellValueError(text, expected, count=count, players=players)
        return found

    # How it ended

    def _read_result(self, seating: Seating, number: int) -> tuple[ResultRecorded | None, tuple[str, ...]]:
        if self._is_passed_out():
            return ResultRecorded(outcome="passed_out"), ()
        declarer = self.read_column("declarer", self._read_seat, seating, number)
        named_contract = self.read_column("contract", find_contract, self.context)
        contract, trump = self._recorded_contract(named_contract)
        outcome, counts, slam = self._read_ending(declarer)
        extras = self.read_column("extras", self._read_extras) or ResultRecorded()
        has_ended = self.cell_text("outcome") or extras.slam == "made"
        missing = tuple(column for column in ("contract", "declarer") if not self.cell_text(column))
        missing += () if has_ended else ("outcome",)
        result = ResultRecorded(
            # A slip that only says that all nine were taken says that it was won.
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

    def _is_passed_out(self) -> bool:
        """Whether the row says that all passed; report cells that say otherwise."""
        columns = ("contract", "declarer", "outcome", "trump", "extras")
        found = {
            column: fold_word(text)
            for column in columns
            if (text := self.cell_text(column)) not in sheet_words.BLANK_CELLS
        }
        passed = {one for one, word in found.items() if sheet_words.OUTCOME_BY_WORD.get(word) == "passed_out"}
        if found.get("declarer") in sheet_words.NOBODY_WORDS:
            del found["declarer"]
        rest = [column for column in found if column not in passed]
        if "contract" in passed:
            message = "Where all passed nothing else stands: delete {read}, or write what was played."
            for column in rest:
                self._add_fault(column, CellValueError(self.cell_text(column), "nothing", message))
            return True
        return bool(passed) and not rest

    def _read_seat(self, text: str, seating: Seating, number: int) -> Seat:
        word = fold_word(text)
        seat_name = sheet_words.SEAT_NAME_BY_WORD.get(word)
        begins, out = (
            [one for one in players if self.player_names.matches_start_or_initials(one, word)]
            for players in (seating.active, seating.sitting_out)
        )
        if seat_name is not None and not begins:
            return SEATS[SEAT_NAMES.index(seat_name)]
        if len(out) == 1 and not begins:
            players = self.player_names.format_names(seating.active)
            raise CellValueError(
                text,
                "one of those who play: {players}",
                "{player} sits out in deal {number}: write one of {players}, or change who sits out.",
                player=self.player_names.format_names(out),
                number=number,
                players=players,
            )
        player = self.player_names.find(text, seating.active, "one of {players}, or {seats}{meant}")
        return SEATS[seating.active.index(player)]

    def _recorded_contract(
        self, named_contract: tuple[str, Suit | None] | None
    ) -> tuple[str | None, Suit | None]:
        """The contract to record, with its trumps if they do not follow from it."""
        implied_trump = None if named_contract is None else named_contract[1]
        stated = self.read_column("trump", parse_typed_suit)
        if None not in (implied_trump, stated) and implied_trump != stated:
            text = self.cell_text("trump")
            self._add_fault("trump", CellValueError(text, "the suit of the contract"))
        trump = stated if implied_trump is None else implied_trump
        if named_contract is None:
            return None, trump
        contract = self.rules.contracts[
            cell_parsers.recorded_contract_id(named_contract[0], trump, self.rules)
        ]
        return contract.id, self._recorded_trump(contract, trump, "contract" if stated is None else "trump")

    def _recorded_trump(self, contract: Contract, trump: Suit | None, column: str) -> Suit | None:
        """The trumps to record; ``column`` is the cell with the suit."""
        if trump is None or contract.trump in ("chosen-after-draw", "turned"):
            return trump
        suits = trump_choices(self.rules, contract)
        if trump in suits:
            return None if contract.trump in FIXED_TRUMPS else trump
        self._add_fault(column, self._wrong_trump_error(self.cell_text(column), contract, suits))
        return None

    def _wrong_trump_error(self, text: str, contract: Contract, suits: Collection[Suit]) -> CellValueError:
        title = gettext(contract.words, self.languages.lang)
        if suits:
            suit_names = ", ".join(
                sheet_words.SUIT_WORDS_BY_LETTER[SUIT_LETTERS[one]][self.languages.lang == "da"]
                for one in sorted(suits)
            )
            expected = "one of the suits of {contract}: {suits}"
            return CellValueError(text, expected, contract=title, suits=suit_names)
        if contract.trump == "none":
            message = "{contract} has no trumps: leave the suit out."
            return CellValueError(text, "nothing", message, contract=title)
        return CellValueError(text, "nothing, as {contract} says it", contract=title)

    def _read_ending(
        self, declarer: Seat | None
    ) -> tuple[str | None, cell_parsers.TricksPerSeat, str | None]:
        text = self.cell_text("outcome")
        tricks = _find_tricks(text)
        counted = tricks.group(0).strip() if tricks else ""
        word = text.replace(counted, "").strip() if counted else text
        if fold_word(word) in sheet_words.TOUT_WORDS:
            return "won", (), "made"
        outcome = self.read_column("outcome", lambda _: parse_typed_outcome(word)) if word else None
        if not counted or (declarer is None and self.cell_text("declarer")):
            return outcome, (), None
        # Without a declarer the tricks are only checked.
        seat = SEATS[0] if declarer is None else declarer
        counts = self.read_column("outcome", lambda _: cell_parsers.parse_tricks(counted, seat))
        return outcome, counts or (), None

    def _read_extras(self, text: str) -> ResultRecorded:
        """A slam, the first five tricks, estuches, with commas between them."""
        fields: dict[str, Any] = {}
        for part in filter(None, _between_extras.split(text)):
            fields |= self._read_extra(part, text)
        return ResultRecorded(**fields)

    def _read_extra(self, part: str, text: str) -> dict[str, Any]:
        word, ruleset = fold_word(part), self.rules.ruleset
        if ruleset.slam is not None and (slam := parse_slam_word(word)):
            return {"slam": slam}
        if ruleset.pool is not None:
            if word in PRIMERAS_WORDS:
                return {"primeras": True}
            number = _match_estuches(part)
            if number and (not number.group(2) or ESTUCHE_WORD.startswith(fold_word(number.group(2))[:3])):
                return {"estuches": int(number.group(1))}
        extras = ", ".join(list_extras_words(self.rules, self.languages.lang))
        raise CellValueError(text, "one of {choices}", choices=extras)


PRIMERAS_WORDS: Final = frozenset(map(fold_word, ("p", *sheet_words.SHEET_COLUMNS["primeras"].spellings)))
ESTUCHE_WORD: Final = "estuche"
_slam_prefix: Final = re.compile(r"\A(?:tout|vole|allnine|alleni|t|v)").sub


def parse_slam_word(word: str) -> str | None:
    """Whether a word says that a slam was made or failed: "tout", "tout glippet", "failed"."""
    if word in (*sheet_words.TOUT_WORDS, "t"):
        return "made"
    rest = _slam_prefix("", word, count=1)
    return sheet_words.SLAM_BY_WORD.get(rest) or sheet_words.SLAM_BY_WORD.get(word) or None


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
