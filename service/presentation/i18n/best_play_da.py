"""What would have happened, in Danish: what is missing for it, and what a card cost.

Forms like those of `service.presentation.i18n.findings_da`, which holds them too.
"""

from typing import Final

BEST_PLAY_FORMS: Final[dict[str, str]] = {
    "{count} of the cards with which {player} began": "{count} af de kort, som {player} begyndte med",
    "a hand of nine, {player} having begun with {count} cards":
        "en hånd på ni; {player} begyndte med {count} kort",
    "who held {cards}, told of two hands": "hvem der havde {cards}, som siges at være på to hænder",
    "hands from which the cards can have been played as they were":
        "hænder, som kortene kan være spillet fra på den måde",
    "the rules in force": "de gældende regler",
    "the declarer": "spilføreren",
    "the contract": "spillet, der blev valgt",
    "the trumps": "trumffarven",
    "the entries that are missing before this point": "det, der mangler i optegnelsen før dette punkt",
    "who won trick {trick}": "hvem der fik stik {trick}",
    "what {contract} pays when it is {outcome}": "hvad {contract} betaler, når udfaldet er {outcome}",
    "At trick {trick} {seat} played {card}, which was not lawful and brought {chips}.":
        "I stik {trick} spillede {seat} {card}, som ikke var tilladt, og det gav {chips}.",
    "At trick {trick} {seat} played {card}, which was not lawful and cost nothing.":
        "I stik {trick} spillede {seat} {card}, som ikke var tilladt, men det kostede ikke noget.",
    "At trick {trick} {seat} played {card}, which cost {chips}.":
        "I stik {trick} spillede {seat} {card}, og det kostede {chips}.",
    "At trick {trick} {seat} played {card}, which cost {chips}: {after} instead of {before}.":
        "I stik {trick} spillede {seat} {card}, og det kostede {chips}: {after} i stedet for {before}.",
    # Where hands are hidden.
    "a lawful deal that agrees with the record": "en lovlig fordeling, som stemmer med optegnelsen",
    "entries, or cards, so few of which are hidden that the deals can be counted":
        "så få skjulte poster eller kort, at fordelingerne kan tælles",
    "a point of the play at which best play can be worked out in time":
        "et punkt i spillet, hvor det bedste spil kan regnes ud i tide",
    "whose turn it is, which hangs on a hidden card": "hvis tur det er, hvilket hænger på et skjult kort",
    "At trick {trick} {seat} played {card}: so the declarer wins {after} of {deals} deals, by the best card "
    "{before}.":
        "I stik {trick} spillede {seat} {card}: sådan vinder spilføreren {after} af {deals} fordelinger, med "
        "det bedste kort {before}.",
    "In {deals} it cost something: {chips} in all.": "I {deals} kostede det noget: {chips} i alt.",
    "In {deals} it brought something: {chips} in all.": "I {deals} gav det noget: {chips} i alt.",
    "In all of them it cost {chips}.": "I alle fordelingerne kostede det {chips}.",
    "In {deals} it cost something: {chips} on average.":
        "I {deals} kostede det noget: {chips} i gennemsnit.",
    "In {deals} it brought something: {chips} on average.": "I {deals} gav det noget: {chips} i gennemsnit.",
    "{whole}.{tenth} chips": "{whole},{tenth} jetoner",
    "1 chip": "1 jeton",
    "{count} chips": "{count} jetoner",
}  # fmt: skip
