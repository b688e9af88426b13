"""Moments as the store writes them: in UTC, to the millisecond, so that they compare as text."""

from datetime import UTC, datetime, timedelta


def after_days(moment: str, days: float) -> str:
    """The moment so many days later."""
    return as_stored(datetime.fromisoformat(moment) + timedelta(days=days))


def seconds_between(moment: str, later: str) -> float:
    """How many seconds there are from one moment to another, both as the store writes them."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(moment)).total_seconds()


def as_stored(moment: datetime) -> str:
    """A moment in any zone, as the store writes it."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
