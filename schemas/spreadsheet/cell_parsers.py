"""Parse a cell tolerantly: numbers, names, suits, contracts, results, tricks.

All parsers raise `CellValueError` for a cell that they cannot read.
"""

import csv
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from engine.core.cards import SEATS, SUIT_BY_LETTER, Seat, Suit, next_seat
from engine.core.field_types import (
    Chips,
    ChipsByName,
    ChipsList,
    Count,
    FieldKind,
    Name,
    Names,
    Ordinal,
    Text,
)
from engine.core.message import LocalizedText
from engine.play.phases import trump_choices
from engine.rulesets import CompiledRuleset
from engine.rulesets.model import Contract
from schemas.i18n.catalogs import gettext, list_translations, localize
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.player_lookup import PlayerRoster
from schemas.spreadsheet.sheet_messages import (
    FLAG_CHOICES,
    OUTCOME_CHOICES,
    SLAM_CHOICES,
    SUIT_CHOICES,
    CellValueError,
    suggest,
)
from schemas.spreadsheet.sheet_words import fold_word
from schemas.wire.field_specs import field_kind
from schemas.wire.value_readers import build_value_reader
from schemas.wire.wire_faults import WireError, find_nearest_word

TricksPerSeat = tuple[tuple[Seat, int], ...]

_match_whole_number: Final = re.compile(r"'?([+−-]?)([0-9]{1,10})(?:[.,]0+)?").fullmatch
_match_money: Final = re.compile(
    r"(?P<before>[^\W\d_.,]{1,10}\.?|[$£€])?\s*(?P<number>[+-]?[0-9]*[.,]?[0-9]+)"
    r"\s*(?P<behind>[^\W\d_.,]{1,10}\.?|[$£€])?"
).fullmatch
_match_points: Final = re.compile(r"(.+?)[\s:=]+([+−-]?[0-9]{1,10})", re.DOTALL).fullmatch
_between_tricks: Final = re.compile(r"[\s+/:;,.|–—-]+")
_between_names: Final = re.compile(r"\s*[;/&+]\s*|\s+(?:og|and)\s+")
_match_trailing_suit: Final = re.compile(r"(.+?)\s*(?:\b(?:i|in)\s+)?(\S+)", re.DOTALL).fullmatch
_COLOUR_SELECTOR: Final = "\ufe0f"
"""Follows a suit's symbol that is shown in colour."""
_SUIT_SYMBOLS: Final = frozenset("♣♧♦♢♥♡♠♤")
"""Signs that folding a word removes."""
_is_trick_count: Final = re.compile(r"[0-9]{1,2}|\?").fullmatch
_find_tricks: Final = re.compile(r"\+?[0-9?][0-9?\s+/:;,.|–—-]*").search
_has_date: Final = re.compile(
    r"[0-9]{4}|[0-9]\W*(?:jan|feb|mar|apr|ma[jy]|jun|jul|aug|sep|o[ck]t|nov|dec)"
).search
_slam_prefix: Final = re.compile(r"\A(?:tout|vole|allnine|alleni|t|v)").sub
OUTCOME_BY_SIGN: Final = {"+": "won", "-": "bete", "−": "bete", "–": "bete"}
_ORDINAL, _COUNT, _CHIPS = map(field_kind, (Ordinal, Count, Chips))
MAX_NAMES: Final = field_kind(Names).maximum
MAX_PAID_PLAYERS: Final = field_kind(ChipsByName).maximum


def parse_ordinal(text: str) -> int:
    """A number from 1 on."""
    return _parse_number(text, _ORDINAL, "a number from 1 on")


def parse_count(text: str) -> int:
    """A number from 0 on."""
    return _parse_number(text, _COUNT, "a whole number, 0 or more")


def parse_points(text: str) -> int:
    """Points for (+) or against (−) a player."""
    return _parse_number(text, _CHIPS, "a whole number, such as 6 or -3")


def parse_chips(text: str) -> int:
    """Chips to (+) or from (−) a player."""
    return _parse_number(
        text,
        _CHIPS,
        "",
        "Chips are whole numbers, and {read} is none; the deal is read without what was paid. What a chip is "
        "worth stands above the columns ({chip_value}).",
        is_general=True,
        chip_value=sheet_words.SHEET_SETTINGS["chip value"].words,
    )


def _parse_number(text: str, kind: FieldKind, expected: str, message: str = "", **parts: Any) -> int:
    found = _match_whole_number(text)
    value = int(found[1].replace("−", "-") + found[2]) if found else None
    if value is None or not kind.minimum <= value <= kind.maximum:
        raise CellValueError(text, expected, message, **parts)
    return value


def parse_deal_number(text: str) -> int:
    """The number of a deal, as in "7" or "7."."""
    return parse_ordinal(text.rstrip("."))


