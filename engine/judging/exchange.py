"""Judging the turned card and the exchange with the talon (RULES 3, 4)."""

from engine.core.cards import BIT, CODES, HAND_SIZE, Card, Seat, mask_of
from engine.core.events import CardsDiscarded, CardsDrawn, ExchangeYielded, TalonTurned
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.judging.auction import aces_elsewhere
from engine.judging.called import contract_called
from engine.judging.order import draw_missing, out_of_phase, out_of_turn
from engine.judging.whereabouts import repeated_within, sources_of, twice_told
from engine.play.exchange import exchanged_unseen, may_yield, others_may_have_exchanged
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.hands import can_hold, parted
from engine.play.phases import reached
from engine.play.state import EXCHANGE, PLAY, TURN, State, trumps_due
from engine.play.surrender import forbidden

RULE = "4. Exchange"


def judge_talon_turned(state: State, event: TalonTurned, seq: Seq) -> Findings:
    """The top card is turned once, in a contract that says so (RULES 3)."""
    found = out_of_phase(state, TURN, lambda: said("The talon is turned"), None, seq, "3. Naming")
    if not found and state.opening.rules.known and not state.gap:
        after = reached(state, TURN)
        contract = after.bargain.contract
        if contract is not None and contract.trump != "turned":
            named = contract_called(state, contract.id)
            message = said("The talon is turned, but {contract} turns no card.", contract=named)
            found = (finding(seq, "wrong_phase", message, "3. Naming"),)
    card = event.card
    talon = state.exchange.talon
    if BIT[card] and talon and BIT[talon[0]] and talon[0] != card and not state.exchange.exchanged:
        message = said(
            "{card} is turned, but {top} lies on top of the talon.", card=CODES[card], top=CODES[talon[0]]
        )
        found = (*found, finding(seq, "talon_mismatch", message, "3. Naming"))
    told = twice_told(state, None, card, seq, lambda: said("is turned")) if BIT[card] else None
    twice = () if told is None else (told,)
    return (*found, *twice, *aces_elsewhere(state, None, BIT[card], seq))


def judge_exchange_yielded(state: State, event: ExchangeYielded, seq: Seq) -> Findings:
    """First choice may be yielded by the first defender, where the rules know it (RULES 4)."""
    rules, seat = state.opening.rules, event.seat
    if not rules.known:
        return NONE
    if may_yield(state) == seat:
        return NONE
    message = said(
        "{player} yields first choice of the talon, which is not his to yield.", player=name_of(state, seat)
    )
    return (finding(seq, "exchange_not_allowed", message, RULE, seat),)


