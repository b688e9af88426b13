"""A table's ledger as a score sheet: a row for each deal and payment, then what it all comes to."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engine import Finding
from engine.core.cards import SEAT_NAMES
from engine.play.findings import SEVERITIES
from engine.tables import Ledger, Line, Table
from engine.tables.ledger import NextDeal, Pot
from service.cli.io.evenings import Evening
from service.cli.io.inputs import STANDARD_INPUT
from service.cli.io.terminal_text import printable
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import GAP, cells, clipped, columns, padded, wrapped
from service.presentation.text.names import game_by, listed
from service.presentation.text.style import Style
from service.presentation.text.words import CHIPS, HEADINGS, LABELS, LEDGER, RESULTS, SOMEBODY

INDENT: Final = "  "
SHAPES: Final = ((True, 12), (True, 8), (True, 6), (False, 8), (False, 6), (False, 4))
"""Whether there is a column for the dealer, and how long a name may be: the first that fits is taken."""
ROOM: Final = 22
"""So much of a line is left for what was played …"""
LEAST_ROOM: Final = 12
"""… and where not even this is left, it stands on a line of its own."""

FOUND: Final = 5
"""So many findings of a deal are shown, the gravest of them."""


class _Row(NamedTuple):
    """A row of the sheet, cell by cell."""

    number: str
    dealer: str
    played: str
    chips: tuple[str, ...]
    pool: str


class _Widths(NamedTuple):
    """How wide the columns are; 0 for one that is left out.

    ``longest``: how long a name may be; ``page``: how wide a line may be.
    """

    number: int
    dealer: int
    played: int
    chips: tuple[int, ...]
    pool: int
    longest: int
    page: int


def score_sheet(evening: Evening, told: Ledger, style: Style) -> Iterator[str]:
    """A table's ledger, line by line."""
    table = evening.table
    yield from _heading(evening, told, style)
    yield ""
    if told.lines:
        yield from _sheet(table, told, style)
    else:
        yield LEDGER["nothing"][style.lang]
    sections = {
        LEDGER["standings"]: _standings(told, style) if told.lines else [],
        LEDGER["penalties"]: columns([(name, str(points)) for name, points in told.penalties], right=(1,)),
        LEDGER["in_pool"]: list(_pools(told, style)) if told.lines else [],
        LEDGER["owes"]: _owed(table, told, style) if told.lines else [],
        HEADINGS["next"]: list(_following(table, told, style)),
        HEADINGS["findings"]: list(_findings(told, style)),
    }
    for heading, lines in sections.items():
        if lines:
            yield from ("", style.bold(heading[style.lang]), *(INDENT + line for line in lines))


def _heading(evening: Evening, told: Ledger, style: Style) -> Iterator[str]:
    """The table's title, then its rules, who sits there and what a chip is worth."""
    table, file = evening.table, evening.log.file
    place = LEDGER["table"][style.lang]
    if file != STANDARD_INPUT:
        place = LEDGER["table_in"][style.lang].format(file=printable(file))
    for line in wrapped(table.opened.title or place, style.width):
        yield style.bold(line)
    if table.opened.title and file != STANDARD_INPUT:
        yield style.dim(printable(file))
    rules = table.rules.ruleset.words[style.lang] if table.rules.known else table.opened.ruleset
    parts = [rules, ", ".join(told.players)]
    if told.chip_value is not None:
        chip = table.rules.ruleset.chip[style.lang]
        parts.append(LEDGER["chip"][style.lang].format(chip=chip, money=_money(told, 1, style)))
    if told.closed:
        parts.append(LEDGER["closed"][style.lang])
    yield from wrapped(style.sign(" · ", " - ").join(parts), style.width)


def _sheet(table: Table, told: Ledger, style: Style) -> Iterator[str]:
    """A row for each deal and payment, and what they come to."""
    rows = [_row(table, line, told, style) for line in told.lines]
    totals = tuple(style.chips(chips) for _, chips in told.totals)
    pool = str(sum(pot.pool for pot in told.pots)) if told.pots else ""
    sums = _Row("", "", LEDGER["total"][style.lang], totals, pool)
    names = tuple(name for name, _ in told.totals)
    head = _Row("", LEDGER["dealer"][style.lang], "", names, LEDGER["pool"][style.lang])
    widths = _widths(head, [*rows, sums], style)
    for line in _written(head, widths):
        yield style.dim(line)
    for row in rows:
        yield from _written(row, widths)
    last = list(_written(sums, widths))
    yield style.dim(style.sign("─", "-") * max(map(cells, last)))
    yield from last


