"""What is found after the fact, in Danish: a part of the forms of `service.presentation.i18n.findings_da`."""

from typing import Final

RETROSPECTIVE_FORMS: Final[dict[str, str]] = {
    # Revokes: the course of them, the matadors' privilege, whether they can be mended.
    "{course} It was a revoke.":
        "{course} Det var kulørsvigt.",
    "{course} No hand that {player} can have had allowed it: a revoke.":
        "{course} Ingen hånd, som {player} kan have haft, tillod det: kulørsvigt.",
    "{found} {privilege}": "{found} {privilege}",
    "{found} {mending}": "{found} {mending}",
    "an unseen card":
        "et kort, ingen så",
    "At trick {trick} {leader} led {lead}; {player} played {card}.":
        "I stik {trick} spillede {leader} {lead} ud; {player} lagde {card}.",
    "At trick {trick} {player} played {card}, held since the deal.":
        "I stik {trick} lagde {player} {card}, som havde været på hånden siden uddelingen.",
    "At trick {trick} {player} played {card}, held since the exchange.":
        "I stik {trick} lagde {player} {card}, som havde været på hånden siden byttet.",
    "{player} held {cards} then.":
        "{player} havde da {cards} på hånden.",
    "Entries {entries} leave no other place for all cards that had to follow: {player} held one.":
        "Posterne {entries} levner ikke andre pladser til alle kort, der skulle bekende: {player} havde et.",
    "No trump was led: the matador privilege does not come into it.":
        "Der blev ikke spillet trumf ud: matadorernes forret gælder ikke her.",
    "The matador privilege does not excuse it: {card} is no matador.":
        "Matadorernes forret undskylder det ikke: {card} er ingen matador.",
    "The matador privilege does not excuse it: {lead} was led, and {card} has to follow that.":
        "Matadorernes forret undskylder det ikke: {lead} blev spillet ud, og {card} skal bekende til den.",
    "The matador privilege does not excuse it: {card} does not beat {lead}, and {player} held no "
    "matador that does.":
        "Matadorernes forret undskylder det ikke: {card} stikker ikke {lead}, og {player} havde ingen "
        "matador, der gør det.",
    "The matador privilege does not excuse it: the hand held more than free matadors.":
        "Matadorernes forret undskylder det ikke: der var mere end frie matadorer på hånden.",
    "{course} {excuse}": "{course} {excuse}",
    "The matador privilege excuses it: {lead} does not compel {cards}.":
        "Matadorernes forret undskylder det: {lead} tvinger ikke {cards}.",
    "The matador privilege excuses it only if {player} held {cards} too.":
        "Matadorernes forret undskylder det kun, hvis {player} også havde {cards}.",
    "The rules in force do not state how long a revoke can be mended: the table rules.":
        "Reglerne siger ikke, hvor længe kulørsvigt kan rettes: bordet afgør det.",
    "Trick {trick} has been folded since: the revoke is established.":
        "Stik {trick} er siden vendt: kulørsvigten står fast.",
    "Until trick {trick} is folded the revoke can be mended.":
        "Indtil stik {trick} er vendt, kan kulørsvigten rettes.",
    "The cards of the entries {entries} cannot all be as recorded: one of them at least is wrong.":
        "Kortene i posterne {entries} kan ikke alle være, som de står: mindst én af dem er forkert.",
    # The score audit: where the table's account and the rules part first.
    "Deal {number} is the first to part from the rules: {wrong}.":
        "Spil {number} er det første, der afviger fra reglerne: {wrong}.",
    "Deal {number} is the first to part from the rules: opened with {recorded} instead of {due}.":
        "Spil {number} er det første, der afviger fra reglerne: åbnet med {recorded} i stedet for {due}.",
    # Misprints, and what speaks for a correction.
    "{right} is missing from entry {entry}.": "{right} mangler i post {entry}.",
    "Entry {entry} has {wrong}, which does not belong there.":
        "Post {entry} har {wrong}, som ikke hører til der.",
    "Entry {entry} has {wrong} in place of {right}.": "Post {entry} har {wrong} i stedet for {right}.",
    "One misprint.": "Én trykfejl.",
    "Two misprints.": "To trykfejl.",
    "Two cards that changed places.": "To kort, der har byttet plads.",
    "A card in the wrong list.": "Et kort på den forkerte liste.",
    "Nothing is against the rules then.": "Så er intet imod reglerne.",
    "Against the rules then: {count}.": "Så imod reglerne: {count}.",
    "{card} is told of the same hand in {entries}.": "{card} står også på den hånd i post {entries}.",
    "{wrong} is easily taken for {right}.": "{wrong} forveksles let med {right}.",
}  # fmt: skip
"""Danish for each form of `engine.inference`, `engine.diagnosis.misprints` and `engine.tables.recount`."""
