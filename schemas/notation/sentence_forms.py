"""How each event is written: one sentence, or one for each of its forms, as a row of words and fields.

``{field}`` is a field of the event on the wire. A part in square brackets is left out where its field is not
known; such parts may come in any order. A comma is written, and is optional to read. Openings
(``opening_tags``), cards played and notes (``plays_and_notes``) have forms of their own.
"""

import re
from itertools import product
from typing import Final, NamedTuple

from schemas.notation.notation_words import WORD_FORMS
from schemas.wire.field_specs import EVENT_SPECS, FieldSpec

SENTENCE_TEMPLATES: Final[tuple[tuple[str, str, dict[str, object]], ...]] = (
    ("hand_dealt", "{seat} hand {cards}", {}),
    ("talon_laid", "Talon {cards}", {}),
    ("bid_made", "{seat} passes [in {trump}] [{said}]", {"bid": "pass"}),
    ("bid_made", "{seat} bids {bid} [in {trump}] [{said}]", {}),
    ("cards_shown", "{seat} shows {cards} [{why}]", {}),
    ("hand_held", "{seat} holds {cards}", {}),
    ("contract_named", "{seat} names {contract} [in {trump}]", {}),
    ("trump_named", "{seat} chooses {trump}", {}),
    ("talon_turned", "Turned {card}", {}),
    ("exchange_yielded", "{seat} yields", {}),
    ("talon_seen", "Seen by {seats} {cards}", {}),
    ("cards_discarded", "{seat} stands", {"cards": []}),
    ("cards_discarded", "{seat} discards {cards}", {}),
    ("cards_drawn", "{seat} draws {cards}", {}),
    ("hand_taken_over", "{seat} taken over by {player}", {}),
    ("slam_announced", "{seat} announces slam", {}),
    ("tricks_claimed", "{seat} claims {tricks}", {}),
    ("claim_answered", "{seat} accepts claim", {"answer": "accept"}),
    ("claim_answered", "{seat} contests claim", {"answer": "contest"}),
    ("deal_abandoned", "{seat} abandons [as {pays}]", {}),
    ("surrender_offered", "{seat} surrenders", {}),
    ("surrender_answered", "{seat} accepts surrender", {"answer": "accept"}),
    ("surrender_answered", "{seat} forbids surrender", {"answer": "forbid"}),
    ("action_withdrawn", "Withdrawn {of} [{text}]", {}),
    (
        "result_recorded",
        "Result [{declarer}] [{contract}] [in {trump}] [, {outcome}] [, tricks {tricks}] [, slam {slam}]"
        " [, primeras {primeras}] [, estuches {estuches}]",
        {},
    ),
    ("irregularity_noted", "Irregularity {seat} {kind} [called by {by_seat}] [{text}]", {}),
    (
        "ruling_made",
        "Ruling {text} [, outcome {outcome}] [, fault {at_fault}] [, payments {payments}]"
        " [, penalty {penalty}]",
        {},
    ),
    ("deal_voided", "Voided {reason}", {}),
    ("puesta_reserved", "{seat} reserves puesta", {}),
    ("correction_made", "Correction [of {replaces}] [after {after}] {reason} [{with}]", {}),
    ("gap_noted", "Gap [{text}]", {}),
    ("deal_settled", "Settled {payments}", {}),
    ("deal_closed", "Closed {payments} engine {engine}", {}),
    ("player_joined", "Joined {player} [place {place}]", {}),
    ("player_left", "Left {player} [{reason}]", {}),
    ("seats_set", "Seats {players} [, dealer {dealer}] [, drawn {drawn}]", {}),
    ("deal_started", "Started {number} {deal}", {}),
    ("payment_made", "Paid {amount} from {from} to {to} [{text}]", {}),
    ("penalty_given", "Penalty {player} {points} [deal {deal}] [{text}]", {}),
    ("table_closed", "Ended [{text}]", {}),
    ("table_voided", "Set-aside {reason}", {}),
)
"""Each type of event, its sentence, and the values that set this form of it apart from others."""


class SentencePart(NamedTuple):
    """A piece of a sentence: words, then a field if it has one."""

    words: tuple[str, ...]
    field: FieldSpec | None
    is_optional: bool = False
    has_comma: bool = False


class SentenceForm(NamedTuple):
    """How one form of an event is written. ``has_seat`` is True where it begins with the seat that acts.

    Of the ``optional_parts`` those with a word of their own come first, free names last.
    """

    type: str
    has_seat: bool
    keyword: str
    parts: tuple[SentencePart, ...]
    fixed_values: dict[str, object]
    required_parts: tuple[SentencePart, ...] = ()
    optional_parts: tuple[SentencePart, ...] = ()

    def matches(self, obj: dict[str, object]) -> bool:
        """Whether an event has this form."""
        return all(obj.get(name) == value for name, value in self.fixed_values.items())


_pieces: Final = re.compile(r"\[[^\]]*\]|\{\w+\}|[^\s{}\[\]]+").findall


def _build_sentence_form(type_name: str, template: str, fixed_values: dict[str, object]) -> SentenceForm:
    fields = {spec.name: spec for spec in EVENT_SPECS[type_name]}
    pieces = _pieces(template)
    seat = pieces[0] == "{seat}"
    key = pieces[1 if seat else 0]
    parts: list[SentencePart] = []
    words: list[str] = []
    for piece in pieces[2 if seat else 1 :]:
        if piece[0] == "[":
            *before, field = piece[1:-1].split()
            comma = before[:1] == [","]
            parts.append(SentencePart(tuple(before[comma:]), fields[field[1:-1]], True, comma))
        elif piece[0] == "{":
            parts.append(SentencePart(tuple(words), fields[piece[1:-1]]))
            words = []
        else:
            words.append(piece)
    if words:
        parts.append(SentencePart(tuple(words), None))
    required = tuple(part for part in parts if not part.is_optional)
    optional = tuple(sorted((part for part in parts if part.is_optional), key=_specificity_key))
    return SentenceForm(type_name, seat, key.lower(), tuple(parts), fixed_values, required, optional)


def _specificity_key(part: SentencePart) -> tuple[bool, bool]:
    assert part.field is not None
    return not part.words, part.field.kind.name == "text"


SENTENCE_FORMS: Final = tuple(_build_sentence_form(*row) for row in SENTENCE_TEMPLATES)
"""All sentences; of one type of event the particular ones stand before the general one."""
SENTENCE_FORMS_BY_KEYWORD: Final[dict[tuple[bool, str], tuple[SentenceForm, ...]]] = {}
"""Sentences by whether they begin with a seat, and the word that follows, in any of its forms."""
for _form in SENTENCE_FORMS:
    for _key in product((_form.has_seat,), WORD_FORMS[_form.keyword]):
        SENTENCE_FORMS_BY_KEYWORD[_key] = (*SENTENCE_FORMS_BY_KEYWORD.get(_key, ()), _form)
