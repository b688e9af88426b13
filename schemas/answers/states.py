"""States, legal actions, scores and findings as JSON objects (DESIGN 5)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from engine import Finding, LegalActions, Score, State
from engine.core.cards import (
    CARD_CODES,
    HIDDEN_CARD,
    NO_TRUMP,
    PACK_MASK,
    SEAT_NAMES,
    SEATS,
    SUIT_LETTERS,
    SUIT_MASKS,
    Card,
    Seat,
    Suit,
    codes_in_mask,
)
from engine.core.field_types import Seq
from engine.play.findings import Findings
from engine.play.state import PHASES, Claim, SurrenderOffer, is_deal_over, known_trump, seat_to_act
from engine.play.tricks import tricks_on_record
from engine.scoring.payments import PaymentItem
from engine.scoring.score import deal_standing
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate, translate_phrase
from schemas.wire.event_writer import event_object

Json = dict[str, Any]


def optional(convert: Callable[[Any], Any], value: Any) -> Any:
    """What ``convert`` makes of a value; None of None."""
    return None if value is None else convert(value)


def by_seat(read: Callable[[Seat], Any]) -> Json:
    """What ``read`` says of each seat."""
    return {SEAT_NAMES[seat]: read(seat) for seat in SEATS}


def members_object(members: Any) -> Json:
    """A named tuple by the names of its members."""
    named: Json = members._asdict()
    return {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}


def opening_object(state: State) -> Json:
    """What a deal is called, and its ruleset; null where it is not opened."""
    opening_event = state.opening.event
    return {name: getattr(opening_event, name, None) for name in ("title", "ruleset")}


def seat_name(seat: Seat | None) -> str | None:
    """A seat on the wire."""
    return None if seat is None else SEAT_NAMES[seat]


def trump_letter(trump: Suit | None) -> str | None:
    """A trump suit on the wire; null where there is none, and where nobody knows it."""
    return None if trump is None or trump >= NO_TRUMP else SUIT_LETTERS[trump]


def state_object(state: State) -> Json:
    """A state: what the record says of the deal up to this point."""
    opening, contract_state, play, ending = state.opening, state.contract_state, state.play, state.ending
    opening_event, standing_contract = opening.event, deal_standing(state)
    return {
        "phase": PHASES[-1] if is_deal_over(state) else PHASES[state.phase],
        "to_act": None if is_deal_over(state) else seat_name(seat_to_act(state)),
        "ruleset": opening_event.ruleset if opening_event else None,
        "revision": opening.rules.ruleset.revision if opening.rules.is_known else None,
        "players": _players(state),
        "calls": [_call(call) for call in state.auction.calls],
        "declarer": seat_name(standing_contract.declarer),
        "contract": standing_contract.contract_id,
        "trump": trump_letter(known_trump(state)),
        "hands": by_seat(partial(_hand, state)),
        "talon": {
            "cards": [CARD_CODES[card] for card in state.exchange.talon],
            "count": len(state.exchange.talon),
            "turned": optional(CARD_CODES.__getitem__, state.exchange.turned_card),
        },
        "discards": _cards_by_seat(state.exchange.discards),
        "draws": _cards_by_seat(state.exchange.draws),
        "tricks": _tricks(state),
        "tricks_won": by_seat(play.tricks_won.__getitem__),
        "played_on": [
            {"seq": seq, "seat": SEAT_NAMES[seat], "card": CARD_CODES[card]}
            for seq, seat, card in ending.uncounted_plays
        ],
        "claim": optional(_claim, ending.claim),
        "result": optional(event_object, ending.result),
        "slam": "challenged" if contract_state.is_vole_challenged else ending.slam,
        "surrender": optional(_surrender, ending.surrender),
        "pool": opening_event.pool if opening_event else None,
        "incomplete": state.is_incomplete,
    }


def _players(state: State) -> Json:
    players = state.opening.players
    substitutes = state.ending.substitutes
    names = by_seat(lambda seat: substitutes[seat] or players.at(seat))
    return {**names, "sitting_out": list(players.sitting_out)}


def _call(call: Any) -> Json:
    obj = {"seq": call.seq, "seat": SEAT_NAMES[call.seat], "bid": call.bid}
    return obj if call.said is None else {**obj, "said": call.said}


def _hand(state: State, seat: Seat) -> Json:
    """A hand: the cards certainly in it, the number of others; of these, suits where known."""
    slots = state.play.hidden_slots[seat]
    hand: Json = {"cards": codes_in_mask(state.play.known_cards[seat]), "unknown": len(slots)}
    if any(slot != PACK_MASK for slot in slots):
        hand["maybe"] = sorted(slot_code(slot) for slot in slots)
    return hand


def slot_code(slot: int) -> str:
    """What is known of an unknown card: its suit, or nothing."""
    for suit, mask in enumerate(SUIT_MASKS):
        if slot and not slot & ~mask:
            return SUIT_LETTERS[suit] + "?"
    return CARD_CODES[HIDDEN_CARD]


def _cards_by_seat(groups: tuple[tuple[Card, ...] | None, ...]) -> Json:
    return {
        SEAT_NAMES[seat]: {"cards": [CARD_CODES[card] for card in cards], "count": len(cards)}
        for seat, cards in enumerate(groups)
        if cards is not None
    }


def _tricks(state: State) -> list[Json]:
    first_played_on = len(state.play.tricks) + bool(state.play.cards)
    return [_trick(*trick, index >= first_played_on) for index, trick in enumerate(tricks_on_record(state))]


def _trick(
    number: int,
    seats: tuple[Seat, ...],
    cards: tuple[Card, ...],
    seqs: tuple[Seq, ...],
    winner: Seat | None,
    is_played_on: bool,
) -> Json:
    trick: Json = {
        "number": number,
        "leader": SEAT_NAMES[seats[0]] if seats else None,
        "seats": [SEAT_NAMES[seat] for seat in seats],
        "cards": [CARD_CODES[card] for card in cards],
        "seqs": list(seqs),
        "winner": seat_name(winner),
    }
    return {**trick, "played_on": True} if is_played_on else trick


def _claim(claim: Claim) -> Json:
    return {
        "seat": SEAT_NAMES[claim.seat],
        "tricks": by_seat(claim.tricks.__getitem__),
        "accepted": [
            SEAT_NAMES[seat] for seat in SEATS if claim.accepted_seats >> seat & 1 and seat != claim.seat
        ],
    }


def _surrender(surrender: SurrenderOffer) -> Json:
    return {
        "seat": SEAT_NAMES[surrender.seat],
        "accepted": [SEAT_NAMES[seat] for seat in SEATS if surrender.accepted_seats >> seat & 1],
        "forbidden_by": seat_name(surrender.forbidden_by),
    }


def legal_object(legal: LegalActions | None) -> Json | None:
    """What may happen next; null when the deal is over."""
    if legal is None:
        return None
    obj: Json = {"seat": seat_name(legal.seat), "action": legal.action}
    if legal.action == "bid":
        obj["calls"] = list(legal.calls)
    elif legal.action == "name":
        obj["contracts"] = [{"contract": name, "trumps": list(trumps)} for name, trumps in legal.contracts]
    elif legal.action == "exchange":
        obj |= {"min": legal.min_count, "max": legal.max_count}
    elif legal.action == "draw":
        obj["count"] = legal.min_count
    elif legal.action == "play":
        obj["cards"] = list(legal.cards)
    if legal.hidden:
        obj["hidden"] = True
    if legal.optional:
        obj["optional"] = True
    if legal.other_actions:
        obj["also"] = [_other_action_object(one) for one in legal.other_actions]
    return obj


def _other_action_object(one: Any) -> Json:
    obj = {"action": one.action, "seat": SEAT_NAMES[one.seat]}
    return obj if one.pays is None else {**obj, "pays": one.pays}


def score_object(score: Score, lang: str = SOURCE_LANGUAGE) -> Json:
    """What the deal pays and why, in a language; undecided, what each outcome still open would pay."""
    obj: Json = {
        "decided": score.decided,
        "outcome": score.outcome,
        "contract": score.contract,
        "declarer": seat_name(score.declarer),
        "tricks": by_seat(score.tricks.__getitem__),
        "slam": score.slam,
        "payments": optional(dict, score.payments),
        "pool": optional(members_object, score.pool),
        "items": [_item(item, lang) for item in score.items],
    }
    if not score.decided:
        obj["reachable"] = {outcome: dict(payments) for outcome, payments in score.reachable}
    if score.parts:
        obj["parts"] = [_part_object(part, lang) for part in score.parts]
    return obj


def _part_object(part: Score, lang: str) -> Json:
    """What one of two declarers pays or is paid (RULES 8)."""
    obj = score_object(part, lang)
    obj.pop("reachable", None)
    return obj


def _item(item: PaymentItem, lang: str) -> Json:
    obj: Json = {"label": translate_phrase(item.label, lang), "each": item.each, "rule": item.rule}
    return {**obj, "pool": True} if item.pool else obj


def finding_object(finding: Finding, lang: str = SOURCE_LANGUAGE) -> Json:
    """One way in which the record breaks a rule or contradicts itself."""
    return {
        "seq": finding.seq,
        "code": finding.code,
        "severity": finding.severity,
        "seat": seat_name(finding.seat),
        "message": translate(finding.message, lang),
        "rule": finding.rule,
        "evidence": list(finding.evidence),
    }


def finding_objects(findings: Findings, lang: str = SOURCE_LANGUAGE) -> list[Json]:
    """Findings in their order."""
    return [finding_object(one, lang) for one in findings]
