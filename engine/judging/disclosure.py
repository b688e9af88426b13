"""Judging what is told of the cards: hands dealt, held and shown, the talon laid or seen."""

from engine.core.cards import BIT, CODES, HAND_SIZE, SEATS, TALON_SIZE, Card, Seat, codes_in, mask_of
from engine.core.events import CardsShown, HandDealt, HandHeld, TalonLaid, TalonSeen
from engine.core.message import Listed, Said, Telling, said
from engine.core.vocabulary import Seq
from engine.judging.auction import aces_elsewhere
from engine.judging.called import bid_called
from engine.judging.play import revokes
from engine.judging.whereabouts import holder_of, repeated_within, sources_of, twice_told
from engine.play.auction import may_have_black_aces
from engine.play.disclosure import held_told, nobody_has_exchanged, shown_told
from engine.play.exchange import exchanged_unseen
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.hands import elsewhere
from engine.play.pending_revokes import weighed
from engine.play.state import CONTRACT, FINISHED, State, hand_count

RULE = "1. Pack"


def _told_elsewhere(
    state: State, seat: Seat | None, cards: tuple[Card, ...], seq: Seq, where: Telling
) -> Findings:
    """Findings for cards known to be somewhere else, or in the part of the talon that is known."""
    away = state.play.gone
    for other in SEATS:
        if other != seat:
            away |= state.play.held[other] | state.knowledge.dealt[other]
    found = [twice_told(state, seat, card, seq, where) for card in cards if BIT[card] & away]
    return tuple(one for one in found if one is not None)


def _in_talon(state: State, seat: Seat, cards: tuple[Card, ...], seq: Seq, where: Telling) -> Findings:
    found = []
    for card in cards:
        if BIT[card] & state.exchange.lying:
            message = said("{card} {where}, but it lies in the talon.", card=CODES[card], where=where())
            found.append(finding(seq, "card_duplicated", message, RULE, seat, (), CODES[card]))
    return tuple(found)


def _hand_of(name: str) -> Said:
    return said("{player}'s hand", player=name)


def _talon() -> Said:
    return said("the talon")


def _lies_in_talon() -> Said:
    return said("lies in the talon")


def judge_hand_dealt(state: State, event: HandDealt, seq: Seq) -> Findings:
    """Nine cards, each once in the pack, dealt before anything else happens (RULES 1, 2)."""
    if _plainly_dealt(state, event):
        return NONE
    seat, name = event.seat, name_of(state, event.seat)
    found: list[Finding] = []
    if not nobody_has_exchanged(state) and not state.gap and state.opening.rules.known:
        message = said("{player}'s dealt hand is recorded after the exchange has begun.", player=name)
        found.append(finding(seq, "wrong_phase", message, "2. Deal", seat))
    elif state.knowledge.dealt_told >> seat & 1:
        message = said("{player}'s hand has been recorded already.", player=name)
        found.append(finding(seq, "wrong_phase", message, "2. Deal", seat, sources_of(state, seat)))
    if len(event.cards) != HAND_SIZE:
        message = said(
            "{player} was dealt {count} cards; a hand has nine.", player=name, count=len(event.cards)
        )
        found.append(finding(seq, "hand_size", message, "2. Deal", seat))
    shown = state.knowledge.dealt[seat] & ~mask_of(event.cards)
    if shown and all(BIT[card] for card in event.cards):
        cards = Listed(codes_in(shown))
        message = said("{player} was dealt no {cards}, but has shown it.", player=name, cards=cards)
        found.append(finding(seq, "hand_mismatch", message, "2. Deal", seat, sources_of(state, seat)))

    def where() -> Said:
        return said("was dealt to {player}", player=name)

    return (
        *found,
        *repeated_within(event.cards, seat, seq, lambda: _hand_of(name)),
        *_told_elsewhere(state, seat, event.cards, seq, where),
        *_in_talon(state, seat, event.cards, seq, where),
        *aces_elsewhere(state, seat, mask_of(event.cards), seq),
        *_own_bid_disproved(state, event, seq),
    )


