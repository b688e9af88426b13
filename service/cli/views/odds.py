"""Best play over the possible deals, in lines of a report."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Audit, State
from engine.core.field_types import Seq
from engine.core.message import Message
from engine.solver.monte_carlo import (
    CardEstimate,
    DealEstimate,
    PositionEstimate,
    SampleInfo,
    estimate_deal,
    estimate_position,
)
from schemas.answers.hidden_cards import round_average
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import format_decimal, group_thousands
from schemas.i18n.translate import translate
from service.presentation.text import names
from service.presentation.text.findings import format_card_codes
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle

_LONG_NUMBER: Final = re.compile(r"\d{4,}")
SAMPLE_PHRASES: Final = {
    "whole": "All {total} lawful deals that agree with the record.",
    "drawn": "{deals} lawful deals that agree with the record, drawn at random from {total} (seed {seed}).",
    "weighed": (
        "{deals} lawful deals that agree with the record, drawn at random from about {total} and nearly "
        "equally likely (seed {seed})."
    ),
}
SLAM_PHRASES: Final = {"made": "all nine made", "failed": "all nine failed"}


class OddsOptions(NamedTuple):
    """How many deals to sample, and the seed."""

    samples: int
    seed: int


class DealOdds(NamedTuple):
    """The cost of the cards played over the deals, and the results of those legal at the end."""

    deal_estimate: DealEstimate
    position_estimate: PositionEstimate | None


def compute_deal_odds(
    audited: Audit, odds_options: OddsOptions, original_seqs: Mapping[Seq, Seq]
) -> DealOdds:
    """Best play over the deals that agree with an audited record.

    ``original_seqs`` maps entries that are not in the record to those they are reported as.
    """
    entries, state = audited.history.entries, audited.state
    course = estimate_deal(entries, state, odds_options.seed, odds_options.samples)
    plays = tuple(one._replace(seq=original_seqs.get(one.seq, one.seq)) for one in course.plays)
    return DealOdds(
        course._replace(plays=plays),
        estimate_position(entries, state, odds_options.seed, odds_options.samples),
    )


def odds_lines(odds: DealOdds, audited: Audit, style: TextStyle) -> Iterator[str]:
    """The deals that were sampled, the cards that cost something in some of them, and the choices now."""
    sample, missing = odds.deal_estimate.sample, odds.deal_estimate.missing_facts
    if sample is None:
        yield style.phrase(
            "This would need: {what}.", what="; ".join(_translate_mid_sentence(one, style) for one in missing)
        )
        return
    yield _sample_line(sample, style)
    yield style.phrase("In each of them, all players play as if they saw all cards.")
    mistake_lines = [
        _play_cost_line(one.cost_text, audited.state, style)
        for one in odds.deal_estimate.plays
        if one.costly_deals
    ]
    yield from mistake_lines or [style.phrase("In none of them did a play cost anything.")]
    point = None if odds.position_estimate is None else odds.position_estimate.turn
    if point is not None:
        player = names.player_label(audited.state, point.seat, style)
        yield capitalize_first(style.phrase("{who} to play to trick {trick}:", who=player, trick=point.trick))
        for one in (*point.choices, *((point.stop_estimate,) if point.stop_estimate else ())):
            yield _choice_line(one, style)


def _play_cost_line(sentence: Message, state: State, style: TextStyle) -> str:
    """The cost of a card, with the player's name and grouped thousands."""
    text = translate(names.replace_seats_with_names(sentence, state), style.lang)
    return format_card_codes(
        _LONG_NUMBER.sub(lambda found: group_thousands(int(found.group()), style.lang), text), style
    )


def _translate_mid_sentence(message: Message, style: TextStyle) -> str:
    """A message of the engine in the middle of a sentence."""
    text = translate(message, style.lang)
    return text[:1].lower() + text[1:] if message[:1].islower() else text


def _sample_line(sample: SampleInfo, style: TextStyle) -> str:
    key = "whole" if sample.whole else "drawn" if sample.even else "weighed"
    return style.phrase(
        SAMPLE_PHRASES[key],
        deals=group_thousands(sample.deals, style.lang),
        total=group_thousands(sample.total, style.lang),
        seed=sample.seed,
    )


def _choice_line(one: CardEstimate, style: TextStyle) -> str:
    outcomes = ", ".join(
        style.phrase(
            "{outcome} in {deals}",
            outcome=_outcome_name(end.outcome, end.slam, style),
            deals=group_thousands(end.deals, style.lang),
        )
        for end in one.ends
    )
    average = one.average_chips
    return style.phrase(
        "{card}: {ends}; best in {best} of {deals}"
        if average is None
        else "{card}: {ends}; best in {best} of {deals}; {chips} on average",
        card=style.phrase("stopping") if one.card is None else style.card(one.card),
        ends=outcomes,
        best=group_thousands(one.best_count, style.lang),
        deals=group_thousands(one.deal_count, style.lang),
        chips="" if average is None else _format_mean_chips(round_average(average), style),
    )


def _outcome_name(outcome: str, slam: str | None, style: TextStyle) -> str:
    word = style.phrase(OUTCOME_TERMS[outcome])
    return word if slam is None else f"{word} ({style.phrase(SLAM_PHRASES[slam])})"


def _format_mean_chips(mean: float, style: TextStyle) -> str:
    """An average with its sign and two decimal places."""
    sign = style.sign("−", "-") if mean < 0 else "+"
    return format_decimal(f"{sign}{abs(mean):.2f}", style.lang)
