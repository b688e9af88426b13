"""What stands in one cell, read tolerantly: numbers, names, suits, contracts, results, tricks."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Final

from engine.core.cards import SEATS, SUIT_OF, Seat, Suit, seat_after
from engine.core.vocabulary import Chips, ChipsByName, ChipsList, Count, Name, Names, Ordinal, Text
from engine.play.phases import trumps_open
from engine.rulesets import Rules
from engine.rulesets.model import Contract, Words
from schemas.spreadsheet import words
from schemas.spreadsheet.phrases import Expected, Misfit
from schemas.spreadsheet.words import alike, folded
from schemas.wire.declaration import kind_of
from schemas.wire.faults import QUOTED, WireError, nearest
from schemas.wire.values import value_reader

Counts = tuple[tuple[Seat, int], ...]
PointsByName = tuple[tuple[str, int], ...]

_whole: Final = re.compile(r"'?([+−-]?)([0-9]{1,10})(?:[.,]0+)?").fullmatch
_part: Final = re.compile(r"'?[+−-]?[0-9]{0,10}[.,][0-9]+").fullmatch
_money: Final = re.compile(
    r"(?P<before>[^\W\d_.,]{1,10}\.?|[$£€])?\s*(?P<number>[+-]?[0-9]*[.,]?[0-9]+)"
    r"\s*(?P<behind>[^\W\d_.,]{1,10}\.?|[$£€])?"
).fullmatch
_switch: Final = re.compile(r"([^=]+)=(.+)").fullmatch
_points: Final = re.compile(r"(.+?)[\s:=]+([+−-]?[0-9]{1,10})", re.DOTALL).fullmatch
_between_tricks: Final = re.compile(r"[\s+/:;,.|–—-]+")
_between_names: Final = re.compile(r"\s*[;/&+]\s*|\s+(?:og|and)\s+")
_suit_after: Final = re.compile(r"(.+?)\s*(?:\b(?:i|in)\s+)?(\S+)", re.DOTALL).fullmatch
_MARKED: Final = "\ufe0f"
"""Follows a suit's symbol where it is shown in colour."""
_symbols: Final = frozenset("♣♧♦♢♥♡♠♤")
"""Signs of suits, of which nothing is left when a word is folded."""
MOST_NAMES: Final = kind_of(Names).most
MOST_PAID: Final = kind_of(ChipsByName).most
"""So many players a list of them, and a settlement, may have."""


def _within(annotation: object, expected: str) -> Callable[[str], int]:
    kind = kind_of(annotation)
    read = value_reader(kind)

    def number(text: str) -> int:
        found = _whole(text)
        if not found:
            raise Misfit(text, expected)
        value = int(found.group(2)) * (-1 if found.group(1) in "-−" and found.group(1) else 1)
        if not kind.least <= value <= kind.most:
            raise Misfit(text, expected)
        whole: int = read(value)
        return whole

    return number


ordinal: Final = _within(Ordinal, "ordinal")
count: Final = _within(Count, "count")
chips: Final = _within(Chips, "chips")
"""Chips to (+) or from (−) a player."""


def counts(text: str) -> tuple[int, ...]:
    """Whole numbers with anything between them: "20 15"."""
    found = tuple(count(part) for part in re.split(r"[\s+;,/]+", text) if part)
    if len(found) > kind_of(ChipsList).most:
        raise Misfit(text, "most_numbers", most=kind_of(ChipsList).most)
    return found


def name(text: str) -> str:
    """A name."""
    return _text(Name, text, "name")


def note(text: str) -> str:
    """A text of any length that the record takes."""
    return _text(Text, text, "note")


def _text(annotation: object, text: str, expected: str) -> str:
    kind = kind_of(annotation)
    try:
        read: str = value_reader(kind)(text)
    except WireError:
        raise Misfit(text, expected, most=kind.most) from None
    return read


def one_of(table: Mapping[str, str], expected: str) -> Callable[[str], str]:
    """A reader of one of some words."""

    def read(text: str) -> str:
        try:
            return table[folded(text) or text.replace(_MARKED, "")]
        except KeyError:
            raise Misfit(text, expected) from None

    return read


outcome: Final = one_of(words.OUTCOME_OF, "outcome")
slam: Final = one_of(words.SLAM_OF, "slam")
suit_letter: Final = one_of(words.SUIT_OF, "suit")


def flag(text: str) -> bool:
    """Yes or no."""
    return one_of(words.FLAG_OF, "flag")(text) == "yes"


def suit(text: str) -> Suit:
    """A suit, by its word, its symbol or its letter."""
    return SUIT_OF[suit_letter(text)]


def worth(text: str) -> tuple[str, str | None]:
    """What a chip is worth as the record has it, and in which money if that is said: "0,25 kr"."""
    found = _money(text)
    number = (found.group("number") if found else text).strip()
    plain = re.sub(r"\A([+-]?[0-9]*),([0-9]+)\Z", r"\1.\2", number)
    currency = found and (found.group("before") or found.group("behind"))
    try:
        if Decimal(plain).is_finite():
            return name(plain), currency or None
    except InvalidOperation:
        pass
    raise Misfit(text, "worth")


def is_part(text: str) -> bool:
    """Whether a number of chips is not whole: "1,5"."""
    return bool(_part(text))


def setting(text: str) -> tuple[str, str]:
    """A house switch as it is written: "matadors=absolute"."""
    found = _switch(text)
    if not found:
        raise Misfit(text, "switch")
    return found.group(1).strip(), found.group(2).strip()


