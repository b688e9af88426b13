"""The evening folded: deal by deal, whose deal it is, what lies in the pool, who has won what.

The ledger copies nothing: it is computed from the logs of the table and its deals, so a correction
of an earlier deal changes it as if the deal had always been so. Source: RULES 2, 8, 9.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.core.log import Entry, Log
from engine.core.message import NOTHING, Listed, Said, said
from engine.core.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    SeatsSet,
    TableOpened,
)
from engine.core.vocabulary import Seq
from engine.play.findings import finding
from engine.play.history import effective
from engine.play.state import State, known_trump, start
from engine.rulesets import PUBLISHED, Book, Ruleset
from engine.scoring.payments import Chips
from engine.scoring.score import Score, score
from engine.tables.dealt import Dealt, named_in
from engine.tables.debts import who_owes_whom
from engine.tables.ledger import Ledger, Line, NextDeal, Pot, TableFinding, chip_value
from engine.tables.missing import taken_back
from engine.tables.pots import EMPTY, after_deal, divided, over_pot, recorded_pot, surplus, told, with_pot
from engine.tables.seating import (
    FEWEST,
    Seating,
    dealer_of,
    games_of,
    next_dealer,
    seated,
    seated_after,
)
from engine.tables.sitting import active_in, chips_of, game_of, player_at, seating_of, taken_over
from engine.tables.table import (
    Table,
    evolve_table,
    judge_opening,
    judge_table,
    opened_table,
    opening_in,
    table_of,
)
from engine.tables.turns import Turn, turn_of


class _Game(NamedTuple):
    """One of the games at a table: whose deal it is, what lies in its pool, how many deals it has had.

    ``behind``: by the number of each of its deals who was due behind it; ``instead``: where the last of them
    was dealt out of turn, who would be due had it been dealt in turn.
    """

    due: str | None = None
    pot: Pot = EMPTY
    deals: int = 0
    behind: tuple[tuple[int, str | None], ...] = ()
    instead: str | None = None


class Evening:
    """A ledger in the making."""

    def __init__(
        self,
        table: Table,
        deals: Mapping[str, Dealt],
        company: Collection[str],
        gone: frozenset[int] = frozenset(),
    ) -> None:
        self.table, self.deals = table, deals
        self.gone = gone
        """The numbers under which deals were started that were taken back since: none of them is missing."""
        self.company = frozenset(company)
        """Everybody who sits at the table at some time of the evening, or plays one of its deals."""
        self.games: dict[int, _Game] = {}
        self.totals: dict[str, int] = dict.fromkeys(table.players, 0)
        self.penalties: dict[str, int] = {}
        self.lines: list[Line] = []
        self.dealt_again = 0
        self.findings: list[TableFinding] = []

    def enter(self, entry: Entry) -> None:
        """An entry of the table's log, judged and taken."""
        self.findings += [TableFinding(None, one) for one in judge_table(self.table, entry)]
        self.take(entry)

    def take(self, entry: Entry) -> None:
        """An entry of the table's log; the table itself is as it was before."""
        seq, event, _ = entry
        if isinstance(event, DealStarted):
            self._deal(seq, event)
        elif isinstance(event, PaymentMade):
            self._payment(seq, event)
        elif isinstance(event, PenaltyGiven):
            self._punish(event.player, event.points)
        elif isinstance(event, SeatsSet) and event.dealer is not None:
            self.games = {n: game._replace(due=None, instead=None) for n, game in self.games.items()}
        elif isinstance(event, PlayerJoined) and len(self.table.players) >= FEWEST:
            # Whoever is due to deal stays so, also before the first deal: who comes last does not deal first.
            self.games |= {number: self.game(number) for number in range(len(games_of(self.table.players)))}
        before, self.table = self.table, evolve_table(self.table, entry)
        for player in before.players:
            if player not in self.table.players:
                self._left(before, player)
        if len(games_of(before.players)) != len(games_of(self.table.players)):
            self.games = {number: game._replace(deals=0) for number, game in self.games.items()}
        for player in self.table.players:
            self.totals.setdefault(player, 0)

    def players_of(self, number: int) -> tuple[str, ...]:
        """Who plays in a game; all who sit there, where a table of six has become smaller."""
        games = games_of(self.table.players)
        return games[number] if number < len(games) else games[0]

    def game(self, number: int) -> _Game:
        """A game, with a dealer who still sits there."""
        return self._with_dealer(self.games.get(number, _Game()), self.players_of(number))

    def behind(self) -> int:
        """The game that has had the fewest deals: two games at a table are dealt in turn (our decision)."""
        return min(range(len(games_of(self.table.players))), key=lambda number: self.game(number).deals)

    def _with_dealer(self, game: _Game, players: tuple[str, ...]) -> _Game:
        if game.due in players or not players:
            return game
        first = self.table.first_dealer
        return game._replace(due=first if first in players else players[-1])

    def _left(self, before: Table, player: str) -> None:
        """Where the dealer who was due goes home, the next one deals."""
        rules = self.table.rules.ruleset
        for number, players in enumerate(games_of(before.players)):
            game = self._with_dealer(self.games.get(number, _Game()), players)
            if game.due == player and len(players) > 1:
                self.games[number] = game._replace(due=next_dealer(players, player, rules))

    def _pay(self, chips: Chips) -> None:
        for player, amount in chips:
            self.totals[player] = self.totals.get(player, 0) + amount

    def _punish(self, player: str, points: int) -> None:
        self.penalties[player] = self.penalties.get(player, 0) + points

    def _enter(self, line: Line) -> None:
        self._pay((*line.stake, *line.chips))
        self.lines.append(line._replace(totals=tuple(self.totals.items())))

    def _payment(self, seq: Seq, event: PaymentMade) -> None:
        """A payment by hand; one to or from a stranger does not count, as in a deal."""
        chips = ((event.from_, -event.amount), (event.to, event.amount))
        known = {event.from_, event.to} <= self.company
        self._enter(Line(seq, decided=known, chips=chips if known else (), text=event.text))

    def _found(self, deal: str | None, seq: Seq, code: str, message: Said, rule: str) -> None:
        self.findings.append(TableFinding(deal, finding(seq, code, message, rule)))

    def _deal(self, seq: Seq, event: DealStarted) -> None:
        """A deal: its stake, what it paid, and whose deal that makes it.

        It is seated, staked and passed on by its own rules. One that was started already counts once.
        """
        if event.deal in {deal.deal for deal in self.table.deals}:
            return
        known = self.deals.get(event.deal)
        if known is None:
            message = said("The record of this deal is not here; what it pays does not count.")
            self._found(None, seq, "incomplete", message, "9. Record")
        state = start() if known is None else known.state
        opening = state.opening
        rules = opening.rules.ruleset if opening.rules.known else self.table.rules.ruleset
        number = game_of(self.table.players, opening.opened)
        if number is None:
            number = self.behind()
        turn = self.turn(number, event.number, rules)
        seating = self._seating(event.deal, state, number, rules, turn)
        for seat, points in () if known is None else known.penalties:
            self._punish(player_at(state, seating, SEAT_NAMES[seat]), points)
        line = Line(seq, event.deal, event.number, number, seating, taken_over=taken_over(state))
        line, paid = self._paid(line, state, rules)
        self._enter(line)
        again = paid.outcome in dealt_again_after(rules)
        self.dealt_again += again
        pot = self.game(number).pot if line.after is None else line.after
        deals = self.game(number).deals + (not again)
        due, behind = self._next(state, line, again, rules, turn), self.game(number).behind
        # Where later deals were entered before, it is due whose turn it is behind those.
        self.games[number] = _Game(
            self.game(number).due if turn.late else due,
            pot,
            deals,
            (*behind, (event.number, due)),
            self._had_it_been_in_turn(state, line, again, rules, turn),
        )

    def _paid(self, line: Line, state: State, rules: Ruleset) -> tuple[Line, Score]:
        """A deal's line with what it was about and what it paid, and its score."""
        assert line.deal is not None and line.game is not None
        lay, stake = self.game(line.game).pot, _stake_in(line.seating, rules)
        before = None if rules.pool is None else lay._replace(pool=lay.pool + surplus(stake))
        if before is not None:
            self._compare_pool(line.deal, state, before)
        due = score(state if before is None else with_pot(state, before))
        if due.outcome == "voided":
            # Its stake is laid again for the deal that is dealt in its place.
            stake = ()
        after = lay._replace(pool=lay.pool + surplus(stake))
        chips = chips_of(state, due, line.seating)
        if before is not None and surplus(chips or ()) > after.total:
            # The deal records a larger pool than the earlier deals left; nobody can win more than lay there.
            due = score(over_pot(state, before))
            chips = chips_of(state, due, line.seating)
        if chips is not None and not self._payable(line, state, chips, None if before is None else after):
            chips = None
        declarer = None if due.declarer is None else player_at(state, line.seating, SEAT_NAMES[due.declarer])
        line = line._replace(
            declarer=declarer,
            contract=due.contract,
            trump=None if due.contract is None else known_trump(state),
            outcome=due.outcome,
            decided=chips is not None,
            chips=chips or (),
            stake=tuple((dealer, -chips) for dealer, chips in stake),
            before=before,
            after=None if before is None else after_deal(after, due, chips or ()),
        )
        return line, due

    def _payable(self, line: Line, state: State, chips: Chips, lies: Pot | None) -> bool:
        """Whether what was ruled or settled can have been paid; where not, it is told and does not count.

        ``lies``: what lies in the pool, None where there is none. Chips cannot come from nowhere, nor
        go to somebody who neither sits at the table nor plays its deals: until the record is corrected
        the deal stands open, so that a stranger neither leads nor is owed anything, and no pool goes
        below nothing for the others to make up.
        """
        ending, taken = state.ending, surplus(chips)
        strangers = [player for player, _ in chips if player not in self.company]
        if strangers:
            code = "settlement_mismatch"
            message = said(
                "{players}, paid here, did not play; what was paid does not count.",
                players=Listed(strangers, " and "),
            )
        elif lies is None and taken != 0:
            code = "settlement_mismatch"
            message = said(
                "What was paid does not add up to nothing, and there is no pool; "
                "what was paid does not count."
            )
        elif lies is not None and taken > lies.total:
            code = "pool_mismatch"
            message = said(
                "{chips} are taken out of the pool, in which {lies} lie; what was paid does not count.",
                chips=taken,
                lies=lies.total,
            )
        else:
            return True
        seq = ending.ruling_seq or ending.settled_seq or state.opening.seq
        rule = "9. Ruling" if ending.ruling_seq else "7. Payments"
        assert line.deal is not None
        self._found(line.deal, seq, code, message, rule)
        return False

    def turn(self, game: int, number: int, rules: Ruleset) -> Turn:
        """Whose turn it was to deal the deal of that number in a game."""
        players, known = self.players_of(game), self.game(game)
        first = self._with_dealer(_Game(), players).due
        behind = {0: first, **dict(known.behind)}
        entered = self.gone.union(deal.number for deal in self.table.deals)
        # Who is due next was perhaps said since, or has gone home.
        turn = turn_of(number, behind | {max(behind): known.due}, entered, players, rules)
        instead = known.instead
        if not known.behind and self.table.first_dealer is None:
            return turn.or_else(*players)
        return turn if turn.late or instead is None or instead not in players else turn.or_else(instead)

    def _seating(self, deal: str, state: State, number: int, rules: Ruleset, turn: Turn) -> Seating | None:
        """Who sat where: as recorded, else as it was due; what differs is told."""
        players, opened = self.players_of(number), state.opening.opened
        due = turn.due
        if opened is not None:
            due = turn.fitting(opened.dealer, active_in(opened), players, rules)
        expected = None if due is None else seated(players, due, rules)
        if opened is None:
            return expected
        sat = seating_of(opened, players, due, rules)
        recorded, sitting_out = opened.players.sitting_out, () if expected is None else expected.sitting_out
        out_as_due = set(recorded) == set(sitting_out) or not (recorded or rules.sitter_pays)
        as_due = expected is not None and (sat.dealer, *sat.active) == (expected.dealer, *expected.active)
        if opened.board is None and not (as_due and out_as_due):
            nobody = said("nobody can be seated")
            message = said(
                "By the record {recorded}; by the order of the deals {due}.",
                recorded=_seating_told(sat, recorded),
                due=nobody if expected is None else _seating_told(expected, sitting_out),
            )
            self._found(deal, state.opening.seq, "seating_mismatch", message, "2. Deal")
        return sat

    def _compare_pool(self, deal: str, state: State, pot: Pot) -> None:
        recorded = recorded_pot(state)
        if recorded is not None and recorded != pot.to_play_for:
            message = said(
                "The deal is opened with {recorded}; by the earlier deals it is {due}.",
                recorded=told(recorded),
                due=told(pot.to_play_for),
            )
            self._found(deal, state.opening.seq, "pool_mismatch", message, "8. Pool")

    def _next(self, state: State, line: Line, again: bool, rules: Ruleset, turn: Turn) -> str | None:
        """Whose deal is next: the same one's where it is dealt again; a board leaves the order alone."""
        assert line.game is not None
        opened, due, players = state.opening.opened, turn.due, self.players_of(line.game)
        if line.seating is None or (opened is not None and opened.board is not None):
            return due
        dealer = line.seating.dealer
        if dealer not in players:
            dealer = dealer_of(players, line.seating.active, rules) or due or dealer
        return dealer if again or dealer not in players else next_dealer(players, dealer, rules)

    def _had_it_been_in_turn(
        self, state: State, line: Line, again: bool, rules: Ruleset, turn: Turn
    ) -> str | None:
        """Who would be due behind a deal out of turn, had it been his who was due; None behind any other.

        Where people sit as if another had dealt than who is named, it may have been his who would sit so.
        """
        opened, due, players = state.opening.opened, turn.due, self.players_of(line.game or 0)
        boards = opened is not None and opened.board is not None
        in_turn = line.seating is None or line.seating.dealer in turn.dealers
        if in_turn and line.seating is not None:
            due = dealer_of(players, line.seating.active, rules)
            in_turn = due is None or due == line.seating.dealer
        if turn.late or boards or in_turn or due is None or due not in players:
            return None
        return due if again else next_dealer(players, due, rules)

    def following(self) -> Iterator[NextDeal]:
        """What the next deal of each game is opened with."""
        rules = self.table.rules.ruleset
        for number in range(len(games_of(self.table.players))):
            game, players = self.game(number), self.players_of(number)
            seating = None if game.due is None else seated(players, game.due, rules)
            if seating is not None:
                stake = 0 if rules.pool is None else rules.pool.stake
                lay = Pot(game.pot.pool + stake, game.pot.reserved).to_play_for
                pool = None if rules.pool is None else lay.pool
                then = seated_after(players, seating.dealer, rules)
                again = dealt_again_after(rules)
                yield NextDeal(number, self.table.next_number, seating, pool, lay.reserved, then, again)

    def pots(self) -> tuple[Pot, ...]:
        """What lies in the pool of each game; nothing at all where no rules have one."""
        numbers = range(max((len(games_of(self.table.players)), *(number + 1 for number in self.games))))
        pots = tuple(self.game(number).pot for number in numbers)
        return pots if self.table.rules.ruleset.pool is not None or any(pot.total for pot in pots) else ()

    def shares(self) -> dict[str, int]:
        """What each gets of what lies in the pools, were they divided now."""
        shares: dict[str, int] = {}
        for number, pot in enumerate(self.pots()):
            players = self.players_of(number) or self.table.members or tuple(self.totals)
            for player, chips in divided(pot, players, self.game(number).due):
                shares[player] = shares.get(player, 0) + chips
        return shares


