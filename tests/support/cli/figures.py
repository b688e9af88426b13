"""What a command says."""

from click.testing import Result


def words(told: Result) -> str:
    """What a command said, in one line."""
    return " ".join(told.stdout.split())
