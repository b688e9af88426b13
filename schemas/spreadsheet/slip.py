"""A slip: what a row of a club's sheet says of one deal; and a sheet's table with all its slips."""

from typing import NamedTuple

from engine.core.events import ResultRecorded
from engine.core.field_types import Players
from engine.core.table_events import TableOpened


class Slip(NamedTuple):
    """What one row says of a deal.

    ``result`` None: nothing but who sat there; ``payments``: chips by seat, or by name of who sat out;
    ``penalties``: points by player; ``new_seating``: who sits at the table from this deal on, in the order
    of play, empty where nothing changes. ``players`` None: the row could not be read, only its place
    in the numbering is known.
    """

    number: int
    players: Players | None
    date: str = ""
    table: str = ""
    board: int | None = None
    dealer: str | None = None
    result: ResultRecorded | None = None
    pool: int | None = None
    reserved: tuple[int, ...] = ()
    payments: tuple[tuple[str, int], ...] = ()
    penalties: tuple[tuple[str, int], ...] = ()
    new_seating: tuple[str, ...] = ()
    note: str = ""


class SlipTableTerms(NamedTuple):
    """What stands above the columns of a sheet, or was said on the command line."""

    opening: TableOpened
    first_dealer: str | None = None
    is_closed: bool = False


class SlipTable(NamedTuple):
    """A table of a sheet: its terms, and its deals in the order in which they stand there."""

    terms: SlipTableTerms
    slips: tuple[Slip, ...]


class SlipFault(NamedTuple):
    """Why something in a sheet cannot be read, or is skipped.

    ``row`` is numbered as in the spreadsheet, 0 for the whole file; ``column`` from 1, 0 for the whole row;
    ``heading``: the column's heading there. ``read`` is shortened, ``expected`` a noun.
    ``loses_data``: whether data of the evening is lost by it; otherwise it is only reported.
    """

    row: int
    column: int
    heading: str
    read: str
    expected: str
    message: str
    loses_data: bool = True
