"""``spadille hidden-cards``: what the hidden cards of a deal can be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
from service.cli.views.deal_lines import INDENT, hidden_cards_lines
from service.presentation.text.findings import mistakes_sentence
from service.presentation.text.hidden_cards import (
    card_shares_sentence,
    hidden_card_phrase,
    witness_deal_lines,
)
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle


@click.command(epilog="Example: spadille hidden-cards --seat backhand belinda")
@options.output_format
@options.point
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Show only the cards of the player in this seat.")
@click.option(
    "--count",
    "counted",
    type=options.parse_seq,
    metavar="SEQ",
    help="Count the deals for each card that this entry can be.",
)
@click.option("--witness", is_flag=True, help="Also show one complete deal that agrees with the record.")
@options.rules
@options.bulk
@options.style
@options.deal_run
def hidden_cards(run: options.DealRun, seat: str | None, counted: Seq | None, witness: bool) -> int:
    """List what each hidden card can be.

    The answer also has the number of complete deals that agree with the record, or the entries that
    contradict each other. FILE is a log (JSON Lines or the notation), the name of a library deal, or - for
    standard input.
    """
    only_seat = None if seat is None else SEAT_BY_NAME[seat]
    processor = HiddenCardsProcessor(
        run.load_point(), run.for_terminal, run.style, only_seat, counted, witness
    )
    return run.process(processor).exit_status


@dataclass(frozen=True, slots=True)
class HiddenCardsProcessor(LogProcessor):
    """Answers for the record as it is, and names the input slip that may explain it.

    ``only_seat`` restricts the answer to a seat; ``counted_seq`` adds the shares of the card played there,
    ``with_witness`` one deal that agrees.
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
    """Whether the witness is a lawful deal: it is if there is one."""
    return unseen_cards.evidence.lawful.is_consistent is not False
