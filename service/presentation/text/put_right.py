"""A record as it would stand put right, in words: which entries, and what the deal pays then."""

from collections.abc import Iterable
from typing import Final

from engine import Audit, Score, State
from engine.diagnosis.explanations import may_be_mistaken
from engine.diagnosis.mistakes import Mistake
from engine.report import PutRight, Report, Settled
from engine.rulesets.model import Words
from service.presentation.i18n.translate import told
from service.presentation.text import names
from service.presentation.text.findings import with_cards
from service.presentation.text.sentences import Telling
from service.presentation.text.style import Style

PUT_RIGHT: Final = {
    "once": Words("Once entry {seqs} is put right as proposed:", "Når post {seqs} er rettet som foreslået:"),
    "once_several": Words(
        "Once entries {seqs} are put right as proposed:", "Når posterne {seqs} er rettet som foreslået:"
    ),
    "recorded": Words("As recorded.", "Som optegnet."),
    "score": Words(
        "With the proposed correction (entry {seqs}) it is {result}.",
        "Med den foreslåede rettelse (post {seqs}) er det {result}.",
    ),
    "score_several": Words(
        "With the proposed corrections (entries {seqs}) it is {result}.",
        "Med de foreslåede rettelser (post {seqs}) er det {result}.",
    ),
    "instead": Words(
        "If entry {seqs} was that slip, it is {result}.",
        "Var post {seqs} en sådan fejl, er det {result}.",
    ),
    "instead_several": Words(
        "If entries {seqs} were such slips, it is {result}.",
        "Var posterne {seqs} sådanne fejl, er det {result}.",
    ),
    "right_then": Words("What was paid is right then.", "Det betalte er så rigtigt."),
    "wrong_then": Words("What was paid is not right then.", "Det betalte er så ikke rigtigt."),
    "perhaps": Words(
        "Of the record as it stands. A mistake of the pen may explain it: {mistakes}",
        "Om optegnelsen, som den er. En skrivefejl kan forklare det: {mistakes}",
    ),
    "see_audit": Words(
        "A mistake of the pen may explain what is found in the record; spadille audit says which.",
        "En skrivefejl kan forklare det, der er fundet i optegnelsen; spadille audit siger hvilken.",
    ),
}
"""The lines; ``{seqs}`` are the entries that would be corrected."""


def once_told(made: PutRight, style: Style) -> str:
    """That what follows speaks of the record put right: "Once entry 18 is put right as proposed:"."""
    key = "once" if len(made.seqs) == 1 else "once_several"
    return PUT_RIGHT[key][style.lang].format(seqs=_seqs(made, style))


def score_told(made: Report, style: Style) -> str:
    """What the deal pays put right, and whether what was paid is right then; empty where nothing changes."""
    right = made.put_right
    lines = [] if right is None else [_score_told(made.audit, right, "score", style)]
    lines += [_score_told(made.likeliest, one, "instead", style) for one in made.instead]
    told_of = " ".join(line for line in lines if line)
    return f"{PUT_RIGHT['recorded'][style.lang]} {told_of}" if told_of else ""


def _score_told(before: Audit, right: PutRight, key: str, style: Style) -> str:
    if _same(before, right.audit):
        return ""
    if len(right.seqs) > 1:
        key += "_several"
    line = PUT_RIGHT[key][style.lang].format(
        seqs=_seqs(right, style), result=_result(right.audit.score, right.audit.state, style)
    )
    paid = _paid_told(right.settled, style)
    return f"{line} {paid}" if paid else line


def mistakes_told(mistakes: Iterable[Mistake], style: Style) -> str:
    """The mistakes of the pen that may explain what a record breaks, where it is told of as it stands."""
    told_of = " ".join(with_cards(told(one.finding.message, style.lang), style) for one in mistakes)
    return PUT_RIGHT["perhaps"][style.lang].format(mistakes=told_of)


def see_audit(audited: Audit, style: Style) -> str:
    """Where to ask whether a mistake of the pen explains what a record breaks; empty where none can."""
    return PUT_RIGHT["see_audit"][style.lang] if may_be_mistaken(audited) else ""


def _seqs(made: PutRight, style: Style) -> str:
    return names.listed(map(str, made.seqs), style)


def _same(recorded: Audit, right: Audit) -> bool:
    """Whether the deal ends and pays the same."""
    one, other = recorded.score, right.score
    return (one.outcome, one.payments, one.contract) == (other.outcome, other.payments, other.contract)


def _result(score: Score, state: State, style: Style) -> str:
    result = names.result(state, score, style)
    if score.payments is None or not any(chips for _, chips in score.payments):
        return result
    return f"{result}; {Telling(state, state, style).chips(score.payments)}"


def _paid_told(settled: tuple[Settled, ...], style: Style) -> str:
    """Whether what was last paid at the table is right in the record put right."""
    if not settled or settled[-1].parted is None:
        return ""
    return PUT_RIGHT["wrong_then" if settled[-1].parted else "right_then"][style.lang]
