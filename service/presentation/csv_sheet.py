"""CSV for the spreadsheet of a person in one language, and a ledger in the words of that language.

Programs read the rows of `schemas.answers.ledgers.ledger_rows`. A Danish spreadsheet opens such a file in one
column, because its separator is not a comma, and shows æ, ø and å as two characters each. So for people the
separator is that of the language, a byte order mark says that the file is UTF-8, and the cells have words.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.rulesets import CompiledRuleset
from engine.tables import Ledger
from schemas.answers.ledgers import LEDGER_COLUMNS, format_csv, ledger_rows
from schemas.i18n.card_words import OUTCOME_TERMS, SUIT_TERMS
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.sheet_words import SHEET_COLUMNS as ON_SLIPS
from service.records.hidden_characters import replace_hidden_characters

BYTE_ORDER_MARK: Final = "\ufeff"
"""Tells a spreadsheet that the file is UTF-8."""

ID_COLUMN: Final = "deal"
"""The id of a deal, which is only for programs."""
REQUIRED_COLUMNS: Final = frozenset({
    "number", "dealer", "forehand", "middlehand", "backhand", "declarer", "contract", "trump", "outcome",
})  # fmt: skip
"""Columns of every table; the others appear only if they are not empty."""
COLUMN_WORDS: Final[dict[str, str]] = {
    **{name: ON_SLIPS[name].words for name in REQUIRED_COLUMNS},
    "game": "game",
    "sitting out": ON_SLIPS["sits out"].words,
    "decided": "decided",
    "stake": "stake",
    "pool before": "pool before",
    "pool": ON_SLIPS["pool"].words,
    "reserved": ON_SLIPS["set aside"].words,
    "note": ON_SLIPS["note"].words,
}
MAX_FILE_NAME_LENGTH: Final = 120
"""Characters."""
_FORBIDDEN_IN_FILE_NAME: Final = re.compile(r"[^\w \-.,&()+]+")
DECIDED_WORDS: Final = {"yes": "yes", "no": "no"}


def format_spreadsheet(rows: Iterable[list[str]], lang: str) -> str:
    """Rows as a CSV file that a spreadsheet in the language opens without a dialog."""
    return BYTE_ORDER_MARK + replace_hidden_characters(
        format_csv(rows, separator=gettext(",", lang, "between cells"))
    )


def format_ledger_sheet(
    ledger: Ledger,
    lang: str,
    rules: CompiledRuleset | None,
    display_name: Callable[[str], str] = lambda cell: cell,
) -> str:
    """A ledger as such a file, without empty columns.

    ``rules``, if known, have the names of contracts; ``display_name`` replaces ids with names.
    """
    _, *lines = ledger_rows(ledger)
    players = [display_name(name) for name, _ in ledger.totals]
    shown_columns = [
        at
        for at, name in enumerate(LEDGER_COLUMNS)
        if name in REQUIRED_COLUMNS
        or (name != ID_COLUMN and _is_column_informative(name, [line[at] for line in lines]))
    ]
    heads = [gettext(COLUMN_WORDS[LEDGER_COLUMNS[at]], lang) for at in shown_columns]
    totals = [gettext("{name}, total", lang).format(name=name) for name in players]
    rows = [[*heads, *players, *totals]]
    for line in lines:
        headings = [
            display_name(_translate_cell(LEDGER_COLUMNS[at], line[at], lang, rules)) for at in shown_columns
        ]
        rows.append([*headings, *line[len(LEDGER_COLUMNS) :]])
    return format_spreadsheet(rows, lang)


def _is_column_informative(column: str, cells: Sequence[str]) -> bool:
    """Whether a column has more than the usual value."""
    default = {"decided": "yes", "game": "1"}.get(column, "")
    return any(cell not in ("", default) for cell in cells)


def _translate_cell(column: str, cell: str, lang: str, rules: CompiledRuleset | None) -> str:
    """A cell in words."""
    if column == "trump" and cell:
        return gettext(SUIT_TERMS[cell], lang)
    if column == "outcome" and cell in OUTCOME_TERMS:
        return gettext(OUTCOME_TERMS[cell], lang)
    if column == "decided":
        return gettext(DECIDED_WORDS[cell], lang)
    if column == "contract" and rules is not None and cell in rules.contracts:
        return gettext(rules.contracts[cell].words, lang)
    return cell


def download_file_name(lang: str, content: str, *details: str | None) -> str:
    """The name of such a file: its content and details, ``Regnskab 2026-11-22.csv``."""
    name = " ".join(filter(None, (gettext(content, lang), *details)))
    return f"{' '.join(_FORBIDDEN_IN_FILE_NAME.sub(' ', name).split())[:MAX_FILE_NAME_LENGTH]}.csv"
