"""Days and times in each language."""

from typing import Final

from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext

_MONTHS: Final = "January February March April May June July August September October November December"


def format_day(moment: str, lang: str) -> str:
    """The day of a time (RFC 3339) in its own time zone; of a date that is a month or a year, just that."""
    year, *rest = map(int, moment[:10].split("-"))
    if not rest:
        return str(year)
    month = gettext(_MONTHS, lang).split()[rest[0] - 1]
    if len(rest) == 1:
        return f"{month} {year}"
    return gettext("{day} {month} {year}", lang).format(day=rest[1], month=month, year=year)


def format_source(source: str | None, date: str | None, lang: str) -> str:
    """Where a deal comes from and its date, as far as its opening states them."""
    if source and date and any(format_day(date, one) in source for one in MESSAGE_LANGUAGES):
        return source
    return ", ".join(filter(None, (source, date and format_day(date, lang))))


def format_moment(moment: str, lang: str) -> str:
    """A time (RFC 3339) to the minute, with its time zone."""
    zone = "UTC" if moment[-1] in "Zz" or moment[-5:] == "00:00" else f"UTC{moment[-6:]}"
    return gettext("{day}, {hour}:{minute} {zone}", lang).format(
        day=format_day(moment, lang), hour=moment[11:13], minute=moment[14:16], zone=zone
    )