def parse_counts(text: str) -> tuple[int, ...]:
    """Whole numbers with spaces or other separators: "20 15"."""
    found = tuple(parse_count(part) for part in re.split(r"[\s+;,/]+", text) if part)
    if len(found) > field_kind(ChipsList).maximum:
        raise CellValueError(text, "at most {most} numbers", most=field_kind(ChipsList).maximum)
    return found


def parse_name(text: str) -> str:
    """A name."""
    return _parse_text(text, Name, "a name of at most {most} characters")


def parse_note(text: str) -> str:
    """A text of any length that a record takes."""
    return _parse_text(text, Text, "a text of at most {most} characters")


def _parse_text(text: str, annotation: object, expected: str) -> str:
    kind = field_kind(annotation)
    try:
        read: str = build_value_reader(kind)(text)
    except WireError:
        raise CellValueError(text, expected, most=kind.maximum) from None
    return read


def _find_word(text: str, meaning_by_word: Mapping[str, str]) -> str | None:
    """The meaning of a whole word or sign, or of the only word that begins with the text."""
    word = fold_word(text) or text.replace(_COLOUR_SELECTOR, "")
    found = {meaning_by_word[word]} if word in meaning_by_word else _list_by_start(word, meaning_by_word)
    return found.pop() if len(found) == 1 else None


def _list_by_start(word: str, meaning_by_word: Mapping[str, str]) -> set[str]:
    return {meaning for name, meaning in meaning_by_word.items() if word and name.startswith(word)}


def _parse_word(
    text: str, meaning_by_word: Mapping[str, str], choices: str, expected: str = "one of {choices}"
) -> str:
    found = _find_word(text, meaning_by_word)
    if found is None:
        raise CellValueError(text, expected, choices=choices)
    return found


def parse_slam(text: str) -> str:
    """Whether a slam was made or failed, as in "tout glippet"; empty for no slam."""
    word = fold_word(text)
    if word in (*sheet_words.TOUT_WORDS, "t"):
        return "made"
    rest = _slam_prefix("", word, count=1)
    said = rest if rest in sheet_words.SLAM_BY_WORD else text
    return _parse_word(said, sheet_words.SLAM_BY_WORD, SLAM_CHOICES)


def parse_flag(text: str) -> bool:
    """Yes or no."""
    return _parse_word(text, sheet_words.FLAG_BY_WORD, FLAG_CHOICES) == "yes"


def parse_suit(text: str) -> Suit:
    """A suit, by its word or the first letters of it, its symbol or its letter."""
    letters = sheet_words.SUIT_LETTER_BY_WORD
    return SUIT_BY_LETTER[_parse_word(text, letters, SUIT_CHOICES, "a suit: {choices}")]


def parse_chip_value_cell(text: str) -> tuple[str, str | None]:
    """What a chip is worth, with a decimal point, and the currency if there is one: "0,25 kr"."""
    found = _match_money(text)
    number = (found["number"] if found else text).strip()
    plain = re.sub(r"\A([+-]?[0-9]*),([0-9]+)\Z", r"\1.\2", number)
    with suppress(InvalidOperation):
        if Decimal(plain).is_finite():
            return parse_name(plain), (found and (found["before"] or found["behind"])) or None
    raise CellValueError(text, "what a chip is worth: a number such as 0.25 or 0,25")


def parse_contract(
    text: str, rules: CompiledRuleset, contract_by_word: Mapping[str, str]
) -> tuple[str, Suit | None]:
    """A contract by one of its names or the first letters of it, with trumps next to it.

    ``contract_by_word``: see `sheet_words.build_contract_by_word`.
    """
    word = fold_word(text)
    found = contract_by_word.get(word)
    if found is not None and not _SUIT_SYMBOLS & set(text):
        return found, None
    with_suit = _match_trailing_suit(text.replace(_COLOUR_SELECTOR, "").strip())
    if with_suit:
        title, suit = with_suit.groups()
        found = contract_by_word.get(fold_word(title))
        letter = sheet_words.SUIT_LETTER_BY_WORD.get(fold_word(suit) or suit)
        if found is not None and letter is not None:
            return found, SUIT_BY_LETTER[letter]
    starts = _list_by_start(word, contract_by_word)
    candidates = [one for one in rules.contracts.values() if one.id in starts]
    if word == sheet_words.NOLO_WORD:
        candidates = sheet_words.list_nolo_contracts(rules)
    if len(candidates) == 1:
        return candidates[0].id, None
    if candidates:
        raise CellValueError(text, "which of them: {contracts}", contracts=list_contract_titles(candidates))
    titles = {word: one for one in rules.contracts.values() for word in list_translations(one.words)}
    nearest = find_nearest_word(text, titles)
    raise CellValueError(
        text,
        "a contract of {ruleset}: {contracts}{meant}",
        ruleset=localize(rules.ruleset.words),
        contracts=list_contract_titles(rules.contracts.values()),
        meant=suggest(list_contract_titles([titles[nearest]]) if nearest else None),
    )


