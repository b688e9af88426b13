"""The words of the notation with their other forms, and the names that a ruleset gives its games.

Words are compared in small letters.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import ALL_OUTCOMES
from engine.rulesets import PUBLISHED_RULESETS, find_ruleset
from engine.rulesets.model import Bid, Contract
from engine.view import PUBLIC_IRREGULARITY_KINDS
from schemas.i18n.catalogs import list_translations
from schemas.notation.alphabets import ALPHABETS, SUIT_BY_WORD
from schemas.wire.wire_faults import find_nearest_word

_OTHER_FORMS: Final[dict[str, tuple[str, str]]] = {
    # what a seat does
    "hand": ("dealt", "hånd fik"),
    "passes": ("pass", "passer pas"),
    "bids": ("bid says", "melder byder siger"),
    "shows": ("show", "viser"),
    "holds": ("hold held has", "har"),
    "names": ("name", "nævner vælger"),
    "chooses": ("choose", "trumfer"),
    "yields": ("yield", "lader"),
    "stands": ("stand", "står beholder"),
    "discards": ("discard lays", "kaster lægger sælger"),
    "draws": ("draw buys", "køber trækker"),
    "taken": ("", "overtaget"),
    "over": ("", ""),
    "announces": ("announce", "ansiger"),
    "claims": ("claim", "kræver"),
    "claim": ("", "krav"),
    "accepts": ("accept", "accepterer godtager"),
    "contests": ("contest", "bestrider"),
    "abandons": ("abandon", "opgiver"),
    "as": ("", "som"),
    "surrenders": ("surrender", "overgiver"),
    "surrender": ("", "overgivelse"),
    "forbids": ("forbid", "forbyder"),
    "reserves": ("reserve", "gemmer"),
    "puesta": ("", ""),
    "slam": ("tout vole", ""),
    "cards": ("card", "kort"),
    # what the table or the record has
    "talon": ("", ""),
    "turned": ("", "vendt"),
    "seen": ("set", ""),
    "withdrawn": ("", "taget-tilbage tilbage"),
    "result": ("", "resultat"),
    "tricks": ("", "stik"),
    "primeras": ("", ""),
    "estuches": ("", ""),
    "irregularity": ("", "fejl"),
    "called": ("", "påtalt"),
    "ruling": ("", "afgørelse"),
    "outcome": ("", "udfald"),
    "fault": ("", "skyld"),
    "at": ("", ""),
    "payments": ("", "betaling betalinger"),
    "penalty": ("", "straf"),
    "voided": ("", "annulleret"),
    "correction": ("", "rettelse"),
    "of": ("", "af"),
    "after": ("", "efter"),
    "gap": ("", "hul"),
    "settled": ("", "afregnet"),
    "closed": ("", "sluttet"),
    "engine": ("", ""),
    "in": ("", "i på"),
    "by": ("by", "ved"),
    "on": ("", "om"),
    "trick": ("", "stik"),
    # a table's
    "joined": ("", "kom"),
    "left": ("", "gik"),
    "place": ("", "plads"),
    "seats": ("", "pladser"),
    "dealer": ("", "giver"),
    "drawn": ("", "trukket"),
    "started": ("", "begyndt"),
    "paid": ("", "betalt"),
    "from": ("", "fra"),
    "to": ("", "til"),
    "points": ("point", ""),
    "deal": ("", "giv"),
    "ended": ("", "aften-slut"),
    "set-aside": ("", "tæller-ikke"),
    "opened": ("", "åbnet"),
    "evening": ("", "aften"),
    "deals": ("give", ""),
    "until": ("", "indtil"),
    "known": ("", "kendt"),
    "and": ("", "og"),
    "none": ("", "ingen intet"),
    "yes": ("", "ja"),
    "no": ("", "nej"),
}
"""Other English forms and Danish forms of each word of the notation."""

_TOLERATED_FORMS: Final[dict[str, tuple[str, str]]] = {
    "all": ("", "alle"),
    "exchanges": ("", "bytter"),
    "loses": ("lose lost", "taber tabt tabte"),
    "plays": ("played leads led", "spiller spillede"),
    "revokes": ("revoked", ""),
    "takes": ("take", "tager"),
}
"""Words that are read and never written, so that names may be the same."""

_ALL_FORMS: Final = {**_OTHER_FORMS, **_TOLERATED_FORMS}
WORD_FORMS: Final = {
    word: frozenset((word, *english.split(), *danish.split()))
    for word, (english, danish) in _ALL_FORMS.items()
}
KNOWN_WORDS: Final = frozenset().union(*(WORD_FORMS[word] for word in _OTHER_FORMS))


def is_form_of(text: str, word: str) -> bool:
    """Whether a text is a form of ``word``."""
    return text.lower() in WORD_FORMS[word]


_DANISH_SEATS: Final = dict(zip(("forhånd", "mellemhånd", "baghånd"), SEAT_NAMES, strict=True))
SEAT_BY_WORD: Final[dict[str, str]] = {
    **{word: seat for seat in SEAT_NAMES for word in (seat[0], seat)},
    **_DANISH_SEATS,
}
SEAT_LETTER: Final = {seat: seat[0].upper() for seat in SEAT_NAMES}

PASS_BID: Final = "pass"
GAME_NAME_FIELDS: Final = ("bid", "contract")
"""Fields with names of the ruleset."""

_CHOICE_BY_DANISH_WORD: Final[dict[str, str]] = {
    "vundet": "won", "vandt": "won", "kodille": "codille", "kruk": "codille", "opgivet": "abandoned",
    "forbrudt": "forfeited", "annulleret": "voided", "taget": "made", "glippet": "failed", "fortalt": "told",
    "rekonstrueret": "reconstructed", "trykt": "printed",
}  # fmt: skip
CHOICE_BY_WORD: Final[dict[str, str]] = {
    "bet": "bete", "beet": "bete", "bête": "bete", "passed-out": "passed_out", "set": "seen",
    **_CHOICE_BY_DANISH_WORD,
}  # fmt: skip
"""Other words for outcomes and the like, which are written as in the events."""

IRREGULARITY_KIND_FIELD: Final = "kind"
"""The field of an irregularity that holds one of a few words, or the recorder's own."""

