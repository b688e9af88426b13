"""A piece of a spreadsheet that is pasted into a pile: its rows, and what its columns seem to mean.

Nothing is decided here: whoever pasted it sees the guess, and may say otherwise.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.cards import SEATS
from schemas.spreadsheet import cells
from schemas.spreadsheet.blocks import column_of
from schemas.spreadsheet.sheet import Row, rows_of, unguarded
from schemas.spreadsheet.typed import Frame, contract_named, outcome_of, suit
from schemas.spreadsheet.words import BLANK, OUTCOME_OF, TOTALS, folded
from schemas.wire.faults import WireError

MEANINGS: Final = {
    "number": "number",
    "dealer": "dealer",
    "sits out": "sits_out",
    "contract": "contract",
    "trump": "trump",
    "declarer": "declarer",
    "outcome": "outcome",
    "tricks": "outcome",
    "slam": "extras",
    "primeras": "extras",
    "estuches": "extras",
    "note": "note",
}
"""What the columns of a club's sheet are in a pile; of the others nothing is taken."""
PLAYER: Final = "player:"
"""Before a player whose chips stand in a column."""
ENOUGH: Final = 0.6
"""So large a part of a column's cells has to be read for it to mean that."""
FEWEST_HEADS: Final = 2
"""A first row that names so many columns, or players, is a head."""


class Pasted(NamedTuple):
    """Pasted text as rows.

    ``head``: what the columns are called, empty where there is no head; ``columns``: what each seems to
    mean, a cell of a pile or ``player:`` and a player, None where nothing; ``passed_over``: rows that add
    up others, as they stand.
    """

    head: tuple[str, ...]
    columns: tuple[str | None, ...]
    rows: tuple[tuple[str, ...], ...]
    passed_over: tuple[str, ...]


def read_pasted(text: str, frame: Frame) -> Pasted:
    """Pasted text taken apart, whatever stands between its cells. Never fails."""
    players = tuple(frame.company.called)
    rows = [row for row in rows_of(text, lambda row: _understood(row, frame)) if not row.blank]
    head = _plain(rows[0]) if rows and _is_head(rows[0].cells, frame) else ()
    below = [_plain(row) for row in (rows[1:] if head else rows)]
    sums = [row for row in below if _adds_up(row)]
    kept = [row for row in below if not _adds_up(row)]
    width = max(map(len, (head, *kept)), default=0)
    columns = [_named(one, frame) for one in head] if head else _guessed(kept, width, frame, players)
    columns += [None] * (width - len(columns))
    filled = tuple((*row, *[""] * (width - len(row))) for row in kept)
    return Pasted(head, tuple(columns), filled, tuple(" ".join(filter(None, row)) for row in sums))


def _plain(row: Row) -> tuple[str, ...]:
    return tuple(unguarded(cell) for cell in row.cells)


def _adds_up(row: Sequence[str]) -> bool:
    return folded(next((cell for cell in row if cell), "")) in TOTALS


def _is_head(row: Sequence[str], frame: Frame) -> bool:
    """Whether a row names columns: no deal names two players beside nothing that ended."""
    named = {_named(cell, frame) for cell in row} - {None}
    heads = {one for one in named if one and not one.startswith(PLAYER)}
    numbers = any(cell[:1].isdigit() for cell in row)
    return not numbers and (len(heads) >= FEWEST_HEADS or len(named) > FEWEST_HEADS)


def _named(text: str, frame: Frame) -> str | None:
    """What a head says of its column."""
    column = column_of(text)
    if column is not None:
        return MEANINGS.get(column)
    if folded(text) == "spil":
        return "contract"
    try:
        return PLAYER + frame.company.find(text, tuple(frame.company.called))
    except WireError:
        return None


def _understood(row: Sequence[str], frame: Frame) -> int:
    """How many cells of a row can be read as something: by the best separator it is the most."""
    readers = list(_readers(frame, tuple(frame.company.called)).values())
    return sum(
        bool(_named(cell, frame)) or any(_reads(read, cell) for read in readers)
        for cell in row
        if cell not in BLANK
    )


def _guessed(
    rows: Sequence[Sequence[str]], width: int, frame: Frame, players: tuple[str, ...]
) -> list[str | None]:
    """What the columns mean where no head says it: each the first thing that most of its cells can be."""
    columns = [[row[place] for row in rows if place < len(row) and row[place]] for place in range(width)]
    found: list[str | None] = [None] * width
    for meaning, read in _readers(frame, players).items():
        fits = [
            place
            for place, texts in enumerate(columns)
            if found[place] is None and (_grows(texts) if meaning == "number" else _fits(read, texts))
        ]
        if fits:
            found[fits[0]] = meaning
    numbers = [
        place for place, texts in enumerate(columns) if found[place] is None and _fits(_is_number, texts)
    ]
    if len(numbers) == len(players):
        for place, player in zip(numbers, players, strict=True):
            found[place] = PLAYER + player
    rest = [
        place for place, one in enumerate(found) if one is None and columns[place] and place not in numbers
    ]
    if rest:
        found[rest[-1]] = "note"
    return _one_player_declares(found)


def _one_player_declares(found: list[str | None]) -> list[str | None]:
    """Of one column with players it is the declarer's; of two the first is the dealer's."""
    if "dealer" in found and "declarer" not in found:
        found[found.index("dealer")] = "declarer"
    return found


def _readers(frame: Frame, players: tuple[str, ...]) -> dict[str, Callable[[str], object]]:
    """What a cell may be, in the order in which it is tried."""
    return {
        "contract": lambda text: _contract(text, frame),
        "dealer": lambda text: frame.company.find(text, players),
        "declarer": lambda text: frame.company.find(text, players),
        "trump": suit,
        "number": lambda text: cells.ordinal(text.rstrip(".")),
        "outcome": _ending,
    }


def _ending(text: str) -> object:
    """A word for how it ended, or tricks, or both."""
    word = text.rstrip("0123456789?+-/ ")
    return outcome_of(word) if word else cells.tricks(text, SEATS[0])


def _contract(text: str, frame: Frame) -> object:
    """A contract, or that all passed; a number is none, though a title may begin so."""
    if OUTCOME_OF.get(folded(text)) == "passed_out":
        return text
    return contract_named(text, frame)


def _is_number(text: str) -> object:
    return float(text.replace(",", ".").replace("−", "-").replace("–", "-"))


def _fits(read: Callable[[str], object], texts: Sequence[str]) -> bool:
    return bool(texts) and sum(_reads(read, text) for text in texts) >= ENOUGH * len(texts)


def _grows(texts: Sequence[str]) -> bool:
    """Whether a column counts the deals: each number is larger than the one above it."""
    if not _fits(lambda text: cells.ordinal(text.rstrip(".")), texts):
        return False
    numbers = [int(text.rstrip(".")) for text in texts if text.rstrip(".").isdecimal()]
    return numbers == sorted(set(numbers))


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except (WireError, ValueError):
        return False
    return True


def meanings_of(frame: Frame) -> Iterator[str]:
    """All that a pasted column may mean."""
    yield from dict.fromkeys(MEANINGS.values())
    yield from (PLAYER + player for player in frame.company.called)
