"""The words of the report on a table, in English and in Danish."""

from typing import Final

from engine.rulesets.model import Words
from service.presentation.text.report_words import ALIKE

TABLE_REPORT: Final = {
    **ALIKE,
    "deals": Words("{count} deals", "{count} spil"),
    "deal": Words("1 deal", "1 spil"),
    "faults": Words("What is wrong, each thing once", "Hvad der er galt, hver ting én gang"),
    "own": Words("The table's own log", "Bordets egen optegnelse"),
    "follows": Words("This follows from it:", "Det følger deraf:"),
    "follows_in": Words("deal {number}, entry {seq}: {what}", "spil {number}, post {seq}: {what}"),
    "follows_at": Words("entry {seq}: {what}", "post {seq}: {what}"),
    "like_it": Words(
        "And {count} others like it, with {cards}.", "Og {count} til af samme slags, med {cards}."
    ),
    "one_like_it": Words("And another like it, with {cards}.", "Og én til af samme slags, med {cards}."),
    "would_stand": Words(
        "Proposed correction of entry {seq}: {what}", "Foreslået rettelse af post {seq}: {what}"
    ),
    "taken_out": Words("it is taken out.", "den tages ud."),
    "put_right": Words(
        "It would be put right by a correction of {entries}.",
        "Det kommer i orden ved en rettelse af {entries}.",
    ),
    "settlements": Words("The settlements, counted again", "Regnskabet, regnet efter"),
    "agree": Words(
        "What was paid is what is due, as far as that can be said.",
        "Det betalte er det, der skal betales, så vidt det kan siges.",
    ),
    "first": Words(
        "Deal {number} is the first to part from the rules: {apart}.",
        "Spil {number} er det første, der afviger fra reglerne: {apart}.",
    ),
    "pool": Words(
        "opened with {recorded} in the pool instead of {due}",
        "åbnet med {recorded} i puljen i stedet for {due}",
    ),
    "apart": Words("Paid beside what is due, by deal:", "Betalt i forhold til det skyldige, spil for spil:"),
    "in_all": Words("in all", "i alt"),
    "on_condition": Words(
        "For deal {deals} this holds on the condition told there; where an entry was made wrongly, it is "
        "otherwise.",
        "For spil {deals} gælder det på den betingelse, der står ved det; er en post forkert, er det "
        "anderledes.",
    ),
    "on_conditions": Words(
        "For deals {deals} this holds on the conditions told there; where an entry was made wrongly, it is "
        "otherwise.",
        "For spil {deals} gælder det på de betingelser, der står ved dem; er en post forkert, er det "
        "anderledes.",
    ),
    "undecided": Words(
        "What {count} deals pay cannot be said from their records alone, so they are left out here.",
        "Hvad {count} spil betaler, fremgår ikke af optegnelserne alene, så de er udeladt her.",
    ),
    "one_undecided": Words(
        "What 1 deal pays cannot be said from its record alone, so it is left out here.",
        "Hvad 1 spil betaler, fremgår ikke af optegnelsen alene, så det er udeladt her.",
    ),
    "not_here": Words(
        "The records of {count} deals are not here; what they pay does not count.",
        "Optegnelserne af {count} spil er her ikke; de tæller ikke med.",
    ),
    "one_not_here": Words(
        "The record of 1 deal is not here; what it pays does not count.",
        "Optegnelsen af 1 spil er her ikke; det tæller ikke med.",
    ),
    "rescored": Words("By other rules: {rules}", "Efter andre regler: {rules}"),
    "player": Words("player", "spiller"),
    "was": Words("by its rules", "efter egne regler"),
    "would": Words("by those", "efter disse"),
    "difference": Words("difference", "forskel"),
    "the_same": Words(
        "It pays the same by its own rules.", "Efter sine egne regler er betalingen den samme."
    ),
    "no_such_game": Words(
        "{rules} has no such game as {game}, so nothing can be paid by it.",
        "{rules} kender ikke spillet {game}, så intet kan betales efter det.",
    ),
    "none_comparable": Words(
        "By one of the two no deal can be paid, so there is nothing to compare: {deals}.",
        "Efter den ene af dem kan intet spil betales, så der er intet at sammenligne: {deals}.",
    ),
    "changed": Words("Deals that pay otherwise:", "Spil, der betaler anderledes:"),
    "none_changed": Words(
        "No deal that both can pay pays otherwise.", "Intet spil, som begge kan betale, betaler anderledes."
    ),
    "open_there": Words(
        "Left open by one of the two, and so not counted: {deals}.",
        "Uafgjort efter den ene af dem, og derfor ikke talt med: {deals}.",
    ),
}
"""The headings and lines of ``audit`` for a table."""
