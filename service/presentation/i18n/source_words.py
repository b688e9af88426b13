"""Where a ruleset is from, in Danish; a club's own says it in the club's words, and titles stay."""

from collections.abc import Mapping
from typing import Final

DANISH_SOURCES: Final[Mapping[str, str]] = {
    "netlhombre.dk, rules page, table of the Dansk L'hombre-Union": (
        "netlhombre.dk, siden om regler, Dansk L'hombre-Unions tabel"
    ),
    "netlhombre.dk, rules page, table of De 5 Matadorer": (
        "netlhombre.dk, siden om regler, De 5 Matadorers tabel"
    ),
    "Dansk L'hombre-Union, tournament rules, section on bidding": (
        "Dansk L'hombre-Union, turneringsreglerne, afsnittet om meldinger"
    ),
    "L'Hombre (Ombre), a retelling": "L'Hombre (Ombre), en genfortælling",
    "David Parlett, Ombre, after Lord Aldenham's treatise": (
        "David Parlett, Ombre, efter lord Aldenhams afhandling"
    ),
    "Sigurður Magnússon, Lomber, Múlaþing (1985), pp. 190–199": (
        "Sigurður Magnússon, Lomber, Múlaþing (1985), s. 190–199"
    ),
    "H. Fournier, Tresillo, rules of the Vitoria card makers": (
        "H. Fournier, Tresillo, regler fra kortmagerne i Vitoria"
    ),
}
"""By what the ruleset says itself."""


def translate_ruleset_source(language: str, source: str) -> str:
    """A ruleset's source in ``language``; as it stands where nothing else is known."""
    return DANISH_SOURCES.get(source, source) if language == "da" else source