def ledger(log: Log, deals: Mapping[str, Dealt], book: Book = PUBLISHED) -> Ledger | None:
    """The ledger of a table: ``log`` is the table's, ``deals`` its deals by their streams' names.

    None where the log does not say how the table was opened. A deal that is not among ``deals``
    stands open and counts nothing but its stake.
    """
    evening = evening_of(log, deals, book)
    return None if evening is None else _made(evening, evening.table.opened)


def evening_of(log: Log, deals: Mapping[str, Dealt], book: Book = PUBLISHED) -> Evening | None:
    """The evening as far as it is recorded, as ``ledger`` takes it; None where the log opens no table."""
    opened, history = opening_in(log), effective(log)
    if opened is None:
        return None
    table = table_of(log, book)
    members = () if table is None else table.members
    company = (*members, *named_in(deals))
    evening = Evening(opened_table(opened, book), deals, company, taken_back(log))
    found = [*history.faults, *judge_opening(evening.table, log)]
    evening.findings += [TableFinding(None, one) for one in found]
    for entry in history.entries:
        evening.enter(entry)
    return evening


def _made(evening: Evening, opened: TableOpened) -> Ledger:
    table, shares = evening.table, evening.shares()
    settled = {
        player: evening.totals.get(player, 0) + shares.get(player, 0)
        for player in dict.fromkeys((*evening.totals, *shares))
    }
    planned = opened.plan.deals if opened.plan is not None else None
    counted = sum(line.deal is not None for line in evening.lines) - evening.dealt_again
    return Ledger(
        players=table.players,
        lines=tuple(evening.lines),
        totals=tuple(evening.totals.items()),
        penalties=tuple(evening.penalties.items()),
        pots=evening.pots(),
        shares=tuple(shares.items()),
        owes=who_owes_whom(settled),
        following=() if table.closed else tuple(evening.following()),
        deals_left=None if planned is None else max(planned - counted, 0),
        chip_value=chip_value(opened.chip_value),
        currency=opened.currency,
        closed=table.closed,
        findings=tuple(evening.findings),
    )


def dealt_again_after(rules: Ruleset) -> tuple[str, ...]:
    """The outcomes after which the same dealer deals once more."""
    return ("passed_out", "voided") if rules.all_pass == "same-dealer" else ("voided",)


def _stake_in(seating: Seating | None, rules: Ruleset) -> Chips:
    """What the dealer lays into the pool, where the rules have one."""
    return () if seating is None or rules.pool is None else ((seating.dealer, rules.pool.stake),)


def _seating_told(seating: Seating, sitting_out: tuple[str, ...]) -> Said:
    out = said(", {players} sitting out", players=Listed(sitting_out, " and ")) if sitting_out else NOTHING
    players = Listed(seating.active)
    return said("{dealer} deals and {players} play{out}", dealer=seating.dealer, players=players, out=out)
