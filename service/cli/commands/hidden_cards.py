"""``spadille hidden-cards``: what the hidden cards of a deal can be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import click

from engine import Audit
from engine.core.cards import SEAT_BY_NAME, SEAT_NAMES, Seat
from engine.core.field_types import Seq
from engine.diagnosis.mistakes import Mistake
from engine.inference.consistent_deals import find_witness
from engine.inference.unseen_cards import UnseenCards, analyze_unseen_cards
from schemas.answers.hidden_cards import EVIDENCE_LEVELS, evidence_object
from schemas.logs.deal_size import DealTooLarge
from service.cli.io import options
from service.cli.io.bulk_run import LogProcessor, LogResults
from service.cli.io.deals import PointOptions, deal_location, deal_title_lines, deals_at_point
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import OutputData, format_json_line, format_lines
from service.presentation.text import names
from service.presentation.text.findings import mistakes_sentence
from service.presentation.text.hidden_cards import (
    AS_RECORDED,
    card_shares_sentence,
    contradiction_sentences,
    deal_count_sentences,
    hidden_card_phrase,
    list_possible_cards,
    possible_cards_phrase,
    witness_deal_lines,
)
from service.presentation.text.layout import wrap_text
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle

INDENT = "  "


@click.command(epilog="Example: spadille hidden-cards --seat backhand belinda")
@options.output_format
@options.point
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Only the cards of the player in this seat.")
@click.option(
    "--count",
    "counted",
    type=options.parse_seq,
    metavar="SEQ",
    help="Count the deals for each card that this entry can be.",
)
@click.option("--witness", is_flag=True, help="Also one complete deal that agrees.")
@options.rules
@options.bulk
@options.style
@options.deal_run
def hidden_cards(run: options.DealRun, seat: str | None, counted: Seq | None, witness: bool) -> int:
    """Say what the hidden cards of deals can be.

    And how many complete deals agree, or which entries cannot all be true. FILE is a log (JSON Lines or
    the notation), - for standard input, or a deal of the library.
    """
    only_seat = None if seat is None else SEAT_BY_NAME[seat]
    processor = HiddenCardsProcessor(
        run.load_point(), run.for_terminal, run.style, only_seat, counted, witness
    )
    return run.process(processor).exit_status


@dataclass(frozen=True, slots=True)
class HiddenCardsProcessor(LogProcessor):
    """What ``hidden-cards`` does with a deal.

    It answers for the record as it is, and names the mistake of the pen that may explain that. ``only_seat``:
    of that seat alone; ``counted_seq``: with the shares of the card played there; ``with_witness``: with one
    deal that agrees.
    """

    point: PointOptions
    for_terminal: bool
    style: TextStyle
    only_seat: Seat | None = None
    counted_seq: Seq | None = None
    with_witness: bool = False

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What the hidden cards of each deal can be."""
        for deal, deal_point in deals_at_point(logs, inputs.report_unreadable, self.point, self.for_terminal):
            try:
                deal_point.require_size()
            except DealTooLarge as error:
                inputs.report_unreadable(f"{deal_location(deal)}: {error}")
            else:
                yield self._render_deal(deal, deal_point.audit, deal_point.mistakes), {}

    def _render_deal(
        self, deal: InputLog, audited: Audit, mistakes: tuple[Mistake, ...]
    ) -> Iterator[OutputData]:
        entries = audited.history.entries
        unseen_cards = analyze_unseen_cards(entries, audited.state)
        if self.for_terminal:
            lines = [*deal_title_lines(deal, audited.state, self.style), *self._mistake_lines(mistakes)]
            yield format_lines(
                [*lines, *self._hidden_card_report_lines(unseen_cards, audited), ""], self.style
            )
            return
        level = EVIDENCE_LEVELS[_is_witness_lawful(unseen_cards)] if self.with_witness else None
        obj = evidence_object(
            unseen_cards, entries, play_seq=self.counted_seq, witness_level=level, mistakes=mistakes
        )
        if self.only_seat is not None:
            name = SEAT_NAMES[self.only_seat]
            obj["cards"] = [one for one in obj["cards"] if one["seat"] == name]
            obj["hands"] = {name: obj["hands"][name]}
        yield format_json_line({"file": deal.file, "deal": deal.number, **obj})

    def _mistake_lines(self, mistakes: tuple[Mistake, ...]) -> list[str]:
        if not mistakes:
            return []
        return wrap_text(mistakes_sentence(mistakes, self.style), self.style.width, INDENT)

    def _hidden_card_report_lines(self, unseen_cards: UnseenCards, audited: Audit) -> Iterator[str]:
        style = self.style
        yield from hidden_cards_lines(unseen_cards, audited, style, self.only_seat)
        if self.counted_seq is not None:
            yield from wrap_text(
                card_shares_sentence(unseen_cards, self.counted_seq, audited.state, style),
                style.width,
                INDENT,
            )
        if self.with_witness and unseen_cards.evidence.physical.is_consistent is not False:
            lines = witness_deal_lines(
                find_witness(unseen_cards.evidence, _is_witness_lawful(unseen_cards)),
                unseen_cards,
                audited.state,
                style,
            )
            yield from ("", style.bold(hidden_card_phrase("witness", style)))
            for line in lines:
                yield from wrap_text(line, style.width, INDENT, INDENT * 2)


def _is_witness_lawful(unseen_cards: UnseenCards) -> bool:
    """Whether the witness is a lawful deal: it is, unless there is none."""
    return unseen_cards.evidence.lawful.is_consistent is not False


def hidden_cards_lines(
    unseen_cards: UnseenCards,
    audited: Audit,
    style: TextStyle,
    only_seat: Seat | None = None,
    original_seqs: Mapping[Seq, Seq] = AS_RECORDED,
) -> Iterator[str]:
    """List what the hidden cards can be, player by player, and how many deals agree.

    ``original_seqs`` maps entries that are not in the record to those they are reported as.
    """
    for line in contradiction_sentences(unseen_cards, audited, style):
        yield from wrap_text(line, style.width, INDENT, INDENT * 2)
    if unseen_cards.evidence.physical.is_consistent is False:
        return
    found = list_possible_cards(unseen_cards, audited, style, only_seat, original_seqs)
    if not found:
        yield INDENT + hidden_card_phrase("nothing", style)
    for seat, cards in groupby(found, key=lambda one: one.seat):
        owner = (
            hidden_card_phrase("talon", style)
            if seat is None
            else names.player_label(audited.state, seat, style)
        )
        yield INDENT + capitalize_first(owner)
        for one in cards:
            yield from wrap_text(
                possible_cards_phrase(one, audited.state, style), style.width, INDENT * 2, INDENT * 3
            )
    for line in deal_count_sentences(unseen_cards, style, original_seqs) if found else ():
        yield from wrap_text(line, style.width, INDENT)
