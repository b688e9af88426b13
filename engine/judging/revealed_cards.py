"""Judging revealed cards: hands dealt, held and shown, the talon laid or seen."""

from dataclasses import replace

from engine.core.cards import (
    CARD_BITS,
    CARD_CODES,
    HAND_SIZE,
    SEATS,
    TALON_SIZE,
    Card,
    Seat,
    codes_in_mask,
    mask_of_cards,
    with_seat,
)
from engine.core.events import CardsShown, HandDealt, HandHeld, TalonLaid, TalonSeen
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.judging.auction import find_broken_ace_promises
from engine.judging.card_locations import find_card_conflict, find_holder, find_repeated_cards, hand_sources
from engine.judging.game_terms import bid_term
from engine.judging.play import build_revoke_findings
from engine.play.auction import may_have_black_aces
from engine.play.exchange import finish_unrecorded_exchange
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.hands import impossible_cards
from engine.play.pending_revokes import resolve_pending_revokes
from engine.play.revealed_cards import apply_cards_shown, apply_hand_held, are_hands_as_dealt
from engine.play.state import CONTRACT, FINISHED, State, hand_size

RULE = "1. Pack"


def _find_conflicts(
    state: State, seat: Seat | None, cards: tuple[Card, ...], seq: Seq, where: Message
) -> Findings:
    """Findings for cards known to be elsewhere, or in the known part of the talon."""
    impossible = state.play.removed_cards
    for other in SEATS:
        if other != seat:
            impossible |= state.play.known_cards[other] | state.knowledge.dealt_cards[other]
    conflicting = (card for card in cards if CARD_BITS[card] & impossible)
    return tuple(one for card in conflicting for one in find_card_conflict(state, seat, card, seq, where))


def _find_cards_in_talon(
    state: State, seat: Seat, cards: tuple[Card, ...], seq: Seq, where: Message
) -> Findings:
    found = []
    for card in cards:
        if CARD_BITS[card] & state.exchange.known_talon_cards:
            message = format_message(
                "{card} {where}, but it lies in the talon.", card=CARD_CODES[card], where=where
            )
            found.append(build_finding(seq, "card_duplicated", message, RULE, seat, (), CARD_CODES[card]))
    return tuple(found)


def _describe_hand(name: str) -> Message:
    return format_message("{player}'s hand", player=name)


def judge_hand_dealt(state: State, event: HandDealt, seq: Seq) -> Findings:
    """A dealt hand: nine cards, each once in the pack, before anything else happens (RULES 1, 2)."""
    if _is_ordinary_hand(state, event):
        return NO_FINDINGS
    seat, name = event.seat, player_or_seat(state, event.seat)
    found: list[Finding] = []
    if not are_hands_as_dealt(state) and not state.has_gap and state.opening.rules.is_known:
        message = format_message(
            "{player}'s dealt hand is recorded after the exchange has begun.", player=name
        )
        found.append(build_finding(seq, "wrong_phase", message, "2. Deal", seat))
    elif state.knowledge.recorded_seats >> seat & 1:
        message = format_message("{player}'s hand has been recorded already.", player=name)
        found.append(build_finding(seq, "wrong_phase", message, "2. Deal", seat, hand_sources(state, seat)))
    if len(event.cards) != HAND_SIZE:
        message = format_message(
            "{player} was dealt {count} cards; a hand has nine.", player=name, count=len(event.cards)
        )
        found.append(build_finding(seq, "hand_size", message, "2. Deal", seat))
    shown = state.knowledge.dealt_cards[seat] & ~mask_of_cards(event.cards)
    if shown and all(CARD_BITS[card] for card in event.cards):
        cards = TextList(codes_in_mask(shown))
        message = format_message("{player} was dealt no {cards}, but has shown it.", player=name, cards=cards)
        found.append(build_finding(seq, "hand_mismatch", message, "2. Deal", seat, hand_sources(state, seat)))

    where = format_message("was dealt to {player}", player=name)
    return (
        *found,
        *find_repeated_cards(event.cards, seat, seq, _describe_hand(name)),
        *_find_conflicts(state, seat, event.cards, seq, where),
        *_find_cards_in_talon(state, seat, event.cards, seq, where),
        *find_broken_ace_promises(state, seat, mask_of_cards(event.cards), seq),
        *_judge_own_bid(state, event, seq),
    )


