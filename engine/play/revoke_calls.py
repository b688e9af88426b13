"""What people at the table called or ruled about a revoke (RULES 9)."""

import re
from typing import Final

from engine.core.events import IrregularityNoted, RulingMade
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.spoken_words import SPOKEN_WORDS, words_of_all
from engine.play.findings import Finding, Findings
from engine.play.state import State

_LANGUAGES: Final = SPOKEN_WORDS.values()
_TRICK_NUMBERS: Final = {
    word: number for words in _LANGUAGES for number, word in enumerate(words.ordinals, 1)
}
_TRICK: Final = f"(?:{'|'.join(words.trick for words in _LANGUAGES)})"
_SIGN: Final = f"(?:{'|'.join(words.number_sign for words in _LANGUAGES)})"
_ENDS: Final = f"(?:{'|'.join(words_of_all('ordinal_ends'))})"
_ORDINAL: Final = "|".join(_TRICK_NUMBERS)
_NAMED_TRICK: Final = re.compile(
    rf"\b{_TRICK} {_SIGN}?([1-9])\b|\b([1-9]){_ENDS} {_TRICK}\b|\b({_ORDINAL}) {_TRICK}\b"
)
"""A trick that a call names: "trick 3", "3rd trick", "the third trick"."""
_NUMBER: Final = re.compile(rf"\b(?:\d+{_ENDS}?|{_ORDINAL})\b")
_DOUBT: Final = re.compile(rf"\b(?:{'|'.join(words_of_all('doubts'))})\b")


def mentions_revoke(event: IrregularityNoted | RulingMade) -> bool:
    """Whether the words of a call or of a ruling say that somebody did not follow suit."""
    words = _lowercase_words(event)
    return any(part in words for part in words_of_all("revoke"))


def find_named_trick(event: IrregularityNoted | RulingMade) -> int | None:
    """The trick that a call or a ruling names; None if it names none, or its words do not settle which."""
    text = _lowercase_words(event)
    found = [word for words in _NAMED_TRICK.findall(text) for word in words if word]
    if len(found) != 1 or len(_NUMBER.findall(text)) != 1 or _DOUBT.search(text):
        return None
    return _TRICK_NUMBERS.get(found[0]) or int(found[0])


def _lowercase_words(event: IrregularityNoted | RulingMade) -> str:
    kind = event.kind if isinstance(event, IrregularityNoted) else ""
    return f"{kind} {event.text or ''}".lower()


def may_mean_trick(event: IrregularityNoted | RulingMade, trick: int | None) -> bool:
    """Whether a call or a ruling names this trick, or no trick."""
    return find_named_trick(event) in (None, trick)


def called_revokes(entries: Log, state: State, findings: Findings) -> frozenset[Seq]:
    """The entries of the revokes in ``findings`` that people called afterwards, or that a ruling settled.

    A call of a revoke by another seat, or in another trick, says nothing about these cards; nor does a call
    of talking, or a ruling that only gives a point.
    """
    accusations = [
        (entry.seq, entry.event)
        for entry in entries
        if isinstance(entry.event, (IrregularityNoted, RulingMade)) and _accuses_of_revoke(entry.event)
    ]
    return frozenset(
        one.seq
        for one in findings
        if one.code == "revoke" and any(_may_mean(event, seq, one, state) for seq, event in accusations)
    )


def _accuses_of_revoke(event: IrregularityNoted | RulingMade) -> bool:
    if isinstance(event, RulingMade) and (event.outcome or event.payments):
        return True
    return mentions_revoke(event)


def _may_mean(event: IrregularityNoted | RulingMade, seq: Seq, revoke: Finding, state: State) -> bool:
    """Whether a call or a ruling at entry ``seq`` may mean a revoke that was found."""
    seat = event.seat if isinstance(event, IrregularityNoted) else event.at_fault
    is_later = seq_key(seq) > seq_key(revoke.seq)
    return seat == revoke.seat and is_later and may_mean_trick(event, state.play.trick_number(revoke.seq))
