"""What is found between the deals of a table, in Danish.

These are a part of the forms of `service.presentation.i18n.findings_da`.
"""

from typing import Final

TABLE_FORMS: Final[dict[str, str]] = {
    # Mistakes of the pen.
    "Entry {entry} says again what entry {first} says.": "Post {entry} siger det samme som post {first}.",
    "A pass of {player}'s is missing before entry {entry}.":
        "Pas fra {player} mangler før post {entry}.",
    "A card of {player}'s is missing before entry {entry}.":
        "Et kort, som {player} lagde, mangler før post {entry}.",
    "{card}, played by {player}, is missing before entry {entry}.":
        "{card}, som {player} lagde, mangler før post {entry}.",
    "A whole trick is missing before entry {entry}: {cards}.":
        "Et helt stik mangler før post {entry}: {cards}.",
    "A whole trick is missing, before entry {entry} or elsewhere: {cards}.":
        "Et helt stik mangler, før post {entry} eller et andet sted: {cards}.",
    "A whole trick may be missing before entry {entry}: {cards}.":
        "Måske mangler et helt stik før post {entry}: {cards}.",
    "Entries {first} and {second} are in each other's place.":
        "Post {first} og {second} står i hinandens sted.",
    "Entries {first} and {second} have each other's cards.":
        "Post {first} og {second} har hinandens kort.",
    "Entries {first} and {second} may be in each other's place.":
        "Måske står post {first} og {second} i hinandens sted.",
    "Entry {entry} may have {wrong} in place of {right}: with that card, or another that fits, "
    "the trick is in order.":
        "Måske har post {entry} {wrong} i stedet for {right}: med det kort, eller et andet, der passer, er "
        "stikket i orden.",
    "{found} That is so if no entry is missing and all are in their order.":
        "{found} Det gælder, hvis ingen post mangler, og alle står i rækkefølge.",
    "{found} That is so if the entries are in their order.":
        "{found} Det gælder, hvis posterne står i rækkefølge.",
    "{found} That is so if the cards that show it are written rightly.":
        "{found} Det gælder, hvis kortene, der viser det, er skrevet rigtigt.",
    "{player}'s discard is missing before entry {entry}: {cards}.":
        "{player}s kast mangler før post {entry}: {cards}.",
    "{player}'s draw is missing before entry {entry}: {cards}.":
        "{player}s træk mangler før post {entry}: {cards}.",
    "{player}'s exchange is missing before entry {entry}: {cards}, and drawn {drawn}.":
        "{player}s køb mangler før post {entry}: kastet {cards}, trukket {drawn}.",
    "That {player} stands is missing before entry {entry}.":
        "At {player} står, mangler før post {entry}.",
    "Entry {entry} has {wrong} in place of {right} for trumps.":
        "Post {entry} har {wrong} i stedet for {right} som trumf.",
    "Entries {first} and {entry} have {wrong} in place of {right}.":
        "Post {first} og {entry} har {wrong} i stedet for {right}.",
    "Entry {entry} has {wrong} for trumps, and another suit was played in; nothing shows which.":
        "Post {entry} har {wrong} som trumf, men der blev spillet i en anden farve; intet viser, hvilken.",
    "Perhaps it is this: {wrong} With that, the play is in order.":
        "Måske er det dette: {wrong} Med det er spillet i orden.",
    "Perhaps it is this: {wrong} With that, less is wrong in the play.":
        "Måske er det dette: {wrong} Med det er mindre galt i spillet.",
    "{found} That is so if the trump suit is written rightly.":
        "{found} Det gælder, hvis trumffarven er skrevet rigtigt.",
    "{found} That is so if the exchange is entered wholly.":
        "{found} Det gælder, hvis købet er skrevet helt.",
    "{found} It is none if the deal was over with trick {trick}.":
        "{found} Det er ingen, hvis spillet var forbi med stik {trick}.",
    "Perhaps it is this: {wrong} Put right, the record can be; at least {count} other corrections would "
    "do as well, and nothing shows which it was.":
        "Måske er det dette: {wrong} Rettes det, er optegnelsen mulig; mindst {count} andre rettelser ville "
        "være lige så gode, og intet viser, hvilken det var.",
    "Perhaps it is this: {wrong} Put right, the record can be; one other correction would do as well, "
    "and nothing shows which it was.":
        "Måske er det dette: {wrong} Rettes det, er optegnelsen mulig; en anden rettelse ville være lige så "
        "god, og intet viser, hvilken det var.",
    "Perhaps it is this: {wrong} Put right, the record can be; {count} other corrections would do as well, "
    "and nothing shows which it was.":
        "Måske er det dette: {wrong} Rettes det, er optegnelsen mulig; {count} andre rettelser ville være "
        "lige så gode, og intet viser, hvilken det var.",
    "{wrong} Put right, the record can be.": "{wrong} Rettes det, er optegnelsen mulig.",
    # Deals of a table.
    "This deal is deal {number} once more; it counts twice until one of them is taken back.":
        "Dette er spil {number} en gang til; det tæller dobbelt, indtil det ene tages tilbage.",
    "This slip says what that of deal {number} says, of the same people in the same seats and "
    "out of turn: perhaps it is that deal once more.":
        "Sedlen siger det samme som den til spil {number}, om de samme på de samme pladser og uden for tur: "
        "måske er det samme spil en gang til.",
    "There is no deal number {first}; number {following} comes next.":
        "Der er intet spil nummer {first}; det næste er nummer {following}.",
    "There are no deals number {first} to {last}; number {following} comes next.":
        "Der er ingen spil nummer {first} til {last}; det næste er nummer {following}.",
    "The record of this deal ends before the deal does, and the table went on.":
        "Optegnelsen slutter, før spillet er slut, og bordet spillede videre.",
    "This deal was never closed, as others of this table were.":
        "Spillet er aldrig lukket, som andre ved bordet er.",
}  # fmt: skip
"""Danish for each form of `engine.diagnosis.{explanations,input_slips}` and `engine.tables.table_report`."""

TABLE_FINDING_KINDS: Final = {
    "misprint_likely": "skrevet forkert",
    "entry_doubled": "skrevet to gange",
    "entry_missing": "post mangler",
    "seat_mistaken": "forkert plads skrevet",
    "contract_mistaken": "forkert spil eller trumf skrevet",
    "order_mistaken": "forkert rækkefølge",
    "deal_doubled": "spil skrevet to gange",
    "number_missing": "nummer mangler",
    "deal_unfinished": "spil ikke gjort færdigt",
}
"""Its kinds, by their codes, in a word or two."""
