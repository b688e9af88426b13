"""The words for what hidden cards can be, in English and in Danish."""

from typing import Final

from engine.rulesets.model import BilingualText

HIDDEN_CARD_PHRASES: Final = {
    "trick": BilingualText("trick {tricks}", "stik {tricks}"),
    "tricks": BilingualText("tricks {tricks}", "stik {tricks}"),
    "played": BilingualText("played on (entry {seq})", "spillet videre (post {seq})"),
    "dealt": BilingualText("dealt", "givet"),
    "discarded": BilingualText("discarded", "solgt"),
    "drawn": BilingualText("drawn", "købt"),
    "shown": BilingualText("shown (entry {seq})", "vist (post {seq})"),
    "held": BilingualText("held (entry {seq})", "på hånden (post {seq})"),
    "talon": BilingualText("the talon", "talonen"),
    "left": BilingualText("left in the talon", "tilbage i talonen"),
    "turned": BilingualText("turned", "vendt"),
    "now": BilingualText("in the hand now", "på hånden nu"),
    "is": BilingualText("{what}: {cards}, and nothing else", "{what}: {cards} og intet andet"),
    "are": BilingualText("{what}: {cards}, {all}", "{what}: {cards}, {all}"),
    "one": BilingualText("{what}: exactly {cards}", "{what}: netop {cards}"),
    "some": BilingualText("{what}: {count} of {cards}", "{what}: {count} af {cards}"),
    "at_most": BilingualText(
        "{what}: nothing but {cards}, perhaps not each of these",
        "{what}: intet andet end {cards}, måske ikke hvert af dem",
    ),
    "none": BilingualText("{what}: no card fits", "{what}: intet kort passer"),
    "lead_is": BilingualText("", ""),
    "lead_are": BilingualText("all of", "alle"),
    "lead_one": BilingualText("exactly one of", "netop ét af"),
    "lead_some": BilingualText("{count} of", "{count} af"),
    "lead_at_most": BilingualText("{count} of, perhaps not each,", "{count} af, måske ikke hvert,"),
    "lead_none": BilingualText("no card fits", "intet kort passer"),
    "also": BilingualText(
        "{phrase}; {cards} only if somebody broke a rule of play",
        "{phrase}; {cards} kun hvis nogen brød en spilleregel",
    ),
    "certain": BilingualText("{phrase}; certainly {cards}", "{phrase}; med sikkerhed {cards}"),
    "or": BilingualText("or", "eller"),
    "lawful": BilingualText(
        "{count} complete deals agree with the record if every duty to follow was kept.",
        "{count} fuldstændige fordelinger stemmer med optegnelsen, hvis der altid blev bekendt.",
    ),
    "excepting": BilingualText(
        "{count} complete deals agree with the record if every duty to follow was kept but at {seqs}, where "
        "the cards as written prove a revoke.",
        "{count} fuldstændige fordelinger stemmer med optegnelsen, hvis der altid blev bekendt undtagen ved "
        "{seqs}, hvor kortene, som de er skrevet, beviser kulørsvigt.",
    ),
    "physical": BilingualText(
        "{count} agree if only the cards themselves count.",
        "{count} stemmer, hvis kun kortene selv tæller.",
    ),
    "between": BilingualText("{least} to {most}", "{least} til {most}"),
    "at_least": BilingualText("At least {least}", "Mindst {least}"),
    "uncounted": BilingualText(
        "How many complete deals agree takes longer to count.",
        "Hvor mange fuldstændige fordelinger der stemmer, tager længere tid at tælle.",
    ),
    "these": BilingualText("these {count}: {cards}", "disse {count}: {cards}"),
    "share": BilingualText("{what} in {deals}", "{what} i {deals}"),
    "shares_uncounted": BilingualText(
        "In how many deals entry {seq} is which card takes longer to count.",
        "I hvor mange fordelinger post {seq} er hvilket kort, tager længere tid at tælle.",
    ),
    "shares": BilingualText(
        "In how many lawful deals entry {seq} is which card: {shares}.",
        "I hvor mange lovlige fordelinger post {seq} er hvilket kort: {shares}.",
    ),
    "no_shares": BilingualText(
        "Entry {seq} plays no hidden card, so nothing is counted of it.",
        "Post {seq} spiller intet skjult kort, så der er intet at tælle.",
    ),
    "undecided": BilingualText(
        "Not everything could be tried out: all that is possible is named, and perhaps more.",
        "Ikke alt kunne prøves: alt, hvad der er muligt, er nævnt, og måske mere.",
    ),
    "revoked": BilingualText(
        "No complete deal agrees if every duty to follow was kept: somebody revoked, and the cards do not "
        "say who. What is named here can be all the same, as far as the cards themselves count.",
        "Ingen fuldstændig fordeling stemmer, hvis der altid blev bekendt: nogen begik kulørsvigt, og "
        "kortene siger ikke hvem. Det, der nævnes her, kan dog være, så vidt kortene selv tæller.",
    ),
    "impossible": BilingualText(
        "No complete deal agrees with the record. These entries cannot be true together:",
        "Ingen fuldstændig fordeling stemmer med optegnelsen. Disse poster kan ikke være rigtige på én gang:",
    ),
    "impossible_alone": BilingualText(
        "No complete deal agrees with the record. This entry cannot be true beside all others:",
        "Ingen fuldstændig fordeling stemmer med optegnelsen. Denne post kan ikke være rigtig ved siden af "
        "de andre:",
    ),
    "impossible_somewhere": BilingualText(
        "No complete deal agrees with the record; which entries contradict each other takes longer to find.",
        "Ingen fuldstændig fordeling stemmer med optegnelsen; hvilke poster der modsiger hinanden, tager "
        "længere tid at finde.",
    ),
    "nothing": BilingualText("No card is hidden.", "Intet kort er skjult."),
    "witness": BilingualText("One complete deal that agrees", "En fuldstændig fordeling, som stemmer"),
    "no_witness": BilingualText(
        "None was found in the time given to it.", "Der blev ikke fundet nogen i den tid, der var givet."
    ),
}
"""The lines; ``{what}`` says which card of a player it is, ``{count}`` how many."""

_IN_DANISH: Final = (
    "begge", "alle tre", "alle fire", "alle fem", "alle seks", "alle syv", "alle otte", "alle ni", "alle ti",
    "alle elleve", "alle tolv", "alle tretten",
)  # fmt: skip
ALL_OF_PHRASES: Final = {
    size: BilingualText("all of them", danish) for size, danish in enumerate(_IN_DANISH, 2)
}
"""That all of so many cards are there, of two to thirteen."""
