"""Moments as the store writes them: in UTC, to the millisecond, so that they compare as text."""

from datetime import UTC, datetime, timedelta


def add_days(timestamp: str, days: float) -> str:
    """The moment so many days later."""
    return format_timestamp(datetime.fromisoformat(timestamp) + timedelta(days=days))


def seconds_between(earlier: str, later: str) -> float:
    """How many seconds there are from one moment to another, both as the store writes them."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def format_timestamp(when: datetime) -> str:
    """A moment in any zone, as the store writes it."""
    utc = when.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
