"""``spadille replay``: deals entry by entry."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import click

from engine import Audit, History, State, evolve, initial_state
from engine.core.field_types import Seq
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from schemas.answers.deal_reports import replay_frames
from service.cli.io import options
from service.cli.io.audited_deals import PointOptions
from service.cli.io.bulk_run import InputSource, process_sources
from service.cli.io.deal_titles import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.io.log_processor import DealProcessor
from service.cli.io.output import OutputData, format_json_line, format_lines
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE
from service.presentation.text.layout import pad_text, wrap_text
from service.presentation.text.sentences import SentenceContext, entry_sentence
from service.presentation.text.style import TextStyle


@click.command(epilog="Example: spadille replay --at 20 belinda")
@options.inputs
@options.output_format
@options.at
@options.as_of
@options.viewer
@options.rules
@options.jobs
@options.resume_after
@options.style
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str,
    at: Seq | None,
    as_of: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    jobs: int,
    silent: bool,
    resume_after: InputSource | None,
    style: TextStyle,
) -> None:
    """Tell deals entry by entry, in words or as states.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    With --format json each line has the event, the state after it, what may happen next and the
    score.
    """
    point = PointOptions(at, as_of, viewer, options.load_rule_book(rules_files))
    processor = ReplayProcessor(point, output == "text", style)
    result = process_sources(options.build_sources(files, resume_after), processor, jobs, not silent)
    ctx.exit(EXIT_UNREADABLE if result.has_unreadable else EXIT_SOUND)


@dataclass(frozen=True, slots=True)
class ReplayProcessor(DealProcessor):
    """What ``replay`` does with a deal. Its answer is many times as long as the deal, so pieces are small."""

    style: TextStyle
    piece_bytes: ClassVar[int] = 64 << 10

    def render(self, deal: InputLog, audited: Audit) -> Iterator[OutputData]:
        """The deal, entry by entry."""
        state, style = audited.state, self.style
        book = state.opening.book
        if self.for_terminal:
            yield format_lines(
                [*deal_title_lines(deal, state, style), *history_lines(audited.history, style, book), ""],
                style,
            )
        else:
            yield from map(format_json_line, replay_frames(audited.history, book))


def history_lines(
    history: History, style: TextStyle, book: RulesetBook = PUBLISHED_RULESETS
) -> Iterator[str]:
    """The entries in words, each with its number before it."""
    before: State = initial_state(book)
    width = max((len(str(entry.seq)) for entry in history.entries), default=0) + 2
    for entry in history.entries:
        after = evolve(before, entry)
        number = pad_text(str(entry.seq), width, align_right=True) + "  "
        yield from wrap_text(
            entry_sentence(entry, SentenceContext(before, after, style)), style.width, number
        )
        before = after
