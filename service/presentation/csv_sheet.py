"""Rows as a person's spreadsheet takes them in one language, and a ledger in the words of that language.

A program reads `schemas.answers.ledgers.ledger_csv`. A Danish spreadsheet takes a comma for a decimal's: it
opens such a file in one column, with letters of two signs for æ, ø and å. So for people the cells are parted
as their language has it, a mark at the beginning says that it is UTF-8, and the cells say what people say.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.rulesets import Rules
from engine.rulesets.model import Words
from engine.tables import Ledger
from schemas.answers.ledgers import COLUMNS, csv_of, ledger_rows
from schemas.spreadsheet.words import COLUMNS as ON_SLIPS
from schemas.spreadsheet.writing import SEPARATOR
from service.presentation.i18n.card_words import OUTCOMES, SUITS
from service.records.hidden_characters import without_hidden

LANGUAGES: Final = tuple(SEPARATOR)
MARK: Final = "\ufeff"
"""By this a spreadsheet knows UTF-8."""

ID_COLUMN: Final = "deal"
"""What a program finds a deal by, and nobody reads."""
ALWAYS: Final = frozenset({
    "number", "dealer", "forehand", "middlehand", "backhand", "declarer", "contract", "trump", "outcome",
})  # fmt: skip
"""Columns that are there for every table; the others only where something stands in them."""
HEADS: Final[dict[str, Words]] = {
    **{name: ON_SLIPS[name].words for name in ALWAYS},
    "game": Words("game", "spil ved bordet"),
    "sitting out": ON_SLIPS["sits out"].words,
    "decided": Words("decided", "afgjort"),
    "stake": Words("stake", "indskud"),
    "pool before": Words("pool before", "pulje før"),
    "pool": ON_SLIPS["pool"].words,
    "reserved": ON_SLIPS["set aside"].words,
    "note": ON_SLIPS["note"].words,
}
MOST: Final = 120
"""So many letters of a file's name are kept."""
_NO_NAME: Final = re.compile(r"[^\w \-.,&()+]+")
"""What no file should be called by."""
TOTAL: Final = Words("{name}, total", "{name} i alt")
DECIDED: Final = {"yes": Words("yes", "ja"), "no": Words("no", "nej")}


def spreadsheet(rows: Iterable[list[str]], lang: str) -> str:
    """Rows as the text of a file that a spreadsheet in that language opens as it stands."""
    return MARK + without_hidden(csv_of(rows, separator=SEPARATOR[lang]))


def ledger_sheet(
    ledger: Ledger, lang: str, rules: Rules | None, spoken: Callable[[str], str] = lambda cell: cell
) -> str:
    """A ledger as such a file, without the columns in which nothing stands.

    ``rules`` say how contracts are called, as far as they are known; ``spoken`` puts names in place of ids.
    """
    _, *lines = ledger_rows(ledger)
    players = [spoken(name) for name, _ in ledger.totals]
    shown = [
        at
        for at, name in enumerate(COLUMNS)
        if name in ALWAYS or (name != ID_COLUMN and _says_something(name, [line[at] for line in lines]))
    ]
    heads = [HEADS[COLUMNS[at]][lang] for at in shown]
    totals = [TOTAL[lang].format(name=name) for name in players]
    rows = [[*heads, *players, *totals]]
    for line in lines:
        about = [spoken(_in_words(COLUMNS[at], line[at], lang, rules)) for at in shown]
        rows.append([*about, *line[len(COLUMNS) :]])
    return spreadsheet(rows, lang)


def _says_something(column: str, cells: Sequence[str]) -> bool:
    """Whether anybody would miss the column: of what is usual everywhere it need not be said."""
    usual = {"decided": "yes", "game": "1"}.get(column, "")
    return any(cell not in ("", usual) for cell in cells)


def _in_words(column: str, cell: str, lang: str, rules: Rules | None) -> str:
    """A cell as people say it."""
    if column == "trump" and cell:
        return SUITS[cell][lang]
    if column == "outcome" and cell in OUTCOMES:
        return OUTCOMES[cell][lang]
    if column == "decided":
        return DECIDED[cell][lang]
    if column == "contract" and rules is not None and cell in rules.contracts:
        return rules.contracts[cell].words[lang]
    return cell


def file_name(lang: str, what: Words, *told: str | None) -> str:
    """What such a file is called on a disk: what it is, and which one; ``Regnskab 2026-11-22.csv``."""
    name = " ".join(filter(None, (what[lang], *told)))
    return f"{' '.join(_NO_NAME.sub(' ', name).split())[:MOST]}.csv"
