"""A table's ledger as a score sheet: a row for each deal and payment, then totals and debts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from engine.core.cards import (
    SEAT_NAMES,
    trump_letter,
)
from engine.play.findings import SEVERITIES
from engine.tables import Ledger, LedgerLine, Table
from engine.tables.ledger import NextDeal
from schemas.i18n.catalogs import format_decimal, gettext
from schemas.i18n.translate import chip_name
from service.cli.io.deals import table_rules_name, table_title
from service.cli.io.inputs import STDIN_NAME
from service.cli.io.terminal_text import sanitize_line
from service.presentation.i18n.dates import format_day
from service.presentation.i18n.game_words import GameWords
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import (
    COLUMN_GAP,
    INDENT,
    align_columns,
    clip_text,
    display_width,
    wrap_text,
)
from service.presentation.text.names import join_names
from service.presentation.text.style import TextStyle
from service.presentation.text.words import (
    LABEL_PHRASES,
    RESULT_PHRASES,
    SECTION_HEADINGS,
    SOMEBODY,
    set_aside_sentence,
)

COLUMN_LAYOUTS: Final = ((True, 12), (True, 8), (True, 6), (False, 8), (False, 6), (False, 4))
"""Whether there is a column for the dealer, and the longest name; the first layout that fits is used."""
PREFERRED_PLAYED_WIDTH: Final = 22
"""The columns that a layout leaves for what was played …"""
MIN_PLAYED_WIDTH: Final = 12
"""… and the least; with fewer it gets a line of its own."""
MAX_FINDINGS_PER_DEAL: Final = 5
"""How many findings of a deal are shown, the most severe first."""


SheetRow = tuple[str, ...]
"""The number, the dealer, what was played, each player's chips, the pool."""
DEALER, PLAYED = 1, 2
"""The columns of words; the others have numbers."""


