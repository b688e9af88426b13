"""What stands above the columns of a sheet: rules, players, what a chip is worth."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from engine.rulesets import Book, Rules, find
from engine.rulesets.switches import Settings, fits, typed_value, values_told
from schemas.spreadsheet import cells
from schemas.spreadsheet.blocks import Block, values_above
from schemas.spreadsheet.phrases import Expected, Misfit, Tongue, said, told_of
from schemas.spreadsheet.slip import SlipFault, Terms
from schemas.spreadsheet.words import SETTINGS, folded
from schemas.wire.faults import NOTHING, WireError, shown

Value = TypeVar("Value")


class Given(NamedTuple):
    """What was said beside the sheet; it goes before what stands in it."""

    ruleset: str | None = None
    switches: tuple[str, ...] = ()
    title: str | None = None
    players: tuple[str, ...] = ()
    chip_value: str | None = None
    currency: str | None = None


NOTHING_GIVEN: Final = Given()


class Agreed(NamedTuple):
    """The terms of a block and the rules that they name."""

    terms: Terms
    rules: Rules
    titled: bool


def agreed(block: Block, given: Given, book: Book, faults: list[SlipFault], tongue: Tongue) -> Agreed | None:
    """The terms of a block; None, told, where it does not say by which rules was played."""
    reader = _Above(block, given, faults, tongue)
    found = _ruleset(reader, book)
    if found is None:
        return None
    revision = reader.take("revision", lambda text: _revision(found, book, text))
    switches = _switches(reader, found)
    players = reader.take_all("players", cells.name)
    chip_value, currency = _worth(reader)
    terms = Terms(
        ruleset=found.ruleset.id,
        revision=revision,
        switches=switches,
        title=reader.take("title", cells.name),
        players=tuple(players[: cells.MOST_NAMES]),
        first_dealer=reader.take("first dealer", lambda text: cells.player(text, cells.Roster(players))),
        planned_deals=reader.take("planned deals", cells.ordinal),
        until=reader.take("until", cells.name),
        chip_value=chip_value,
        currency=currency,
        closed=bool(reader.take("closed", cells.flag)),
    )
    rules = find(book, terms.ruleset, revision, switches)
    return None if rules is None else Agreed(terms, rules, reader.stands("title"))


class _Above:
    """The rows above the columns, with what was given beside the sheet in their place."""

    def __init__(self, block: Block, given: Given, faults: list[SlipFault], tongue: Tongue) -> None:
        self.block, self.faults, self.tongue = block, faults, tongue
        self.given: dict[str, tuple[str, ...]] = {
            "ruleset": () if given.ruleset is None else (given.ruleset,),
            "switches": given.switches,
            "title": () if given.title is None else (given.title,),
            "players": given.players,
            "chip value": () if given.chip_value is None else (given.chip_value,),
            "currency": () if given.currency is None else (given.currency,),
        }

    def stands(self, setting: str) -> bool:
        """Whether something is said of a setting, be it that there is none."""
        return setting in self.block.above or bool(self.given.get(setting))

    def values(self, setting: str) -> tuple[str, ...]:
        """What is said of a setting: on the command line, else in the sheet."""
        row = self.block.above.get(setting)
        return self.given.get(setting) or (() if row is None else values_above(row))

    def take(self, setting: str, read: Callable[[str], Value]) -> Value | None:
        """The first value of a setting; None where there is none, or it is told that it cannot be read."""
        values = self.values(setting)
        return self._read(setting, 0, values[0], read) if values and values[0] else None

    def take_all(self, setting: str, read: Callable[[str], Value]) -> list[Value]:
        """All values of a setting."""
        values = enumerate(self.values(setting))
        taken = [self._read(setting, place, text, read) for place, text in values if text]
        return [value for value in taken if value is not None]

    def _read(self, setting: str, place: int, text: str, read: Callable[[str], Value]) -> Value | None:
        try:
            return read(text)
        except WireError as error:
            self.refuse(setting, place, error)
            return None

    def refuse(self, setting: str, place: int, error: WireError) -> None:
        """Tells why a setting cannot be read."""
        row = self.block.above.get(setting)
        here = row is not None and not self.given.get(setting)
        number, column = (row.number, place + 2) if here and row is not None else (0, 0)
        heading = SETTINGS[setting].words[self.tongue.sheet]
        self.faults.append(SlipFault(number, column, heading, *told_of(error, self.tongue)))


def _ruleset(reader: _Above, book: Book) -> Rules | None:
    """The rules by which was played, by their id or their title."""
    ids = list(dict.fromkeys(one.ruleset.id for one in book))
    values = reader.values("ruleset")
    if not values or not values[0]:
        assert reader.block.head is not None
        expected = Expected("rules_row", {"ids": ", ".join(ids)}).told(reader.tongue)
        message = said("no_rules", reader.tongue, expected=expected)
        heading = SETTINGS["ruleset"].words[reader.tongue.sheet]
        row = reader.block.head.number
        reader.faults.append(SlipFault(row, 0, heading, NOTHING, expected, message))
        return None
    for one in reversed(book):
        spellings = (one.ruleset.id, one.ruleset.words.en, one.ruleset.words.da)
        if folded(values[0]) in map(folded, spellings):
            return find(book, one.ruleset.id)
    reader.refuse("ruleset", 0, Misfit(values[0], "rules", ids=", ".join(ids)))
    return None


def _worth(reader: _Above) -> tuple[str | None, str | None]:
    """What a chip is worth, and in which money: as it stands by itself, or behind the number."""
    chip_value, beside = reader.take("chip value", cells.worth) or (None, None)
    currency = reader.take("currency", cells.name)
    if beside and currency and folded(beside) != folded(currency):
        text = reader.values("chip value")[0]
        reader.refuse("chip value", 0, Misfit(text, "currency", currency=shown(currency)))
    return chip_value, currency or beside


def _revision(rules: Rules, book: Book, text: str) -> int:
    revision = cells.ordinal(text)
    if find(book, rules.ruleset.id, revision) is None:
        raise Misfit(text, "revision", ruleset_id=rules.ruleset.id)
    return revision


def _switches(reader: _Above, rules: Rules) -> Settings:
    known = {switch.id: switch for switch in rules.ruleset.switches}
    agreed: dict[str, bool | int | str] = {}
    for place, text in enumerate(reader.values("switches")):
        try:
            name, typed = cells.setting(text)
            switch = known.get(name.replace("_", "-"))
            if switch is None:
                raise Misfit(text, "switch_of", ruleset_id=rules.ruleset.id, known=", ".join(known))
            if switch.id in agreed:
                raise Misfit(text, "switch_once", switch=switch.id)
            value = typed_value(typed)
            if not fits(switch, value):
                raise Misfit(text, "switch_as", switch=switch.id, values=values_told(switch))
            agreed[switch.id] = value
        except WireError as error:
            reader.refuse("switches", place, error)
    return tuple(sorted(agreed.items()))