def contract(text: str, rules: Rules, known: Mapping[str, str]) -> tuple[str, Suit | None]:
    """A contract by its id, its title or another spelling, with the trumps that stand beside it.

    ``known``: the contracts of ``rules`` by all that they are called (``words.contracts_of``).
    """
    found = known.get(folded(text))
    if found is not None and not _symbols & set(text):
        return found, None
    beside = _suit_after(text.replace(_MARKED, "").strip())
    if beside:
        found, letter = known.get(folded(beside.group(1))), _suit_in(beside.group(2))
        if found is not None and letter is not None:
            return found, letter
    raise _no_contract(text, rules)


def _suit_in(text: str) -> Suit | None:
    letter = words.SUIT_OF.get(folded(text) or text)
    return None if letter is None else SUIT_OF[letter]


def _no_contract(text: str, rules: Rules) -> Misfit:
    """What there is instead of a contract that the rules do not have; which nolos where it says but nolo."""
    if folded(text) == words.NOLO and words.nolos_of(rules):
        return Misfit(text, "nolo", contracts=_called_in(words.nolos_of(rules)))
    titles = {word: one for one in rules.contracts.values() for word in (one.words.en, one.words.da)}
    near = nearest(text, titles)
    meant = Expected("meant", {"meant": titles[near].words}) if near else ""
    contracts = _called_in(list(rules.contracts.values()))
    return Misfit(text, "contract", ruleset=rules.ruleset.words, contracts=contracts, meant=meant)


def _called_in(contracts: Sequence[Contract]) -> Words:
    """Contracts by their ids in an English sheet, in a Danish one by their titles."""
    return Words(", ".join(one.id for one in contracts), ", ".join(one.words.da for one in contracts))


def as_played(contract_id: str, trump: Suit | None, rules: Rules) -> str:
    """The contract as it is recorded: simple and solo in spades have names of their own (RULES 3)."""
    in_spades = words.IN_SPADES.get(contract_id)
    played = rules.contracts.get(contract_id)
    if trump != SUIT_OF["S"] or in_spades not in rules.contracts or played is None:
        return contract_id
    return contract_id if trump in trumps_open(rules, played) else in_spades


class Roster:
    """The players whom a sheet names, to be found again however their capitals and spaces are."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = dict.fromkeys(names)
        self._by_call: dict[str, str | None] = {}
        self._by_sound: dict[str, str] = {}
        for one in self.names:
            call = _called(one)
            self._by_call[call] = None if call in self._by_call else one
            self._by_sound.setdefault(alike(one), one)

    def find(self, text: str) -> str | None:
        """The player who is called so; None where there is none, or more than one."""
        return text if text in self.names else self._by_call.get(_called(text))

    def meant(self, text: str) -> str | None:
        """The player who is named first of those that sound so: Karl Åge for "Karl Aage"."""
        return self._by_sound.get(alike(text))

    def nearest(self, text: str) -> str | None:
        """The player who may have been meant, also by a name with a slip of the pen in it."""
        return self.meant(text) or next(iter(get_close_matches(text, self.names, n=1, cutoff=0.6)), None)


def _called(name: str) -> str:
    return " ".join(name.casefold().split())


def seat_of(text: str, sat: Sequence[str]) -> Seat:
    """A seat by the player who ``sat`` there, or by its own name; a player's name goes first."""
    roster = Roster(sat)
    named = roster.find(text)
    if named is not None:
        return SEATS[list(sat).index(named)]
    word = words.SEAT_OF.get(folded(text))
    if word is None:
        near = roster.nearest(text) if len(text) <= QUOTED else None
        meant = Expected("meant", {"meant": near}) if near else ""
        raise Misfit(text, "seat", players=", ".join(sat), meant=meant)
    return SEATS[tuple(words.SEATS).index(word)]


def player(text: str, known: Roster) -> str:
    """A player, as the sheet spells him elsewhere; one that is not ``known`` as he stands."""
    return known.find(name(text)) or text


def names(text: str, known: Roster) -> tuple[str, ...]:
    """Several players in one cell: with commas, or "Anna og Bo" where both are known."""
    whole = known.find(text)
    if whole is not None:
        return (whole,)
    several = [known.find(one) for one in _between_names.split(text) if one]
    found = tuple(one for one in several if one is not None)
    if len(found) != len(several) or len(found) < 2:
        found = tuple(player(one, known) for one in parted(text))
    if len(found) > MOST_NAMES:
        raise Misfit(text, "most_players", most=MOST_NAMES)
    return found


def parted(text: str) -> list[str]:
    """What stands between commas; a name with a comma stands in quotation marks."""
    try:
        row = next(csv.reader([text.replace("\n", " ")], skipinitialspace=True), [])
    except csv.Error:
        raise Misfit(text, "names") from None
    return [part.strip() for part in row if part.strip()]


def points(text: str, known: Roster) -> PointsByName:
    """Penalty points by player: "Bo 1, Carl 2"."""
    given = []
    for part in parted(text):
        found = _points(part)
        if not found:
            raise Misfit(text, "points")
        given.append((player(found.group(1).strip(), known), chips(found.group(2))))
    return tuple(given)


def tricks(text: str, declarer: Seat | None) -> Counts:
    """Tricks by seat: the declarer's alone, or all three, his first and then in the order of play.

    Where nobody declared, the first is forehand's; "?" is a count that nobody knows.
    """
    parts = [part for part in _between_tricks.split(text) if part]
    numbers = [None if part == "?" else _tricks_in(part, text) for part in parts]
    if len(numbers) not in (1, 3) or (len(numbers) == 1 and declarer is None):
        raise Misfit(text, "tricks")
    seat, found = declarer or SEATS[0], []
    for number in numbers:
        if number is not None:
            found.append((seat, number))
        seat = seat_after(seat)
    return tuple(sorted(found))


def _tricks_in(part: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", part):
        raise Misfit(text, "tricks")
    return int(part)