def score_sheet_lines(table: Table, file: str, ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """A table's ledger, line by line."""
    yield from _heading_lines(table, file, ledger, style)
    yield ""
    if ledger.lines:
        yield from _sheet_lines(table, ledger, style)
    else:
        yield style.phrase("No deal and no payment has been recorded yet.", "ledger")
    sections = {
        style.phrase("Standings", "ledger"): _standing_lines(ledger, style) if ledger.lines else [],
        style.phrase("Penalty points", "ledger"): align_columns(
            [(name, str(points)) for name, points in ledger.penalties], right_aligned=(1,)
        ),
        style.phrase("In the pool", "ledger"): list(_pool_lines(ledger, style)) if ledger.lines else [],
        style.phrase("Who owes whom", "ledger"): _settling_payment_lines(table, ledger, style)
        if ledger.lines
        else [],
        style.phrase(SECTION_HEADINGS["next"]): list(_next_deal_lines(table, ledger, style)),
        style.phrase(SECTION_HEADINGS["findings"]): list(_finding_lines(ledger, style)),
    }
    for heading, lines in sections.items():
        if lines:
            yield from ("", style.bold(heading), *(INDENT + line for line in lines))


def _heading_lines(table: Table, file: str, ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """The table's title, then its rules, its players and the value of a chip."""
    for line in wrap_text(table_title(table, file, style), style.width):
        yield style.bold(line)
    if table.opening_event.title and file != STDIN_NAME:
        yield style.dim(sanitize_line(file))
    if table.voided is not None:
        yield from wrap_text(set_aside_sentence(table.voided, style.lang), style.width)
    date = table.opening_event.date
    parts = [format_day(date, style.lang)] if date else []
    parts += [table_rules_name(table, style), ", ".join(ledger.players)]
    if ledger.chip_value is not None:
        chip = gettext(table.rules.ruleset.chip, style.lang)
        parts.append(
            style.phrase("1 {chip} = {money}", "ledger", chip=chip, money=_format_money(ledger, 1, style))
        )
    if ledger.is_closed:
        parts.append(style.phrase("closed", "ledger"))
    yield from wrap_text(style.sign(" · ", " - ").join(parts), style.width)


def _sheet_lines(table: Table, ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """A row for each deal and payment, and the totals."""
    rows = [_build_row(table, line, ledger, style) for line in ledger.lines]
    totals = (style.chips(chips) for _, chips in ledger.totals)
    pool = str(sum(pot.pool for pot in ledger.pots)) if ledger.pots else ""
    rows.append(("", "", style.phrase("Total", "ledger"), *totals, pool))
    pool_heading = style.phrase("pool", "ledger") if any(pool for *_, pool in rows) else ""
    names = (name for name, _ in ledger.totals)
    rows.insert(0, ("", style.phrase("deals", "ledger"), "", *names, pool_heading))
    head, *others, last = _fit_rows(rows, style.width)
    yield from map(style.dim, head)
    for lines in others:
        yield from lines
    yield style.dim(style.sign("─", "-") * max(map(display_width, last)))
    yield from last


def _fit_rows(rows: list[SheetRow], width: int) -> list[list[str]]:
    """The lines of each row, in the first layout that leaves enough room for what was played."""
    wanted = min(PREFERRED_PLAYED_WIDTH, max(display_width(row[PLAYED]) for row in rows))
    layouts = [_narrow_rows(rows, *layout, width) for layout in COLUMN_LAYOUTS]
    others, room = next((one for one in layouts if one[1] >= wanted), layouts[-1])
    if room < MIN_PLAYED_WIDTH:
        return [
            [*(wrap_text(row[PLAYED], width) if row[PLAYED] else ()), line]
            for row, line in zip(rows, _align_rows(others), strict=True)
        ]
    blank = ("",) * len(rows[0])
    parts = [wrap_text(row[PLAYED], room) for row in rows]
    lines = iter(
        _align_rows(
            (*cells[:PLAYED], text, *cells[PLAYED + 1 :])
            for row, texts in zip(others, parts, strict=True)
            for cells, text in zip((row, *[blank] * len(texts)), texts, strict=False)
        )
    )
    return [list(islice(lines, len(texts))) for texts in parts]


def _narrow_rows(
    rows: list[SheetRow], with_dealer: bool, max_name_width: int, width: int
) -> tuple[list[SheetRow], int]:
    """The rows with names of that length, without what was played; and the room left for that."""
    head, *body = rows
    names = (clip_text(name, max_name_width) for name in head[PLAYED + 1 : -1])
    narrow_rows = [
        (number, clip_text(dealer, max_name_width) if with_dealer else "", "", *figures)
        for number, dealer, _, *figures in ((*head[: PLAYED + 1], *names, head[-1]), *body)
    ]
    return narrow_rows, width - max(map(display_width, _align_rows(narrow_rows))) - len(COLUMN_GAP)


def _align_rows(rows: Iterable[SheetRow]) -> list[str]:
    """Rows as lines, without empty columns."""
    columns = [(number, cells) for number, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    figures = [place for place, (number, _) in enumerate(columns) if number not in (DEALER, PLAYED)]
    return align_columns(list(zip(*(cells for _, cells in columns), strict=True)), figures)


def _build_row(table: Table, line: LedgerLine, ledger: Ledger, style: TextStyle) -> SheetRow:
    """A deal or payment: the dealer, what was played, the chips with the stake, the pool after it."""
    chips: dict[str, int] = {}
    for name, amount in (*line.stake, *line.chips):
        chips[name] = chips.get(name, 0) + amount
    return (
        str(line.number or ""),
        line.seating.dealer if line.seating is not None else "",
        _played_phrase(table, line, style),
        *(style.chips(chips[name]) if name in chips else "" for name, _ in ledger.totals),
        "" if line.pot_after is None else str(line.pot_after.pool),
    )


def _played_phrase(table: Table, line: LedgerLine, style: TextStyle) -> str:
    """What was played and its result, or who paid whom and for what."""
    if line.deal is None:
        if line.chips:
            (payer, _), (receiver, _) = sorted(line.chips, key=lambda one: one[1])
            phrase = style.phrase("{payer} to {receiver}", "ledger", payer=payer, receiver=receiver)
        else:
            phrase = style.phrase("a payment that does not count", "ledger")
        return f"{phrase}: {line.text}" if line.text else phrase
    phrase = _result_phrase(table, line, style)
    if line.seating is not None and line.taken_over:
        player_by_seat = dict(zip(SEAT_NAMES, line.seating.active, strict=True))
        swaps = (
            style.phrase("{player} for {before}", "ledger", player=player, before=player_by_seat[seat])
            for seat, player in line.taken_over
        )
        phrase += f" ({', '.join(swaps)})"
    return phrase


def _result_phrase(table: Table, line: LedgerLine, style: TextStyle) -> str:
    game = ""
    if line.contract is not None:
        game = GameWords(style.lang, table.rules).game(line.contract, trump_letter(line.trump))
    if not line.is_decided:
        phrase = style.phrase(LABEL_PHRASES["open"])
    elif line.outcome in RESULT_PHRASES:
        name = line.declarer or style.phrase(SOMEBODY)
        return style.phrase(RESULT_PHRASES[line.outcome], game=game, name=name)
    else:
        phrase = style.phrase("settled at the table", "ledger")
    return f"{game}: {phrase}" if game else phrase


def _standing_lines(ledger: Ledger, style: TextStyle) -> list[str]:
    rows = [
        (
            str(place),
            clip_text(player, style.width // 4),
            style.chips(chips),
            _format_money(ledger, chips, style),
        )
        for place, player, chips in ledger.standings
    ]
    return align_columns(rows, right_aligned=(0, 2, 3))


def _pool_lines(ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """The pool of each game, and its shares."""
    for number, pot in enumerate(ledger.pots):
        amount = f"{pot.pool}; {_reserve_phrase(pot.reserved, style)}" if pot.reserved else str(pot.pool)
        yield f"{number + 1}. {amount}" if len(ledger.pots) > 1 else amount
    shares = [f"{name} {chips}" for name, chips in ledger.shares if chips]
    if shares:
        yield from _wrap_if_long(
            style.phrase("Divided now: {shares}.", "ledger", shares=", ".join(shares)), style
        )


def _reserve_phrase(reserved: tuple[int, ...], style: TextStyle) -> str:
    return style.phrase("{puestas} set aside", "ledger", puestas=", ".join(map(str, reserved)))


def _settling_payment_lines(table: Table, ledger: Ledger, style: TextStyle) -> list[str]:
    """The payments that settle all debts."""
    chip, quarter = table.rules.ruleset.chip, style.width // 4
    rows = [
        (
            clip_text(debt.debtor, quarter),
            style.phrase(LABEL_PHRASES["pays"], name=clip_text(debt.creditor, quarter)),
            str(debt.chips),
            chip_name(chip, debt.chips, style.lang),
            _format_money(ledger, debt.chips, style),
        )
        for debt in ledger.debts
    ]
    return (
        align_columns(rows, right_aligned=(2, 4))
        if rows
        else [style.phrase("Nobody owes anything.", "ledger")]
    )


def _next_deal_lines(table: Table, ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """The opening of the next deal of each game, and the number of deals left."""
    for next_deal in ledger.next_deals:
        yield from _wrap_if_long(_next_deal_phrase(next_deal, style), style)
    plan = table.opening_event.plan
    if ledger.deals_left is not None and plan is not None and not ledger.is_closed:
        deals_left = style.phrase(
            "Deals left of {planned}: {count}.", "ledger", count=ledger.deals_left, planned=plan.deals
        )
        yield from _wrap_if_long(deals_left, style)


def _next_deal_phrase(next_deal: NextDeal, style: TextStyle) -> str:
    seats = next_deal.seating._asdict()
    text = style.phrase(
        "Deal {number}: {dealer} deals; {forehand} is forehand, {middlehand} middlehand, {backhand} backhand",
        "ledger",
        number=next_deal.number,
        **seats,
    )
    parts = [text]
    if next_deal.seating.sitting_out:
        out = join_names(next_deal.seating.sitting_out, style)
        parts.append(style.phrase(LABEL_PHRASES["sits_out"], value=out))
    if next_deal.pool is not None:
        parts.append(style.phrase(LABEL_PHRASES["pool"], value=next_deal.pool))
    if next_deal.reserved:
        parts.append(_reserve_phrase(next_deal.reserved, style))
    return f"{'; '.join(parts)}."


def _finding_lines(ledger: Ledger, style: TextStyle) -> Iterator[str]:
    """The findings of the table's log, then those of each deal under its number."""
    numbers = {line.deal: line.number for line in ledger.lines if line.deal is not None}
    deal_order = (None, *numbers, *(one.deal for one in ledger.findings))
    found_in = {one.deal for one in ledger.findings}
    for deal in dict.fromkeys(deal for deal in deal_order if deal in found_in):
        if deal is not None:
            yield style.phrase(LABEL_PHRASES["deal"], number=numbers.get(deal, deal))
        found = [one.finding for one in ledger.findings if one.deal == deal]
        found.sort(key=lambda finding: SEVERITIES.index(finding.severity))
        narrow = replace(style, width=style.width - len(INDENT))
        indent = INDENT if deal is not None else ""
        yield from finding_lines(tuple(found[:MAX_FINDINGS_PER_DEAL]), narrow, indent)
        if len(found) > MAX_FINDINGS_PER_DEAL:
            more = style.phrase(
                "… and {count} more; spadille validate lists them.",
                "ledger",
                count=len(found) - MAX_FINDINGS_PER_DEAL,
            )
            yield from wrap_text(more, narrow.width, indent)


def _wrap_if_long(text: str, style: TextStyle) -> list[str]:
    return wrap_text(text, style.width - len(INDENT))


def _format_money(ledger: Ledger, chips: int, style: TextStyle) -> str:
    """The value of chips; empty if none was agreed."""
    money = ledger.money_value(chips)
    if money is None:
        return ""
    figure = format_decimal(format(abs(money), "f"), style.lang)
    sign = style.sign("−", "-") if money < 0 else ""
    return f"{sign}{figure} {ledger.currency or ''}".rstrip()
