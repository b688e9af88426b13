"""A club's sheet of slips read: tables with their deals, and every fault with its row and column.

A row that cannot be read is left out and keeps its place in the numbering; the others are read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from engine.cards import SEAT_NAMES, Seat, Suit
from engine.events import ResultRecorded
from engine.rulesets import PUBLISHED, Book
from engine.tables import games_of, seated
from engine.tables.seating import MOST
from engine.vocabulary import Players
from schemas.faults import NOTHING, Fault, WireError, shown, unfit
from schemas.jsonlines import ENTRIES
from schemas.slips import cells
from schemas.slips.blocks import ABOVE, Block, Head, blocks_of, head_of, known_columns, overlong, values_above
from schemas.slips.seating import named_in, order_of_play
from schemas.slips.sheet import MOST_BYTES, NotASheet, Row, decoded, rows_of, unguarded
from schemas.slips.slip import Slip, SlipFault, SlipTable
from schemas.slips.terms import NOTHING_GIVEN, Agreed, Given, agreed
from schemas.slips.words import BLANK, OUTCOME_OF, TOTALS, contracts_of, folded

Value = TypeVar("Value")
SAY_NOTHING: Final = frozenset(("number", "date", "table", "board", "dealer"))
"""Columns that are often filled in before the evening: a row with nothing else is no deal yet."""
WHO_PLAYS: Final = ("forehand", "middlehand", "backhand", "dealer", "sits out", "at the table")
MOST_ENTRIES: Final = ENTRIES - 3
"""So many entries of a table's log are for its deals; the others open it, seat it and close it."""
SEVERAL: Final = ("sits out", "at the table")


class SheetRead(NamedTuple):
    """A sheet as it was read: its tables, how many of its rows are left out, and what was wrong."""

    tables: tuple[SlipTable, ...]
    left_out: int
    faults: tuple[SlipFault, ...]


def read_slips(data: bytes, given: Given = NOTHING_GIVEN, book: Book = PUBLISHED) -> SheetRead:
    """A sheet's bytes read: as many tables as it has dates and tables. Never fails."""
    faults: list[SlipFault] = []
    try:
        if len(data) > MOST_BYTES:
            raise NotASheet(f"A sheet has at most {MOST_BYTES >> 20} MiB; give each evening its own.")
        text = decoded(data)
    except NotASheet as error:
        faults.append(SlipFault(0, 0, "", shown(data[:20].decode("latin-1")), "a sheet as CSV", str(error)))
        return SheetRead((), 0, tuple(faults))
    tables: list[SlipTable] = []
    left_out = 0
    for block in blocks_of(rows_of(text, known_columns), faults):
        terms = agreed(block, given, book, faults)
        if terms is None:
            left_out += len(block.rows)
            continue
        read = _BlockReader(block, terms, faults)
        tables += read.tables()
        left_out += read.left_out
    return SheetRead(tuple(tables), left_out, tuple(sorted(faults, key=lambda one: (one.row, one.column))))


@dataclass(slots=True)
class _Group:
    """The slips of one table so far: who sits there, and how many entries its log will have."""

    at_table: tuple[str, ...]
    slips: list[Slip] = field(default_factory=list)
    entries: int = 0


class _BlockReader:
    """The rows of one block, read into tables."""

    def __init__(self, block: Block, terms: Agreed, faults: list[SlipFault]) -> None:
        self.block, self.faults = block, faults
        self.terms, self.rules, self.titled = terms
        self.known = list(self.terms.players)
        plain = head_of(block, (), [])
        for row in block.rows:
            self.known += _named_in_cells(row, plain)
        self.known = list(dict.fromkeys(self.known))
        self.head = head_of(block, self.known, faults)
        self.contracts = contracts_of(self.rules)
        self.left_out = 0
        self.groups: dict[tuple[str, str], _Group] = {}

    def tables(self) -> list[SlipTable]:
        """The tables of the block, in the order in which they begin."""
        above = {name: self.block.above[name] for name in ABOVE if name in self.block.above}
        before = {name: "".join(values_above(row)[:1]) for name, row in above.items()}
        key = (before.get("date", ""), before.get("table", ""))
        stated = key
        for row in self.block.rows:
            reader = _RowReader(row, self)
            if not row.unclosed and reader.is_no_deal():
                self.faults += reader.faults
                continue
            here = (reader.text("date"), reader.text("table"))
            key = (here[0] or key[0], here[1] or key[1])
            group = self.groups.setdefault(key, _Group(self.terms.players))
            self._enter(reader, group, here[0] or stated[0], here[1] or stated[1])
        if not self.groups and self.block.above:
            self.groups[stated] = _Group(())  # a table that has not dealt yet
        return [self._table(key, tuple(group.slips)) for key, group in self.groups.items()]

    def _enter(self, reader: "_RowReader", group: "_Group", date: str, table: str) -> None:
        """A row becomes the next slip of its table."""
        slip = reader.slip(group, date, table)
        group.entries += 1 + bool(slip.seated) + len(slip.penalties)
        if group.entries > MOST_ENTRIES:
            reader.refuse(
                "date", Fault("", shown(date), f"a date: one table has at most {MOST_ENTRIES} deals")
            )
        else:
            group.slips.append(slip)
            group.at_table = slip.seated or group.at_table
        self.left_out += slip.players is None or group.entries > MOST_ENTRIES
        self.faults += reader.faults

    def _table(self, key: tuple[str, str], slips: tuple[Slip, ...]) -> SlipTable:
        several, ruleset = len(self.groups) > 1, self.rules.ruleset
        players, named = self.terms.players, named_in(slips)
        if players and several:
            players = tuple(one for one in players if one in named)
            players = (*players, *(one for one in named if one not in players))
        title = self.terms.title
        if several or not self.titled:
            said = self.head.texts[self.head.columns["table"]] if "table" in self.head.columns else "table"
            table = f"{said} {key[1]}" if key[1].isdigit() else key[1]
            title = ", ".join(part for part in (title, key[0], table) if part)[:200] or None
        if not self.terms.players or several:
            players = order_of_play(players or named, slips, ruleset)
        return SlipTable(self.terms._replace(title=title, players=players), slips)


