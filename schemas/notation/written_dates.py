"""Dates as people write them, in English and Danish."""

import re
from datetime import date
from typing import Final

_MONTH_NAMES: Final = (
    "januar january", "februar february", "marts march", "april", "maj may", "juni june",
    "juli july", "august", "september", "oktober october", "november", "december",
)  # fmt: skip
_MONTHS: Final = {
    form: str(month)
    for month, names in enumerate(_MONTH_NAMES, 1)
    for name in names.split()
    for form in (name, name[:3], name[:4])
}
_YEAR: Final = r"([12]\d{3})"
_match_iso: Final = re.compile(rf"{_YEAR}(?:-(\d\d?)(?:-(\d\d?))?)?", re.ASCII).fullmatch
_match_numbers: Final = re.compile(
    r"(\d\d?)[./-] ?(\d\d?)(?:[./-] ?| )([12]\d{3}|[0-3]\d)", re.ASCII
).fullmatch
_match_day_first: Final = re.compile(
    rf"(?:(?:den )?(\d\d?)(?:\.|st|nd|rd|th)? ?)?([a-z]{{3,9}})[.,]? {_YEAR}", re.ASCII
).fullmatch
_match_month_first: Final = re.compile(
    rf"([a-z]{{3,9}})\.? (\d\d?)(?:st|nd|rd|th)?,? {_YEAR}", re.ASCII
).fullmatch


def parse_written_date(text: str) -> str | None:
    """The date that a text states, as events have it; None if it states none, or not clearly.

    In numbers the day comes first; a year of two digits is one from 2000 to 2039.

    >>> parse_written_date("3. maj 1766"), parse_written_date("27/11 26"), parse_written_date("May 1766")
    ('1766-05-03', '2026-11-27', '1766-05')
    """
    words = " ".join(text.lower().split())
    day: str | None
    if found := _match_iso(words):
        year, month, day = found.groups()
    elif found := _match_numbers(words):
        day, month, year = found.groups()
    elif found := _match_day_first(words):
        day, month, year = found[1], _MONTHS.get(found[2], "0"), found[3]
    elif found := _match_month_first(words):
        day, month, year = found[2], _MONTHS.get(found[1], "0"), found[3]
    else:
        return None
    stated = [int(part) for part in (f"20{year}"[-4:], month, day) if part]
    try:
        first_day = date(*stated, *(1,) * (3 - len(stated)))
    except ValueError:
        return None
    return first_day.isoformat()[: 3 * len(stated) + 1]
