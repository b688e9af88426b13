"""The command line ``spadille``: deals judged, scored, told and drawn; the service started."""

import click

from service.cli.auditing import audit
from service.cli.backups import backup, restore
from service.cli.checkpoints import checkpoint
from service.cli.comparing import compare
from service.cli.converting import convert
from service.cli.copying import copy
from service.cli.endings import Doors
from service.cli.exporting import export
from service.cli.figures import figures
from service.cli.forgetting import forget
from service.cli.importing import import_slips
from service.cli.ledger import show_ledger
from service.cli.library import replays
from service.cli.publishing import publish
from service.cli.replaying import replay
from service.cli.rules import rules
from service.cli.scoring import score
from service.cli.serve import serve
from service.cli.showing import show
from service.cli.stats import stats
from service.cli.tokens import tokens
from service.cli.unseen import evidence
from service.cli.validating import validate
from service.cli.verifying import verify


@click.group(
    "spadille",
    cls=Doors,
    epilog="Example: spadille show belinda",
    context_settings={"max_content_width": 100},
)
@click.version_option(package_name="spadille", message="%(prog)s %(version)s")
def main() -> None:
    """Deals of L'Hombre, told and judged. Each command says more with --help."""


_COMMANDS = (
    show,
    score,
    replay,
    publish,
    validate,
    audit,
    evidence,
    compare,
    stats,
    convert,
    show_ledger,
    import_slips,
    export,
    replays,
    rules,
    verify,
    checkpoint,
    forget,
    figures,
    copy,
    serve,
    tokens,
    backup,
    restore,
)
for _command in _COMMANDS:
    main.add_command(_command)

__all__ = ["main"]