_is_plain_word: Final = re.compile(r"[^\W\d_](?:[\w’'.&-]*[\w’'&-])?").fullmatch
_DANISH_SECTION_HEADINGS: Final = frozenset(
    ["hænder", "meldinger", "meldingerne", "bytte", "byttet", "spillet", "stik", "stikkene", "regnskab"]
)
SECTION_HEADING_WORDS: Final = _DANISH_SECTION_HEADINGS | frozenset(
    ["hands", "auction", "bidding", "exchange", "play", "tricks", "score"]
)
"""Headings of parts of a deal, before a colon; they mean nothing."""
DANISH_WORDS: Final = frozenset(
    {
        *(word for _, danish in _ALL_FORMS.values() for word in danish.split()),
        *_DANISH_SEATS, *_CHOICE_BY_DANISH_WORD, *_DANISH_SECTION_HEADINGS,
    }
)  # fmt: skip
RESERVED_WORDS: Final = frozenset(
    {
        *KNOWN_WORDS, *SEAT_BY_WORD, *CHOICE_BY_WORD, *ALL_OUTCOMES, "made", "failed", *SUIT_BY_WORD,
        *(suit for letters in ALPHABETS.values() for suit in letters.suits),
    }
)  # fmt: skip
"""Names like these are put in quotation marks."""


def needs_no_quotes(name: str) -> bool:
    """Whether a name is one word that can be nothing else."""
    return bool(_is_plain_word(name)) and name.lower() not in RESERVED_WORDS


def is_misspelled_kind(kind: str) -> bool:
    """Whether the kind of an irregularity is nearly, but not quite, a public one."""
    return find_nearest_word(kind, PUBLIC_IRREGULARITY_KINDS) not in (None, kind)


class GameNames(NamedTuple):
    """The names of a ruleset's bids and contracts: its ids, and the id meant by each other name.

    ``player_name_starts`` are the first words of the names of players, in small letters.
    """

    ids: frozenset[str]
    id_by_name: dict[str, str]
    player_name_starts: frozenset[str] = frozenset()

    def needs_no_quotes(self, name: str) -> bool:
        """Whether a bid or contract can stand without quotation marks."""
        is_free = name in self.ids if self.ids else name.lower() not in self.player_name_starts
        return is_free and needs_no_quotes(name)

    def find_id(self, name: str) -> str | None:
        """The id that a name means; None if the ruleset has nothing of that name."""
        if name in self.ids:
            return name
        lowered = name.lower()
        return lowered if lowered in self.ids else self.id_by_name.get(lowered)


COLLOQUIAL_NAMES: Final = {
    "alm. spil": "simple", "almindeligt spil": "simple", "bedre": "spade-game", "betra spil": "spade-game",
    "túrnir": "tourne", "vendt spil": "tourne", "køb-nolo": "simple-nolo", "købenolo": "simple-nolo",
    "kúpp": "simple-nolo", "respect": "grand-tourne", "grand-túrnir": "grand-tourne",
    "solo kulør": "spade-solo", "spar solo": "spade-solo", "ren": "pure-nolo", "ouvert": "nolo-ouvert",
    "juego más": "higher", "vuelta": "voltereta",
}  # fmt: skip
"""Players' names for games, besides those that rulesets print."""

NO_GAME_NAMES: Final = GameNames(frozenset(), {})


@lru_cache(maxsize=64)
def build_game_names(ruleset_id: str) -> GameNames:
    """The names in the newest revision of a published ruleset; none for another id."""
    rules = find_ruleset(PUBLISHED_RULESETS, ruleset_id)
    if rules is None:
        return NO_GAME_NAMES
    games: list[Bid | Contract] = [*rules.ruleset.bids, *rules.ruleset.contracts]
    ids = frozenset({"pass", "self", *(game.id for game in games)})
    names = [(word, game.id) for game in games for word in (game.id, *list_translations(game.words))]
    names += [(word, game_id) for word, game_id in COLLOQUIAL_NAMES.items() if game_id in ids]
    names += [("kan selv", "self"), ("selv", "self")]
    id_by_name = {spelt: game_id for word, game_id in names for spelt in _list_spellings(word)}
    return GameNames(ids, {name: game_id for name, game_id in id_by_name.items() if name not in ids})


def _list_spellings(word: str) -> set[str]:
    """A name in small letters, with hyphens for spaces and the reverse, with and without accents."""
    lowered = word.lower()
    unaccented = lowered.translate(str.maketrans("éèêëáàâ", "eeeeaaa"))
    return {
        form for one in (lowered, unaccented) for form in (one, one.replace("-", " "), one.replace(" ", "-"))
    }
