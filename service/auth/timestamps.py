"""Timestamps as the store writes them: in UTC, to the millisecond, so that they compare as text."""

from datetime import UTC, datetime, timedelta


def add_days(timestamp: str, days: float) -> str:
    """The timestamp that many days later."""
    return format_timestamp(datetime.fromisoformat(timestamp) + timedelta(days=days))


def seconds_between(earlier: str, later: str) -> float:
    """Seconds from one timestamp to another."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def format_timestamp(when: datetime) -> str:
    """A time in any zone as a timestamp."""
    utc = when.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"
