"""What the report on a table says, beside what it has in common with that on a deal."""

from collections.abc import Mapping
from typing import Final

TABLE_REPORT_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "table_report": "Report on a table",
        "table_report_open": "Report on the table",
        "table_report_sheet": "To the score sheet",
        "table_report_deals": "Deals",
        "table_report_verdict": "Found",
        "table_report_sound": "Nothing at the table is impossible or against the rules.",
        "table_report_faulty": "Something at the table is impossible or against the rules.",
        "table_report_faults": "What is wrong, each thing once",
        "table_report_own": "The table’s own log",
        "table_report_proposed": "Proposed correction",
        "table_report_of_entry": "of entry {entries}:",
        "table_report_taken_out": "it is taken out.",
        "table_report_follows": "This follows from it:",
        "table_report_more": "And {count} more.",
        "table_report_settlements": "The settlements, counted again",
        "table_report_first": "is the first to part from the rules:",
        "table_report_agree": "What was paid is what is due, as far as that can be said.",
        "table_report_parted": "Where something else was paid than is due",
        "table_report_by": "paid by entry {seq}",
        "table_report_all": "All deals",
        "table_report_right": "Paid as it is due.",
        "table_report_apart": "Paid otherwise, as above.",
        "table_report_unpaid": "What was paid is not noted.",
        "table_report_left_out": "Left out of the count.",
        "table_report_away": "Its record is not here.",
        "table_report_due_is": "Due: {chips}",
        "table_report_paid_is": "Paid: {chips}",
        "table_report_no_deals": "No deal was started.",
        "table_report_totals": "The totals",
        "table_report_account": "By the account",
        "table_report_put_right": "Once put right",
        "table_report_totals_lead": (
            "The account follows the rules wherever they say what a deal pays. Put right, it leaves out what"
            " was plainly entered wrongly. Too much or too little is told of what was noted as paid in the"
            " deals."
        ),
        "table_report_no_proof": (
            "What vouches for each deal stands in the report on that deal. That what was recorded is what"
            " happened at the table, no log can prove."
        ),
    },
    "da": {
        "table_report": "Rapport om et bord",
        "table_report_open": "Rapport om bordet",
        "table_report_sheet": "Til regnskabet",
        "table_report_deals": "Spil",
        "table_report_verdict": "Fundet",
        "table_report_sound": "Intet ved bordet er umuligt eller imod reglerne.",
        "table_report_faulty": "Noget ved bordet er umuligt eller imod reglerne.",
        "table_report_faults": "Hvad der er galt, hver ting én gang",
        "table_report_own": "Bordets egen optegnelse",
        "table_report_proposed": "Foreslået rettelse",
        "table_report_of_entry": "af post {entries}:",
        "table_report_taken_out": "den tages ud.",
        "table_report_follows": "Det følger deraf:",
        "table_report_more": "Og {count} til.",
        "table_report_settlements": "Afregningerne, regnet efter",
        "table_report_first": "er det første, der afviger fra reglerne:",
        "table_report_agree": "Det betalte er det, der skal betales, så vidt det kan siges.",
        "table_report_parted": "Hvor der er betalt andet, end der skal betales",
        "table_report_by": "betalt efter post {seq}",
        "table_report_all": "Alle spil",
        "table_report_right": "Betalt, som der skal.",
        "table_report_apart": "Betalt anderledes, som ovenfor.",
        "table_report_unpaid": "Hvad der blev betalt, er ikke noteret.",
        "table_report_left_out": "Ikke talt med.",
        "table_report_away": "Optegnelsen er her ikke.",
        "table_report_due_is": "Skal have: {chips}",
        "table_report_paid_is": "Betalt: {chips}",
        "table_report_no_deals": "Intet spil er begyndt.",
        "table_report_totals": "Summerne",
        "table_report_account": "Efter regnskabet",
        "table_report_put_right": "Når det er rettet",
        "table_report_totals_lead": (
            "Regnskabet følger reglerne, hvor de siger, hvad et spil betaler. Rettet er det uden det, der"
            " tydeligt er skrevet forkert. For meget eller for lidt siges om det, der er noteret som betalt i"
            " spillene."
        ),
        "table_report_no_proof": (
            "Hvad der borger for hvert spil, står i rapporten om det spil. At det, der er noteret, er det,"
            " der skete ved bordet, kan ingen log bevise."
        ),
    },
}
"""By language, then by name."""
