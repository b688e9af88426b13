"""``spadille replay``: deals entry by entry."""

from collections.abc import Iterable, Iterator
from typing import Any

import click

from schemas.answers.deal_reports import replay_frames
from service.cli.io import options
from service.cli.io.deals import deal_title_lines
from service.cli.io.inputs import InputLog
from service.cli.views.deal_lines import history_lines
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint


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
    return run.process_deals(_replay_lines, _replay_objects).exit_status


def _replay_lines(deal: InputLog, point: DealPoint, style: TextStyle) -> Iterator[str]:
    yield from deal_title_lines(deal, point.audit.state, style)
    yield from history_lines(point.audit.history, style, point.book)
    yield ""


def _replay_objects(deal: InputLog, point: DealPoint) -> Iterable[dict[str, Any]]:
    return replay_frames(point.audit.history, point.book)
