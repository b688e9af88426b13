"""``spadille show``: draw deals."""

from collections.abc import Iterator
from typing import Final

import click

from engine import Audit, State
from engine.core.cards import next_seat
from engine.core.events import ActionWithdrawn, CorrectionMade, DealOpened
from engine.play.state import Trick
from engine.play.tricks import cards_outside_tricks, tricks_on_record
from service.cli.io import options
from service.cli.io.deals import deal_location, deal_title_lines, deals_at_point
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import print_lines
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE
from service.presentation.i18n.dates import format_day
from service.presentation.text import hands, names
from service.presentation.text.bidding import auction_section, exchange_section, next_action_section
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import INDENT, align_columns, wrap_text
from service.presentation.text.score_lines import score_lines
from service.presentation.text.sentences import capitalize_first, seating_phrase
from service.presentation.text.style import TextStyle
from service.presentation.text.text_sections import TextLine, TextSection, render_sections
from service.presentation.text.words import LABEL_PHRASES, SECTION_HEADINGS

CORRECTION_EVENTS: Final = (CorrectionMade, ActionWithdrawn)
SEAT_LETTERS: Final = "FMB"
"""The first letters of the seats, the same in both languages."""


@click.command(epilog="Example: spadille show --lang da belinda")
@options.point
@options.rules
@options.style
@options.deal_run
def show(run: options.DealRun) -> int:
    """Draw deals: hands, auction, exchange, tricks, score, notes.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. With --at
    the drawing shows the deal after that entry: the hands, and what could happen next.
    """
    inputs, point = Inputs(run.files), run.load_point()
    deals = deals_at_point(inputs.read_deals(), inputs.report_unreadable, point, for_terminal=True)
    for deal, deal_point in deals:
        print_lines([*deal_drawing_lines(deal, deal_point.audit, run.style), ""], run.style)
    return EXIT_UNREADABLE if inputs.has_unreadable else EXIT_SOUND


def deal_drawing_lines(deal: InputLog, audited: Audit, style: TextStyle) -> list[str]:
    """A whole deal, line by line."""
    return render_sections(list(_build_sections(deal, audited, style)), audited, style)


def _build_sections(deal: InputLog, audited: Audit, style: TextStyle) -> Iterator[TextSection]:
    history, state = audited.history, audited.state
    yield TextSection("", _heading_lines(deal, audited, style))
    dealt = hands.dealt_hands(history, state)
    talon = hands.talon_line(history, style)
    if hands.has_known_card(dealt) or talon:
        yield hands.hands_section("dealt", dealt, state, style, talon)
    yield auction_section(history, state, style)
    yield exchange_section(history, state, style)
    played = hands.played_hands(history, state)
    if played is not None and hands.has_known_card(played) and _has_more_cards(played, dealt):
        yield hands.hands_section("played", played, state, style)
    yield _tricks_section(state, style)
    current_hands = hands.current_hands(state)
    if current_hands is not None and hands.has_known_card(current_hands):
        yield hands.hands_section("now", current_hands, state, style)
    yield next_action_section(state, style)
    yield TextSection(
        style.phrase(SECTION_HEADINGS["score"]),
        [TextLine(text) for text in score_lines(state, audited.score, style)],
    )
    found = finding_lines(audited.findings, style)
    yield TextSection(style.phrase(SECTION_HEADINGS["findings"]), [TextLine(text) for text in found])


def _heading_lines(deal: InputLog, audited: Audit, style: TextStyle) -> list[TextLine]:
    """Title, source, rules, other details of the opening, and whether the record was corrected."""
    state = audited.state
    opening_event, seq = state.opening.event, state.opening.seq
    lines = deal_title_lines(deal, state, style)
    if opening_event is not None and opening_event.title:
        lines += [style.dim(line) for line in wrap_text(deal_location(deal, style), style.width)]
    if opening_event is not None and opening_event.source:
        lines += wrap_text(opening_event.source, style.width)
    if opening_event is not None and opening_event.date:
        lines.append(format_day(opening_event.date, style.lang))
    lines += wrap_text(
        style.sign(" · ", " - ").join(_opening_details(opening_event, state, style)), style.width
    )
    if not hands.has_known_card(hands.dealt_hands(audited.history, state)):
        lines += _seat_lines(state, style)
    if any(isinstance(entry.event, CORRECTION_EVENTS) for entry in deal.log):
        lines += wrap_text(
            style.phrase("The record has been corrected: replaced and withdrawn entries are not shown."),
            style.width,
        )
    return [TextLine("\n".join(lines), (seq,))]


