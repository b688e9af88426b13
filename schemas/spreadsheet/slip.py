"""A slip, which is a row of a club's sheet about one deal, and a sheet's table with its slips."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.core.cards import SEATS
from engine.core.events import ResultRecorded
from engine.core.field_types import Players
from engine.core.table_events import TableOpened


class Slip(NamedTuple):
    """What one row says of a deal.

    ``players`` None: the row is unreadable, only its place in the numbering is known. ``result`` None: only
    who sat there is known. ``payments``: chips by seat, or by name of a player who sat out. ``penalties``:
    points by player. ``new_seating``: who sits at the table from this deal on, in the order of play, empty
    if that does not change.
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

    @property
    def active_players(self) -> tuple[str, ...]:
        """The players in the order of the seats; empty if the row is unreadable."""
        return () if self.players is None else tuple(self.players.at(seat) for seat in SEATS)

    @property
    def all_players(self) -> tuple[str, ...]:
        """The players and those who sit out."""
        return self.active_players + (() if self.players is None else self.players.sitting_out)


class SlipTableTerms(NamedTuple):
    """What stands above the columns of a sheet, or was given on the command line."""

    opening: TableOpened
    first_dealer: str | None = None
    is_closed: bool = False


class SlipTable(NamedTuple):
    """A table of a sheet: its terms, and its deals in the order of the sheet."""

    terms: SlipTableTerms
    slips: tuple[Slip, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """All players whom the table names, each once."""
        named = (player for slip in self.slips for player in (*slip.all_players, *slip.new_seating))
        return tuple(dict.fromkeys((*self.terms.opening.players, *named)))

    def rename_players(self, new_names: Mapping[str, str]) -> "SlipTable":
        """The table with other names for some players; notes stay as they are."""

        def rename(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(new_names.get(name, name) for name in names)

        def rename_keys(amounts: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
            return tuple((new_names.get(name, name), amount) for name, amount in amounts)

        def rename_players(players: Players) -> Players:
            forehand, middlehand, backhand = rename(tuple(map(players.at, SEATS)))
            return Players(forehand, middlehand, backhand, rename(players.sitting_out), players.partners)

        def rename_slip(slip: Slip) -> Slip:
            return slip._replace(
                players=slip.players and rename_players(slip.players),
                dealer=slip.dealer and new_names.get(slip.dealer, slip.dealer),
                payments=rename_keys(slip.payments),
                penalties=rename_keys(slip.penalties),
                new_seating=rename(slip.new_seating),
            )

        opening, first_dealer = self.terms.opening, self.terms.first_dealer
        terms = self.terms._replace(
            opening=replace(opening, players=rename(opening.players)),
            first_dealer=first_dealer and new_names.get(first_dealer, first_dealer),
        )
        return SlipTable(terms, tuple(map(rename_slip, self.slips)))


class SlipFault(NamedTuple):
    """Why something in a sheet cannot be read, or is skipped.

    ``row`` as in the spreadsheet, 0 for the whole file. ``column`` from 1, 0 for the whole row, ``heading``
    its heading. ``read`` is shortened. ``loses_data``: data of the evening is lost.
    ``deal``: the number of the row's deal, if it has one.
    """

    row: int
    column: int
    heading: str
    read: str
    message: str
    loses_data: bool = True
    deal: int | None = None
