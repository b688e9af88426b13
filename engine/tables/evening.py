"""The evening folded: deal by deal, whose deal it is, what lies in the pool, who has won what.

The ledger copies nothing: it is computed from the logs of the table and its deals, so a correction
of an earlier deal changes it as if the deal had always been so. Source: RULES 2, 8, 9.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.cards import SEAT_NAMES, SEATS
from engine.events import RulingMade
from engine.findings import Finding, finding
from engine.fold import fold_all
from engine.history import effective
from engine.log import Log
from engine.payments import Chips
from engine.rulesets import PUBLISHED, Book
from engine.score import Score, score
from engine.state import State, start
from engine.table_events import DealStarted, PaymentMade, PenaltyGiven, SeatsSet
from engine.tables.debts import who_owes_whom
from engine.tables.ledger import Ledger, Line, NextDeal, Pot, TableFinding, chip_value
from engine.tables.seating import Seating, dealer_of, games_of, next_dealer, seated
from engine.tables.table import Table, evolve_table, judge_table, opened_table, opening_in
from engine.vocabulary import Seq

NOTHING: Pot = Pot(0)


class Dealt(NamedTuple):
    """A deal of the evening, folded: its state, and the penalty points that were given in it, by seat."""

    state: State
    penalties: tuple[tuple[int, int], ...]


def dealt(log: Log, book: Book = PUBLISHED) -> Dealt:
    """A deal folded once, for the ledger."""
    entries = effective(log).entries
    rulings = (entry.event for entry in entries if isinstance(entry.event, RulingMade))
    return Dealt(fold_all(entries, start(book)), tuple(one for ruling in rulings for one in ruling.penalty))


class _Game(NamedTuple):
    """One of the games at a table: whose deal it is, and what lies in its pool."""

    due: str | None = None
    pot: Pot = NOTHING


class _Evening:
    """A ledger in the making."""

    def __init__(self, table: Table, deals: Mapping[str, Dealt]) -> None:
        self.table, self.deals = table, deals
        self.games: dict[int, _Game] = {}
        self.totals: dict[str, int] = dict.fromkeys(table.players, 0)
        self.penalties: dict[str, int] = {}
        self.lines: list[Line] = []
        self.findings: list[TableFinding] = []

    def players_of(self, game: int) -> tuple[str, ...]:
        games = games_of(self.table.players)
        return games[game] if game < len(games) else games[0]

    def game(self, number: int) -> _Game:
        """A game, with a dealer who still sits there."""
        game, players = self.games.get(number, _Game()), self.players_of(number)
        if game.due in players or not players:
            return game
        first = self.table.first_dealer
        return game._replace(due=first if first in players else players[-1])

    def left(self, player: str) -> None:
        """Where the dealer who was due goes home, the next one deals."""
        for number in self.games:
            players, game = self.players_of(number), self.game(number)
            if game.due == player and len(players) > 1:
                due = next_dealer(players, player, self.table.rules.ruleset)
                self.games[number] = game._replace(due=due)

    def pay(self, chips: Chips) -> None:
        for player, amount in chips:
            self.totals[player] = self.totals.get(player, 0) + amount

    def punish(self, player: str, points: int) -> None:
        self.penalties[player] = self.penalties.get(player, 0) + points

    def payment(self, seq: Seq, event: PaymentMade) -> None:
        chips = ((event.from_, -event.amount), (event.to, event.amount))
        self.pay(chips)
        self._line(
            Line(seq, None, None, 0, None, None, None, None, True, chips, (), None, None, (), event.text)
        )

    def _line(self, line: Line) -> None:
        self.lines.append(line._replace(totals=tuple(self.totals.items())))

    def deal(self, seq: Seq, event: DealStarted) -> None:
        """A deal: its stake, what it paid, and whose deal that makes it."""
        told = self.deals.get(event.deal)
        state = told.state if told is not None else start()
        number, seating = self._seats(state, event)
        game, rules = self.game(number), self.table.rules.ruleset
        dealer = seating.dealer if seating is not None else game.due
        stake: Chips = ()
        pot = game.pot
        if rules.pool is not None and dealer is not None:
            stake = ((dealer, -rules.pool.stake),)
            pot = pot._replace(pool=pot.pool + rules.pool.stake)
            self._compare_pool(state, event, pot)
        due = score(_with_pot(state, pot) if rules.pool is not None else state)
        chips = self._chips(state, due, seating)
        decided = due.decided or bool(chips)
        after = self._pot_after(pot, due, chips) if rules.pool is not None else NOTHING
        self.pay((*stake, *chips))
        for seat, points in () if told is None else told.penalties:
            self.punish(_player(state, SEAT_NAMES[seat]), points)
        self.games[number] = _Game(self._next(state, due, dealer, number), after)
        declarer = None if due.declarer is None else _player(state, SEAT_NAMES[due.declarer])
        before = pot if rules.pool is not None else None
        self._line(
            Line(
                seq, event.deal, event.number, number, seating, declarer, due.contract, due.outcome, decided,
                chips, stake, before, after if rules.pool is not None else None, (),
            )
        )  # fmt: skip

    def _seats(self, state: State, event: DealStarted) -> tuple[int, Seating | None]:
        """Which game the deal belongs to, and who sat where: as recorded, else as it was due."""
        opened, rules = state.opening.opened, self.table.rules.ruleset
        if opened is None:
            game = self.game(0)
            return 0, None if game.due is None else seated(self.players_of(0), game.due, rules)
        active = (opened.players.forehand, opened.players.middlehand, opened.players.backhand)
        games = games_of(self.table.players)
        number = next((n for n, players in enumerate(games) if set(active) <= set(players)), 0)
        players, due = self.players_of(number), self.game(number).due
        dealer = opened.dealer or (due if self._is_due(due, players, active) else None)
        dealer = dealer or dealer_of(players, active, rules) or due or active[2]
        if (dealer != due and opened.board is None) or not self._is_due(dealer, players, active):
            self._found(event.deal, state, "seating_mismatch", self._seating_told(due, players, active))
        return number, Seating(dealer, *active, opened.players.sitting_out)

    def _is_due(self, dealer: str | None, players: tuple[str, ...], active: tuple[str, str, str]) -> bool:
        seats = None if dealer is None else seated(players, dealer, self.table.rules.ruleset)
        return seats is not None and seats.active == active

    def _seating_told(self, due: str | None, players: tuple[str, ...], active: tuple[str, str, str]) -> str:
        seats = None if due is None else seated(players, due, self.table.rules.ruleset)
        expected = (
            "nobody can be seated" if seats is None else f"{', '.join(seats.active)}, {seats.dealer} dealing"
        )
        return (
            f"Forehand, middlehand, backhand are {', '.join(active)}; by the order of the deals {expected}."
        )

    def _compare_pool(self, state: State, event: DealStarted, pot: Pot) -> None:
        opened = state.opening.opened
        if opened is None or opened.pool is None:
            return
        recorded = Pot(opened.pool, tuple(sorted(opened.reserved, reverse=True)))
        if recorded != pot._replace(reserved=tuple(sorted(pot.reserved, reverse=True))):
            message = (
                f"The deal is opened with {_pot_told(recorded)}; by the earlier deals it is {_pot_told(pot)}."
            )
            self._found(event.deal, state, "pool_mismatch", message)

    def _found(self, deal: str, state: State, code: str, message: str) -> None:
        found: Finding = finding(state.opening.seq, code, message, "8. Pool" if code[0] == "p" else "2. Deal")
        self.findings.append(TableFinding(deal, found))

    def _chips(self, state: State, due: Score, seating: Seating | None) -> Chips:
        """What the deal brought each player: by the rules where that is known, else what was paid."""
        payments: Chips = ()
        if due.decided and due.payments is not None:
            payments = due.payments
        elif state.ending.settled is not None:
            payments = state.ending.settled.payments
        chips: dict[str, int] = {}
        for name, amount in payments:
            player = _player(state, name)
            chips[player] = chips.get(player, 0) + amount
        return tuple(chips.items())

    def _pot_after(self, pot: Pot, due: Score, chips: Chips) -> Pot:
        """The pool takes what the players lost between them; what is set aside is as the score has it."""
        left = pot.total - sum(amount for _, amount in chips)
        reserved = due.pool.reserved if due.decided and due.pool is not None else pot.reserved
        return Pot(left - sum(reserved), reserved)

    def _next(self, state: State, due: Score, dealer: str | None, number: int) -> str | None:
        """Whose deal is next: the same one's after a misdeal, or where all passed and the rules say so."""
        opened, players = state.opening.opened, self.players_of(number)
        if opened is not None and opened.board is not None:
            return self.game(number).due
        again = due.outcome == "voided" or (
            due.outcome == "passed_out" and self.table.rules.ruleset.all_pass == "same-dealer"
        )
        if dealer is None or again or dealer not in players:
            return dealer
        return next_dealer(players, dealer, self.table.rules.ruleset)

    def following(self) -> tuple[NextDeal, ...]:
        """What the next deal of each game is opened with."""
        rules, found = self.table.rules.ruleset, []
        for number in range(len(games_of(self.table.players))):
            game, players = self.game(number), self.players_of(number)
            seating = None if game.due is None else seated(players, game.due, rules)
            if seating is not None:
                pool = None if rules.pool is None else game.pot.pool + rules.pool.stake
                found.append(NextDeal(number, self.table.next_number, seating, pool, game.pot.reserved))
        return tuple(found)


