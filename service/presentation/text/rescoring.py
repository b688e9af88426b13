"""What a deal pays by other rules, beside what it pays by its own, for people."""

from collections.abc import Iterator

from engine import State
from engine.audit import Audit
from engine.scoring.payments import Payments
from engine.scoring.score import score
from service.presentation.text import names
from service.presentation.text.layout import align_columns, wrap_text
from service.presentation.text.score_lines import INDENT, chip_owner, score_lines
from service.presentation.text.style import TextStyle


def rescored_deal_lines(audited: Audit, state: State, style: TextStyle) -> Iterator[str]:
    """What the deal pays by the rules of ``state``, beside what it pays by its own, as in ``audited``.

    Where these rules know no such game, that is said instead: nothing can be paid then.
    """
    own, other = audited.score, score(state)
    contract = own.contract
    if contract is not None and not other.decided and contract not in state.opening.rules.contracts:
        game = names.game_words(audited.state, style).contract(contract)
        text = style.phrase(
            "{rules} has no such game as {game}, so nothing can be paid by it.",
            rules=names.ruleset_name(state, style),
            game=game,
        )
        yield from wrap_text(text, style.width, INDENT)
        return
    yield from score_lines(state, other, style)
    if own.payments is None or other.payments is None:
        return
    yield ""
    if dict(own.payments) == dict(other.payments):
        yield INDENT + style.phrase("It pays the same by its own rules.")
    else:
        yield from (INDENT + line for line in _comparison_rows(own.payments, state, other.payments, style))


def _comparison_rows(own: Payments, state: State, other: Payments, style: TextStyle) -> list[str]:
    """Each one's chips by its rules and by those, and the difference."""
    before, after = dict(own), dict(other)
    rows = [
        (chip_owner(state, name, style), *(style.chips(chips) for chips in counted))
        for name in dict.fromkeys((*before, *after))
        for own_chips, other_chips in [(before.get(name, 0), after.get(name, 0))]
        for counted in [(own_chips, other_chips, other_chips - own_chips)]
    ]
    return align_columns([comparison_head(style), *rows], right_aligned=(1, 2, 3))


def comparison_head(style: TextStyle) -> tuple[str, ...]:
    """The heads of the columns of a comparison."""
    return "", style.phrase("by its rules"), style.phrase("by those"), style.phrase("difference")