def list_contract_titles(contracts: Collection[Contract]) -> LocalizedText:
    """The titles of contracts, in the language of the sheet."""
    english, danish = (", ".join(gettext(one.words, lang) for one in contracts) for lang in ("en", "da"))
    return LocalizedText(english, {"da": danish})


def recorded_contract_id(contract_id: str, trump: Suit | None, rules: CompiledRuleset) -> str:
    """The contract to record: simple and solo in spades have names of their own (RULES 3)."""
    in_spades = sheet_words.SPADE_CONTRACTS.get(contract_id)
    played = rules.contracts.get(contract_id)
    if trump != SUIT_BY_LETTER["S"] or in_spades not in rules.contracts or played is None:
        return contract_id
    return contract_id if trump in trump_choices(rules, played) else in_spades


def parse_player(text: str, roster: PlayerRoster) -> str:
    """A player's name as ``roster`` spells it; a name that is not in it stays as it is."""
    return roster.find(parse_name(text)) or text


def parse_player_list(text: str, roster: PlayerRoster) -> tuple[str, ...]:
    """Several players with commas, or "Anna og Bo" if both are known."""
    player = roster.find(text)
    if player is not None:
        return (player,)
    players = [roster.find(one) for one in _between_names.split(text) if one]
    found = tuple(one for one in players if one is not None)
    if len(found) != len(players) or len(found) < 2:
        found = tuple(parse_player(one, roster) for one in split_at_commas(text))
    if len(found) > MAX_NAMES:
        raise CellValueError(text, "at most {most} players", most=MAX_NAMES)
    return found


def split_at_commas(text: str) -> list[str]:
    """The parts between commas; a name with a comma stands in quotation marks."""
    try:
        row = next(csv.reader([text.replace("\n", " ")], skipinitialspace=True), [])
    except csv.Error:
        raise CellValueError(text, "a few names with commas between them") from None
    return [part.strip() for part in row if part.strip()]


def parse_penalty_points(text: str, roster: PlayerRoster) -> tuple[tuple[str, int], ...]:
    """Penalty points by player: "Bo 1, Carl 2"."""
    points = []
    for part in split_at_commas(text):
        found = _match_points(part)
        if not found:
            raise CellValueError(text, "a player and the points, such as Bo 1")
        points.append((parse_player(found.group(1).strip(), roster), parse_points(found.group(2))))
    return tuple(points)


class Ending(NamedTuple):
    """What a cell says of how a deal ended."""

    outcome: str | None = None
    tricks: TricksPerSeat = ()
    slam: str | None = None


def parse_ending(text: str, declarer: Seat | None) -> Ending:
    """How a deal ended: a word, a sign or the first letters of a word; the tricks; or both."""
    found = _find_tricks(text)
    counts = found.group().strip() if found else ""
    word = text.replace(counts, "", 1).strip()
    is_tout = fold_word(word) in sheet_words.TOUT_WORDS
    outcome = "won" if is_tout else OUTCOME_BY_SIGN.get(word) or _find_word(word, sheet_words.OUTCOME_BY_WORD)
    if outcome is None and (word or not counts):
        raise _unknown_ending_error(text)
    return Ending(outcome, parse_tricks(counts, declarer) if counts else (), "made" if is_tout else None)


def parse_tricks(text: str, declarer: Seat | None) -> TricksPerSeat:
    """Tricks by seat: declarer's alone, or all three, declarer's first and then in the order of play.

    Without a declarer the first are forehand's. "?" is an unknown count.
    """
    counts = [part for part in _between_tricks.split(text) if part]
    if len(counts) not in (1, 3) or not all(map(_is_trick_count, counts)):
        raise _unknown_ending_error(text)
    if len(counts) == 1 and declarer is None:
        raise CellValueError(text, "the declarer too, or three numbers, forehand's first: 5+2+2")
    seat, found = declarer or SEATS[0], []
    for count in counts:
        if count != "?":
            found.append((seat, int(count)))
        seat = next_seat(seat)
    return tuple(sorted(found))


def _unknown_ending_error(text: str) -> CellValueError:
    if _has_date(text.casefold()):
        return CellValueError(
            text,
            "the tricks, the declarer's first: 5+2+2",
            "The spreadsheet has made a date of the tricks, {read}; set the column to text, and write "
            "{expected}.",
            is_general=True,
        )
    return CellValueError(
        text,
        "how it ended ({outcomes}), or the tricks: the declarer's, or three numbers, the declarer's first: "
        "5+2+2",
        outcomes=OUTCOME_CHOICES,
    )
