"""``spadille hidden-cards``: what the hidden cards of a deal can be."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import click

from engine.core.cards import SEAT_BY_NAME, SEAT_NAMES, Seat
from engine.core.field_types import Seq
from engine.inference.consistent_deals import find_witness
from engine.inference.unseen_cards import UnseenCards, analyze_unseen_cards
from schemas.answers.hidden_cards import EVIDENCE_LEVELS, evidence_object
from service.cli.io import options
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.views.deal_lines import hidden_cards_lines
from service.presentation.text.findings import mistakes_sentence
from service.presentation.text.hidden_cards import (
    card_shares_sentence,
    hidden_card_phrase,
    witness_deal_lines,
)
from service.presentation.text.layout import INDENT, wrap_text
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint


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
    question = HiddenCardsQuestion(None if seat is None else SEAT_BY_NAME[seat], counted, witness)
    return run.process_deals(
        partial(_hidden_cards_report_lines, question),
        partial(_hidden_cards_objects, question),
        has_size_limit=True,
    ).exit_status


class HiddenCardsQuestion(NamedTuple):
    """What is asked besides the hidden cards.

    ``only_seat`` restricts the answer to a seat; ``counted_seq`` adds the shares of the card played there,
    ``with_witness`` one deal that agrees.
    """

    only_seat: Seat | None
    counted_seq: Seq | None
    with_witness: bool


def _hidden_cards_objects(
    question: HiddenCardsQuestion, deal: InputLog, point: DealPoint
) -> Iterator[dict[str, Any]]:
    unseen_cards = analyze_unseen_cards(point.entries, point.state)
    level = EVIDENCE_LEVELS[_is_witness_lawful(unseen_cards)] if question.with_witness else None
    obj = evidence_object(
        unseen_cards,
        point.entries,
        play_seq=question.counted_seq,
        witness_level=level,
        mistakes=point.mistakes,
    )
    if question.only_seat is not None:
        name = SEAT_NAMES[question.only_seat]
        obj["cards"] = [one for one in obj["cards"] if one["seat"] == name]
        obj["hands"] = {name: obj["hands"][name]}
    yield {"file": deal.file, "deal": deal.number, **obj}


def _hidden_cards_report_lines(
    question: HiddenCardsQuestion, deal: InputLog, point: DealPoint, style: TextStyle
) -> Iterator[str]:
    """What the hidden cards can be in the record as it is, and the input slip that may explain it."""
    audited = point.audit
    unseen_cards = analyze_unseen_cards(point.entries, audited.state)
    yield from deal_title_lines(deal, audited.state, style)
    if point.mistakes:
        yield from wrap_text(mistakes_sentence(point.mistakes, style), style.width, INDENT)
    yield from hidden_cards_lines(unseen_cards, audited, style, question.only_seat)
    if question.counted_seq is not None:
        shares = card_shares_sentence(unseen_cards, question.counted_seq, audited.state, style)
        yield from wrap_text(shares, style.width, INDENT)
    if question.with_witness and unseen_cards.evidence.physical.is_consistent is not False:
        witness = find_witness(unseen_cards.evidence, _is_witness_lawful(unseen_cards))
        yield from ("", style.bold(hidden_card_phrase("witness", style)))
        for line in witness_deal_lines(witness, unseen_cards, audited.state, style):
            yield from wrap_text(line, style.width, INDENT, INDENT * 2)
    yield ""


def _is_witness_lawful(unseen_cards: UnseenCards) -> bool:
    """Whether the witness is a lawful deal: it is if there is one."""
    return unseen_cards.evidence.lawful.is_consistent is not False
