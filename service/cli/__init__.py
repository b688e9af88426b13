"""The command line ``spadille``."""

from typing import Final

import click

from service.cli.io.safe_group import LazyCommand, SafeGroup
from service.config.engine_build import describe_engine

COMMANDS: Final = {
    "show": LazyCommand("show:show", "Draw deals: hands, auction, exchange, tricks, score, notes."),
    "score": LazyCommand("score:score", "Score deals: who pays whom, and why."),
    "replay": LazyCommand("replay:replay", "Replay deals entry by entry, in words or as states."),
    "html": LazyCommand("html:write_html", "Write a deal as one HTML file that replays it."),
    "validate": LazyCommand("validate:validate", "Check deals against the rules, and score them."),
    "audit": LazyCommand("audit:audit", "Report on deals and tables for a director."),
    "hidden-cards": LazyCommand("hidden_cards:hidden_cards", "List what each hidden card can be."),
    "compare": LazyCommand("compare:compare", "Compare two accounts of one deal, entry by entry."),
    "stats": LazyCommand("stats:stats", "Count contracts, outcomes, chips, players and findings."),
    "convert": LazyCommand("convert:convert", "Convert logs to the notation or to JSON Lines."),
    "ledger": LazyCommand(
        "ledger:show_ledger", "Show a table's score sheet: deals, totals, and who owes whom."
    ),
    "import-slips": LazyCommand(
        "import_slips:import_slips", "Import a club's slips from a spreadsheet, one row per deal."
    ),
    "export": LazyCommand("export:export", "Export a table's deals as a sheet of slips, one row per deal."),
    "library": LazyCommand("library:list_library", "List the library, or print one of its deals."),
    "rules": LazyCommand("rules:rules", "Show a ruleset: bids, contracts, exchange, payments."),
    "verify": LazyCommand("verify:verify", "Check that records are unchanged, and name each changed event."),
    "checkpoint": LazyCommand(
        "checkpoint:checkpoint", "Sign the current state of a store, for you to keep elsewhere."
    ),
    "erase-person": LazyCommand(
        "erase_person:erase_person", "Erase a person's name from records: as a player, and in notes."
    ),
    "projections": LazyCommand(
        "projections:projections", "Manage the stored figures of seasons and members."
    ),
    "copy": LazyCommand("copy:copy", "Copy a store into another, such as a file into PostgreSQL."),
    "serve": LazyCommand("serve:serve", "Start the pages and the API on this computer."),
    "tokens": LazyCommand("tokens:tokens", "Create, list and revoke tokens and links to the service."),
    "backup": LazyCommand("backup:backup", "Write everything that the service stores into one file."),
    "restore": LazyCommand("backup:restore", "Restore a backup into a folder without a store."),
}
"""The commands by name, the most used first; each module is imported when its command is run."""


@click.group(
    "spadille",
    cls=SafeGroup,
    lazy_commands=COMMANDS,
    epilog="Example: spadille show belinda",
    context_settings={"max_content_width": 100},
)
@click.version_option(package_name="spadille", message=f"%(prog)s %(version)s ({describe_engine()})")
def main() -> None:
    """Record, replay, score and judge deals of L'Hombre. Each command has its own --help."""


__all__ = ["COMMANDS", "main"]
