"""The line below a drawing: what has just happened, and who is to act."""

from typing import Any

from engine.core.cards import SEAT_NAMES
from service.presentation.svg.drawing_options import DrawingOptions
from service.presentation.svg.placed_cards import count_tricks_won, has_result_only, order_hand_cards
from service.presentation.svg.terms import DrawingTerms

StateObject = dict[str, Any]


def caption_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What is to be said of a state, the most important first; never empty."""
    return [*_open_question_sentences(state, terms), *_phase_sentences(state, terms)] or [
        _seated_sentence(terms)
    ]


def short_caption(state: StateObject, terms: DrawingTerms) -> str | None:
    """The first sentence in fewer words, for where there is little room; None where it has none."""
    if state["phase"] == "dealing":
        return terms.format_phrase("seated_shortly", forehand=terms.player_label("forehand"))
    if state["phase"] == "play" and state["tricks"]:
        trick = state["tricks"][-1]
        number, winner = trick["number"], trick["winner"]
        if winner is None:
            return terms.format_phrase(
                "played_shortly", number=number, card=terms.card_name(trick["cards"][-1])
            )
        return terms.format_phrase("taken_shortly", number=number, winner=terms.player_label(winner))
    game = terms.game_name()
    if state["declarer"] is None or game is None:
        return None
    return terms.player_phrase("game_shortly", state["declarer"], game=game)


def _open_question_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What was put to the others and waits for their answer."""
    claim, surrender = state["claim"], state["surrender"]
    if state["phase"] == "finished":
        return []
    sentences = [terms.player_phrase("claims", claim["seat"])] if claim else []
    if surrender and surrender["forbidden_by"] is None:
        sentences.append(terms.player_phrase("surrenders", surrender["seat"]))
    return sentences


def _phase_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    match state["phase"]:
        case "dealing":
            return [_seated_sentence(terms)]
        case "auction":
            return [_call_sentence(state, terms), *_turn_sentences(state, terms, "speaks")]
        case "contract":
            return [*_standing_bid_sentences(state, terms), *_turn_sentences(state, terms, "names")]
        case "turn":
            return [*_standing_bid_sentences(state, terms), terms.format_phrase("turns")]
        case "exchange":
            return [*_standing_bid_sentences(state, terms), *_turn_sentences(state, terms, "exchanges")]
        case "play":
            return _play_sentences(state, terms)
        case _:
            return _result_sentences(state, terms)


def _seated_sentence(terms: DrawingTerms) -> str:
    return terms.format_phrase("seated", **{seat: terms.player_label(seat) for seat in SEAT_NAMES})


def _call_sentence(state: StateObject, terms: DrawingTerms) -> str:
    if not state["calls"]:
        return terms.format_phrase("dealt")
    call = state["calls"][-1]
    phrase = {"pass": "passed", "self": "self"}.get(call["bid"], "bid")
    return terms.player_phrase(phrase, call["seat"], bid=terms.words.bid(call["bid"]))


def _standing_bid_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """Who has the bid."""
    if state["declarer"] is None:
        return []
    game = terms.game_name()
    return [terms.player_phrase("has_bid" if game else "has_some_bid", state["declarer"], game=game)]


def _turn_sentences(state: StateObject, terms: DrawingTerms, phrase: str) -> list[str]:
    """Who is to do what."""
    return [terms.player_phrase(phrase, state["to_act"])] if state["to_act"] else []


def _play_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    if not state["tricks"]:
        return [*_standing_bid_sentences(state, terms), *_turn_sentences(state, terms, "leads_next")]
    trick = state["tricks"][-1]
    turn = _turn_sentences(state, terms, "leads_next" if len(trick["cards"]) == 3 else "plays")
    return [_trick_sentence(trick, terms), *turn]


def _trick_sentence(trick: dict[str, Any], terms: DrawingTerms) -> str:
    seat, winner = trick["seats"][-1], trick["winner"]
    if len(trick["cards"]) == 1:
        phrase = "leads"
    elif winner is None:
        phrase = "follows"
    else:
        phrase = "takes" if winner == seat else "taken"
    return terms.player_phrase(
        phrase,
        seat,
        number=trick["number"],
        card=terms.card_name(trick["cards"][-1]),
        winner=terms.player_label(winner),
    )


def _result_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    outcome = terms.outcome_sentence((state["result"] or {}).get("outcome", ""))
    game, declarer, counts = terms.game_name(), state["declarer"], count_tricks_won(state)
    if declarer is not None:
        first = terms.player_phrase("had_bid", declarer, game=game) if game else terms.format_phrase("over")
        sentences = [first, outcome] if outcome else [first]
    else:
        is_passed_out = bool(state["calls"]) and all(call["bid"] == "pass" for call in state["calls"])
        sentences = [outcome or terms.format_phrase("all_passed" if is_passed_out else "over")]
    if any(counts.values()):
        tricks = ", ".join(f"{terms.player_label(seat)} {counts[seat]}" for seat in SEAT_NAMES)
        sentences.append(terms.format_phrase("took", counts=tricks))
    return sentences


def table_description(state: StateObject, terms: DrawingTerms, drawing_options: DrawingOptions) -> str:
    """The whole table in words, for those who do not see the drawing."""
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