def _is_ordinary_hand(state: State, event: HandDealt) -> bool:
    """Whether the hand is certainly possible: nine known cards, all new to the record, before any bid."""
    mask = mask_of_cards(event.cards)
    knowledge, play = state.knowledge, state.play
    first, second, third = knowledge.dealt_cards
    return (
        len(event.cards) == mask.bit_count() == HAND_SIZE
        and not mask & (first | second | third | play.removed_cards | state.exchange.known_talon_cards)
        and not state.auction.calls
        and state.phase <= CONTRACT
        and not knowledge.sources[event.seat]
        and not knowledge.statements
    )


def _judge_own_bid(state: State, event: HandDealt, seq: Seq) -> Findings:
    """A bid that promised both black aces, by a hand that is recorded only now (RULES 3)."""
    seat = event.seat
    if len(event.cards) != HAND_SIZE or not all(CARD_BITS[card] for card in event.cards):
        return NO_FINDINGS
    knowledge = replace(
        state.knowledge,
        dealt_cards=with_seat(state.knowledge.dealt_cards, seat, mask_of_cards(event.cards)),
        fully_known_seats=state.knowledge.fully_known_seats | 1 << seat,
    )
    if may_have_black_aces(replace(state, knowledge=knowledge), seat):
        return NO_FINDINGS
    findings = []
    for call in state.auction.calls:
        bid = state.opening.rules.bids.get(call.bid)
        if bid is not None and bid.needs_black_aces and call.seat == seat:
            message = format_message(
                "{player} said {bid} without having been dealt both black aces.",
                player=player_or_seat(state, seat),
                bid=bid_term(state, bid.id),
            )
            findings.append(
                build_finding(
                    call.seq, "bid_not_allowed", message, "3. Auction", seat, (call.seq, seq), "black aces"
                )
            )
    return tuple(findings)


def judge_talon_laid(state: State, event: TalonLaid, seq: Seq) -> Findings:
    """The talon: thirteen cards, none of them dealt to anybody (RULES 2)."""
    findings: Findings = NO_FINDINGS
    if len(event.cards) != TALON_SIZE:
        message = format_message(
            "The talon is laid with {count} cards; it has thirteen.", count=len(event.cards)
        )
        findings = (build_finding(seq, "talon_mismatch", message, "2. Deal"),)
    turned = state.exchange.turned_card
    if turned is not None and event.cards and CARD_BITS[event.cards[0]] and event.cards[0] != turned:
        top = CARD_CODES[event.cards[0]]
        message = format_message(
            "{card} lies on top, but {turned} was turned.", card=top, turned=CARD_CODES[turned]
        )
        findings = (*findings, build_finding(seq, "talon_mismatch", message, "3. Naming"))
    drawn = len(event.cards) - len(state.exchange.talon)
    never_drawn = event.cards[max(drawn, 0) :]
    return (
        *findings,
        *find_repeated_cards(event.cards, None, seq, format_message("the talon")),
        *_find_conflicts(state, None, never_drawn, seq, format_message("lies in the talon")),
        *find_broken_ace_promises(state, None, mask_of_cards(event.cards), seq),
    )


def judge_talon_seen(state: State, event: TalonSeen, seq: Seq) -> Findings:
    """The leftover talon may be looked at only if the rules allow it (RULES 4)."""
    rules = state.opening.rules
    findings: Findings = NO_FINDINGS
    if rules.is_known and not rules.ruleset.talon_may_be_seen and event.seats and state.phase != FINISHED:
        message = format_message(
            "{players} looked at what was left of the talon; under these rules it stays face down.",
            players=TextList(player_or_seat(state, seat) for seat in event.seats),
        )
        findings = (
            build_finding(
                seq, "exchange_not_allowed", message, "4. Exchange", event.seats[0], about="talon_seen"
            ),
        )
    left = state.exchange.talon
    if len(event.cards) != len(left) and not state.is_incomplete:
        message = format_message(
            "{count} cards were seen in the talon; {left} are left of it.",
            count=len(event.cards),
            left=len(left),
        )
        findings = (*findings, build_finding(seq, "talon_mismatch", message, "4. Exchange"))
    return (
        *findings,
        *find_repeated_cards(event.cards, None, seq, format_message("the talon")),
        *_find_conflicts(state, None, event.cards, seq, format_message("lies in the talon")),
    )


