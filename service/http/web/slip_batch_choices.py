"""What the cells of a pile can say, as whoever types it is offered it: names, abbreviations, other spellings.

All of it is read from the ruleset as its table has switched it, and from the words of a club's sheet; what is
offered is what ``schemas.spreadsheet.typed`` reads.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.rulesets import Rules
from schemas.spreadsheet import words
from schemas.spreadsheet.shorts import shorts_of
from schemas.spreadsheet.typed import SIGNS, extras_of
from service.http.web.slip_choices import trumps_of

ENDINGS: Final = ("won", "bete", "codille")
Choice = dict[str, Any]


def pile_choices(rules: Rules, language: str) -> dict[str, list[Choice]]:
    """The choices of each cell in ``language``.

    ``name`` is what is written, ``short`` and ``others`` do as well. A contract also tells the ``trumps``
    that it leaves open; that everybody passed stands there too.
    """
    shorts, danish = shorts_of(rules, language), language == "da"
    other = "en" if danish else "da"
    contracts = [
        choice(
            contract.words[language],
            shorts[contract.id],
            (contract.words[other], *words.SPELLINGS.get(contract.id, ())),
            trumps=trumps_of(rules, contract),
        )
        for contract in rules.contracts.values()
    ]
    passed = words.OUTCOMES["passed_out"]
    nobody = choice("pas" if danish else "pass", "", passed, trumps=[])
    suits = [_one(words.SUITS[suit], danish, code=suit) for suit in "SHCD"]
    endings = [_one(words.OUTCOMES[ending], danish, _signs(ending)) for ending in ENDINGS]
    rest = [_one(spellings, danish) for ending, spellings in words.OUTCOMES.items() if ending not in ENDINGS]
    return {
        "contract": [*contracts, nobody],
        "trump": suits,
        "outcome": [*endings, *rest],
        "extras": [choice(name, "", ()) for name in extras_of(rules, language)],
    }


def choice(name: str, short: str, others: Iterable[str], **more: Any) -> Choice:
    """One choice."""
    rest = [one for one in dict.fromkeys(others) if one not in (name, short)]
    return {"name": name, "short": short, "others": rest, **more}


def _one(spellings: tuple[str, ...], danish: bool, more: Iterable[str] = (), **fields: Any) -> Choice:
    """A choice of the words of a sheet: its first letter is its abbreviation."""
    name = spellings[danish]
    return choice(name, name[0], (*spellings, *more), **fields)


def _signs(ending: str) -> list[str]:
    return [sign for sign, meant in SIGNS.items() if meant == ending]
