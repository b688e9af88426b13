"""``legal``: what may happen next (DESIGN 5)."""

from typing import NamedTuple

from engine.core.cards import SEAT_NAMES, SUIT_LETTERS, Seat, cards_in_mask, codes_in_mask
from engine.core.ranking import TrickRules, playable_cards
from engine.judging.exchange import exchange_limits
from engine.play.all_pass import is_undertaking_open
from engine.play.auction import legal_calls, may_have_black_aces, may_hold_trump
from engine.play.exchange import seat_that_may_yield
from engine.play.giving_up import ways_to_give_up
from engine.play.phases import available_namings
from engine.play.slam import may_stop_after_five, seat_that_may_announce_slam
from engine.play.state import CONTRACT, EXCHANGE, PLAY, TALON_TURN, State, is_deal_over, must_name_trump
from engine.play.surrender import explain_surrender_refusal, open_surrender_offer
from engine.rulesets.model import ALL_SUITS


class OtherAction(NamedTuple):
    """Another action that a seat may take now; ``pays`` is what giving up would pay as."""

    action: str
    seat: Seat
    pays: str | None = None


class LegalActions(NamedTuple):
    """What may happen next; ``action`` is bid, name, turn, exchange, draw or play."""

    seat: Seat | None
    action: str
    calls: tuple[str, ...] = ()
    contracts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    min_count: int = 0
    max_count: int = 0
    cards: tuple[str, ...] = ()
    hidden: bool = False
    optional: bool = False
    other_actions: tuple[OtherAction, ...] = ()


def legal(state: State) -> LegalActions | None:
    """What may happen next; None if the deal is over or was never opened."""
    if state.opening.event is None or is_deal_over(state):
        return None
    if state.phase < CONTRACT:
        turn = state.auction.turn
        calls = () if turn is None else tuple(legal_calls(state, turn))
        return LegalActions(turn, "bid", calls=calls, optional=is_undertaking_open(state))
    if state.phase == CONTRACT:
        return LegalActions(state.contract_state.declarer, "name", contracts=_nameable_contracts(state))
    if state.phase == TALON_TURN:
        actions = LegalActions(None, "turn")
    else:
        actions = _legal_exchange(state) if state.phase == EXCHANGE else _legal_play(state)
    return actions._replace(other_actions=_other_actions(state))


def _nameable_contracts(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The contracts that the winner of the auction may name, each with the trumps to choose from."""
    declarer, rules = state.contract_state.declarer, state.opening.rules
    open_to_him = []
    for naming in available_namings(state):
        contract, trumps = rules.contracts[naming.contract], naming.trumps
        if contract.needs_black_aces and (declarer is None or not may_have_black_aces(state, declarer)):
            continue
        if contract.must_hold_trump and declarer is not None:
            trumps = tuple(trump for trump in trumps if may_hold_trump(state, declarer, trump))
        open_to_him.append((naming.contract, tuple(sorted(SUIT_LETTERS[trump] for trump in trumps))))
    return tuple(sorted(open_to_him))


def _trumps_after_draw(state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    contract = state.contract_state.contract
    assert contract is not None
    return ((contract.id, tuple(sorted(SUIT_LETTERS[trump] for trump in ALL_SUITS))),)


def _legal_exchange(state: State) -> LegalActions:
    exchange = state.exchange
    if must_name_trump(state):
        return LegalActions(state.contract_state.declarer, "name", contracts=_trumps_after_draw(state))
    if not exchange.queue:
        return LegalActions(None, "exchange")
    seat, count = exchange.queue[0], exchange.cards_to_draw
    if count:
        return LegalActions(seat, "draw", min_count=count, max_count=count)
    minimum, maximum = exchange_limits(state, seat)
    return LegalActions(seat, "exchange", min_count=minimum, max_count=maximum)


def _legal_play(state: State) -> LegalActions:
    play = state.play
    seat = play.turn
    if seat is None:
        return LegalActions(None, "play", hidden=True)
    mask, slots = play.known_cards[seat], play.hidden_slots[seat]
    veiled = dict(play.hidden_trick_cards)
    if 0 in veiled:
        for lead in cards_in_mask(veiled[0]):
            mask &= _certainly_playable(play.known_cards[seat], slots, lead, play.trick_rules)
    elif play.cards and slots:
        mask = _certainly_playable(mask, slots, play.cards[0], play.trick_rules)
    elif play.cards:
        mask = playable_cards(mask, play.cards[0], play.trick_rules)
    may_stop = not play.cards and may_stop_after_five(state, seat)
    cards, hidden = tuple(codes_in_mask(mask)), bool(slots) or 0 in veiled
    return LegalActions(seat, "play", cards=cards, hidden=hidden, optional=may_stop)


def _certainly_playable(known_cards: int, slots: tuple[int, ...], lead: int, trick_rules: TrickRules) -> int:
    """The known cards of an incompletely known hand that are legal whatever the others are."""
    unknown = 0
    for slot in slots:
        unknown |= slot
    following = known_cards & trick_rules.followers[lead]
    if (known_cards | unknown) & trick_rules.followers[lead] or not trick_rules.followers[lead]:
        may_be_compelled = (known_cards | unknown) & trick_rules.compelling[
            lead
        ] or not known_cards & trick_rules.freeing[lead]
        return following if may_be_compelled else known_cards
    return known_cards


def _other_actions(state: State) -> tuple[OtherAction, ...]:
    """Other legal actions, sorted: giving up, claims and their answers, an open hand, yielding, a slam."""
    declarer, ending = state.contract_state.declarer, state.ending
    rules, contract = state.opening.rules.ruleset, state.contract_state.contract
    found: list[OtherAction] = []
    if declarer is not None:
        found += [OtherAction("abandon", declarer, pays) for pays in ways_to_give_up(state)]
    if ending.claim is not None:
        answered = ending.claim.accepted_seats
        found += [OtherAction("answer", Seat(seat)) for seat in range(3) if not answered >> seat & 1]
    elif declarer is not None and state.phase == PLAY:
        found.append(OtherAction("claim", declarer))
    if contract is not None and declarer is not None and state.phase == PLAY and _must_lay_hand_open(state):
        found.append(OtherAction("show", declarer))
    yielding = seat_that_may_yield(state)
    if yielding is not None:
        found.append(OtherAction("yield", yielding))
    announcing = seat_that_may_announce_slam(state)
    if announcing is not None:
        found.append(OtherAction("slam", announcing))
    offer = open_surrender_offer(state)
    if offer is not None:
        answering = (Seat(seat) for seat in range(3) if seat != offer.seat)
        found += [OtherAction("answer", seat) for seat in answering if not offer.accepted_seats >> seat & 1]
    elif declarer is not None and rules.surrender is not None and explain_surrender_refusal(state) is None:
        found.append(OtherAction("surrender", declarer))
    return tuple(sorted(found, key=lambda o: (o.action, SEAT_NAMES[o.seat], o.pays or "")))


def _must_lay_hand_open(state: State) -> bool:
    """Whether the declarer must now lay the hand open (RULES 5)."""
    contract, play = state.contract_state.contract, state.play
    declarer = state.contract_state.declarer
    if contract is None or declarer is None or contract.laid_open == "never":
        return False
    if play.tricks or not play.cards or state.knowledge.shown_seats >> declarer & 1:
        return False
    return contract.laid_open == "after-lead" or declarer in play.seats
