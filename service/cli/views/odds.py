"""Best play over the deals that can have been, in lines of the report."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Audit, State
from engine.core.message import Said
from engine.core.vocabulary import Seq
from engine.rulesets.model import Words
from engine.solver import LikelyAnswer, LikelyCourse, Looked, Outlook, likely_course, likely_play
from schemas.answers.likely import average
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.translate import told
from service.presentation.text import names
from service.presentation.text.findings import with_cards
from service.presentation.text.players import by_name
from service.presentation.text.sentences import upper
from service.presentation.text.style import Style
from service.presentation.text.unseen import grouped

_MANY: Final = re.compile(r"\d{4,}")
LIKELY: Final = {
    "whole": Words(
        "All lawful deals that agree with the record, {total} of them.",
        "Alle lovlige fordelinger, som stemmer med optegnelsen: {total}.",
    ),
    "drawn": Words(
        "{deals} lawful deals that agree with the record, drawn by chance from {total} (seed {seed}).",
        "{deals} lovlige fordelinger, som stemmer med optegnelsen, trukket blandt {total} (frø {seed}).",
    ),
    "weighed": Words(
        "{deals} lawful deals that agree with the record, drawn by weight from about {total}, each nearly as "
        "likely as any other (seed {seed}).",
        "{deals} lovlige fordelinger, som stemmer med optegnelsen, trukket efter vægt blandt omkring "
        "{total}, hver næsten lige så sandsynlig som enhver anden (frø {seed}).",
    ),
    "open": Words(
        "In each of them both sides play as if they saw all cards.",
        "I hver af dem spiller begge sider, som om de så alle kort.",
    ),
    "missing": Words("It would take: {what}.", "Det ville kræve: {what}."),
    "nothing": Words(
        "No card that was played cost anything in any of them.", "Intet spillet kort kostede noget."
    ),
    "turn": Words("{who} to play to trick {trick}:", "{who} skal spille til stik {trick}:"),
    "card": Words(
        "{card}: {ends}; best in {best} of {deals}; {chips} on average",
        "{card}: {ends}; bedst i {best} af {deals}; {chips} i gennemsnit",
    ),
    "unpaid": Words("{card}: {ends}; best in {best} of {deals}", "{card}: {ends}; bedst i {best} af {deals}"),
    "share": Words("{outcome} in {deals}", "{outcome} i {deals}"),
    "stop": Words("stopping", "at stoppe"),
    "made": Words("all nine made", "alle ni taget"),
    "failed": Words("all nine failed", "alle ni mislykket"),
}
"""The lines; ``{deals}``, ``{best}`` and ``{total}`` are numbers of deals."""


class Asked(NamedTuple):
    """How many deals are looked at, and the seed by which they are drawn."""

    deals: int
    seed: int


class Likely(NamedTuple):
    """What the cards played cost over the deals, and what those come to that are legal at the end."""

    course: LikelyCourse
    here: LikelyAnswer | None


def likely(judged: Audit, asked: Asked, called: Mapping[Seq, Seq]) -> Likely:
    """Best play over the deals that agree with an audited record.

    ``called``: by entries that are none of the record, those that they are told as.
    """
    entries, state = judged.history.entries, judged.state
    course = likely_course(entries, state, asked.seed, asked.deals)
    plays = tuple(one._replace(seq=called.get(one.seq, one.seq)) for one in course.plays)
    return Likely(
        course._replace(plays=plays),
        likely_play(entries, state, asked.seed, asked.deals),
    )


def likely_lines(found: Likely, judged: Audit, style: Style) -> Iterator[str]:
    """Which deals were looked at, the cards that cost something in some of them, and what is open now."""
    looked, missing = found.course.looked, found.course.missing
    if looked is None:
        yield LIKELY["missing"][style.lang].format(what="; ".join(_within(one, style) for one in missing))
        return
    yield _looked(looked, style)
    yield LIKELY["open"][style.lang]
    dear = [_played(one.told, judged.state, style) for one in found.course.plays if one.dear]
    yield from dear or [LIKELY["nothing"][style.lang]]
    point = None if found.here is None else found.here.point
    if point is not None:
        who = names.player(judged.state, point.turn, style)
        yield upper(LIKELY["turn"][style.lang].format(who=who, trick=point.trick))
        for one in (*point.choices, *((point.stop,) if point.stop else ())):
            yield _outlook(one, style)


def _played(sentence: Said, state: State, style: Style) -> str:
    """What a card came to, with the player's name and the thousands apart."""
    text = told(by_name(sentence, state), style.lang)
    return with_cards(_MANY.sub(lambda found: grouped(int(found.group()), style.lang), text), style)


def _within(said: Said, style: Style) -> str:
    """What the engine says, in the middle of a sentence."""
    text = told(said, style.lang)
    return text[:1].lower() + text[1:] if said[:1].islower() else text


def _looked(looked: Looked, style: Style) -> str:
    how = "whole" if looked.whole else "drawn" if looked.even else "weighed"
    return LIKELY[how][style.lang].format(
        deals=grouped(looked.deals, style.lang), total=grouped(looked.total, style.lang), seed=looked.seed
    )


def _outlook(one: Outlook, style: Style) -> str:
    ends = ", ".join(
        LIKELY["share"][style.lang].format(
            outcome=_end(end.outcome, end.slam, style), deals=grouped(end.deals, style.lang)
        )
        for end in one.ends
    )
    return LIKELY["unpaid" if one.chips is None else "card"][style.lang].format(
        card=LIKELY["stop"][style.lang] if one.card is None else style.card(one.card),
        ends=ends,
        best=grouped(one.best, style.lang),
        deals=grouped(one.deals, style.lang),
        chips="" if one.chips is None else _chips(average(one.chips), style),
    )


def _end(outcome: str, slam: str | None, style: Style) -> str:
    word = OUTCOMES[outcome][style.lang]
    return word if slam is None else f"{word} ({LIKELY[slam][style.lang]})"


def _chips(mean: float, style: Style) -> str:
    """An average with its sign and two places, with the comma or the point of the language."""
    sign = style.sign("−", "-") if mean < 0 else "+"
    text = f"{sign}{abs(mean):.2f}"
    return text.replace(".", ",") if style.lang == "da" else text
