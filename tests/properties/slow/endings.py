"""The last tricks of made-up deals, and what their cards are worth by trying every course of the play.

``python -m tests.properties.slow.endings --endings 5000`` compares that with `engine.solver` for so many
endings of every ruleset; pytest compares some each time. The courses are tried with the engine's own `legal`,
`evolve` and `score`, each as it is asked at a table, without bits, bounds or anything remembered.
"""

import argparse
import random
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from engine import Entry, State, evolve, initial_state, legal, score
from engine.core.cards import CARD_BY_CODE, CARD_CODES, SEAT_NAMES, SEATS, Card, Seat, codes_in_mask
from engine.core.events import CardPlayed, DealOpened, HandDealt
from engine.core.field_types import Players
from engine.core.ranking import MATADOR_POLICIES
from engine.play.outcomes import deal_outcome
from engine.play.phases import name_contract, start_play, trump_choices
from engine.play.state import FINISHED, PLAY, SurrenderOffer, Trick
from engine.play.tricks import ends_deal
from engine.rulesets import PUBLISHED_RULESETS, find_ruleset
from engine.rulesets.model import ALL_SUITS, Contract
from engine.solver.evaluation import evaluate_position
from engine.solver.outcome_order import DealEnd

RULESETS: Final = tuple(rules.ruleset.id for rules in PUBLISHED_RULESETS)
EXTRAS: Final = ("gascarille", "countervole", "favor", "vole-challenge")
ENDLESS: Final = 1000
"""More than any deal pays: what a codille costs of which the ruleset does not state it."""


def ending(rng: random.Random, ruleset: str, policy: str, left: int) -> State | None:
    """A deal of which so many tricks are left, perhaps in the middle of one; None where it is over before.

    Any contract, any trumps, any declarer; who won the earlier tricks is made up, so that all counts come up.
    """
    state = _lead(rng, ruleset, policy)
    pack = _trumps_oftener(rng, state)
    hands = [pack[9 * seat : 9 * seat + 9] for seat in SEATS]
    for seat, hand in zip(SEATS, hands, strict=True):
        state = evolve(state, Entry(seat + 2, HandDealt(seat, tuple(hand))))
    for number in range(1, 10 - left):
        state = with_trick(state, number, [hand[left + number - 1] for hand in hands], _winner(rng, state))
        if state.phase == FINISHED:
            return None
    for _ in range(rng.choice((0, 0, 1, 2))):
        due = legal(state)
        assert due is not None
        state = _after(state, rng.choice(due.cards))
    return state


def _lead(rng: random.Random, ruleset: str, policy: str) -> State:
    """A deal at the lead to its first trick, nobody holding a card yet."""
    rules = find_ruleset(PUBLISHED_RULESETS, ruleset)
    assert rules is not None
    wanted: dict[str, bool | str] = dict.fromkeys(EXTRAS, True)
    wanted |= {"matadors": policy, "remis-en-quatre": rng.random() < 0.8, "sitter-pays": rng.random() < 0.5}
    known = {switch.id for switch in rules.ruleset.switches}
    switches = tuple((name, value) for name, value in wanted.items() if name in known)
    players = Players("Anna", "Bo", "Carl", ("Dora",) if rng.random() < 0.2 else ())
    state = evolve(initial_state(), Entry(1, DealOpened(ruleset, players, switches=switches, pool=5)))
    rules = state.opening.rules
    contract = rng.choice(list(rules.contracts.values()))
    declarer = rng.choice(SEATS)
    trumps = trump_choices(rules, contract) or (ALL_SUITS if contract.trump == "turned" else ())
    trump = rng.choice(trumps) if trumps else None
    state = name_contract(state, declarer, contract.id, trump)
    if contract.trump == "turned":
        table = rules.trick_rules(trump)
        state = replace(
            state,
            contract_state=state.contract_state._replace(trump=trump),
            play=replace(state.play, trick_rules=table),
        )
    return _bound(rng, start_play(state), contract)


