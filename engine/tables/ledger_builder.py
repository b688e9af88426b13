"""The evening folded: deal by deal, whose deal it is, what is in the pool, who has won what (RULES 2, 8, 9).

The ledger copies nothing: a correction of an earlier deal changes it as if the deal had always been so.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from engine.core import table_events
from engine.core.cards import SEAT_NAMES
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import EMPTY_TEXT, Message, TextList, format_message
from engine.play.findings import build_finding
from engine.play.history import effective
from engine.play.state import State, initial_state, known_trump
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook
from engine.scoring.payments import Payments, add_by_name, payment_section
from engine.scoring.score import Score, score
from engine.tables.debts import compute_debts
from engine.tables.evening_deal import (
    EveningDeal,
    active_players,
    chips_by_player,
    complete_seating,
    find_game,
    list_named_players,
    list_takeovers,
    player_at,
)
from engine.tables.ledger import (
    EMPTY_POT,
    Ledger,
    LedgerLine,
    NextDeal,
    Pot,
    TableFinding,
    chips_out_of_pool,
    describe_pot,
    divide_pot,
    parse_chip_value,
    pot_after_deal,
    recorded_pot,
    set_missing_pot,
    set_pot,
)
from engine.tables.seating import (
    MIN_PLAYERS,
    DealerTurn,
    Seating,
    find_dealer,
    find_dealer_turn,
    later_seatings,
    next_dealer,
    seat_players,
    split_into_games,
)
from engine.tables.table import (
    Table,
    evolve_table,
    find_table_opening,
    fold_table,
    judge_table,
    judge_table_opening,
    start_table,
    withdrawn_numbers,
)


class _GameState(NamedTuple):
    """One of the games at a table: whose deal it is, what lies in its pool, how many deals it has had.

    ``next_dealers``: by the number of each of its deals, who was due to deal after it; ``in_turn_dealer``:
    where the last of them was dealt out of turn, who would be due had it been dealt in turn.
    """

    next_dealer: str | None = None
    pot: Pot = EMPTY_POT
    deal_count: int = 0
    next_dealers: tuple[tuple[int, str | None], ...] = ()
    in_turn_dealer: str | None = None


class LedgerBuilder:
    """A ledger in the making."""

    def __init__(
        self,
        table: Table,
        deals: Mapping[str, EveningDeal],
        known_players: Collection[str],
        withdrawn_numbers: frozenset[int] = frozenset(),
    ) -> None:
        self.table, self.deals = table, deals
        self.withdrawn_numbers = withdrawn_numbers
        """The numbers under which deals were started that were taken back since: none of them is missing."""
        self.known_players = frozenset(known_players)
        """Everybody who sits at the table at some time of the evening, or plays one of its deals."""
        self.games: dict[int, _GameState] = {}
        self.totals: dict[str, int] = dict.fromkeys(table.players, 0)
        self.penalties: dict[str, int] = {}
        self.lines: list[LedgerLine] = []
        self.redeal_count = 0
        self.findings: list[TableFinding] = []

    def add_entry(self, entry: Entry) -> None:
        """Judge and take an entry of the table's log."""
        self.findings += [TableFinding(None, one) for one in judge_table(self.table, entry)]
        seq, event, _ = entry
        if isinstance(event, table_events.DealStarted):
            self._add_deal(seq, event)
        elif isinstance(event, table_events.PaymentMade):
            self._add_payment(seq, event)
        elif isinstance(event, table_events.PenaltyGiven):
            self._add_penalty(event.player, event.points)
        elif isinstance(event, table_events.SeatsSet) and event.dealer is not None:
            self.games = {
                n: game._replace(next_dealer=None, in_turn_dealer=None) for n, game in self.games.items()
            }
        elif isinstance(event, table_events.PlayerJoined) and len(self.table.players) >= MIN_PLAYERS:
            # The expected dealer stays, also before the first deal: a latecomer does not deal first.
            self.games |= {
                number: self.game_state(number) for number in range(len(split_into_games(self.table.players)))
            }
        before, self.table = self.table, evolve_table(self.table, entry)
        for player in before.players:
            if player not in self.table.players:
                self._replace_leaving_dealer(before, player)
        if len(split_into_games(before.players)) != len(split_into_games(self.table.players)):
            self.games = {number: game._replace(deal_count=0) for number, game in self.games.items()}
        for player in self.table.players:
            self.totals.setdefault(player, 0)

    def players_in_game(self, number: int) -> tuple[str, ...]:
        """Who plays in a game; all who sit there, where a table of six has become smaller."""
        games = split_into_games(self.table.players)
        return games[number] if number < len(games) else games[0]

    def game_state(self, number: int) -> _GameState:
        """A game, with a dealer who still sits there."""
        return self._with_dealer(self.games.get(number, _GameState()), self.players_in_game(number))

    def next_game(self) -> int:
        """The game that has had the fewest deals: two games at a table are dealt in turn (our decision)."""
        return min(
            range(len(split_into_games(self.table.players))),
            key=lambda number: self.game_state(number).deal_count,
        )

    def _with_dealer(self, game: _GameState, players: tuple[str, ...]) -> _GameState:
        if game.next_dealer in players or not players:
            return game
        first = self.table.first_dealer
        return game._replace(next_dealer=first if first in players else players[-1])

    def _replace_leaving_dealer(self, before: Table, player: str) -> None:
        """Where the dealer who was due goes home, the next one deals."""
        rules = self.table.rules.ruleset
        for number, players in enumerate(split_into_games(before.players)):
            game = self._with_dealer(self.games.get(number, _GameState()), players)
            if game.next_dealer == player and len(players) > 1:
                self.games[number] = game._replace(next_dealer=next_dealer(players, player, rules))

    def _add_penalty(self, player: str, points: int) -> None:
        self.penalties[player] = self.penalties.get(player, 0) + points

    def _add_line(self, line: LedgerLine) -> None:
        self.totals = add_by_name((*self.totals.items(), *line.stake, *line.chips))
        self.lines.append(line._replace(totals=tuple(self.totals.items())))

    def _add_payment(self, seq: Seq, event: table_events.PaymentMade) -> None:
        """A payment by hand; one to or from a stranger does not count, as in a deal."""
        chips = ((event.from_, -event.amount), (event.to, event.amount))
        known = {event.from_, event.to} <= self.known_players
        self._add_line(LedgerLine(seq, is_decided=known, chips=chips if known else (), text=event.text))

    def _add_finding(self, deal: str | None, seq: Seq, code: str, message: Message, rule: str) -> None:
        self.findings.append(TableFinding(deal, build_finding(seq, code, message, rule)))

    def _add_deal(self, seq: Seq, event: table_events.DealStarted) -> None:
        """Add a deal: its stake, what it paid, and who deals next.

        It is seated, staked and passed on by its own rules. One that was started already counts once.
        """
        if event.deal in {deal.deal for deal in self.table.deals}:
            return
        known = self.deals.get(event.deal)
        if known is None:
            message = format_message("The record of this deal is not here; what it pays does not count.")
            self._add_finding(None, seq, "incomplete", message, "9. Record")
        state = initial_state() if known is None else known.state
        opening = state.opening
        rules = opening.rules.ruleset if opening.rules.is_known else self.table.rules.ruleset
        number = find_game(self.table.players, opening.event)
        if number is None:
            number = self.next_game()
        turn = self.dealer_turn(number, event.number, rules)
        seating = self._find_seating(event.deal, state, number, rules, turn)
        for seat, points in () if known is None else known.penalties:
            self._add_penalty(player_at(state, seating, SEAT_NAMES[seat]), points)
        line = LedgerLine(seq, event.deal, event.number, number, seating, taken_over=list_takeovers(state))
        line, paid = self._score_line(line, state, rules)
        self._add_line(line)
        is_redealt = paid.outcome in list_redeal_outcomes(rules)
        self.redeal_count += is_redealt
        dealer = self._find_next_dealer(state, line, is_redealt, rules, turn)
        game = self.game_state(number)
        # Where later deals were entered first, the next dealer is the one after those.
        self.games[number] = _GameState(
            game.next_dealer if turn.is_late else dealer,
            game.pot if line.pot_after is None else line.pot_after,
            game.deal_count + (not is_redealt),
            (*game.next_dealers, (event.number, dealer)),
            self._find_in_turn_dealer(state, line, is_redealt, rules, turn),
        )

    def _score_line(self, line: LedgerLine, state: State, rules: Ruleset) -> tuple[LedgerLine, Score]:
        """A deal's line with what it was about and what it paid, and its score."""
        assert line.deal is not None and line.game is not None
        pot, stake = self.game_state(line.game).pot, _dealer_stake(line.seating, rules)
        before = None if rules.pool is None else pot._replace(pool=pot.pool + chips_out_of_pool(stake))
        if before is not None:
            self._compare_pool(line.deal, state, before)
        computed = score(state if before is None else set_missing_pot(state, before))
        if computed.outcome == "voided":
            # Its stake is laid again for the deal that is dealt in its place.
            stake = ()
        after = pot._replace(pool=pot.pool + chips_out_of_pool(stake))
        chips = chips_by_player(state, computed, line.seating)
        if before is not None and chips_out_of_pool(chips or ()) > after.total:
            # The deal records a larger pool than the earlier deals left; nobody can win more than lay there.
            computed = score(set_pot(state, before))
            chips = chips_by_player(state, computed, line.seating)
        if chips is not None and not self._is_payable(line, state, chips, None if before is None else after):
            chips = None
        seat = computed.declarer
        line = line._replace(
            declarer=None if seat is None else player_at(state, line.seating, SEAT_NAMES[seat]),
            contract=computed.contract,
            trump=None if computed.contract is None else known_trump(state),
            outcome=computed.outcome,
            is_decided=chips is not None,
            chips=chips or (),
            stake=tuple((dealer, -chips) for dealer, chips in stake),
            pot_before=before,
            pot_after=None if before is None else pot_after_deal(after, computed, chips or ()),
        )
        return line, computed

    def _is_payable(self, line: LedgerLine, state: State, chips: Payments, pot: Pot | None) -> bool:
        """Whether what was ruled or settled can have been paid; otherwise a finding, and it does not count.

        ``pot``: what lies in the pool, None where there is none. Chips cannot come from nowhere, nor go to
        somebody who neither sits at the table nor plays its deals: the deal stands open until its record is
        corrected.
        """
        ending, taken = state.ending, chips_out_of_pool(chips)
        unknown_players = [player for player, _ in chips if player not in self.known_players]
        if unknown_players:
            code = "settlement_mismatch"
            message = format_message(
                "{players} did not play but stand in the payments; these do not count.",
                players=TextList(unknown_players, " and "),
            )
        elif pot is None and taken != 0:
            code = "settlement_mismatch"
            message = format_message(
                "The payments do not add up to 0, and there is no pool; they do not count."
            )
        elif pot is not None and taken > pot.total:
            code = "pool_mismatch"
            message = format_message(
                "The payments take {chips} out of the pool, which holds {lies}; they do not count.",
                chips=taken,
                lies=pot.total,
            )
        else:
            return True
        seq = ending.ruling_seq or ending.settlement_seq or state.opening.seq
        rule = "9. Ruling" if ending.ruling_seq else payment_section(state.opening.rules.ruleset)
        assert line.deal is not None
        self._add_finding(line.deal, seq, code, message, rule)
        return False

    def dealer_turn(self, game: int, number: int, rules: Ruleset) -> DealerTurn:
        """Whose turn it was to deal the deal of that number in a game."""
        players, known = self.players_in_game(game), self.game_state(game)
        first = self._with_dealer(_GameState(), players).next_dealer
        next_dealers = {0: first, **dict(known.next_dealers)}
        numbers = self.withdrawn_numbers.union(deal.number for deal in self.table.deals)
        # Who is due next was perhaps said since, or has gone home.
        turn = find_dealer_turn(
            number, next_dealers | {max(next_dealers): known.next_dealer}, numbers, players, rules
        )
        in_turn_dealer = known.in_turn_dealer
        if not known.next_dealers and self.table.first_dealer is None:
            return turn.with_dealers(*players)
        if turn.is_late or in_turn_dealer is None or in_turn_dealer not in players:
            return turn
        return turn.with_dealers(in_turn_dealer)

    def _find_seating(
        self, deal: str, state: State, number: int, rules: Ruleset, turn: DealerTurn
    ) -> Seating | None:
        """Who sat where: as recorded, else as expected; a difference is a finding."""
        players, opening_event = self.players_in_game(number), state.opening.event
        dealer = turn.expected_dealer
        if opening_event is not None:
            dealer = turn.match_dealer(opening_event.dealer, active_players(opening_event), players, rules)
        expected = None if dealer is None else seat_players(players, dealer, rules)
        if opening_event is None:
            return expected
        seating = complete_seating(opening_event, players, dealer, rules)
        recorded = opening_event.players.sitting_out
        sitting_out = () if expected is None else expected.sitting_out
        is_sitting_out_as_expected = set(recorded) == set(sitting_out) or not (recorded or rules.sitter_pays)
        is_seated_as_expected = expected is not None and (seating.dealer, *seating.active) == (
            expected.dealer,
            *expected.active,
        )
        if opening_event.board is None and not (is_seated_as_expected and is_sitting_out_as_expected):
            nobody = format_message("nobody can be seated")
            message = format_message(
                "By the record {recorded}; by the order of the deals {due}.",
                recorded=_describe_seating(seating, recorded),
                due=nobody if expected is None else _describe_seating(expected, sitting_out),
            )
            self._add_finding(deal, state.opening.seq, "seating_mismatch", message, "2. Deal")
        return seating

    def _compare_pool(self, deal: str, state: State, pot: Pot) -> None:
        recorded = recorded_pot(state)
        if recorded is not None and recorded != pot.opening_pot:
            message = format_message(
                "The deal is opened with {recorded}; by the earlier deals it is {due}.",
                recorded=describe_pot(recorded),
                due=describe_pot(pot.opening_pot),
            )
            self._add_finding(deal, state.opening.seq, "pool_mismatch", message, "8. Pool")

    def _find_next_dealer(
        self, state: State, line: LedgerLine, is_redealt: bool, rules: Ruleset, turn: DealerTurn
    ) -> str | None:
        """Whose deal is next: the same one's where it is dealt again; a board leaves the order alone."""
        expected_dealer, players = turn.expected_dealer, self.players_in_game(line.game or 0)
        if line.seating is None or _is_board(state):
            return expected_dealer
        dealer = line.seating.dealer
        if dealer not in players:
            dealer = find_dealer(players, line.seating.active, rules) or expected_dealer or dealer
        return dealer if is_redealt or dealer not in players else next_dealer(players, dealer, rules)

    def _find_in_turn_dealer(
        self, state: State, line: LedgerLine, is_redealt: bool, rules: Ruleset, turn: DealerTurn
    ) -> str | None:
        """Who would deal after a deal out of turn, had it been in turn; None after any other.

        Where people sit as if another player had dealt than the one named, that player may have dealt.
        """
        expected_dealer, players = turn.expected_dealer, self.players_in_game(line.game or 0)
        is_in_turn = line.seating is None or line.seating.dealer in turn.dealers
        if is_in_turn and line.seating is not None:
            expected_dealer = find_dealer(players, line.seating.active, rules)
            is_in_turn = expected_dealer is None or expected_dealer == line.seating.dealer
        if turn.is_late or _is_board(state) or is_in_turn or expected_dealer not in players:
            return None
        assert expected_dealer is not None
        return expected_dealer if is_redealt else next_dealer(players, expected_dealer, rules)

    def list_next_deals(self) -> Iterator[NextDeal]:
        """What the next deal of each game is opened with."""
        rules = self.table.rules.ruleset
        for number in range(len(split_into_games(self.table.players))):
            game, players = self.game_state(number), self.players_in_game(number)
            seating = None if game.next_dealer is None else seat_players(players, game.next_dealer, rules)
            if seating is not None:
                stake = 0 if rules.pool is None else rules.pool.stake
                pot = Pot(game.pot.pool + stake, game.pot.reserved).opening_pot
                yield NextDeal(
                    number,
                    self.table.next_number,
                    seating,
                    None if rules.pool is None else pot.pool,
                    pot.reserved,
                    later_seatings(players, seating.dealer, rules),
                    list_redeal_outcomes(rules),
                )

    def list_pots(self) -> tuple[Pot, ...]:
        """The pool of each game; empty where no rules have one."""
        count = max(len(split_into_games(self.table.players)), *(number + 1 for number in self.games), 0)
        pots = tuple(self.game_state(number).pot for number in range(count))
        return pots if self.table.rules.ruleset.pool is not None or any(pot.total for pot in pots) else ()

    def pool_shares(self) -> dict[str, int]:
        """What each player gets if the pools are divided now."""
        shares: list[tuple[str, int]] = []
        for number, pot in enumerate(self.list_pots()):
            players = self.players_in_game(number) or self.table.members or tuple(self.totals)
            shares += divide_pot(pot, players, self.game_state(number).next_dealer)
        return add_by_name(shares)