def ledger(log: Log, deals: Mapping[str, Dealt], book: Book = PUBLISHED) -> Ledger | None:
    """The ledger of a table: ``log`` is the table's, ``deals`` its deals by their streams' names.

    None where the log does not say how the table was opened. A deal that is not among ``deals``
    stands open and counts nothing but its stake.
    """
    opened = opening_in(log)
    if opened is None:
        return None
    evening = _Evening(opened_table(opened, book), deals)
    for entry in effective(log).entries:
        before = evening.table
        evening.findings += [TableFinding(None, one) for one in judge_table(before, entry)]
        if isinstance(entry.event, DealStarted):
            evening.deal(entry.seq, entry.event)
        elif isinstance(entry.event, PaymentMade):
            evening.payment(entry.seq, entry.event)
        elif isinstance(entry.event, PenaltyGiven):
            evening.punish(entry.event.player, entry.event.points)
        elif isinstance(entry.event, SeatsSet) and entry.event.dealer is not None:
            evening.games = {n: game._replace(due=None) for n, game in evening.games.items()}
        for player in before.players:
            if player not in evolve_table(before, entry).players:
                evening.left(player)
        evening.table = evolve_table(before, entry)
        for player in evening.table.players:
            evening.totals.setdefault(player, 0)
    return _made(evening)