def _plainly_dealt(state: State, event: HandDealt) -> bool:
    """Whether nothing can be wrong: nine known cards, none of them told of before, nobody has bid."""
    mask = mask_of(event.cards)
    knowledge, play = state.knowledge, state.play
    first, second, third = knowledge.dealt
    return (
        len(event.cards) == mask.bit_count() == HAND_SIZE
        and not mask & (first | second | third | play.gone | state.exchange.lying)
        and not state.auction.calls
        and state.phase <= CONTRACT
        and not knowledge.sources[event.seat]
        and not knowledge.stated
    )


def _own_bid_disproved(state: State, event: HandDealt, seq: Seq) -> Findings:
    """A bid that promised both black aces, by a hand that is only now told of (RULES 3)."""
    seat = event.seat
    if len(event.cards) != HAND_SIZE or not all(BIT[card] for card in event.cards):
        return NONE
    dealt = list(state.knowledge.dealt)
    dealt[seat] = mask_of(event.cards)
    knowledge = state.knowledge._replace(
        dealt=tuple(dealt), dealt_whole=state.knowledge.dealt_whole | 1 << seat
    )
    if may_have_black_aces(state._replace(knowledge=knowledge), seat):
        return NONE
    found = []
    for call in state.auction.calls:
        bid = state.opening.rules.bids.get(call.bid)
        if bid is not None and bid.needs_black_aces and call.seat == seat:
            message = said(
                "{player} said {bid} without having been dealt both black aces.",
                player=name_of(state, seat),
                bid=bid_called(state, bid.id),
            )
            found.append(
                finding(
                    call.seq, "bid_not_allowed", message, "3. Auction", seat, (call.seq, seq), "black aces"
                )
            )
    return tuple(found)


def judge_talon_laid(state: State, event: TalonLaid, seq: Seq) -> Findings:
    """Thirteen cards, none of them dealt to anybody (RULES 2)."""
    found: Findings = NONE
    if len(event.cards) != TALON_SIZE:
        message = said("The talon is laid with {count} cards; it has thirteen.", count=len(event.cards))
        found = (finding(seq, "talon_mismatch", message, "2. Deal"),)
    turned = state.exchange.turned
    if turned is not None and event.cards and BIT[event.cards[0]] and event.cards[0] != turned:
        top = CODES[event.cards[0]]
        message = said("{card} lies on top, but {turned} was turned.", card=top, turned=CODES[turned])
        found = (*found, finding(seq, "talon_mismatch", message, "3. Auction"))
    drawn = len(event.cards) - len(state.exchange.talon)
    never_drawn = event.cards[max(drawn, 0) :]
    return (
        *found,
        *repeated_within(event.cards, None, seq, _talon),
        *_told_elsewhere(state, None, never_drawn, seq, _lies_in_talon),
        *aces_elsewhere(state, None, mask_of(event.cards), seq),
    )


def judge_talon_seen(state: State, event: TalonSeen, seq: Seq) -> Findings:
    """The leftover talon may be looked at only where the rules say so (RULES 4)."""
    rules = state.opening.rules
    found: Findings = NONE
    if rules.known and not rules.ruleset.talon_may_be_seen and event.seats and state.phase != FINISHED:
        message = said(
            "{players} looked at what was left of the talon; under these rules it stays face down.",
            players=Listed(name_of(state, seat) for seat in event.seats),
        )
        found = (
            finding(seq, "exchange_not_allowed", message, "4. Exchange", event.seats[0], about="talon_seen"),
        )
    left = state.exchange.talon
    if len(event.cards) != len(left) and not state.incomplete:
        message = said(
            "{count} cards were seen in the talon; {left} are left of it.",
            count=len(event.cards),
            left=len(left),
        )
        found = (*found, finding(seq, "talon_mismatch", message, "4. Exchange"))
    return (
        *found,
        *repeated_within(event.cards, None, seq, _talon),
        *_told_elsewhere(state, None, event.cards, seq, _lies_in_talon),
    )


