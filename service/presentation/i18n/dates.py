"""Days and moments as they are read in the languages of the project."""

from collections.abc import Mapping
from typing import Final

_MONTHS: Final[Mapping[str, str]] = {
    "en": "January February March April May June July August September October November December",
    "da": "januar februar marts april maj juni juli august september oktober november december",
}
_DAY_FORMATS: Final[Mapping[str, str]] = {"en": "{day} {month} {year}", "da": "{day}. {month} {year}"}
_MOMENT_FORMATS: Final[Mapping[str, str]] = {
    "en": "{day}, {hour}:{minute} {zone}",
    "da": "{day} kl. {hour}.{minute} {zone}",
}


def format_day(moment: str, lang: str) -> str:
    """The day of a moment (RFC 3339), by its own clock."""
    year, month, number = map(int, moment[:10].split("-"))
    return _DAY_FORMATS[lang].format(day=number, month=_MONTHS[lang].split()[month - 1], year=year)


def format_moment(moment: str, lang: str) -> str:
    """A moment (RFC 3339) to the minute, with the zone of its clock."""
    zone = "UTC" if moment[-1] in "Zz" or moment[-5:] == "00:00" else f"UTC{moment[-6:]}"
    return _MOMENT_FORMATS[lang].format(
        day=format_day(moment, lang), hour=moment[11:13], minute=moment[14:16], zone=zone
    )