def judge_cards_discarded(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """A discard: by one who may exchange, in turn, of as many as he must and may."""
    if _plainly_discarded(state, event):
        return NONE
    seat, name = event.seat, name_of(state, event.seat)
    if not event.cards and state.phase >= PLAY:
        return NONE
    owed = draw_missing(state, None, seq)
    late = _too_late(state, event, seq)
    if late:
        return owed + late + _cards_leaving(state, event, seq)
    early = out_of_phase(state, EXCHANGE, _discards, seat, seq, RULE)
    state = reached(state, EXCHANGE)
    if state.exchange.owed:
        state = exchanged_unseen(state, state.exchange.queue[0])
    if not state.opening.rules.known or state.gap or state.bargain.contract is None:
        return owed + early + _cards_leaving(state, event, seq)
    queue = state.exchange.queue
    if seat in queue:
        right: Findings = out_of_turn(state, seat, _discards, seq, RULE) + _count(state, event, seq)
    elif not event.cards:
        right = NONE
    else:
        named = contract_called(state, state.bargain.contract.id)
        message = (
            said("{player} discards, but has exchanged already in {contract}.", player=name, contract=named)
            if state.exchange.exchanged >> seat & 1
            else said("{player} discards, but may not exchange in {contract}.", player=name, contract=named)
        )
        right = (finding(seq, "exchange_not_allowed", message, RULE, seat),)
    return owed + early + right + _cards_leaving(state, event, seq)


def _plainly_discarded(state: State, event: CardsDiscarded) -> bool:
    """Whether nothing can be wrong: in turn, as many as he may, all of them known to be in the hand."""
    seat, exchange = event.seat, state.exchange
    if state.phase != EXCHANGE or exchange.queue[:1] != (seat,) or exchange.owed or trumps_due(state):
        return False
    mask = mask_of(event.cards)
    if mask & ~state.play.held[seat] or mask & state.knowledge.watch:
        return False
    least, most = limits(state, seat)
    return mask.bit_count() == len(event.cards) and least <= len(event.cards) <= most


def _plainly_drawn(state: State, event: CardsDrawn) -> bool:
    """Whether nothing can be wrong: as many as were discarded, known cards that were nowhere, or on top."""
    seat, exchange, cards = event.seat, state.exchange, event.cards
    if state.phase != EXCHANGE or exchange.queue[:1] != (seat,) or exchange.owed != len(cards):
        return False
    mask = mask_of(cards)
    play, (first, second, third) = state.play, state.knowledge.dealt
    away = first | second | third | play.gone | play.held[0] | play.held[1] | play.held[2]
    if (
        mask & (away | state.knowledge.watch)
        or mask.bit_count() != len(cards)
        or len(exchange.talon) < len(cards)
    ):
        return False
    lying = exchange.lying
    return not lying or all(
        top == card or not (BIT[top] or BIT[card] & lying)
        for top, card in zip(exchange.talon, cards, strict=False)
    )


def _too_late(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """A discard once play is due; an empty one there is no offence (RULES 4)."""
    if state.phase < PLAY or not event.cards or state.gap or not state.opening.rules.known:
        return NONE
    name, contract = name_of(state, event.seat), state.bargain.contract
    begun = bool(state.play.tricks or state.play.cards)
    if contract is not None and not begun and state.phase == PLAY:
        entitled = contract.declarer_exchange is not None or event.seat != state.bargain.declarer
        if not contract.defenders_exchange and event.seat != state.bargain.declarer:
            entitled = False
        if not entitled:
            named = contract_called(state, contract.id)
            message = said(
                "{player} discards, but may not exchange in {contract}.", player=name, contract=named
            )
            return (finding(seq, "exchange_not_allowed", message, RULE, event.seat),)
        if not state.exchange.talon:
            count = len(event.cards)
            message = said("{player} discards {count}, but the talon is empty.", player=name, count=count)
            return (finding(seq, "exchange_count", message, RULE, event.seat),)
        message = said("{player} discards, but has exchanged already.", player=name)
        return (finding(seq, "exchange_not_allowed", message, RULE, event.seat),)
    return out_of_phase(state, EXCHANGE, _discards, event.seat, seq, RULE)


def _discards() -> Said:
    return said("discards")


def _draws() -> Said:
    return said("draws")


def limits(state: State, seat: Seat) -> tuple[int, int]:
    """The least and the most that ``seat`` may exchange now (RULES 4)."""
    contract, talon = state.bargain.contract, len(state.exchange.talon)
    least, most = 0, HAND_SIZE
    if contract is not None:
        surrender = forbidden(state)
        ombre = state.bargain.declarer if surrender is None else surrender.seat
        if seat == ombre and contract.declarer_exchange is not None:
            least, most = contract.declarer_exchange
        elif not any(state.exchange.discards):
            most = contract.first_defender_most
    return least, min(most, talon)


def _count(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    least, most = limits(state, event.seat)
    count = len(event.cards)
    if least <= count <= most:
        return NONE
    bound = said("at least {count}", count=least) if count < least else said("at most {count}", count=most)
    message = said(
        "{player} discards {count}, but has to exchange {bound}.",
        player=name_of(state, event.seat),
        count=count,
        bound=bound,
    )
    return (finding(seq, "exchange_count", message, RULE, event.seat),)


def _cards_leaving(state: State, event: CardsDiscarded, seq: Seq) -> Findings:
    """Each card discarded must have been in the hand."""
    seat, name = event.seat, name_of(state, event.seat)
    found: list[Finding] = list(
        repeated_within(event.cards, seat, seq, lambda: said("{player}'s discard", player=name))
    )
    held, slots = state.play.held[seat], state.play.slots[seat]
    for card in dict.fromkeys(event.cards) if not found else ():
        if not can_hold(held, slots, card):
            message = said(
                "{player} discards {card}, which is not in the hand.", player=name, card=CODES[card]
            )
            found.append(finding(seq, "card_not_held", message, "1. Pack", seat, sources_of(state, seat)))
        elif BIT[card] and not held & BIT[card]:
            told = twice_told(state, seat, card, seq, lambda: said("is discarded by {player}", player=name))
            found += [] if told is None else [told]
        held, slots = parted(held, slots, card)
    return (*found, *aces_elsewhere(state, seat, mask_of(event.cards), seq))


def judge_cards_drawn(state: State, event: CardsDrawn, seq: Seq) -> Findings:
    """A draw: by the one who discarded, of as many, from the top of the talon."""
    if _plainly_drawn(state, event):
        return NONE
    seat, name = event.seat, name_of(state, event.seat)
    drawn = len(event.cards)
    wrong = out_of_phase(state, EXCHANGE, _draws, seat, seq, RULE)
    state = reached(state, EXCHANGE)
    if state.gap:
        state = others_may_have_exchanged(state, seat)
    exchange = state.exchange
    found: list[Finding] = list(wrong)
    if state.opening.rules.known and not state.gap and not wrong:
        owed = exchange.owed if exchange.queue[:1] == (seat,) else 0
        if exchange.owed and not owed:
            found += out_of_turn(state, seat, _draws, seq, RULE)
        elif drawn != owed:
            message = said(
                "{player} discarded {count} and draws {drawn}.", player=name, count=owed, drawn=drawn
            )
            evidence = (exchange.owed_seq,) if owed else ()
            found.append(finding(seq, "exchange_mismatch", message, RULE, seat, evidence))
    if drawn > len(exchange.talon):
        left = len(exchange.talon)
        message = said(
            "{player} draws {drawn}; the talon has {left} left.", player=name, drawn=drawn, left=left
        )
        found.append(finding(seq, "exchange_count", message, RULE, seat))
    known = mask_of(event.cards)
    return (
        *found,
        *repeated_within(event.cards, seat, seq, lambda: said("{player}'s draw", player=name)),
        *_not_from_the_top(state, seat, event.cards, seq),
        *aces_elsewhere(state, seat, known, seq),
        *_own_promise(state, seat, known, seq),
    )


def _not_from_the_top(state: State, seat: Seat, cards: tuple[Card, ...], seq: Seq) -> Findings:
    talon, name = state.exchange.talon, name_of(state, seat)
    lying = state.exchange.lying
    found: list[Finding] = []
    for place, card in enumerate(cards):
        if not BIT[card]:
            continue
        top = talon[place] if place < len(talon) else card
        if BIT[top] and top != card:
            message = said(
                "{player} draws {card}, but {top} lies there in the talon.",
                player=name,
                card=CODES[card],
                top=CODES[top],
            )
            found.append(finding(seq, "talon_mismatch", message, RULE, seat))
        elif not BIT[top] and lying & BIT[card]:
            message = said(
                "{player} draws {card}, which lies elsewhere in the talon.", player=name, card=CODES[card]
            )
            found.append(finding(seq, "talon_mismatch", message, RULE, seat))
        elif top != card or place >= len(talon):
            told = twice_told(state, None, card, seq, lambda: said("is drawn by {player}", player=name))
            found += [] if told is None else [told]
    return tuple(found)


def _own_promise(state: State, seat: Seat, mask: int, seq: Seq) -> Findings:
    """A black ace drawn by the one who promised to have been dealt both (RULES 3)."""
    return tuple(one for one in aces_elsewhere(state, None, mask, seq) if one.seat == seat)
