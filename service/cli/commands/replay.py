"""``spadille replay``: deals entry by entry."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from engine import Audit
from schemas.answers.deal_reports import replay_frames
from service.cli.io import options
from service.cli.io.bulk_run import DealProcessor
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.views.deal_lines import history_lines
from service.presentation.text.style import TextStyle

PIECE_BYTES: Final = 64 << 10
"""The output is many times as long as the deals, so pieces are small."""


@click.command(epilog="Example: spadille replay --at 20 belinda")
@options.output_format
@options.point
@options.rules
@options.bulk
@options.style
@options.deal_run
def replay(run: options.DealRun) -> int:
    """Replay deals entry by entry, in words or as states.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. With
    --format json each line has the event, the state after it, the legal next events and the score.
    """
    point = run.load_point()
    return run.process(
        DealProcessor(
            point, run.for_terminal, run.style, _replay_lines, _replay_objects, piece_bytes=PIECE_BYTES
        )
    ).exit_status


def _replay_lines(deal: InputLog, audited: Audit, style: TextStyle) -> Iterator[str]:
    yield from deal_title_lines(deal, audited.state, style)
    yield from history_lines(audited.history, style, audited.state.opening.book)
    yield ""


def _replay_objects(deal: InputLog, audited: Audit) -> Iterable[dict[str, Any]]:
    return replay_frames(audited.history, audited.state.opening.book)
