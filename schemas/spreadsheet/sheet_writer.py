"""Write slips as a sheet: in English for programs, in Danish for a Danish spreadsheet.

Reading the sheet gives the same slips, and writing these the same text.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from engine.core.cards import SEAT_NAMES, SEATS, SUIT_LETTERS
from engine.core.events import ResultRecorded
from engine.core.field_types import Plan
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, RulesetBook, find_ruleset
from schemas.i18n.catalogs import format_decimal, gettext
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.csv_sheet_file import format_guarded_csv
from schemas.spreadsheet.sheet_words import CHIPS_COLUMN_PREFIX, SHEET_COLUMNS, SHEET_SETTINGS, fold_word
from schemas.spreadsheet.slip import Slip, SlipTable, SlipTableTerms

REQUIRED_SLIP_COLUMNS: Final = (
    "number", "dealer", "forehand", "middlehand", "backhand", "declarer", "contract", "trump", "outcome",
    "tricks", "note",
)  # fmt: skip
"""Columns that every sheet has; others are left out if they are empty."""
TRICK_COUNT_SEPARATOR: Final = "+"
"""A spreadsheet makes a date of 5-2-2, and a time of 5:2:2."""


def format_slip_sheet(
    tables: Sequence[SlipTable], lang: str = "en", book: RulesetBook = PUBLISHED_RULESETS
) -> str:
    """Format tables as one sheet, each with its settings above the columns."""
    rows: list[Sequence[str]] = []
    for table in tables:
        rows += [[]] if rows else []
        rows += _table_rows(table, lang, book)
    return format_guarded_csv(rows, gettext(",", lang, "between cells"))


def _table_rows(table: SlipTable, lang: str, book: RulesetBook) -> Iterator[Sequence[str]]:
    if table.terms.opening.date and not any(slip.date for slip in table.slips):
        yield [gettext(SHEET_COLUMNS["date"].words, lang), table.terms.opening.date]
    for setting, values in _setting_rows(table.terms, lang):
        yield [gettext(SHEET_SETTINGS[setting].words, lang), *values]
    opening = table.terms.opening
    rules = find_ruleset(book, opening.ruleset, opening.revision, opening.switches)
    rows = [_build_cells(slip, lang, rules) for slip in table.slips]
    always = (*REQUIRED_SLIP_COLUMNS, *(["sits out"] if _may_sit_out(table) else []))
    columns = [one for one in SHEET_COLUMNS if one in always or any(row[one] for row in rows)]
    players, known = _list_paid_players(table), table.players
    yield [
        *(gettext(SHEET_COLUMNS[one].words, lang) for one in columns),
        *(_format_player_heading(one, one in known, lang) for one in players),
    ]
    for slip, row in zip(table.slips, rows, strict=True):
        chips = _chips_by_player(slip)
        yield [*(row[one] for one in columns), *(str(chips.get(one, "")) for one in players)]


def list_slip_cells(slip: Slip, lang: str, rules: CompiledRuleset | None) -> dict[str, str]:
    """The cells of a slip by the word of their column, and the chips by player."""
    cells = _build_cells(slip, lang, rules)
    chips = {player: f"{chips:+}" for player, chips in _chips_by_player(slip).items()}
    return {gettext(SHEET_COLUMNS[column].words, lang): text for column, text in cells.items()} | chips


def list_setting_cells(terms: SlipTableTerms, lang: str) -> dict[str, str]:
    """What stands above the columns, by the word of the setting."""
    rows = _setting_rows(terms, lang)
    return {gettext(SHEET_SETTINGS[setting].words, lang): ", ".join(values) for setting, values in rows}


def _may_sit_out(table: SlipTable) -> bool:
    """Whether there ever are more players than seats; then the sheet also says that nobody sat out."""
    seatings = (table.terms.opening.players, *(slip.new_seating for slip in table.slips))
    return any(len(players) > len(SEATS) for players in seatings)


def _setting_rows(terms: SlipTableTerms, lang: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The rows above the columns. An empty title is written too, so that no reader makes one up."""
    opening, plan = terms.opening, terms.opening.plan or Plan()
    switches = [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in opening.switches
    ]
    values_by_setting: dict[str, Sequence[object]] = {
        "title": [opening.title or ""],
        "ruleset": [opening.ruleset],
        "revision": [opening.revision],
        "switches": switches or [None],
        "players": opening.players,
        "first dealer": [terms.first_dealer],
        "planned deals": [plan.deals],
        "until": [plan.until],
        "chip value": [opening.chip_value and _format_decimal(opening.chip_value, lang)],
        "currency": [opening.currency],
        "closed": [_format_flag(True, lang) if terms.is_closed else None],
    }
    for setting, values in values_by_setting.items():
        if None not in values:
            yield setting, list(map(str, values))


