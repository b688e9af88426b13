"""What stands above the columns of a sheet: rules, players, what a chip is worth."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.field_types import Plan
from engine.core.table_events import TableOpened
from engine.rulesets import CompiledRuleset, RulesetBook, find_ruleset
from engine.rulesets.switches import (
    SwitchSettings,
    describe_switch_values,
    is_switch_value,
    parse_switch_value,
)
from schemas.i18n.catalogs import gettext, list_translations
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.sheet_blocks import SheetBlock, setting_values
from schemas.spreadsheet.sheet_faults import SheetFaults
from schemas.spreadsheet.sheet_messages import CellValueError, ExpectedPhrase
from schemas.spreadsheet.sheet_words import SHEET_SETTINGS, fold_word
from schemas.spreadsheet.slip import SlipTableTerms
from schemas.wire.wire_faults import NO_VALUE, WireError, quote_value

Value = TypeVar("Value")


class SheetSettingOverrides(NamedTuple):
    """What was said beside the sheet; it goes before what stands in it."""

    ruleset: str | None = None
    switches: tuple[str, ...] = ()
    title: str | None = None
    players: tuple[str, ...] = ()
    chip_value: str | None = None
    currency: str | None = None


NO_OVERRIDES: Final = SheetSettingOverrides()


class BlockTerms(NamedTuple):
    """The terms of a block and the rules that they name."""

    terms: SlipTableTerms
    rules: CompiledRuleset
    has_title: bool


def read_block_terms(
    block: SheetBlock, overrides: SheetSettingOverrides, book: RulesetBook, faults: SheetFaults
) -> BlockTerms | None:
    """The terms of a block; None, told, where it does not say by which rules was played."""
    reader = _SettingsReader(block, overrides, faults)
    found = _read_ruleset(reader, book)
    if found is None:
        return None
    revision = reader.read_first("revision", _read_revision, found, book)
    switches = _read_switches(reader, found)
    players = reader.read_all("players", cell_parsers.parse_name)
    chip_value, currency = _read_chip_value(reader)
    title = reader.read_first("title", cell_parsers.parse_name)
    first_dealer = reader.read_first(
        "first dealer", cell_parsers.parse_player, cell_parsers.PlayerRoster(players)
    )
    plan = Plan(
        reader.read_first("planned deals", cell_parsers.parse_ordinal),
        reader.read_first("until", cell_parsers.parse_name),
    )
    opening = TableOpened(
        ruleset=found.ruleset.id,
        players=tuple(players[: cell_parsers.MAX_NAMES]),
        revision=revision,
        switches=switches,
        plan=None if plan == Plan() else plan,
        chip_value=chip_value,
        currency=currency,
        title=title,
    )
    is_closed = bool(reader.read_first("closed", cell_parsers.parse_flag))
    rules = find_ruleset(book, opening.ruleset, revision, switches)
    terms = SlipTableTerms(opening, first_dealer, is_closed)
    return None if rules is None else BlockTerms(terms, rules, reader.is_stated("title"))


class _SettingsReader:
    """The rows above the columns, with what was given beside the sheet in their place."""

    def __init__(self, block: SheetBlock, overrides: SheetSettingOverrides, faults: SheetFaults) -> None:
        self.block, self.faults = block, faults
        self.overrides: dict[str, tuple[str, ...]] = {
            "ruleset": () if overrides.ruleset is None else (overrides.ruleset,),
            "switches": overrides.switches,
            "title": () if overrides.title is None else (overrides.title,),
            "players": overrides.players,
            "chip value": () if overrides.chip_value is None else (overrides.chip_value,),
            "currency": () if overrides.currency is None else (overrides.currency,),
        }

    def is_stated(self, setting: str) -> bool:
        """Whether something is said of a setting, be it that there is none."""
        return setting in self.block.setting_rows or bool(self.overrides.get(setting))

    def values(self, setting: str) -> tuple[str, ...]:
        """What is said of a setting: on the command line, else in the sheet."""
        row = self.block.setting_rows.get(setting)
        return self.overrides.get(setting) or (() if row is None else setting_values(row))

    def read_first(self, setting: str, read: Callable[..., Value], *context: Any) -> Value | None:
        """The first value of a setting; None where there is none, or it is told that it cannot be read."""
        return next(iter(self.read_all(setting, read, *context, most=1)), None)

    def read_all(
        self, setting: str, read: Callable[..., Value], *context: Any, most: int | None = None
    ) -> list[Value]:
        """The values of a setting, of the first ``most`` cells."""
        found: list[Value] = []
        for index, text in enumerate(self.values(setting)[:most]):
            try:
                found += [read(text, *context)] if text else []
            except WireError as error:
                self.add_fault(setting, index, error)
        return found

    def add_fault(self, setting: str, index: int, error: WireError) -> None:
        """Tells why a setting cannot be read."""
        row = None if self.overrides.get(setting) else self.block.setting_rows.get(setting)
        number, column = (0, 0) if row is None else (row.number, index + 2)
        heading = gettext(SHEET_SETTINGS[setting].words, self.faults.languages.sheet_lang)
        self.faults.tell_error((number, column, heading), error)


def _read_ruleset(reader: _SettingsReader, book: RulesetBook) -> CompiledRuleset | None:
    """The rules by which was played, by their id or their title."""
    ids = list(dict.fromkeys(one.ruleset.id for one in book))
    values = reader.values("ruleset")
    if not values or not values[0]:
        assert reader.block.heading_row is not None
        heading = gettext(SHEET_SETTINGS["ruleset"].words, reader.faults.languages.sheet_lang)
        place = (reader.block.heading_row.number, 0, heading)
        expected = ExpectedPhrase("rules_row", {"ids": ", ".join(ids)})
        reader.faults.tell(place, NO_VALUE, expected, "no_rules")
        return None
    for one in reversed(book):
        spellings = (one.ruleset.id, *list_translations(one.ruleset.words))
        if fold_word(values[0]) in map(fold_word, spellings):
            return find_ruleset(book, one.ruleset.id)
    reader.add_fault("ruleset", 0, CellValueError(values[0], "rules", ids=", ".join(ids)))
    return None


def _read_chip_value(reader: _SettingsReader) -> tuple[str | None, str | None]:
    """What a chip is worth, and in which money: as it stands by itself, or behind the number."""
    chip_value, cell_currency = reader.read_first("chip value", cell_parsers.parse_chip_value_cell) or (
        None,
        None,
    )
    currency = reader.read_first("currency", cell_parsers.parse_name)
    if cell_currency and currency and fold_word(cell_currency) != fold_word(currency):
        text = reader.values("chip value")[0]
        reader.add_fault("chip value", 0, CellValueError(text, "currency", currency=quote_value(currency)))
    return chip_value, currency or cell_currency


def _read_revision(text: str, rules: CompiledRuleset, book: RulesetBook) -> int:
    revision = cell_parsers.parse_ordinal(text)
    if find_ruleset(book, rules.ruleset.id, revision) is None:
        raise CellValueError(text, "revision", ruleset_id=rules.ruleset.id)
    return revision


def _read_switches(reader: _SettingsReader, rules: CompiledRuleset) -> SwitchSettings:
    known = {switch.id: switch for switch in rules.ruleset.switches}
    switches: dict[str, bool | int | str] = {}
    for place, text in enumerate(reader.values("switches")):
        try:
            name, value_text = cell_parsers.parse_switch_setting(text)
            switch = known.get(name.replace("_", "-"))
            if switch is None:
                raise CellValueError(text, "switch_of", ruleset_id=rules.ruleset.id, known=", ".join(known))
            if switch.id in switches:
                raise CellValueError(text, "switch_once", switch=switch.id)
            value = parse_switch_value(value_text)
            if not is_switch_value(switch, value):
                raise CellValueError(
                    text, "switch_as", switch=switch.id, values=str(describe_switch_values(switch))
                )
            switches[switch.id] = value
        except WireError as error:
            reader.add_fault("switches", place, error)
    return tuple(sorted(switches.items()))
