"""What ``import-slips`` tells of a sheet, in both languages: where a fault stands, and what was read."""

from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.csv_sheet_file import column_letters
from schemas.spreadsheet.slip import SlipFault


def format_slip_fault(file: str, fault: SlipFault, lang: str) -> str:
    """A fault of a sheet with its place as the spreadsheet shows it."""
    place = gettext(", row {row}", lang).format(row=fault.row) if fault.row else ""
    if fault.column:
        place += gettext(", column {column}", lang).format(column=column_letters(fault.column))
    heading = f" ({fault.heading})" if fault.heading else ""
    return f"{file}{place}{heading}: {fault.message}"


def format_import_counts(deals: int, tables: int, omitted: int, lang: str) -> str:
    """How many deals a sheet had at how many tables, and how many of its rows could not be read."""
    left_out = ""
    if omitted:
        rows = gettext("{count} row" if omitted == 1 else "{count} rows", lang).format(count=omitted)
        left_out = gettext("; {rows} left out", lang).format(rows=rows)
    return gettext("{deals} at {tables}{left_out}.", lang).format(
        deals=gettext("{count} deal" if deals == 1 else "{count} deals", lang).format(count=deals),
        tables=gettext("{count} table" if tables == 1 else "{count} tables", lang).format(count=tables),
        left_out=left_out,
    )