def judge_cards_shown(state: State, event: CardsShown, seq: Seq) -> Findings:
    """Cards shown must be in the hand that shows them."""
    seat, name, play = event.seat, name_of(state, event.seat), state.play
    found: list[Finding] = list(
        repeated_within(event.cards, seat, seq, lambda: said("what {player} shows", player=name))
    )
    away = elsewhere(state.knowledge, play, seat)
    for card in event.cards:
        bit = BIT[card]
        if not bit or play.held[seat] & bit:
            continue
        elsewhere_told = (
            twice_told(state, seat, card, seq, lambda: said("is shown by {player}", player=name))
            if bit & away
            else None
        )
        if elsewhere_told is not None:
            found.append(elsewhere_told)
        elif not any(slot & bit for slot in play.slots[seat]):
            message = said("{player} shows {card}, which is not in the hand.", player=name, card=CODES[card])
            found.append(finding(seq, "card_not_held", message, RULE, seat, sources_of(state, seat)))
    shown = mask_of(event.cards)
    after = shown_told(state, event, seq)
    return (
        *found,
        *aces_elsewhere(state, seat, shown, seq),
        *_revokes_shown(after, seat, shown & ~away, seq),
    )


def judge_hand_held(state: State, event: HandHeld, seq: Seq) -> Findings:
    """A whole hand as stated: its size, cards that are elsewhere, cards that are missing."""
    seat, name = event.seat, name_of(state, event.seat)
    state = exchanged_unseen(state, seat, len(event.cards))
    play = state.play
    stated, expected = mask_of(event.cards), hand_count(state, seat)
    away = elsewhere(state.knowledge, play, seat)
    missing = play.held[seat] & ~stated
    found: list[Finding] = list(repeated_within(event.cards, seat, seq, lambda: _hand_of(name)))
    if len(event.cards) != expected and not (state.incomplete and state.gap and state.play.tricks):
        message = said(
            "{player}'s hand is stated with {count} cards; it has {expected} then.",
            player=name,
            count=len(event.cards),
            expected=expected,
        )
        if 0 < missing.bit_count() <= expected - len(event.cards):
            lacks = said("{cards}, certainly still there, is missing.", cards=Listed(codes_in(missing)))
            message = said("{sentence} {another}", sentence=message, another=lacks)
        found.append(finding(seq, "hand_size", message, RULE, seat, sources_of(state, seat)))
    elif missing.bit_count() > sum(not BIT[card] for card in event.cards) + (stated & away).bit_count():
        message = said(
            "{player}'s hand is stated without {cards}, which is certainly in it.",
            player=name,
            cards=Listed(codes_in(missing)),
        )
        found.append(finding(seq, "hand_mismatch", message, RULE, seat, sources_of(state, seat)))
    for card in event.cards:
        one = _stated_wrongly(state, seat, card, seq, away)
        if one is not None:
            found.append(one)
    after = held_told(state, event, seq)
    aces = aces_elsewhere(state, seat, stated & ~away, seq)
    return (*found, *aces, *_revokes_shown(after, seat, after.play.held[seat], seq))


def _stated_wrongly(state: State, seat: Seat, card: Card, seq: Seq, away: int) -> Finding | None:
    bit, play, name = BIT[card], state.play, name_of(state, seat)
    if not bit or play.held[seat] & bit:
        return None
    if bit & away and (holder_of(state, card, seat) is not None or bit & play.gone):
        return twice_told(state, seat, card, seq, lambda: said("is stated in {player}'s hand", player=name))
    if any(slot & bit for slot in play.slots[seat]):
        return None
    message = said(
        "{card} is stated in {player}'s hand, which cannot hold it.", card=CODES[card], player=name
    )
    return finding(seq, "card_not_held", message, RULE, seat, sources_of(state, seat))


def _revokes_shown(state: State, seat: Seat, mask: int, seq: Seq) -> Findings:
    """Revokes that cards just learnt of ``seat`` prove; ``state`` is the state that knows them."""
    if not state.play.doubts:
        return NONE
    return revokes(state, weighed(state, seat, mask, seq)[1])
