"""What is assumed of unseen cards, in Danish.

These are a part of the forms of `service.presentation.i18n.findings_da`.
"""

from typing import Final

HIDDEN_CARD_FORMS: Final[dict[str, str]] = {
    "Matter alone: the pack, how many cards were dealt, discarded and drawn, in which order, and what was "
    "seen when.":
        "Kortene alene: de fyrre kort, hvor mange der blev givet, solgt og købt, i hvilken rækkefølge, og "
        "hvad der blev set hvornår.",
    "Also every duty to follow was kept, except for the revokes that the cards prove, and who led to a trick "
    "had won the one before.":
        "Desuden blev der bekendt, hver gang det skulle ske, bortset fra de kulørsvigt, som kortene beviser, "
        "og den, der spillede ud til et stik, havde taget det forrige.",
}  # fmt: skip
"""For each form of `engine.inference.unseen_cards` the Danish one."""