def _bound(rng: random.Random, state: State, contract: Contract) -> State:
    """Now and then all nine are announced or challenged for, or a surrender has been forbidden."""
    rules, declarer = state.opening.rules.ruleset, state.contract_state.declarer
    assert declarer is not None
    if contract.aim != "game" or rng.random() < 0.7:
        return state
    if rules.slam is not None and rules.slam.announced != "never":
        return replace(state, ending=state.ending._replace(slam="announced"))
    if "vole-challenge" in rules.extras and rng.random() < 0.5:
        return replace(state, contract_state=state.contract_state._replace(is_vole_challenged=True))
    if rules.surrender is not None:
        forbidden = SurrenderOffer(1, Seat((declarer + rng.choice((1, 2))) % 3), 0, declarer)
        return replace(state, ending=state.ending._replace(surrender=forbidden))
    return state


def _trumps_oftener(rng: random.Random, state: State) -> list[Card]:
    """The pack in any order, matadors and trumps rather in front of each hand: these are what is left."""
    table = state.play.trick_rules
    weight = {Card(card): rng.random() + 0.3 * (table.trumps >> card & 1) for card in range(40)}
    weight |= {card: value + 0.3 * (table.matadors >> card & 1) for card, value in weight.items()}
    pack = rng.sample(list(weight), 27)
    hands = [sorted(pack[9 * seat : 9 * seat + 9], key=lambda card: -weight[card]) for seat in SEATS]
    return [card for hand in hands for card in hand]


def _winner(rng: random.Random, state: State) -> Seat:
    """Who wins a trick that is made up: mostly so that the deal goes on."""
    declarer, contract_state = state.contract_state.declarer, state.contract_state
    assert declarer is not None and contract_state.contract is not None
    sure = contract_state.is_vole_challenged or state.ending.slam is not None or rng.random() < 0.3
    mine = 0.9 if sure else 0.4
    if contract_state.contract.aim == "nolo":
        mine = 0.1
    return declarer if rng.random() < mine else Seat((declarer + rng.choice((1, 2))) % 3)


def with_trick(state: State, number: int, cards: list[Card], winner: Seat) -> State:
    """The state after a trick of any cards, won by whom it is said to be won by."""
    play = state.play
    held, won = list(play.known_cards), list(play.tricks_won)
    for seat, card in zip(SEATS, cards, strict=True):
        held[seat] ^= 1 << card
    won[winner] += 1
    trick = Trick(number, SEATS, tuple(cards), (0, 0, 0), winner)
    counts = (won[0], won[1], won[2])
    play = replace(
        play,
        turn=winner,
        known_cards=(held[0], held[1], held[2]),
        tricks_won=counts,
        tricks=(*play.tricks, trick),
    )
    return replace(state, phase=FINISHED if ends_deal(state, counts, number) else PLAY, play=play)


def _after(state: State, code: str) -> State:
    assert state.play.turn is not None
    return evolve(state, Entry(100, CardPlayed(state.play.turn, CARD_BY_CODE[code])))


class Worth(NamedTuple):
    """An end, and how much the declarer wants it: in his chips, then in those that the defenders get.

    Of two that pay alike he would rather have a better outcome, and then all nine tricks.
    """

    wish: tuple[float, ...]
    end: DealEnd


def exhaustive(state: State, collector: Seat) -> Worth | None:
    """What a point is worth by every course from it; None where a rate that is not stated can be met."""
    due = legal(state)
    if due is None:
        return final_worth(state, collector)
    return best(state, by_card(state, collector).values(), collector)


def by_card(state: State, collector: Seat) -> dict[str, Worth | None]:
    """What each legal card is worth."""
    due = legal(state)
    assert due is not None
    return {code: exhaustive(_after(state, code), collector) for code in due.cards}


def best(state: State, cards: Iterable[Worth | None], collector: Seat) -> Worth | None:
    """The best of them for whose turn it is, or what the declarer has by stopping."""
    due = legal(state)
    assert due is not None
    found = [*cards, *([final_worth(state, collector)] if due.optional else [])]
    worths = [one for one in found if one is not None]
    if len(worths) < len(found):
        return None
    return (max if due.seat == state.contract_state.declarer else min)(worths, key=lambda one: one.wish)


