"""What stands in one cell, read tolerantly: numbers, names, suits, contracts, results, tricks."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Final

from engine.core.cards import SEAT_NAMES, SEATS, SUIT_BY_LETTER, Seat, Suit, next_seat
from engine.core.field_types import Chips, ChipsByName, ChipsList, Count, Name, Names, Ordinal, Text
from engine.core.message import LocalizedText
from engine.play.phases import trump_choices
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract
from schemas.i18n.catalogs import gettext, list_translations, localize
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.sheet_messages import CellValueError, ExpectedPhrase
from schemas.spreadsheet.sheet_words import fold_by_sound, fold_word
from schemas.wire.field_specs import field_kind
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import MAX_QUOTED_LENGTH, WireError, find_nearest_word

TricksPerSeat = tuple[tuple[Seat, int], ...]
PointsByPlayer = tuple[tuple[str, int], ...]

_match_whole_number: Final = re.compile(r"'?([+−-]?)([0-9]{1,10})(?:[.,]0+)?").fullmatch
_match_fraction: Final = re.compile(r"'?[+−-]?[0-9]{0,10}[.,][0-9]+").fullmatch
_match_money: Final = re.compile(
    r"(?P<before>[^\W\d_.,]{1,10}\.?|[$£€])?\s*(?P<number>[+-]?[0-9]*[.,]?[0-9]+)"
    r"\s*(?P<behind>[^\W\d_.,]{1,10}\.?|[$£€])?"
).fullmatch
_match_switch: Final = re.compile(r"([^=]+)=(.+)").fullmatch
_match_points: Final = re.compile(r"(.+?)[\s:=]+([+−-]?[0-9]{1,10})", re.DOTALL).fullmatch
_between_tricks: Final = re.compile(r"[\s+/:;,.|–—-]+")
_between_names: Final = re.compile(r"\s*[;/&+]\s*|\s+(?:og|and)\s+")
_match_trailing_suit: Final = re.compile(r"(.+?)\s*(?:\b(?:i|in)\s+)?(\S+)", re.DOTALL).fullmatch
_COLOUR_SELECTOR: Final = "\ufe0f"
"""Follows a suit's symbol where it is shown in colour."""
_SUIT_SYMBOLS: Final = frozenset("♣♧♦♢♥♡♠♤")
"""Signs of suits, of which nothing is left when a word is folded."""
MAX_NAMES: Final = field_kind(Names).maximum
MAX_PAID_PLAYERS: Final = field_kind(ChipsByName).maximum
"""So many players a list of them, and a settlement, may have."""


def _build_number_parser(annotation: object, expected: str) -> Callable[[str], int]:
    kind = field_kind(annotation)
    read = build_value_reader(kind)

    def number(text: str) -> int:
        found = _match_whole_number(text)
        if not found:
            raise CellValueError(text, expected)
        value = int(found.group(2)) * (-1 if found.group(1) in "-−" and found.group(1) else 1)
        if not kind.minimum <= value <= kind.maximum:
            raise CellValueError(text, expected)
        result: int = read(value)
        return result

    return number


parse_ordinal: Final = _build_number_parser(Ordinal, "ordinal")
parse_count: Final = _build_number_parser(Count, "count")
parse_chips: Final = _build_number_parser(Chips, "chips")
"""Chips to (+) or from (−) a player."""


def parse_deal_number(text: str) -> int:
    """The number of a deal, as in "7" or "7."."""
    return parse_ordinal(text.rstrip("."))


def parse_counts(text: str) -> tuple[int, ...]:
    """Whole numbers with anything between them: "20 15"."""
    found = tuple(parse_count(part) for part in re.split(r"[\s+;,/]+", text) if part)
    if len(found) > field_kind(ChipsList).maximum:
        raise CellValueError(text, "most_numbers", most=field_kind(ChipsList).maximum)
    return found


def parse_name(text: str) -> str:
    """A name."""
    return _parse_text(Name, text, "name")


def parse_note(text: str) -> str:
    """A text of any length that the record takes."""
    return _parse_text(Text, text, "note")


def _parse_text(annotation: object, text: str, expected: str) -> str:
    kind = field_kind(annotation)
    try:
        read: str = build_value_reader(kind)(text)
    except WireError:
        raise CellValueError(text, expected, most=kind.maximum) from None
    return read


