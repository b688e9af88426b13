"""The words of the report on a table, in English and in Danish."""

from typing import Final

from engine.rulesets.model import BilingualText
from service.presentation.text.shared_report_words import SHARED_REPORT_PHRASES

TABLE_REPORT_PHRASES: Final = {
    **SHARED_REPORT_PHRASES,
    "deals": BilingualText("{count} deals", "{count} spil"),
    "deal": BilingualText("1 deal", "1 spil"),
    "faults": BilingualText("What is wrong, each thing once", "Hvad der er galt, hver ting én gang"),
    "own": BilingualText("The table's own log", "Bordets egen optegnelse"),
    "follows": BilingualText("This follows from it:", "Det følger deraf:"),
    "follows_in": BilingualText("deal {number}, entry {seq}: {what}", "spil {number}, post {seq}: {what}"),
    "follows_at": BilingualText("entry {seq}: {what}", "post {seq}: {what}"),
    "like_it": BilingualText(
        "And {count} others like it, with {cards}.", "Og {count} til af samme slags, med {cards}."
    ),
    "one_like_it": BilingualText(
        "And another like it, with {cards}.", "Og én til af samme slags, med {cards}."
    ),
    "would_stand": BilingualText(
        "Proposed correction of entry {seq}: {what}", "Foreslået rettelse af post {seq}: {what}"
    ),
    "taken_out": BilingualText("it is taken out.", "den tages ud."),
    "put_right": BilingualText(
        "It would be put right by a correction of {entries}.",
        "Det kommer i orden ved en rettelse af {entries}.",
    ),
    "settlements": BilingualText("The settlements, counted again", "Regnskabet, regnet efter"),
    "agree": BilingualText(
        "What was paid is what is due, as far as that can be said.",
        "Det betalte er det, der skal betales, så vidt det kan siges.",
    ),
    "first": BilingualText(
        "Deal {number} is the first to part from the rules: {apart}.",
        "Spil {number} er det første, der afviger fra reglerne: {apart}.",
    ),
    "pool": BilingualText(
        "opened with {recorded} in the pool instead of {due}",
        "åbnet med {recorded} i puljen i stedet for {due}",
    ),
    "apart": BilingualText(
        "Paid beside what is due, by deal:", "Betalt i forhold til det skyldige, spil for spil:"
    ),
    "in_all": BilingualText("in all", "i alt"),
    "on_condition": BilingualText(
        "For deal {deals} this holds on the condition told there; where an entry was made wrongly, it is "
        "otherwise.",
        "For spil {deals} gælder det på den betingelse, der står ved det; er en post forkert, er det "
        "anderledes.",
    ),
    "on_conditions": BilingualText(
        "For deals {deals} this holds on the conditions told there; where an entry was made wrongly, it is "
        "otherwise.",
        "For spil {deals} gælder det på de betingelser, der står ved dem; er en post forkert, er det "
        "anderledes.",
    ),
    "undecided": BilingualText(
        "What {count} deals pay cannot be said from their records alone, so they are left out here.",
        "Hvad {count} spil betaler, fremgår ikke af optegnelserne alene, så de er udeladt her.",
    ),
    "one_undecided": BilingualText(
        "What 1 deal pays cannot be said from its record alone, so it is left out here.",
        "Hvad 1 spil betaler, fremgår ikke af optegnelsen alene, så det er udeladt her.",
    ),
    "not_here": BilingualText(
        "The records of {count} deals are not here; what they pay does not count.",
        "Optegnelserne af {count} spil er her ikke; de tæller ikke med.",
    ),
    "one_not_here": BilingualText(
        "The record of 1 deal is not here; what it pays does not count.",
        "Optegnelsen af 1 spil er her ikke; det tæller ikke med.",
    ),
    "rescored": BilingualText("By other rules: {rules}", "Efter andre regler: {rules}"),
    "player": BilingualText("player", "spiller"),
    "was": BilingualText("by its rules", "efter egne regler"),
    "would": BilingualText("by those", "efter disse"),
    "difference": BilingualText("difference", "forskel"),
    "the_same": BilingualText(
        "It pays the same by its own rules.", "Efter sine egne regler er betalingen den samme."
    ),
    "no_such_game": BilingualText(
        "{rules} has no such game as {game}, so nothing can be paid by it.",
        "{rules} kender ikke spillet {game}, så intet kan betales efter det.",
    ),
    "none_comparable": BilingualText(
        "By one of the two no deal can be paid, so there is nothing to compare: {deals}.",
        "Efter den ene af dem kan intet spil betales, så der er intet at sammenligne: {deals}.",
    ),
    "changed": BilingualText("Deals that pay otherwise:", "Spil, der betaler anderledes:"),
    "none_changed": BilingualText(
        "No deal that both can pay pays otherwise.", "Intet spil, som begge kan betale, betaler anderledes."
    ),
    "open_there": BilingualText(
        "Left open by one of the two, and so not counted: {deals}.",
        "Uafgjort efter den ene af dem, og derfor ikke talt med: {deals}.",
    ),
}
"""The headings and lines of ``audit`` for a table."""
