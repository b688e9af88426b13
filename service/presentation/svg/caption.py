"""The line below a drawing: what has just happened, and who is to act."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from service.presentation.svg.drawing_options import DrawingOptions
from service.presentation.svg.placed_cards import count_tricks_won, has_result_only, order_hand_cards
from service.presentation.svg.terms import DrawingTerms

StateObject = dict[str, Any]


def caption_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What is to be said of a state, the most important first; never empty."""
    sentences = _SENTENCES_BY_PHASE[state["phase"]](state, terms)
    return [*_open_question_sentences(state, terms), *sentences] or _dealing_sentences(state, terms)


def short_caption(state: StateObject, terms: DrawingTerms) -> str | None:
    """The first sentence in fewer words, for where there is little room; None where it has none."""
    tricks = state["tricks"]
    if state["phase"] == "dealing":
        return terms.format_phrase("seated_shortly", forehand=terms.player_label("forehand"))
    if state["phase"] == "play" and tricks:
        last = tricks[-1]
        if last["winner"] is None:
            return terms.format_phrase(
                "played_shortly", number=last["number"], card=terms.card_name(last["cards"][-1])
            )
        return terms.format_phrase(
            "taken_shortly", number=last["number"], winner=terms.player_label(last["winner"])
        )
    game = terms.game_name()
    if state["declarer"] is None or game is None:
        return None
    return terms.format_phrase("game_shortly", name=terms.player_label(state["declarer"]), game=game)


def _open_question_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What was put to the others and waits for their answer."""
    if state["phase"] == "finished":
        return []
    sentences = []
    if state["claim"]:
        sentences.append(terms.format_phrase("claims", name=terms.player_label(state["claim"]["seat"])))
    if state["surrender"] and state["surrender"]["forbidden_by"] is None:
        sentences.append(
            terms.format_phrase("surrenders", name=terms.player_label(state["surrender"]["seat"]))
        )
    return sentences


def _dealing_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    return [terms.format_phrase("seated", **{seat: terms.player_label(seat) for seat in SEAT_NAMES})]


def _auction_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    if not state["calls"]:
        return [terms.format_phrase("dealt"), *_turn_sentences(state, terms, "speaks")]
    call = state["calls"][-1]
    name = terms.player_label(call["seat"])
    phrase = {"pass": "passed", "self": "self"}.get(call["bid"], "bid")
    return [
        terms.format_phrase(phrase, name=name, bid=terms.words.bid(call["bid"])),
        *_turn_sentences(state, terms, "speaks"),
    ]


def _contract_sentences(state: StateObject, terms: DrawingTerms, turn: str) -> list[str]:
    return [*_standing_bid_sentences(state, terms), *_turn_sentences(state, terms, turn)]


def _standing_bid_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """Who has the bid."""
    if state["declarer"] is None:
        return []
    name, game = terms.player_label(state["declarer"]), terms.game_name()
    return [
        terms.format_phrase("has_bid", name=name, game=game)
        if game
        else terms.format_phrase("has_some_bid", name=name)
    ]


def _turn_sentences(state: StateObject, terms: DrawingTerms, phrase: str) -> list[str]:
    """Who is to do what."""
    if phrase == "turns":
        return [terms.format_phrase(phrase)]
    return [terms.format_phrase(phrase, name=terms.player_label(state["to_act"]))] if state["to_act"] else []


def _play_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    tricks = state["tricks"]
    if not tricks:
        return [*_standing_bid_sentences(state, terms), *_turn_sentences(state, terms, "leads_next")]
    complete = len(tricks[-1]["cards"]) == 3
    return [
        _trick_sentence(tricks[-1], terms),
        *_turn_sentences(state, terms, "leads_next" if complete else "plays"),
    ]


def _trick_sentence(trick: dict[str, Any], terms: DrawingTerms) -> str:
    name, card = terms.player_label(trick["seats"][-1]), terms.card_name(trick["cards"][-1])
    parts = {"number": trick["number"], "name": name, "card": card}
    if len(trick["cards"]) == 1:
        return terms.format_phrase("leads", **parts)
    if trick["winner"] is None:
        return terms.format_phrase("follows", **parts)
    if trick["winner"] == trick["seats"][-1]:
        return terms.format_phrase("takes", **parts)
    return terms.format_phrase("taken", **parts, winner=terms.player_label(trick["winner"]))


def _result_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    result = state["result"] or {}
    outcome = terms.outcome_sentence(result.get("outcome", ""))
    if state["declarer"] is None:
        is_passed_out = bool(state["calls"]) and all(call["bid"] == "pass" for call in state["calls"])
        return [
            outcome or terms.format_phrase("all_passed" if is_passed_out else "over"),
            *_tricks_taken_sentences(state, terms),
        ]
    game = terms.game_name()
    contract_sentence = (
        terms.format_phrase("had_bid", name=terms.player_label(state["declarer"]), game=game)
        if game
        else terms.format_phrase("over")
    )
    return [contract_sentence, *([outcome] if outcome else []), *_tricks_taken_sentences(state, terms)]


def _tricks_taken_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """How the tricks fell, where any did."""
    counts = count_tricks_won(state)
    return [terms.format_phrase("took", counts=terms.format_counts(counts))] if any(counts.values()) else []


_SENTENCES_BY_PHASE: Final[Mapping[str, Callable[[StateObject, DrawingTerms], list[str]]]] = {
    "dealing": _dealing_sentences,
    "auction": _auction_sentences,
    "contract": lambda state, terms: _contract_sentences(state, terms, "names"),
    "turn": lambda state, terms: _contract_sentences(state, terms, "turns"),
    "exchange": lambda state, terms: _contract_sentences(state, terms, "exchanges"),
    "play": _play_sentences,
    "finished": _result_sentences,
}


def table_description(state: StateObject, terms: DrawingTerms, drawing_options: DrawingOptions) -> str:
    """The whole table in words, for whoever does not see the drawing."""
    sentences = caption_sentences(state, terms)
    if not has_result_only(state):
        sentences += [_hand_description(state, seat, terms, drawing_options) for seat in SEAT_NAMES]
    return " ".join(sentences)


def _hand_description(
    state: StateObject, seat: str, terms: DrawingTerms, drawing_options: DrawingOptions
) -> str:
    cards = order_hand_cards(state, seat, drawing_options.rules)
    unseen = cards.count("??")
    card_names = [terms.card_name(card) for card in cards if card != "??"]
    if unseen:
        card_names.append(terms.format_phrase("one_unknown" if unseen == 1 else "unknown", count=unseen))
    return f"{terms.player_label(seat)}: {', '.join(card_names) or terms.format_phrase('no_cards')}."
