"""Judging the turned card and the exchange with the talon (RULES 3, 4)."""

from typing import Final

from engine.core.cards import CARD_BITS, CARD_CODES, HAND_SIZE, Card, Seat, mask_of_cards
from engine.core.events import CardsDiscarded, CardsDrawn, ExchangeYielded, TalonTurned
from engine.core.field_types import Seq
from engine.core.message import format_message
from engine.judging.auction import find_broken_ace_promises
from engine.judging.card_locations import find_card_conflict, find_repeated_cards, hand_sources
from engine.judging.game_terms import contract_term
from engine.judging.turn_order import check_pending_draw, check_phase, check_turn
from engine.play.exchange import finish_unrecorded_exchange, forget_earlier_exchanges, seat_that_may_yield
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.hands import can_hold, remove_card_from_hand
from engine.play.phases import advance_to_phase
from engine.play.state import EXCHANGE, PLAY, TALON_TURN, State, must_name_trump
from engine.play.surrender import forbidden_surrender
from engine.rulesets.model import Contract

RULE = "4. Exchange"
EXCHANGE_ORDER: Final = "exchange order"
TURNED_CARD: Final = "turned card"
"""What findings are about if an act comes out of its order, or turns a card that is not to be turned."""
DISCARDS: Final = format_message("discards")
DRAWS: Final = format_message("draws")


def judge_talon_turned(state: State, event: TalonTurned, seq: Seq) -> Findings:
    """The top card is turned once, in a contract that requires it (RULES 3)."""
    act = format_message("The talon is turned")
    findings = check_phase(state, TALON_TURN, act, None, seq, "3. Naming", TURNED_CARD)
    if not findings and state.opening.rules.is_known and not state.has_gap:
        after = advance_to_phase(state, TALON_TURN)
        contract = after.contract_state.contract
        if contract is not None and contract.trump != "turned":
            contract_name = contract_term(state, contract.id)
            message = format_message(
                "The talon is turned, but {contract} turns no card.", contract=contract_name
            )
            findings = (build_finding(seq, "wrong_phase", message, "3. Naming", about=TURNED_CARD),)
    card = event.card
    talon = state.exchange.talon
    if (
        CARD_BITS[card]
        and talon
        and CARD_BITS[talon[0]]
        and talon[0] != card
        and not state.exchange.exchanged_seats
    ):
        message = format_message(
            "{card} is turned, but {top} lies on top of the talon.",
            card=CARD_CODES[card],
            top=CARD_CODES[talon[0]],
        )
        findings = (*findings, build_finding(seq, "talon_mismatch", message, "3. Naming"))
    if CARD_BITS[card]:
        findings += find_card_conflict(state, None, card, seq, format_message("is turned"))
    return (*findings, *find_broken_ace_promises(state, None, CARD_BITS[card], seq))


def judge_exchange_yielded(state: State, event: ExchangeYielded, seq: Seq) -> Findings:
    """The first defender may yield first choice, if the rules allow it (RULES 4)."""
    rules, seat = state.opening.rules, event.seat
    if not rules.is_known:
        return NO_FINDINGS
    if seat_that_may_yield(state) == seat:
        return NO_FINDINGS
    message = format_message(
        "{player} yields the first choice of the talon without having it.",
        player=player_or_seat(state, seat),
    )
    return (build_finding(seq, "exchange_not_allowed", message, RULE, seat, about=EXCHANGE_ORDER),)