def _opening_details(opening_event: DealOpened | None, state: State, style: TextStyle) -> list[str]:
    """The rules, and the table, board, dealer, pool and idle players of the opening."""
    parts = [names.ruleset_name(state, style)]
    if opening_event is None:
        return parts
    details = {
        "table": opening_event.table,
        "board": opening_event.board,
        "dealer": opening_event.dealer,
        "pool": opening_event.pool,
        "sits_out": ", ".join(opening_event.players.sitting_out),
    }
    for label, value in details.items():
        if value not in (None, ""):
            parts.append(style.phrase(LABEL_PHRASES[label], value=value))
    return parts


def _seat_lines(state: State, style: TextStyle) -> list[str]:
    """The seating, for a deal whose hands are not drawn."""
    return wrap_text(capitalize_first(seating_phrase(state, style)), style.width)


def _has_more_cards(played: hands.KnownHands, dealt: hands.KnownHands) -> bool:
    """Whether the hands in the play show more than those as dealt."""
    return any(
        one.seqs or one.known_mask != before.known_mask for one, before in zip(played, dealt, strict=True)
    )


def _tricks_section(state: State, style: TextStyle) -> TextSection:
    """Every trick on a line, also the current one, and the cards played after the end."""
    tricks = tricks_on_record(state)
    if not tricks:
        return TextSection("", [])
    head = ("", style.phrase("leader"), "", "", "", style.phrase("F–M–B"))
    texts = align_columns([head, *_trick_rows(tricks, state, style)], right_aligned=(0,))
    lines = [
        TextLine(style.dim(INDENT + texts[0])),
        *(TextLine(INDENT + text, trick.seqs) for text, trick in zip(texts[1:], tricks, strict=True)),
        *_beside_tricks_lines(state, style),
    ]
    return TextSection(style.phrase("Tricks (* wins)"), lines)


def _trick_rows(tricks: tuple[Trick, ...], state: State, style: TextStyle) -> list[tuple[str, ...]]:
    rows = []
    won = [0, 0, 0]
    for trick in tricks:
        if trick.winner is not None:
            won[trick.winner] += 1
        cards = [_trick_card_cell(trick, place, style) for place in range(len(trick.cards))]
        cards += [""] * (len(won) - len(cards))
        leader = names.short_player_label(state, trick.seats[0], style) if trick.seats else ""
        count = style.counts(tuple(won)) if trick.winner is not None else ""
        if trick.winner is None and trick.number <= len(state.play.tricks):
            count = "?"
        if trick in state.ending.tricks_played_on:
            count = style.phrase("played on")
        rows.append((str(trick.number), leader, *cards, count))
    return rows


def _trick_card_cell(trick: Trick, place: int, style: TextStyle) -> str:
    """A card of a trick, marked if it won, with its seat if it was played out of turn."""
    seat, text = trick.seats[place], style.card(trick.cards[place])
    if seat == trick.winner:
        text = style.bold(text) + "*"
    is_in_turn = place == 0 or seat == next_seat(trick.seats[place - 1])
    return text if is_in_turn else f"{text} ({SEAT_LETTERS[seat]})"


def _beside_tricks_lines(state: State, style: TextStyle) -> list[TextLine]:
    """Cards that belong to no trick and do not count."""
    plays = cards_outside_tricks(state)
    if not plays:
        return []
    cards = ", ".join(f"{SEAT_LETTERS[seat]} {style.card(card)}" for _, seat, card in plays)
    lines = wrap_text(f"{style.phrase('Played, and does not count')}: {cards}", style.width, INDENT)
    return [TextLine("\n".join(lines), tuple(seq for seq, _, _ in plays))]
