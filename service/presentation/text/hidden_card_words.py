"""The words for what hidden cards can be, in English and in Danish."""

from typing import Final

from schemas.i18n.catalogs import gettext

HIDDEN_CARD_PHRASES: Final = {
    "trick": "trick {tricks}",
    "tricks": "tricks {tricks}",
    "played": "played on (entry {seq})",
    "dealt": "dealt",
    "discarded": "discarded",
    "drawn": "drawn",
    "shown": "shown (entry {seq})",
    "held": "held (entry {seq})",
    "talon": "the talon",
    "left": "left in the talon",
    "turned": "turned",
    "now": "in the hand now",
    "is": "{what}: {cards}, and nothing else",
    "are": "{what}: {cards}, {all}",
    "one": "{what}: exactly {cards}",
    "some": "{what}: {count} of {cards}",
    "at_most": "{what}: nothing but {cards}, perhaps not each of these",
    "none": "{what}: no card fits",
    "lead_is": "",
    "lead_are": "all of",
    "lead_one": "exactly one of",
    "lead_some": "{count} of",
    "lead_at_most": "{count} of, perhaps not each,",
    "lead_none": "no card fits",
    "also": "{phrase}; {cards} only if somebody broke a rule of play",
    "certain": "{phrase}; certainly {cards}",
    "or": "or",
    "lawful": "{count} complete deals agree with the record if every duty to follow was kept.",
    "excepting": (
        "{count} complete deals agree with the record if every duty to follow was kept but at {seqs}, where "
        "the cards as written prove a revoke."
    ),
    "physical": "{count} agree if only the cards themselves count.",
    "between": "{least} to {most}",
    "at_least": "At least {least}",
    "uncounted": "How many complete deals agree takes longer to count.",
    "these": "these {count}: {cards}",
    "share": "{what} in {deals}",
    "shares_uncounted": "In how many deals entry {seq} is which card takes longer to count.",
    "shares": "In how many lawful deals entry {seq} is which card: {shares}.",
    "no_shares": "Entry {seq} plays no hidden card, so nothing is counted of it.",
    "undecided": "Not everything could be tried out: all that is possible is named, and perhaps more.",
    "revoked": (
        "No complete deal agrees if every duty to follow was kept: somebody revoked, and the cards do not "
        "say who. What is named here can be all the same, as far as the cards themselves count."
    ),
    "impossible": "No complete deal agrees with the record. These entries cannot be true together:",
    "impossible_alone": (
        "No complete deal agrees with the record. This entry cannot be true beside all others:"
    ),
    "impossible_somewhere": (
        "No complete deal agrees with the record; which entries contradict each other takes longer to find."
    ),
    "nothing": "No card is hidden.",
    "witness": "One complete deal that agrees",
    "no_witness": "None was found in the time given to it.",
}
"""The lines; ``{what}`` says which card of a player it is, ``{count}`` how many."""


def hidden_card_phrase(key: str, lang: str) -> str:
    """One of these lines in a language."""
    return gettext(HIDDEN_CARD_PHRASES[key], lang, "hidden card")
