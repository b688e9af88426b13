"""Read the settings above the columns of a sheet: rules, players, what a chip is worth."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

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
from schemas.spreadsheet.player_lookup import PlayerRoster
from schemas.spreadsheet.sheet_blocks import SheetBlock, setting_values
from schemas.spreadsheet.sheet_messages import CellValueError, SheetFaults
from schemas.spreadsheet.sheet_words import SHEET_SETTINGS, fold_word
from schemas.spreadsheet.slip import SlipTableTerms
from schemas.wire.wire_faults import quote_value

Value = TypeVar("Value")


SettingOverrides = Mapping[str, Sequence[str]]
"""Values of `SHEET_SETTINGS` that replace those of the sheet."""


class BlockTerms(NamedTuple):
    """The terms of a block and the rules that they name."""

    terms: SlipTableTerms
    rules: CompiledRuleset
    has_title: bool


def read_block_terms(
    block: SheetBlock, overrides: SettingOverrides, book: RulesetBook, faults: SheetFaults
) -> BlockTerms | None:
    """Read the terms of a block; report and return None if it does not name its rules."""
    reader = _SettingsReader(block, overrides, faults)
    found = _read_ruleset(reader, book)
    if found is None:
        return None
    revision = reader.read_first("revision", _read_revision, found, book)
    switches = _read_switches(reader, found)
    players = reader.read_all("players", cell_parsers.parse_name)
    chip_value, currency = _read_chip_value(reader)
    title = reader.read_first("title", cell_parsers.parse_name)
    first_dealer = reader.read_first("first dealer", cell_parsers.parse_player, PlayerRoster(players))
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
    has_title = "title" in block.setting_rows or bool(overrides.get("title"))
    return None if rules is None else BlockTerms(terms, rules, has_title)


class _SettingsReader:
    """Reads settings from ``overrides``, else from the rows above the columns."""

    def __init__(self, block: SheetBlock, overrides: SettingOverrides, faults: SheetFaults) -> None:
        self.block, self.overrides, self.faults = block, overrides, faults

    def values(self, setting: str) -> Sequence[str]:
        row = self.block.setting_rows.get(setting)
        return self.overrides.get(setting) or (() if row is None else setting_values(row))

    def read_first(self, setting: str, read: Callable[..., Value], *context: Any) -> Value | None:
        """The first value of a setting; None if there is none, or it is reported as a fault."""
        return next(iter(self.read_all(setting, read, *context, most=1)), None)

    def read_all(
        self, setting: str, read: Callable[..., Value], *context: Any, most: int | None = None
    ) -> list[Value]:
        """The values of a setting in the first ``most`` cells."""
        found: list[Value] = []
        for index, text in enumerate(self.values(setting)[:most]):
            try:
                found += [read(text, *context)] if text else []
            except CellValueError as error:
                self.add_fault(setting, index, error)
        return found

    def add_fault(self, setting: str, index: int, error: CellValueError) -> None:
        row = self.block.setting_rows.get(setting)
        number, column = (0, 0) if row is None or self.overrides.get(setting) else (row.number, index + 2)
        heading = gettext(SHEET_SETTINGS[setting].words, self.faults.languages.sheet_lang)
        self.faults.report((number, column, heading), error)


def _read_ruleset(reader: _SettingsReader, book: RulesetBook) -> CompiledRuleset | None:
    """Find the rules by their id or a title."""
    ids = list(dict.fromkeys(one.ruleset.id for one in book))
    values = reader.values("ruleset")
    if not values or not values[0]:
        error = CellValueError(
            "",
            "a row above the columns such as {ruleset};dlu, or --ruleset; there are {ids}",
            "The sheet does not say by which rules was played; write {expected}.",
            ruleset=SHEET_SETTINGS["ruleset"].words,
            ids=", ".join(ids),
        )
        reader.add_fault("ruleset", 0, error)
        return None
    for one in reversed(book):
        spellings = (one.ruleset.id, *list_translations(one.ruleset.words))
        if fold_word(values[0]) in map(fold_word, spellings):
            return find_ruleset(book, one.ruleset.id)
    reader.add_fault("ruleset", 0, CellValueError(values[0], "a ruleset: {ids}", ids=", ".join(ids)))
    return None


def _read_chip_value(reader: _SettingsReader) -> tuple[str | None, str | None]:
    """What a chip is worth and the currency, which may stand next to the number or by itself."""
    found = reader.read_first("chip value", cell_parsers.parse_chip_value_cell)
    chip_value, cell_currency = found or (None, None)
    currency = reader.read_first("currency", cell_parsers.parse_name)
    if cell_currency and currency and fold_word(cell_currency) != fold_word(currency):
        error = CellValueError(
            reader.values("chip value")[0],
            "a number alone, or the currency that is stated: {currency}",
            currency=quote_value(currency),
        )
        reader.add_fault("chip value", 0, error)
    return chip_value, currency or cell_currency


def _read_revision(text: str, rules: CompiledRuleset, book: RulesetBook) -> int:
    revision = cell_parsers.parse_ordinal(text)
    if find_ruleset(book, rules.ruleset.id, revision) is None:
        raise CellValueError(
            text, "a published revision of {ruleset_id}, a number from 1 on", ruleset_id=rules.ruleset.id
        )
    return revision


def _read_switches(reader: _SettingsReader, rules: CompiledRuleset) -> SwitchSettings:
    known = {switch.id: switch for switch in rules.ruleset.switches}
    switches: dict[str, bool | int | str] = {}
    for place, text in enumerate(reader.values("switches")):
        try:
            name, is_setting, value_text = text.partition("=")
            if not is_setting:
                raise CellValueError(text, "a house switch and its value, such as matadors=absolute")
            switch = known.get(name.strip().replace("_", "-"))
            if switch is None:
                expected = "a house switch of {ruleset_id}: {known}"
                raise CellValueError(text, expected, ruleset_id=rules.ruleset.id, known=", ".join(known))
            if switch.id in switches:
                raise CellValueError(text, "{switch} once; it is said twice here", switch=switch.id)
            value = parse_switch_value(value_text.strip())
            if not is_switch_value(switch, value):
                values = str(describe_switch_values(switch))
                raise CellValueError(text, "{switch} as {values}", switch=switch.id, values=values)
            switches[switch.id] = value
        except CellValueError as error:
            reader.add_fault("switches", place, error)
    return tuple(sorted(switches.items()))