def compute_ledger(
    log: Log, deals: Mapping[str, EveningDeal], book: RulesetBook = PUBLISHED_RULESETS
) -> Ledger | None:
    """The ledger of a table: ``log`` is the table's, ``deals`` its deals by their streams' names.

    None where the log does not say how the table was opened. A deal that is not among ``deals``
    stands open and counts nothing but its stake.
    """
    evening = fold_evening(log, deals, book)
    return None if evening is None else _build_ledger(evening)


def fold_evening(
    log: Log, deals: Mapping[str, EveningDeal], book: RulesetBook = PUBLISHED_RULESETS
) -> LedgerBuilder | None:
    """The evening as far as it is recorded; None where the log opens no table."""
    opening, history = find_table_opening(log), effective(log)
    if opening is None:
        return None
    table = fold_table(log, book)
    members = () if table is None else table.members
    company = (*members, *list_named_players(deals))
    evening = LedgerBuilder(start_table(opening, book), deals, company, withdrawn_numbers(log))
    found = [*history.faults, *judge_table_opening(evening.table, log)]
    evening.findings += [TableFinding(None, one) for one in found]
    for entry in history.entries:
        evening.add_entry(entry)
    return evening


def _build_ledger(evening: LedgerBuilder) -> Ledger:
    table, shares = evening.table, evening.pool_shares()
    opening_event = table.opening_event
    settled = add_by_name((*evening.totals.items(), *shares.items()))
    planned = opening_event.plan.deals if opening_event.plan is not None else None
    counted = sum(line.deal is not None for line in evening.lines) - evening.redeal_count
    return Ledger(
        players=table.players,
        lines=tuple(evening.lines),
        totals=tuple(evening.totals.items()),
        penalties=tuple(evening.penalties.items()),
        pots=evening.list_pots(),
        shares=tuple(shares.items()),
        debts=compute_debts(settled),
        next_deals=() if table.is_closed else tuple(evening.list_next_deals()),
        deals_left=None if planned is None else max(planned - counted, 0),
        chip_value=parse_chip_value(opening_event.chip_value),
        currency=opening_event.currency,
        is_closed=table.is_closed,
        findings=tuple(evening.findings),
        voided=table.voided,
    )


def list_redeal_outcomes(rules: Ruleset) -> tuple[str, ...]:
    """The outcomes after which the same dealer deals once more."""
    return ("passed_out", "voided") if rules.all_pass == "same-dealer" else ("voided",)


def _is_board(state: State) -> bool:
    """Whether a deal was played from a board, which leaves the order of dealing alone."""
    return state.opening.event is not None and state.opening.event.board is not None


def _dealer_stake(seating: Seating | None, rules: Ruleset) -> Payments:
    """What the dealer lays into the pool, where the rules have one."""
    return () if seating is None or rules.pool is None else ((seating.dealer, rules.pool.stake),)


def _describe_seating(seating: Seating, sitting_out: tuple[str, ...]) -> Message:
    out = EMPTY_TEXT
    if sitting_out:
        out = format_message(", {players} sitting out", players=TextList(sitting_out, " and "))
    players = TextList(seating.active)
    return format_message(
        "{dealer} deals and {players} play{out}", dealer=seating.dealer, players=players, out=out
    )