def build_word_parser(meaning_by_word: Mapping[str, str], expected: str) -> Callable[[str], str]:
    """A reader of one of some words."""

    def read(text: str) -> str:
        try:
            return meaning_by_word[fold_word(text) or text.replace(_COLOUR_SELECTOR, "")]
        except KeyError:
            raise CellValueError(text, expected) from None

    return read


parse_outcome: Final = build_word_parser(sheet_words.OUTCOME_BY_WORD, "outcome")
parse_slam: Final = build_word_parser(sheet_words.SLAM_BY_WORD, "slam")
parse_suit_letter: Final = build_word_parser(sheet_words.SUIT_LETTER_BY_WORD, "suit")


def parse_flag(text: str) -> bool:
    """Yes or no."""
    return build_word_parser(sheet_words.FLAG_BY_WORD, "flag")(text) == "yes"


def parse_suit(text: str) -> Suit:
    """A suit, by its word, its symbol or its letter."""
    return SUIT_BY_LETTER[parse_suit_letter(text)]


def parse_chip_value_cell(text: str) -> tuple[str, str | None]:
    """What a chip is worth as the record has it, and in which money if that is said: "0,25 kr"."""
    found = _match_money(text)
    number = (found.group("number") if found else text).strip()
    plain = re.sub(r"\A([+-]?[0-9]*),([0-9]+)\Z", r"\1.\2", number)
    currency = found and (found.group("before") or found.group("behind"))
    try:
        if Decimal(plain).is_finite():
            return parse_name(plain), currency or None
    except InvalidOperation:
        pass
    raise CellValueError(text, "worth")


def is_fraction(text: str) -> bool:
    """Whether a number of chips is not whole: "1,5"."""
    return bool(_match_fraction(text))


def parse_switch_setting(text: str) -> tuple[str, str]:
    """A house switch as it is written: "matadors=absolute"."""
    found = _match_switch(text)
    if not found:
        raise CellValueError(text, "switch")
    return found.group(1).strip(), found.group(2).strip()


def parse_contract(
    text: str, rules: CompiledRuleset, contract_by_word: Mapping[str, str]
) -> tuple[str, Suit | None]:
    """A contract by its id, its title or another spelling, with the trumps that stand beside it.

    ``contract_by_word``: the contracts of ``rules`` by all that they are called
    (``sheet_words.build_contract_by_word``).
    """
    found = contract_by_word.get(fold_word(text))
    if found is not None and not _SUIT_SYMBOLS & set(text):
        return found, None
    with_suit = _match_trailing_suit(text.replace(_COLOUR_SELECTOR, "").strip())
    if with_suit:
        found, letter = contract_by_word.get(fold_word(with_suit.group(1))), _find_suit(with_suit.group(2))
        if found is not None and letter is not None:
            return found, letter
    raise _unknown_contract_error(text, rules)


def _find_suit(text: str) -> Suit | None:
    letter = sheet_words.SUIT_LETTER_BY_WORD.get(fold_word(text) or text)
    return None if letter is None else SUIT_BY_LETTER[letter]


def _unknown_contract_error(text: str, rules: CompiledRuleset) -> CellValueError:
    """What there is instead of a contract that the rules do not have; which nolos where it says but nolo."""
    if fold_word(text) == sheet_words.NOLO_WORD and sheet_words.list_nolo_contracts(rules):
        return CellValueError(text, "nolo", contracts=_contract_names(sheet_words.list_nolo_contracts(rules)))
    titles = {word: one for one in rules.contracts.values() for word in list_translations(one.words)}
    nearest = find_nearest_word(text, titles)
    suggestion = ExpectedPhrase("meant", {"meant": localize(titles[nearest].words)}) if nearest else ""
    contracts = _contract_names(list(rules.contracts.values()))
    return CellValueError(
        text, "contract", ruleset=localize(rules.ruleset.words), contracts=contracts, meant=suggestion
    )


def _contract_names(contracts: Sequence[Contract]) -> LocalizedText:
    """Contracts by their ids in an English sheet, in a Danish one by their titles."""
    titles = ", ".join(gettext(one.words, "da") for one in contracts)
    return LocalizedText(", ".join(one.id for one in contracts), {"da": titles})


def recorded_contract_id(contract_id: str, trump: Suit | None, rules: CompiledRuleset) -> str:
    """The contract as it is recorded: simple and solo in spades have names of their own (RULES 3)."""
    in_spades = sheet_words.SPADE_CONTRACTS.get(contract_id)
    played = rules.contracts.get(contract_id)
    if trump != SUIT_BY_LETTER["S"] or in_spades not in rules.contracts or played is None:
        return contract_id
    return contract_id if trump in trump_choices(rules, played) else in_spades