def _widths(head: _Row, rows: list[_Row], style: Style) -> _Widths:
    """Columns that fit on a line: the dealer's and long names only where there is room for them."""
    shapes = [_shaped(head, rows, with_dealer, longest, style.width) for with_dealer, longest in SHAPES]
    wanted = min(ROOM, max(cells(row.played) for row in rows))
    return next((one for one in shapes if one.played >= wanted), shapes[-1])


def _shaped(head: _Row, rows: list[_Row], with_dealer: bool, longest: int, width: int) -> _Widths:
    """The columns with names of that length; for what was played, what they leave of the line."""
    everywhere = (head, *rows)
    number = max(cells(row.number) for row in rows)
    pool = max(cells(row.pool) for row in everywhere) if any(row.pool for row in rows) else 0
    dealer = max(cells(clipped(row.dealer, longest)) for row in everywhere) if with_dealer else 0
    chips = tuple(
        max(cells(clipped(name, longest)), *(cells(row.chips[column]) for row in rows))
        for column, name in enumerate(head.chips)
    )
    room = width - sum(one + len(GAP) for one in (number, dealer, *chips, pool) if one)
    played = min(room, max(cells(row.played) for row in rows))
    return _Widths(number, dealer, played if room >= LEAST_ROOM else 0, chips, pool, longest, width)


def _written(row: _Row, widths: _Widths) -> Iterator[str]:
    """A row as one line, or more where what was played needs them."""
    played = wrapped(row.played, widths.played or widths.page)
    if not widths.played and row.played:
        yield from played
        played = [""]
    for number, text in enumerate(played):
        first = number == 0
        parts = [
            (row.number if first else "", widths.number, True),
            (clipped(row.dealer, widths.longest) if first else "", widths.dealer, False),
            (text, widths.played, False),
            *(
                (clipped(chips, max(widths.longest, width)) if first else "", width, True)
                for chips, width in zip(row.chips, widths.chips, strict=True)
            ),
            (row.pool if first else "", widths.pool, True),
        ]
        yield GAP.join(padded(part, width, right) for part, width, right in parts if width).rstrip()


def _row(table: Table, line: Line, told: Ledger, style: Style) -> _Row:
    """A deal: who dealt, what was played, the chips with the stake in them, the pool after it."""
    chips: dict[str, int] = {}
    for name, amount in (*line.stake, *line.chips):
        chips[name] = chips.get(name, 0) + amount
    return _Row(
        str(line.number or ""),
        line.seating.dealer if line.seating is not None else "",
        _played(table, line, style),
        tuple(style.chips(chips[name]) if name in chips else "" for name, _ in told.totals),
        "" if line.after is None else str(line.after.pool),
    )


def _played(table: Table, line: Line, style: Style) -> str:
    """What was played and how it ended, in one phrase; of a payment who paid whom, and for what."""
    if line.deal is None and not line.chips:
        told = LEDGER["counts_not"][style.lang]
        return f"{told}: {line.text}" if line.text else told
    if line.deal is None:
        (payer, _), (receiver, _) = sorted(line.chips, key=lambda one: one[1])
        told = LEDGER["by_hand"][style.lang].format(payer=payer, receiver=receiver)
        return f"{told}: {line.text}" if line.text else told
    told = _result(table, line, style)
    if line.seating is not None and line.taken_over:
        sat = dict(zip(SEAT_NAMES, line.seating.active, strict=True))
        swaps = (
            LEDGER["for"][style.lang].format(player=player, before=sat[seat])
            for seat, player in line.taken_over
        )
        told += f" ({', '.join(swaps)})"
    return told


def _result(table: Table, line: Line, style: Style) -> str:
    game = "" if line.contract is None else game_by(table.rules, line.contract, line.trump, style)
    words = RESULTS.get(line.outcome or "")
    if words is not None and line.decided:
        return words[style.lang].format(game=game, name=line.declarer or SOMEBODY[style.lang])
    told = LABELS["open"] if not line.decided else LEDGER["settled"]
    return f"{game}: {told[style.lang]}" if game else told[style.lang]