def final_worth(state: State, collector: Seat) -> Worth | None:
    """What a deal that is over, or where declarer stops, is worth."""
    due, declarer, contract = score(state), state.contract_state.declarer, state.contract_state.contract
    assert declarer is not None and contract is not None
    other = Seat(3 - declarer - collector)
    if due.payments is not None and due.outcome is not None:
        chips = dict(due.payments)
        wish = [chips[SEAT_NAMES[declarer]], -chips[SEAT_NAMES[collector]], -chips[SEAT_NAMES[other]]]
        better = ("codille", "bete", "won").index(due.outcome), ("failed", None, "made").index(due.slam)
        return Worth((*wish, *better), DealEnd(due.outcome, due.slam, due.payments))
    mine, first, second = (state.play.tricks_won[(declarer + step) % 3] for step in range(3))
    outcome = deal_outcome(mine, first, second, contract, state.opening.rules.ruleset)
    if outcome != "codille" or (state.contract_state.is_vole_challenged and mine < 9):
        return None
    if state.opening.rules.ruleset.pool is not None and state.ending.surrender is None:
        # Four each, and no remis: the other codille costs declarer the same; only who gets it differs.
        due_to_one = 5 + state.opening.rules.pool_bases[contract.id] * (2 + len(_shares(state)))
        return Worth((-due_to_one, -due_to_one / 2, -due_to_one / 2), DealEnd(outcome, None, None))
    return Worth((-ENDLESS, 0, 0), DealEnd(outcome, None, None))


def _shares(state: State) -> tuple[str, ...]:
    return state.opening.players.sitting_out if state.opening.rules.ruleset.sitter_pays else ()


def difference(state: State) -> str | None:
    """Where best play and trying everything differ; None where they do not. "" where no value is stated."""
    declarer, turn = state.contract_state.declarer, state.play.turn
    assert declarer is not None and turn is not None
    answer, due = evaluate_position(state), legal(state)
    assert answer is not None and due is not None
    for which in (0, 1):
        collector = Seat((declarer + which + 1) % 3)
        expected = by_card(state, collector)
        whole = best(state, expected.values(), collector)
        if whole is None:
            return "" if answer.turn is None else f"{answer.turn.value} although a rate is not stated"
        if answer.turn is None:
            return f"undecided: {answer.missing_facts}"
        found = {
            CARD_CODES[choice.card]: choice.value.ends_by_defender[which] for choice in answer.turn.choices
        }
        told = {code: worth.end for code, worth in expected.items() if worth is not None}
        if found != told or answer.turn.value.ends_by_defender[which] != whole.end:
            return f"for {SEAT_NAMES[collector]} {found}, not {told}, {whole.end}; {described(state)}"
        stopped = answer.turn.stop_value
        if (stopped is not None) != due.optional:
            return f"stop is {stopped}; {described(state)}"
    return None


def described(state: State) -> str:
    """An ending in words."""
    contract_state, play, ruleset = state.contract_state, state.play, state.opening.rules.ruleset
    return (
        f"{ruleset.id} {ruleset.matadors} {contract_state.contract_id} "
        f"trump {contract_state.trump} by {contract_state.declarer}; won {play.tricks_won}; "
        f"{[codes_in_mask(mask) for mask in play.known_cards]}; "
        f"table {[CARD_CODES[card] for card in play.cards]}; "
        f"turn {play.turn}"
    )


def main() -> int:
    """Compares, prints a line for each ruleset and policy, and returns 1 where anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.slow.endings", description=__doc__)
    parser.add_argument("--endings", type=int, default=300, help="endings of each ruleset and matador policy")
    each = parser.parse_args().endings // 4
    differs = False
    for ruleset, policy in product(RULESETS, MATADOR_POLICIES):
        made = [
            ending(random.Random(f"{ruleset} {policy} {seed} {left}"), ruleset, policy, left)
            for left in (1, 2, 3, 4)
            for seed in range(each)
        ]
        told = [difference(state) for state in made if state is not None]
        found = [one for one in told if one]
        print(
            f"{ruleset:<15} {policy:<17} {len(told):>6} endings, {told.count('')} without a stated value, "
            f"{len(found)} differ",
            *(f"    {line}" for line in found[:3]),
            sep="\n",
            flush=True,
        )
        differs = differs or bool(found)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