def _made(evening: _Evening) -> Ledger:
    table, opened = evening.table, evening.table.opened
    has_pool = table.rules.ruleset.pool is not None
    pots = tuple(game.pot for _, game in sorted(evening.games.items())) if has_pool else ()
    shares = _divided(evening, pots)
    settled = {player: chips + dict(shares).get(player, 0) for player, chips in evening.totals.items()}
    planned = opened.plan.deals if opened.plan is not None else None
    return Ledger(
        players=table.players,
        lines=tuple(evening.lines),
        totals=tuple(evening.totals.items()),
        penalties=tuple(evening.penalties.items()),
        pots=pots,
        shares=shares,
        owes=who_owes_whom(settled) if not sum(settled.values()) else (),
        following=() if table.closed else evening.following(),
        deals_left=None if planned is None else max(planned - len(table.deals), 0),
        chip_value=chip_value(opened.chip_value),
        currency=opened.currency,
        closed=table.closed,
        findings=tuple(evening.findings),
    )


def _divided(evening: _Evening, pots: tuple[Pot, ...]) -> Chips:
    """What lies in each pool, divided among the game's players (our decision).

    Equally; what cannot be divided goes one chip each to those who come after the next dealer.
    """
    shares: dict[str, int] = {}
    for number, pot in enumerate(pots):
        players, due = evening.players_of(number), evening.game(number).due
        if not players or due is None:
            continue
        each, over = divmod(pot.total, len(players))
        first = players.index(due) + 1
        for step in range(len(players)):
            player = players[(first + step) % len(players)]
            shares[player] = shares.get(player, 0) + each + (step < over)
    return tuple(shares.items())


def _with_pot(state: State, pot: Pot) -> State:
    """The state of a deal that does not record its pool, with what lay there."""
    opening = state.opening
    if opening.opened is None or opening.opened.pool is not None:
        return state
    opened = replace(opening.opened, pool=max(pot.pool, 0), reserved=pot.reserved)
    return state._replace(opening=opening._replace(opened=opened))


def _player(state: State, name: str) -> str:
    """The player at a seat, who took a hand over before who was dealt it; one sitting out by his name."""
    if name not in SEAT_NAMES:
        return name
    seat = SEATS[SEAT_NAMES.index(name)]
    return state.ending.taken_over[seat] or state.opening.players.at(seat)


def _pot_told(pot: Pot) -> str:
    aside = f" and {', '.join(map(str, pot.reserved))} set aside" if pot.reserved else ""
    return f"{pot.pool} in the pool{aside}"
