"""The command line ``spadille``."""

import click

from service.cli.commands.audit import audit
from service.cli.commands.backup import backup, restore
from service.cli.commands.checkpoint import checkpoint
from service.cli.commands.compare import compare
from service.cli.commands.convert import convert
from service.cli.commands.copy import copy
from service.cli.commands.erase_person import erase_person
from service.cli.commands.export import export
from service.cli.commands.hidden_cards import hidden_cards
from service.cli.commands.html import write_html
from service.cli.commands.import_slips import import_slips
from service.cli.commands.ledger import show_ledger
from service.cli.commands.library import list_library
from service.cli.commands.projections import projections
from service.cli.commands.replay import replay
from service.cli.commands.rules import rules
from service.cli.commands.score import score
from service.cli.commands.serve import serve
from service.cli.commands.show import show
from service.cli.commands.stats import stats
from service.cli.commands.tokens import tokens
from service.cli.commands.validate import validate
from service.cli.commands.verify import verify
from service.cli.io.safe_group import SafeGroup


@click.group(
    "spadille",
    cls=SafeGroup,
    epilog="Example: spadille show belinda",
    context_settings={"max_content_width": 100},
)
@click.version_option(package_name="spadille", message="%(prog)s %(version)s")
def main() -> None:
    """Record, replay, score and judge deals of L'Hombre. Each command has its own --help."""


_COMMANDS = (
    show,
    score,
    replay,
    write_html,
    validate,
    audit,
    hidden_cards,
    compare,
    stats,
    convert,
    show_ledger,
    import_slips,
    export,
    list_library,
    rules,
    verify,
    checkpoint,
    erase_person,
    projections,
    copy,
    serve,
    tokens,
    backup,
    restore,
)
for _command in _COMMANDS:
    main.add_command(_command)

__all__ = ["main"]
