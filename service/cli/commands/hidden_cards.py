"""``spadille hidden-cards``: what the hidden cards of a deal can be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import click

from engine import Audit
from engine.core.cards import SEAT_NAMES, SEAT_OF, Seat
from engine.core.vocabulary import Seq
from engine.diagnosis.mistakes import Mistake
from engine.inference.unseen import Unseen, unseen
from schemas.answers.unseen import LEVELS, evidence_object
from schemas.logs.deal_size import DealTooLarge
from schemas.logs.pieces import PIECE
from service.cli.io import options
from service.cli.io.bulk import Source, run
from service.cli.io.deal_titles import heading, place
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.output import Written, line_of, text_of
from service.cli.io.points import Point, reached
from service.cli.io.safe_group import SOUND, UNREADABLE
from service.cli.io.work import Counts
from service.presentation.text import names
from service.presentation.text.layout import wrapped
from service.presentation.text.put_right import mistakes_told
from service.presentation.text.sentences import upper
from service.presentation.text.style import Style, style_here
from service.presentation.text.unseen import (
    AS_RECORDED,
    contradiction_told,
    levels_told,
    possibilities,
    possible_told,
    shares_told,
    witness_told,
)
from service.presentation.text.unseen_words import UNSEEN

INDENT = "  "


@click.command(epilog="Example: spadille hidden-cards --seat backhand belinda")
@options.inputs
@options.output_format
@options.at
@options.as_of
@options.viewer
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="Only the cards of the player in this seat.")
@click.option(
    "--count",
    "counted",
    type=options.SeqType(),
    metavar="SEQ",
    help="Count the deals for each card that this entry can be.",
)
@click.option("--witness", is_flag=True, help="Also one complete deal that agrees.")
@options.rules
@options.jobs
@options.resume_after
@options.lang
@click.pass_context
def hidden_cards(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    at: Seq | None,
    as_of: int | None,
    viewer: str,
    seat: str | None,
    counted: Seq | None,
    witness: bool,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    resume_after: Source | None,
    lang: str | None,
) -> None:
    """Say what the hidden cards of deals can be.

    And how many complete deals agree, or which entries cannot all be true. FILE is a log (JSON Lines or
    the notation), - for standard input, or a deal of the library.
    """
    point = Point(at, as_of, viewer, options.book_from(ctx, rules_files))
    whose = None if seat is None else SEAT_OF[seat]
    work = Examining(point, output == "text", style_here(lang), whose, counted, witness)
    ran = run(options.sources(ctx, files, resume_after), work, jobs, not silent)
    ctx.exit(UNREADABLE if ran.unreadable else SOUND)


@dataclass(frozen=True, slots=True)
class Examining:
    """What ``hidden-cards`` does with a deal.

    It answers for the record as it is, and names the mistake of the pen that may explain that. Of one seat
    where ``whose`` says so; with the shares of the card played at ``share_of``, and one deal as ``witness``.
    """

    point: Point
    plain: bool
    style: Style
    whose: Seat | None = None
    share_of: Seq | None = None
    witness: bool = False
    piece: ClassVar[int] = PIECE
    with_tables: ClassVar[bool] = False

    def of(self, logs: Iterable[Deal], inputs: Inputs) -> Iterator[tuple[Iterable[Written], Counts]]:
        """What the hidden cards of each deal can be."""
        for deal, there in reached(logs, inputs.refuse, self.point, self.plain):
            try:
                there.require_size()
            except DealTooLarge as error:
                inputs.refuse(f"{place(deal)}: {error}")
            else:
                yield self._told(deal, there.audit, there.mistakes), {}

    def _told(self, deal: Deal, audited: Audit, mistakes: tuple[Mistake, ...]) -> Iterator[Written]:
        entries = audited.history.entries
        made = unseen(entries, audited.state)
        if self.plain:
            lines = [*heading(deal, audited.state, self.style), *self._explained(mistakes)]
            yield text_of([*lines, *self._lines(made, audited), ""], self.style)
            return
        level = LEVELS[_lawful(made)] if self.witness else None
        told = evidence_object(made, entries, of=self.share_of, witness=level, mistakes=mistakes)
        if self.whose is not None:
            name = SEAT_NAMES[self.whose]
            told["cards"] = [one for one in told["cards"] if one["seat"] == name]
            told["hands"] = {name: told["hands"][name]}
        yield line_of({"file": deal.file, "deal": deal.number, **told})

    def _explained(self, mistakes: tuple[Mistake, ...]) -> list[str]:
        if not mistakes:
            return []
        return wrapped(mistakes_told(mistakes, self.style), self.style.width, INDENT)

    def _lines(self, made: Unseen, audited: Audit) -> Iterator[str]:
        style = self.style
        yield from unseen_lines(made, audited, style, self.whose)
        if self.share_of is not None:
            yield from wrapped(shares_told(made, self.share_of, audited.state, style), style.width, INDENT)
        if self.witness and made.found.physical.agrees is not False:
            told = witness_told(made.witness(_lawful(made)), made, audited.state, style)
            yield from ("", style.bold(UNSEEN["witness"][style.lang]))
            for line in told:
                yield from wrapped(line, style.width, INDENT, INDENT * 2)


def _lawful(made: Unseen) -> bool:
    """Whether the witness is a lawful deal: it is, unless there is none."""
    return made.found.lawful.agrees is not False


def unseen_lines(
    made: Unseen,
    audited: Audit,
    style: Style,
    whose: Seat | None = None,
    called: Mapping[Seq, Seq] = AS_RECORDED,
) -> Iterator[str]:
    """What the hidden cards can be, player by player, and how many deals agree.

    ``called``: by entries that are none of the record, those that they are told as.
    """
    for line in contradiction_told(made, audited, style):
        yield from wrapped(line, style.width, INDENT, INDENT * 2)
    if made.found.physical.agrees is False:
        return
    found = possibilities(made, audited, style, whose, called)
    if not found:
        yield INDENT + UNSEEN["nothing"][style.lang]
    for seat, cards in groupby(found, key=lambda one: one.seat):
        owner = UNSEEN["talon"][style.lang] if seat is None else names.player(audited.state, seat, style)
        yield INDENT + upper(owner)
        for one in cards:
            yield from wrapped(possible_told(one, audited.state, style), style.width, INDENT * 2, INDENT * 3)
    for line in levels_told(made, style, called) if found else ():
        yield from wrapped(line, style.width, INDENT)
