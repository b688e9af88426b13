"""The words for what hidden cards can be, in English and in Danish."""

from typing import Final

from engine.rulesets.model import Words

UNSEEN: Final = {
    "trick": Words("trick {tricks}", "stik {tricks}"),
    "tricks": Words("tricks {tricks}", "stik {tricks}"),
    "played": Words("played on (entry {seq})", "spillet videre (post {seq})"),
    "dealt": Words("dealt", "givet"),
    "discarded": Words("discarded", "solgt"),
    "drawn": Words("drawn", "købt"),
    "shown": Words("shown (entry {seq})", "vist (post {seq})"),
    "held": Words("held (entry {seq})", "på hånden (post {seq})"),
    "talon": Words("the talon", "talonen"),
    "left": Words("left in the talon", "tilbage i talonen"),
    "turned": Words("turned", "vendt"),
    "now": Words("in the hand now", "på hånden nu"),
    "is": Words("{what}: {cards}, and nothing else", "{what}: {cards} og intet andet"),
    "are": Words("{what}: {cards}, {all}", "{what}: {cards}, {all}"),
    "one": Words("{what}: exactly {cards}", "{what}: netop {cards}"),
    "some": Words("{what}: {count} of {cards}", "{what}: {count} af {cards}"),
    "at_most": Words(
        "{what}: nothing but {cards}, perhaps not each of these",
        "{what}: intet andet end {cards}, måske ikke hvert af dem",
    ),
    "none": Words("{what}: no card fits", "{what}: intet kort passer"),
    "lead_is": Words("", ""),
    "lead_are": Words("all of", "alle"),
    "lead_one": Words("exactly one of", "netop ét af"),
    "lead_some": Words("{count} of", "{count} af"),
    "lead_at_most": Words("{count} of, perhaps not each,", "{count} af, måske ikke hvert,"),
    "lead_none": Words("no card fits", "intet kort passer"),
    "also": Words(
        "{told}; {cards} only if somebody broke a rule of play",
        "{told}; {cards} kun hvis nogen brød en spilleregel",
    ),
    "certain": Words("{told}; certainly {cards}", "{told}; med sikkerhed {cards}"),
    "or": Words("or", "eller"),
    "lawful": Words(
        "{count} complete deals agree with the record if every duty to follow was kept.",
        "{count} fuldstændige fordelinger stemmer med optegnelsen, hvis der altid blev bekendt.",
    ),
    "excepting": Words(
        "{count} complete deals agree with the record if every duty to follow was kept but at {seqs}, where "
        "the cards as written prove a revoke.",
        "{count} fuldstændige fordelinger stemmer med optegnelsen, hvis der altid blev bekendt undtagen ved "
        "{seqs}, hvor kortene, som de er skrevet, beviser kulørsvigt.",
    ),
    "physical": Words(
        "{count} agree if only the cards themselves count.",
        "{count} stemmer, hvis kun kortene selv tæller.",
    ),
    "between": Words("{least} to {most}", "{least} til {most}"),
    "at_least": Words("At least {least}", "Mindst {least}"),
    "uncounted": Words(
        "How many complete deals agree takes longer to count.",
        "Hvor mange fuldstændige fordelinger der stemmer, tager længere tid at tælle.",
    ),
    "these": Words("these {count}: {cards}", "disse {count}: {cards}"),
    "share": Words("{what} in {deals}", "{what} i {deals}"),
    "shares_uncounted": Words(
        "In how many deals entry {seq} is which card takes longer to count.",
        "I hvor mange fordelinger post {seq} er hvilket kort, tager længere tid at tælle.",
    ),
    "shares": Words(
        "In how many lawful deals entry {seq} is which card: {shares}.",
        "I hvor mange lovlige fordelinger post {seq} er hvilket kort: {shares}.",
    ),
    "no_shares": Words(
        "Entry {seq} plays no hidden card, so nothing is counted of it.",
        "Post {seq} spiller intet skjult kort, så der er intet at tælle.",
    ),
    "undecided": Words(
        "Not everything could be tried out: all that is possible is named, and perhaps more.",
        "Ikke alt kunne prøves: alt, hvad der er muligt, er nævnt, og måske mere.",
    ),
    "revoked": Words(
        "No complete deal agrees if every duty to follow was kept: somebody revoked, and the cards do not "
        "say who. What is named here can be all the same, as far as the cards themselves count.",
        "Ingen fuldstændig fordeling stemmer, hvis der altid blev bekendt: nogen begik kulørsvigt, og "
        "kortene siger ikke hvem. Det, der nævnes her, kan dog være, så vidt kortene selv tæller.",
    ),
    "impossible": Words(
        "No complete deal agrees with the record. These entries cannot be true together:",
        "Ingen fuldstændig fordeling stemmer med optegnelsen. Disse poster kan ikke være rigtige på én gang:",
    ),
    "impossible_alone": Words(
        "No complete deal agrees with the record. This entry cannot be true beside all others:",
        "Ingen fuldstændig fordeling stemmer med optegnelsen. Denne post kan ikke være rigtig ved siden af "
        "de andre:",
    ),
    "impossible_somewhere": Words(
        "No complete deal agrees with the record; which entries contradict each other takes longer to find.",
        "Ingen fuldstændig fordeling stemmer med optegnelsen; hvilke poster der modsiger hinanden, tager "
        "længere tid at finde.",
    ),
    "nothing": Words("No card is hidden.", "Intet kort er skjult."),
    "witness": Words("One complete deal that agrees", "En fuldstændig fordeling, som stemmer"),
    "no_witness": Words(
        "None was found in the time given to it.", "Der blev ikke fundet nogen i den tid, der var givet."
    ),
}
"""The lines; ``{what}`` says which card of a player it is, ``{count}`` how many."""

_IN_DANISH: Final = (
    "begge", "alle tre", "alle fire", "alle fem", "alle seks", "alle syv", "alle otte", "alle ni", "alle ti",
    "alle elleve", "alle tolv", "alle tretten",
)  # fmt: skip
ALL: Final = {size: Words("all of them", danish) for size, danish in enumerate(_IN_DANISH, 2)}
"""That all of so many cards are there, of two to thirteen."""