def judge_cards_discarded(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """Judge a discard: by a seat that may exchange, in turn, with a permitted number of cards."""
    if _is_ordinary_discard(state, event):
        return NO_FINDINGS
    seat, name = event.seat, player_or_seat(state, event.seat)
    if not event.cards and state.phase >= PLAY:
        return NO_FINDINGS
    pending_draw = check_pending_draw(state, None, seq)
    late = _judge_late_discard(state, event, seq)
    if late:
        return pending_draw + late + _judge_discarded_cards(state, event, seq)
    early = check_phase(state, EXCHANGE, DISCARDS, seat, seq, RULE)
    state = advance_to_phase(state, EXCHANGE)
    if state.exchange.cards_to_draw:
        state = finish_unrecorded_exchange(state, state.exchange.queue[0])
    if not state.opening.rules.is_known or state.has_gap or state.contract_state.contract is None:
        return pending_draw + early + _judge_discarded_cards(state, event, seq)
    queue = state.exchange.queue
    if seat in queue:
        right: Findings = check_turn(state, seat, DISCARDS, seq, RULE) + _judge_discard_count(
            state, event, seq
        )
    elif not event.cards:
        right = NO_FINDINGS
    elif state.exchange.exchanged_seats >> seat & 1:
        contract_name = contract_term(state, state.contract_state.contract.id)
        message = format_message(
            "{player} discards, but has exchanged already in {contract}.", player=name, contract=contract_name
        )
        right = (build_finding(seq, "exchange_not_allowed", message, RULE, seat, about=EXCHANGE_ORDER),)
    else:
        right = _forbid_exchange(state, state.contract_state.contract, seat, seq)
    return pending_draw + early + right + _judge_discarded_cards(state, event, seq)


def _is_ordinary_discard(state: State, event: CardsDiscarded) -> bool:
    """Whether the discard is certainly legal: in turn, a permitted number, all known to be in the hand."""
    seat, exchange = event.seat, state.exchange
    if (
        state.phase != EXCHANGE
        or exchange.queue[:1] != (seat,)
        or exchange.cards_to_draw
        or must_name_trump(state)
    ):
        return False
    mask = mask_of_cards(event.cards)
    if mask & ~state.play.known_cards[seat] or mask & state.knowledge.watched_cards:
        return False
    minimum, maximum = exchange_limits(state, seat)
    return mask.bit_count() == len(event.cards) and minimum <= len(event.cards) <= maximum


def _is_ordinary_draw(state: State, event: CardsDrawn) -> bool:
    """Whether the draw is certainly legal: as many as were discarded, known cards seen nowhere else, or on
    top."""
    seat, exchange, cards = event.seat, state.exchange, event.cards
    if state.phase != EXCHANGE or exchange.queue[:1] != (seat,) or exchange.cards_to_draw != len(cards):
        return False
    mask = mask_of_cards(cards)
    first_dealt, second_dealt, third_dealt = state.knowledge.dealt_cards
    first, second, third = state.play.known_cards
    dealt = first_dealt | second_dealt | third_dealt
    impossible = dealt | first | second | third | state.play.removed_cards
    if (
        mask & (impossible | state.knowledge.watched_cards)
        or mask.bit_count() != len(cards)
        or len(exchange.talon) < len(cards)
    ):
        return False
    known_talon = exchange.known_talon_cards
    return not known_talon or all(
        top == card or not (CARD_BITS[top] or CARD_BITS[card] & known_talon)
        for top, card in zip(exchange.talon, cards, strict=False)
    )


def _judge_late_discard(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """A discard once play is due; an empty one is then no offence (RULES 4)."""
    if state.phase < PLAY or not event.cards or state.has_gap or not state.opening.rules.is_known:
        return NO_FINDINGS
    name, contract = player_or_seat(state, event.seat), state.contract_state.contract
    has_play_begun = bool(state.play.tricks or state.play.cards)
    if contract is not None and not has_play_begun and state.phase == PLAY:
        is_declarer = event.seat == state.contract_state.declarer
        entitled = contract.declarer_exchange is not None if is_declarer else contract.defenders_exchange
        if not entitled:
            return _forbid_exchange(state, contract, event.seat, seq)
        if not state.exchange.talon:
            count = len(event.cards)
            message = format_message(
                "{player} discards {count}, but the talon is empty.", player=name, count=count
            )
            return (build_finding(seq, "exchange_count", message, RULE, event.seat),)
        message = format_message("{player} discards, but has exchanged already.", player=name)
        return (build_finding(seq, "exchange_not_allowed", message, RULE, event.seat, about=EXCHANGE_ORDER),)
    return check_phase(state, EXCHANGE, DISCARDS, event.seat, seq, RULE)


def _forbid_exchange(state: State, contract: Contract, seat: Seat, seq: Seq) -> Findings:
    message = format_message(
        "{player} discards, but may not exchange in {contract}.",
        player=player_or_seat(state, seat),
        contract=contract_term(state, contract.id),
    )
    return (build_finding(seq, "exchange_not_allowed", message, RULE, seat),)


def exchange_limits(state: State, seat: Seat) -> tuple[int, int]:
    """The minimum and maximum number of cards that ``seat`` may exchange now (RULES 4)."""
    contract, talon = state.contract_state.contract, len(state.exchange.talon)
    minimum, maximum = 0, HAND_SIZE
    if contract is not None:
        surrender = forbidden_surrender(state)
        ombre = state.contract_state.declarer if surrender is None else surrender.seat
        if seat == ombre and contract.declarer_exchange is not None:
            minimum, maximum = contract.declarer_exchange
        elif not any(state.exchange.discards):
            maximum = contract.first_defender_most
    return minimum, min(maximum, talon)


def _judge_discard_count(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    minimum, maximum = exchange_limits(state, event.seat)
    count = len(event.cards)
    if minimum <= count <= maximum:
        return NO_FINDINGS
    limit = (
        format_message("at least {count}", count=minimum)
        if count < minimum
        else format_message("at most {count}", count=maximum)
    )
    message = format_message(
        "{player} discards {count}, but has to exchange {bound}.",
        player=player_or_seat(state, event.seat),
        count=count,
        bound=limit,
    )
    return (build_finding(seq, "exchange_count", message, RULE, event.seat),)


def _judge_discarded_cards(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """Each card discarded must have been in the hand."""
    seat, name = event.seat, player_or_seat(state, event.seat)
    found: list[Finding] = list(
        find_repeated_cards(event.cards, seat, seq, format_message("{player}'s discard", player=name))
    )
    known_cards, slots = state.play.known_cards[seat], state.play.hidden_slots[seat]
    for card in dict.fromkeys(event.cards) if not found else ():
        if not can_hold(known_cards, slots, card):
            message = format_message(
                "{player} discards {card}, which is not in the hand.", player=name, card=CARD_CODES[card]
            )
            found.append(
                build_finding(seq, "card_not_held", message, "1. Pack", seat, hand_sources(state, seat))
            )
        elif CARD_BITS[card] and not known_cards & CARD_BITS[card]:
            where = format_message("is discarded by {player}", player=name)
            found += find_card_conflict(state, seat, card, seq, where)
        known_cards, slots = remove_card_from_hand(known_cards, slots, card)
    return (*found, *find_broken_ace_promises(state, seat, mask_of_cards(event.cards), seq))


def judge_cards_drawn(state: State, event: CardsDrawn, seq: Seq) -> Findings:
    """Judge a draw: by the seat that discarded, as many cards, from the top of the talon."""
    if _is_ordinary_draw(state, event):
        return NO_FINDINGS
    seat, name = event.seat, player_or_seat(state, event.seat)
    drawn = len(event.cards)
    wrong = check_phase(state, EXCHANGE, DRAWS, seat, seq, RULE)
    state = advance_to_phase(state, EXCHANGE)
    if state.has_gap:
        state = forget_earlier_exchanges(state, seat)
    exchange = state.exchange
    found: list[Finding] = list(wrong)
    if state.opening.rules.is_known and not state.has_gap and not wrong:
        to_draw = exchange.cards_to_draw if exchange.queue[:1] == (seat,) else 0
        if exchange.cards_to_draw and not to_draw:
            found += check_turn(state, seat, DRAWS, seq, RULE)
        elif drawn != to_draw:
            message = format_message(
                "{player} discarded {count} and draws {drawn}.", player=name, count=to_draw, drawn=drawn
            )
            evidence = (exchange.discard_seq,) if to_draw else ()
            found.append(build_finding(seq, "exchange_mismatch", message, RULE, seat, evidence))
    if drawn > len(exchange.talon):
        left = len(exchange.talon)
        message = format_message(
            "{player} draws {drawn}; the talon has {left} left.", player=name, drawn=drawn, left=left
        )
        found.append(build_finding(seq, "exchange_count", message, RULE, seat))
    known = mask_of_cards(event.cards)
    return (
        *found,
        *find_repeated_cards(event.cards, seat, seq, format_message("{player}'s draw", player=name)),
        *_judge_talon_order(state, seat, event.cards, seq),
        *find_broken_ace_promises(state, seat, known, seq),
        *_judge_own_promise(state, seat, known, seq),
    )


def _judge_talon_order(state: State, seat: Seat, cards: tuple[Card, ...], seq: Seq) -> Findings:
    talon, name = state.exchange.talon, player_or_seat(state, seat)
    known_talon = state.exchange.known_talon_cards
    found: list[Finding] = []
    for place, card in enumerate(cards):
        if not CARD_BITS[card]:
            continue
        top = talon[place] if place < len(talon) else card
        if CARD_BITS[top] and top != card:
            message = format_message(
                "{player} draws {card}, but {top} lies there in the talon.",
                player=name,
                card=CARD_CODES[card],
                top=CARD_CODES[top],
            )
            found.append(build_finding(seq, "talon_mismatch", message, RULE, seat))
        elif not CARD_BITS[top] and known_talon & CARD_BITS[card]:
            message = format_message(
                "{player} draws {card}, which lies elsewhere in the talon.",
                player=name,
                card=CARD_CODES[card],
            )
            found.append(build_finding(seq, "talon_mismatch", message, RULE, seat))
        elif top != card or place >= len(talon):
            where = format_message("is drawn by {player}", player=name)
            found += find_card_conflict(state, None, card, seq, where)
    return tuple(found)


def _judge_own_promise(state: State, seat: Seat, mask: int, seq: Seq) -> Findings:
    """A black ace is drawn by the seat that promised to have been dealt both (RULES 3)."""
    return tuple(one for one in find_broken_ace_promises(state, None, mask, seq) if one.seat == seat)