def _standings(told: Ledger, style: Style) -> list[str]:
    rows = [
        (str(place), clipped(player, style.width // 4), style.chips(chips), _money(told, chips, style))
        for place, player, chips in told.standings
    ]
    return columns(rows, right=(0, 2, 3))


def _pools(told: Ledger, style: Style) -> Iterator[str]:
    """What lies there, game by game, and what each would get of it."""
    for number, pot in enumerate(told.pots):
        amount = _pot(pot, style)
        yield f"{number + 1}. {amount}" if len(told.pots) > 1 else amount
    shares = [f"{name} {chips}" for name, chips in told.shares if chips]
    if shares:
        yield from _fitting(LEDGER["shared"][style.lang].format(shares=", ".join(shares)), style)


def _pot(pot: Pot, style: Style) -> str:
    return f"{pot.pool}; {_set_aside(pot.reserved, style)}" if pot.reserved else str(pot.pool)


def _set_aside(reserved: tuple[int, ...], style: Style) -> str:
    return LEDGER["set_aside"][style.lang].format(puestas=", ".join(map(str, reserved)))


def _owed(table: Table, told: Ledger, style: Style) -> list[str]:
    """The payments that make everybody even."""
    one, quarter = table.rules.ruleset.chip[style.lang], style.width // 4
    rows = [
        (
            clipped(debt.debtor, quarter),
            LABELS["pays"][style.lang].format(name=clipped(debt.creditor, quarter)),
            str(debt.chips),
            one if debt.chips == 1 else CHIPS.get(one, one),
            _money(told, debt.chips, style),
        )
        for debt in told.owes
    ]
    return columns(rows, right=(2, 4)) if rows else [LEDGER["even"][style.lang]]


def _following(table: Table, told: Ledger, style: Style) -> Iterator[str]:
    """What the next deal of each game is opened with, and how many deals are left."""
    for due in told.following:
        yield from _fitting(_due(due, style), style)
    plan = table.opened.plan
    if told.deals_left is not None and plan is not None and not told.closed:
        left = LEDGER["left"][style.lang].format(count=told.deals_left, planned=plan.deals)
        yield from _fitting(left, style)


def _due(due: NextDeal, style: Style) -> str:
    seats = due.seating._asdict()
    parts = [LEDGER["due"][style.lang].format(number=due.number, **seats)]
    if due.seating.sitting_out:
        out = listed(due.seating.sitting_out, style)
        parts.append(LABELS["sits_out"][style.lang].format(value=out))
    if due.pool is not None:
        parts.append(LABELS["pool"][style.lang].format(value=due.pool))
    if due.reserved:
        parts.append(_set_aside(due.reserved, style))
    return f"{'; '.join(parts)}."


def _findings(told: Ledger, style: Style) -> Iterator[str]:
    """The findings of the table's own log, then those of each deal under its number."""
    numbers = {line.deal: line.number for line in told.lines if line.deal is not None}
    in_order = (None, *numbers, *(one.deal for one in told.findings))
    found_in = {one.deal for one in told.findings}
    for deal in dict.fromkeys(deal for deal in in_order if deal in found_in):
        if deal is not None:
            yield LABELS["deal"][style.lang].format(number=numbers.get(deal, deal))
        found = sorted((one.finding for one in told.findings if one.deal == deal), key=_gravity)
        narrow = replace(style, width=style.width - len(INDENT))
        indent = INDENT if deal is not None else ""
        yield from finding_lines(tuple(found[:FOUND]), narrow, indent)
        if len(found) > FOUND:
            more = LEDGER["more_found"][style.lang].format(count=len(found) - FOUND)
            yield from wrapped(more, narrow.width, indent)


def _gravity(finding: Finding) -> int:
    return SEVERITIES.index(finding.severity)


def _fitting(text: str, style: Style) -> list[str]:
    return wrapped(text, style.width - len(INDENT))


def _money(told: Ledger, chips: int, style: Style) -> str:
    """What so many chips are worth, nothing where that was not agreed."""
    worth = told.money(chips)
    if worth is None:
        return ""
    figure = format(abs(worth), "f")
    figure = figure.replace(".", ",") if style.lang == "da" else figure
    sign = style.sign("−", "-") if worth < 0 else ""
    return f"{sign}{figure} {told.currency or ''}".rstrip()