def _named_in_cells(row: Row, head: Head) -> list[str]:
    """The players whom a row names where nothing but players stands."""
    found: list[str] = []
    for column in WHO_PLAYS:
        place = head.columns.get(column, len(row.cells))
        text = unguarded(row.cells[place]) if place < len(row.cells) else ""
        if text in BLANK:
            continue
        try:
            found += cells.names(text, ()) if column in SEVERAL else (cells.name(text),)
        except WireError:
            continue  # told where the row is read
    return found


class _RowReader:
    """One row below the head."""

    def __init__(self, row: Row, block: _BlockReader) -> None:
        self.row, self.head, self.known = row, block.head, block.known
        self.rules, self.contracts = block.rules, block.contracts
        self.faults: list[SlipFault] = []

    def text(self, column: str) -> str:
        """What stands in a column, "" where nothing does."""
        return self._at(self.head.columns.get(column, len(self.row.cells)))

    def _at(self, place: int) -> str:
        text = self.row.cells[place] if place < len(self.row.cells) else ""
        return "" if text in BLANK else unguarded(text)

    def is_no_deal(self) -> bool:
        """Whether the row adds up the others, or has nothing but what is often filled in beforehand."""
        first = next((cell for cell in self.row.cells if cell not in BLANK), "")
        if folded(first) in TOTALS:
            self._pass_over(first, "This row adds up the others; it is not read as a deal.")
            return True
        places = [place for name, place in self.head.columns.items() if name in SAY_NOTHING]
        if any(self._at(place) for place in range(len(self.row.cells)) if place not in places):
            return False
        number = self.text("number")
        if number and not number[0].isdigit():
            self._pass_over(number, f"Nothing is read from {shown(number)}: there is no deal in this row.")
        return True

    def _pass_over(self, read: str, message: str) -> None:
        """Tells that a row is not read; nothing of the evening is lost by it."""
        self.faults.append(SlipFault(self.row.number, 0, "", shown(read), "a deal", message, grave=False))

    def take(self, column: str, read: Callable[[str], Value]) -> Value | None:
        """What a column says; None where nothing stands there, or what does is told as a fault."""
        text = self.text(column)
        return self._read(self.head.columns.get(column, 0), text, read) if text else None

    def _read(self, place: int, text: str, read: Callable[[str], Value]) -> Value | None:
        try:
            return read(text)
        except WireError as error:
            self._refuse(place, error.faults[0])
            return None

    def refuse(self, column: str, fault: Fault) -> None:
        """Tells what is wrong in a column, or what is missing there."""
        self._refuse(self.head.columns.get(column, -1), fault, column)

    def _refuse(self, place: int, fault: Fault, column: str = "") -> None:
        heading = self.head.texts[place] if place >= 0 else column
        message = fault.advice + self._spread()
        self.faults.append(
            SlipFault(self.row.number, place + 1, heading, fault.read, fault.expected, message)
        )

    def _spread(self) -> str:
        """A word on a row of several lines, which a quotation mark too many may have joined."""
        first, last = self.row.line, self.row.line + self.row.lines - 1
        if first == last:
            return ""
        return f" The row has swallowed lines {first} to {last}: is there a quotation mark too many?"

    def slip(self, group: _Group, date: str, table: str) -> Slip:
        """What the row says; without players where something in it is wrong."""
        due = group.slips[-1].number + 1 if group.slips else 1
        number = self.take("number", lambda text: cells.ordinal(text.rstrip("."))) or due
        place = Slip(number, None, date=date, table=table)
        if self.row.unclosed:
            message = "A quotation mark is opened in this row and never closed; close it, or leave it out."
            read, expected = shown(";".join(self.row.cells)), "a closing quotation mark"
            self.faults.append(SlipFault(self.row.number, 0, "", read, expected, message))
            return place
        self.faults += overlong(self.row, self.head)
        seating = self.take("at the table", lambda text: cells.names(text, self.known)) or ()
        dealer = self.take("dealer", lambda text: cells.player(text, self.known))
        players = self._players(dealer, seating or group.at_table)
        slip = self._said(place._replace(dealer=dealer, seated=seating), players) if players else place
        return place._replace(seated=seating) if any(one.grave for one in self.faults) else slip

    def _said(self, slip: Slip, players: Players) -> Slip:
        """All that the row says beside who plays."""
        note = self.take("note", cells.note)
        for column, most in (("date", slip.date), ("table", slip.table)):
            if len(most) > 200:
                self.refuse(column, unfit(most, "a text of at most 200 characters").faults[0])
        return slip._replace(
            players=players,
            board=self.take("board", cells.ordinal),
            result=self._result(players),
            pool=self.take("pool", cells.count),
            set_aside=self.take("set aside", cells.counts) or (),
            paid=self._paid(players),
            penalties=self.take("penalty", lambda text: cells.points(text, self.known)) or (),
            note=note or "",
        )

    def _players(self, dealer: str | None, at_table: Sequence[str]) -> Players | None:
        """Who plays: as it stands, else as it must be where this dealer gives."""
        sat = [self.take(seat, lambda text: cells.player(text, self.known)) for seat in SEAT_NAMES]
        out = self.take("sits out", lambda text: cells.names(text, self.known)) or ()
        active = [one for one in sat if one is not None]
        if not active and dealer is not None and not self.faults:
            for game in games_of(at_table):
                due = seated(game, dealer, self.rules.ruleset)
                if due is not None:
                    return Players(*due.active, out or due.sitting_out)
        for seat, player in zip(SEAT_NAMES, sat, strict=True):
            if player is None and not self.text(seat):
                self.refuse(seat, Fault("", NOTHING, self._who_sat_there(active)))
        if len(active) < len(SEAT_NAMES):
            return None
        named = [*active, *out]
        for place, player in enumerate(named):
            if player in named[:place]:
                seat = SEAT_NAMES[place] if place < len(SEAT_NAMES) else "sits out"
                self.refuse(seat, Fault("", shown(player), "a player who has no other place in this deal"))
        if "sits out" not in self.head.columns and set(active) <= set(at_table):
            # Of six, who play two games at once, nobody sits out.
            out = tuple(one for one in at_table if one not in active and len(at_table) < MOST)
        return Players(active[0], active[1], active[2], out)

    def _who_sat_there(self, active: Sequence[str]) -> str:
        if active:
            return "who sat there"
        return "who sat there (or the dealer, where the players stand above the columns in the order of play)"

    def _result(self, players: Players) -> ResultRecorded | None:
        sat = (players.forehand, players.middlehand, players.backhand)
        declarer = self.take("declarer", lambda text: cells.seat_of(text, sat))
        outcome = self.take("outcome", cells.outcome)
        trump = self.take("trump", cells.suit)
        contract = None
        if OUTCOME_OF.get(folded(self.text("contract"))) == "passed_out" and outcome in (None, "passed_out"):
            outcome = "passed_out"
        else:
            named = self.take("contract", lambda text: cells.contract(text, self.rules, self.contracts))
            if named is not None:
                contract, beside = named
                if None not in (beside, trump) and beside != trump:
                    self.refuse("trump", Fault("", shown(self.text("trump")), "the suit of the contract"))
                trump = beside if trump is None else trump
                contract = self._as_played(contract, trump)
        tricks = (
            self.take("tricks", lambda text: cells.tricks(text, declarer)) if self._knows(declarer) else None
        )
        result = ResultRecorded(
            outcome=outcome,
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=tricks or (),
            slam=self.take("slam", cells.slam) or None,
            primeras=self.take("primeras", cells.flag),
            estuches=self.take("estuches", cells.count),
        )
        return None if result == ResultRecorded() else result

    def _as_played(self, contract: str, trump: Suit | None) -> str:
        """The contract as it is recorded; that it is another than the sheet has is told."""
        played = cells.as_played(contract, trump, self.rules)
        if played != contract:
            place, read = self.head.columns["contract"], shown(self.text("contract"))
            message = f"{read} in spades is recorded as {played}; by these rules that is its name."
            heading = self.head.texts[place]
            self.faults.append(
                SlipFault(self.row.number, place + 1, heading, read, played, message, grave=False)
            )
        return played

    def _knows(self, declarer: Seat | None) -> bool:
        """Whether tricks can be read: not where a declarer is named whom nobody knows."""
        return declarer is not None or not self.text("declarer")

    def _paid(self, players: Players) -> tuple[tuple[str, int], ...]:
        """Chips by seat, those of who did not play by name."""
        seats = {getattr(players, seat): seat for seat in SEAT_NAMES}
        found: list[tuple[str, int]] = []
        for place, player in self.head.chips.items():
            text = self._at(place)
            number = self._read(place, text, cells.chips) if text else None
            if number is not None:
                found.append((seats.get(player, player), number))
        order = {seat: number for number, seat in enumerate(SEAT_NAMES)}
        return tuple(sorted(found, key=lambda one: (order.get(one[0], len(order)), one[0])))
