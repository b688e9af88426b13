"""What a deal pays by other rules, beside what it pays by its own, for people."""

from collections.abc import Iterator

from engine import State
from engine.audit import Audit
from engine.scoring.payments import Chips
from engine.scoring.score import score
from service.presentation.text import names
from service.presentation.text.accounts import INDENT, owner, score_lines
from service.presentation.text.layout import columns, wrapped
from service.presentation.text.style import Style
from service.presentation.text.table_report_words import TABLE_REPORT


def by_other_rules(judged: Audit, state: State, style: Style) -> Iterator[str]:
    """What the deal pays by the rules of ``state``, beside what it pays by its own, as they are ``judged``.

    Where these rules know no such game, that is said instead: nothing can be paid then.
    """
    own, other = judged.score, score(state)
    contract = own.contract
    if contract is not None and not other.decided and contract not in state.opening.rules.contracts:
        game = names.game_by(judged.state.opening.rules, contract, None, style)
        told = _word("no_such_game", style).format(rules=names.ruleset(state, style), game=game)
        yield from wrapped(told, style.width, INDENT)
        return
    yield from score_lines(state, other, style)
    if own.payments is None or other.payments is None:
        return
    yield ""
    if dict(own.payments) == dict(other.payments):
        yield INDENT + _word("the_same", style)
    else:
        yield from (INDENT + line for line in _beside(own.payments, state, other.payments, style))


def _beside(own: Chips, state: State, other: Chips, style: Style) -> list[str]:
    """Each one's chips by its rules and by those, and the difference."""
    before, after = dict(own), dict(other)
    head = ("", _word("was", style), _word("would", style), _word("difference", style))
    rows = [
        (owner(state, name, style), *(style.chips(chips) for chips in counted))
        for name in dict.fromkeys((*before, *after))
        for had, has in [(before.get(name, 0), after.get(name, 0))]
        for counted in [(had, has, has - had)]
    ]
    return columns([head, *rows], right=(1, 2, 3))


def _word(key: str, style: Style) -> str:
    return TABLE_REPORT[key][style.lang]