def judge_cards_shown(state: State, event: CardsShown, seq: Seq) -> Findings:
    """Cards shown must be in the hand that shows them."""
    seat, name, play = event.seat, player_or_seat(state, event.seat), state.play
    findings: list[Finding] = list(
        find_repeated_cards(event.cards, seat, seq, format_message("what {player} shows", player=name))
    )
    impossible = impossible_cards(state.knowledge, play, seat)
    for card in event.cards:
        bit = CARD_BITS[card]
        if not bit or play.known_cards[seat] & bit:
            continue
        where = format_message("is shown by {player}", player=name)
        conflict = find_card_conflict(state, seat, card, seq, where) if bit & impossible else NO_FINDINGS
        if conflict:
            findings += conflict
        elif not any(slot & bit for slot in play.hidden_slots[seat]):
            message = format_message(
                "{player} shows {card}, which is not in the hand.", player=name, card=CARD_CODES[card]
            )
            findings.append(
                build_finding(seq, "card_not_held", message, RULE, seat, hand_sources(state, seat))
            )
    shown = mask_of_cards(event.cards)
    after = apply_cards_shown(state, event, seq)
    return (
        *findings,
        *find_broken_ace_promises(state, seat, shown, seq),
        *_find_shown_revokes(after, seat, shown & ~impossible, seq),
    )


def judge_hand_held(state: State, event: HandHeld, seq: Seq) -> Findings:
    """A stated hand: its size, cards that are elsewhere, cards that are missing."""
    seat, name = event.seat, player_or_seat(state, event.seat)
    state = finish_unrecorded_exchange(state, seat, len(event.cards))
    play = state.play
    stated, expected = mask_of_cards(event.cards), hand_size(state, seat)
    impossible = impossible_cards(state.knowledge, play, seat)
    missing = play.known_cards[seat] & ~stated
    findings: list[Finding] = list(find_repeated_cards(event.cards, seat, seq, _describe_hand(name)))
    if len(event.cards) != expected and not (state.is_incomplete and state.has_gap and state.play.tricks):
        message = format_message(
            "{player}'s hand is stated with {count} cards; at that point it has {expected}.",
            player=name,
            count=len(event.cards),
            expected=expected,
        )
        if 0 < missing.bit_count() <= expected - len(event.cards):
            missing_note = format_message(
                "{cards} is missing, but must still be there.", cards=TextList(codes_in_mask(missing))
            )
            message = format_message("{sentence} {another}", sentence=message, another=missing_note)
        findings.append(build_finding(seq, "hand_size", message, "2. Deal", seat, hand_sources(state, seat)))
    elif (
        missing.bit_count()
        > sum(not CARD_BITS[card] for card in event.cards) + (stated & impossible).bit_count()
    ):
        message = format_message(
            "{player}'s hand is stated without {cards}, which must be in it.",
            player=name,
            cards=TextList(codes_in_mask(missing)),
        )
        findings.append(build_finding(seq, "hand_mismatch", message, RULE, seat, hand_sources(state, seat)))
    for card in event.cards:
        findings += _judge_stated_card(state, seat, card, seq, impossible)
    after = apply_hand_held(state, event, seq)
    ace_findings = find_broken_ace_promises(state, seat, stated & ~impossible, seq)
    return (*findings, *ace_findings, *_find_shown_revokes(after, seat, after.play.known_cards[seat], seq))


def _judge_stated_card(state: State, seat: Seat, card: Card, seq: Seq, impossible: int) -> Findings:
    bit, play, name = CARD_BITS[card], state.play, player_or_seat(state, seat)
    if not bit or play.known_cards[seat] & bit:
        return NO_FINDINGS
    if bit & impossible and (find_holder(state, card, seat) is not None or bit & play.removed_cards):
        where = format_message("is stated in {player}'s hand", player=name)
        return find_card_conflict(state, seat, card, seq, where)
    if any(slot & bit for slot in play.hidden_slots[seat]):
        return NO_FINDINGS
    message = format_message(
        "{card} is stated in {player}'s hand, which cannot hold it.", card=CARD_CODES[card], player=name
    )
    return (build_finding(seq, "card_not_held", message, RULE, seat, hand_sources(state, seat)),)


def _find_shown_revokes(state: State, seat: Seat, mask: int, seq: Seq) -> Findings:
    """Revokes that cards just learnt of ``seat`` prove; ``state`` includes them."""
    if not state.play.pending_revokes:
        return NO_FINDINGS
    return build_revoke_findings(state, resolve_pending_revokes(state, seat, mask, seq)[1])
