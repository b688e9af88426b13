"""``spadille show``: deals as one likes to look at them."""

from collections.abc import Iterator
from typing import Final

import click

from engine import Audit, State
from engine.core.cards import SEAT_NAMES, SEAT_OF
from engine.core.events import ActionWithdrawn, CorrectionMade, DealOpened
from engine.core.vocabulary import Seq
from service.cli.io import options
from service.cli.io.deal_titles import heading, place
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.output import say
from service.cli.io.points import Point, audits
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.views.tricks import tricks_section
from service.presentation.text import hands, names
from service.presentation.text.accounts import score_lines
from service.presentation.text.bidding import auction_section, exchange_section
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import wrapped
from service.presentation.text.next_acts import next_section
from service.presentation.text.phrases import PHRASES
from service.presentation.text.sentences import upper
from service.presentation.text.sheet import Line, Section, written
from service.presentation.text.style import Style, style_here
from service.presentation.text.words import HEADINGS, LABELS

CORRECTING: Final = (CorrectionMade, ActionWithdrawn)
"""What changes the entries before it."""


@click.command(epilog="Example: spadille show --lang da belinda")
@options.inputs
@options.at
@options.as_of
@options.viewer
@options.rules
@options.lang
@click.pass_context
def show(
    ctx: click.Context,
    files: tuple[str, ...],
    at: Seq | None,
    as_of: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Draw deals: hands, auction, exchange, tricks, score, notes.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --at the deal is drawn as it stood after an entry, with the hands then and what could
    happen next.
    """
    inputs, style = Inputs(files), style_here(lang)
    point = Point(at, as_of, viewer, options.book_from(ctx, rules_files))
    for deal, audited in audits(inputs.deals(), inputs.refuse, point, plain=True):
        say([*drawn(deal, audited, style), ""], style)
    ctx.exit(UNREADABLE if inputs.unreadable else SOUND)


def drawn(deal: Deal, audited: Audit, style: Style) -> list[str]:
    """A whole deal, line by line."""
    return written(list(_sections(deal, audited, style)), audited, style)


def _sections(deal: Deal, audited: Audit, style: Style) -> Iterator[Section]:
    history, state = audited.history, audited.state
    yield Section("", _heading(deal, audited, style))
    dealt = hands.dealt(history, state)
    talon = hands.talon_line(history, style)
    if hands.any_known(dealt) or talon:
        yield hands.hands_section("dealt", dealt, state, style, talon)
    yield auction_section(history, state, style)
    yield exchange_section(history, state, style)
    played = hands.played(history, state)
    if played is not None and hands.any_known(played) and _differ(played, dealt):
        yield hands.hands_section("played", played, state, style)
    yield tricks_section(state, style)
    standing = hands.now(state)
    if standing is not None and hands.any_known(standing):
        yield hands.hands_section("now", standing, state, style)
    yield next_section(state, style)
    yield Section(
        HEADINGS["score"][style.lang], [Line(text) for text in score_lines(state, audited.score, style)]
    )
    found = finding_lines(audited.findings, style)
    yield Section(HEADINGS["findings"][style.lang], [Line(text) for text in found])


def _heading(deal: Deal, audited: Audit, style: Style) -> list[Line]:
    """Title, source, rules, what else the opening says, and that the record was corrected."""
    state = audited.state
    opened, seq = state.opening.opened, state.opening.seq
    lines = heading(deal, state, style)
    if opened is not None and opened.title:
        lines += [style.dim(line) for line in wrapped(place(deal, style), style.width)]
    if opened is not None and opened.source:
        lines += wrapped(opened.source, style.width)
    lines += wrapped(style.sign(" · ", " - ").join(_circumstances(opened, state, style)), style.width)
    if not hands.any_known(hands.dealt(audited.history, state)):
        lines += _seats(state, style)
    if any(isinstance(entry.event, CORRECTING) for entry in deal.log):
        lines += wrapped(LABELS["corrected"][style.lang], style.width)
    return [Line("\n".join(lines), (seq,))]


def _circumstances(opened: DealOpened | None, state: State, style: Style) -> list[str]:
    """The rules, and what the opening says of table, deal, board, dealer, pool and who sits out."""
    parts = [names.ruleset(state, style)]
    if opened is None:
        return parts
    told = {
        "table": opened.table,
        "board": opened.board,
        "dealer": opened.dealer,
        "pool": opened.pool,
        "sits_out": ", ".join(opened.players.sitting_out),
    }
    for label, value in told.items():
        if value not in (None, ""):
            parts.append(LABELS[label][style.lang].format(value=value))
    return parts


def _seats(state: State, style: Style) -> list[str]:
    """Who sits where, for a deal whose hands are not drawn."""
    seats = {name: names.player(state, SEAT_OF[name], style) for name in SEAT_NAMES}
    return wrapped(upper(PHRASES["opened"][style.lang].format(**seats)), style.width)


def _differ(played: hands.Hands, dealt: hands.Hands) -> bool:
    """Whether the hands of the play tell more than those that were dealt."""
    return any(one.seqs or one.mask != before.mask for one, before in zip(played, dealt, strict=True))