def _format_decimal(text: str, lang: str) -> str:
    return format_decimal(text, lang) if re.fullmatch(r"[+-]?[0-9]*\.[0-9]+", text) else text


def _format_word(words_by_meaning: Mapping[str, Sequence[str]], meaning: str | None, lang: str) -> str:
    """The first word of a meaning in English, the second in Danish; "" for no meaning."""
    return "" if meaning is None else words_by_meaning[meaning][lang == "da"]


def _format_player_heading(player: str, is_known: bool, lang: str) -> str:
    """The heading of a player's chips: the name, with a prefix if it could be read as another column."""
    word = fold_word(player)
    is_clear = word and word not in sheet_words.COLUMN_BY_WORD and re.search("[^0-9.,+-]", player)
    if is_known and is_clear and ":" not in player:
        return player
    return f"{gettext(CHIPS_COLUMN_PREFIX, lang)}: {player}"


def _chips_by_player(slip: Slip) -> dict[str, int]:
    if slip.players is None:
        return {}
    player_by_seat = dict(zip(SEAT_NAMES, slip.active_players, strict=True))
    return {player_by_seat.get(name, name): chips for name, chips in slip.payments}


def _list_paid_players(table: SlipTable) -> list[str]:
    """The players whose chips have a column: if anybody was paid, the whole table and all others paid."""
    paid = dict.fromkeys(player for slip in table.slips for player in _chips_by_player(slip))
    others = sorted(one for one in paid if one not in table.terms.opening.players)
    return [*dict.fromkeys(table.terms.opening.players), *others] if paid else []


def _build_cells(slip: Slip, lang: str, rules: CompiledRuleset | None) -> dict[str, str]:
    """The cells of a slip by column, without the chips."""
    players, result = slip.players, slip.result or ResultRecorded()
    declarer = None if result.declarer is None or players is None else players.at(result.declarer)
    suit = None if result.trump is None else SUIT_LETTERS[result.trump]
    return {
        "number": str(slip.number),
        "date": slip.date,
        "table": slip.table,
        "board": _format_number(slip.board),
        "dealer": slip.dealer or "",
        **dict(zip(SEAT_NAMES, slip.active_players or [""] * len(SEAT_NAMES), strict=True)),
        "sits out": "" if players is None else format_name_list(players.sitting_out),
        "at the table": format_name_list(slip.new_seating),
        "declarer": declarer or "",
        "contract": _format_contract(result.contract, lang, rules),
        "trump": _format_word(sheet_words.SUIT_WORDS_BY_LETTER, suit, lang),
        "outcome": _format_word(sheet_words.OUTCOME_WORDS_BY_ID, result.outcome, lang),
        "tricks": _format_tricks(result),
        "slam": _format_word(sheet_words.SLAM_WORDS_BY_ID, result.slam, lang),
        "primeras": _format_flag(result.primeras, lang),
        "estuches": _format_number(result.estuches),
        "pool": _format_number(slip.pool),
        "set aside": " ".join(map(str, slip.reserved)),
        "penalty": format_name_list([f"{player} {points}" for player, points in slip.penalties]),
        "note": slip.note,
    }


def _format_number(number: int | None) -> str:
    return "" if number is None else str(number)


def _format_flag(flag: bool | None, lang: str) -> str:
    value = None if flag is None else "yes" if flag else "no"
    return _format_word(sheet_words.FLAG_WORDS_BY_VALUE, value, lang)


def _format_contract(contract: str | None, lang: str, rules: CompiledRuleset | None) -> str:
    """A contract's id, in Danish its title if no other has the same."""
    if contract is None or lang == "en" or rules is None or contract not in rules.contracts:
        return contract or ""
    title = gettext(rules.contracts[contract].words, lang)
    return title if sheet_words.build_contract_by_word(rules).get(fold_word(title)) == contract else contract


def _format_tricks(result: ResultRecorded) -> str:
    """Declarer's count if it is the only one, else all three, declarer's first."""
    known = dict(result.tricks)
    first = SEATS[0] if result.declarer is None else result.declarer
    if not known or (result.declarer is not None and list(known) == [result.declarer]):
        return "".join(map(str, known.values()))
    order = (*SEATS[first:], *SEATS[:first])
    return TRICK_COUNT_SEPARATOR.join(str(known.get(seat, "?")) for seat in order)


def format_name_list(names: Sequence[str]) -> str:
    """Format names as one cell, with commas; a name with a comma in quotation marks."""
    if not names:
        return ""
    output = StringIO()
    csv.writer(output, lineterminator="").writerow(names)
    return output.getvalue() if any(set(name) & set(',"') for name in names) else ", ".join(names)
