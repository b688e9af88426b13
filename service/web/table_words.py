"""What the frames of an evening's pages say; what their modules say stands in ``static/js/evening-*.js``."""

from collections.abc import Mapping
from typing import Final

TABLE_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "tables": "The tables",
        "tables_lead": "Every evening’s tables, the latest first.",
        "tables_empty": "No table has been opened yet.",
        "tables_login": "You are not logged in. With the link that you were given, you see its tables.",
        "tables_older": "Older tables",
        "table_untitled": "Table",
        "table_over": "over",
        "open_table": "Open a table",
        "slip": "The slip",
        "slip_form": "The result of a deal",
        "slip_log": "What has been entered",
        "sheet": "Score sheet",
        "sheet_csv": "As a spreadsheet (CSV)",
        "sheet_print": "Print",
        "share": "Share",
        "table_waiting": "One moment …",
        "table_noscript": "This page needs JavaScript.",
        "deals_one": "1 deal",
        "deals_many": "{n} deals",
    },
    "da": {
        "tables": "Bordene",
        "tables_lead": "Aftenernes borde, det nyeste først.",
        "tables_empty": "Der er ikke åbnet noget bord endnu.",
        "tables_login": "Du er ikke logget ind. Med det link, du har fået, ser du de borde, det gælder.",
        "tables_older": "Ældre borde",
        "table_untitled": "Bord",
        "table_over": "slut",
        "open_table": "Åbn et bord",
        "slip": "Sedlen",
        "slip_form": "Resultatet af et spil",
        "slip_log": "Det, der er skrevet ned",
        "sheet": "Regnskab",
        "sheet_csv": "Som regneark (CSV)",
        "sheet_print": "Udskriv",
        "share": "Del",
        "table_waiting": "Et øjeblik …",
        "table_noscript": "Siden skal bruge JavaScript.",
        "deals_one": "1 spil",
        "deals_many": "{n} spil",
    },
}
"""By language, then by name."""


def deals_counted(number: int, words: Mapping[str, str]) -> str:
    """So many deals, in the language of ``words``."""
    return words["deals_one"] if number == 1 else words["deals_many"].format(n=number)