class PlayerRoster:
    """The players whom a sheet names, to be found again however their capitals and spaces are."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = dict.fromkeys(names)
        self._name_by_folded: dict[str, str | None] = {}
        self._name_by_sound: dict[str, str] = {}
        for one in self.names:
            call = _fold_name(one)
            self._name_by_folded[call] = None if call in self._name_by_folded else one
            self._name_by_sound.setdefault(fold_by_sound(one), one)

    def find(self, text: str) -> str | None:
        """The player who is called so; None where there is none, or more than one."""
        return text if text in self.names else self._name_by_folded.get(_fold_name(text))

    def find_by_sound(self, text: str) -> str | None:
        """The player who is named first of those that sound so: Karl Åge for "Karl Aage"."""
        return self._name_by_sound.get(fold_by_sound(text))

    def find_nearest(self, text: str) -> str | None:
        """The player who may have been meant, also by a name with a slip of the pen in it."""
        return self.find_by_sound(text) or next(
            iter(get_close_matches(text, self.names, n=1, cutoff=0.6)), None
        )


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split())


def parse_seat(text: str, seated_players: Sequence[str]) -> Seat:
    """A seat by which of ``seated_players`` sits there, or by its own name; a player's name goes first."""
    roster = PlayerRoster(seated_players)
    player = roster.find(text)
    if player is not None:
        return SEATS[list(seated_players).index(player)]
    word = sheet_words.SEAT_NAME_BY_WORD.get(fold_word(text))
    if word is None:
        nearest = roster.find_nearest(text) if len(text) <= MAX_QUOTED_LENGTH else None
        suggestion = ExpectedPhrase("meant", {"meant": nearest}) if nearest else ""
        raise CellValueError(text, "seat", players=", ".join(seated_players), meant=suggestion)
    return SEATS[SEAT_NAMES.index(word)]


def parse_player(text: str, roster: PlayerRoster) -> str:
    """A player's name, as ``roster`` spells it; a name that is not in it as it stands."""
    return roster.find(parse_name(text)) or text


def parse_player_list(text: str, roster: PlayerRoster) -> tuple[str, ...]:
    """Several players in one cell: with commas, or "Anna og Bo" where both are known."""
    player = roster.find(text)
    if player is not None:
        return (player,)
    players = [roster.find(one) for one in _between_names.split(text) if one]
    found = tuple(one for one in players if one is not None)
    if len(found) != len(players) or len(found) < 2:
        found = tuple(parse_player(one, roster) for one in split_at_commas(text))
    if len(found) > MAX_NAMES:
        raise CellValueError(text, "most_players", most=MAX_NAMES)
    return found


def split_at_commas(text: str) -> list[str]:
    """What stands between commas; a name with a comma stands in quotation marks."""
    try:
        row = next(csv.reader([text.replace("\n", " ")], skipinitialspace=True), [])
    except csv.Error:
        raise CellValueError(text, "names") from None
    return [part.strip() for part in row if part.strip()]


def parse_penalty_points(text: str, roster: PlayerRoster) -> PointsByPlayer:
    """Penalty points by player: "Bo 1, Carl 2"."""
    points = []
    for part in split_at_commas(text):
        found = _match_points(part)
        if not found:
            raise CellValueError(text, "points")
        points.append((parse_player(found.group(1).strip(), roster), parse_chips(found.group(2))))
    return tuple(points)


def parse_tricks(text: str, declarer: Seat | None) -> TricksPerSeat:
    """Tricks by seat: the declarer's alone, or all three, his first and then in the order of play.

    Where nobody declared, the first is forehand's; "?" is a count that nobody knows.
    """
    parts = [part for part in _between_tricks.split(text) if part]
    numbers = [None if part == "?" else _parse_trick_count(part, text) for part in parts]
    if len(numbers) not in (1, 3) or (len(numbers) == 1 and declarer is None):
        raise CellValueError(text, "tricks")
    seat, found = declarer or SEATS[0], []
    for number in numbers:
        if number is not None:
            found.append((seat, number))
        seat = next_seat(seat)
    return tuple(sorted(found))


def _parse_trick_count(number_text: str, cell_text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", number_text):
        raise CellValueError(cell_text, "tricks")
    return int(number_text)
