"""Judged events a second, compared with python-chess's checked moves in the same process.

Every event of random legal ``dlu`` deals is judged and folded as those of every file and every append are;
every move of random chess games is looked up among the legal ones and played. The two take turns, round after
round; the output is the median of the rounds. More is asked of a compiled engine (`make fast`).

    python -m bench.engine
"""

import random
import statistics
import sys
import time

import chess

from bench.deals import random_deals
from bench.goals import BenchGoals, build_bench_parser, choose_goal
from engine import INITIAL_STATE
from engine.audit import judge_history
from engine.play.history import History, effective

PLIES_PER_GAME = 80
RATIO_GOAL = choose_goal(plain=2.8, compiled=8.0)


def judge_deals(deals: list[History]) -> int:
    """Fold and judge every deal; returns the number of findings, which is 0 for legal deals."""
    return sum(len(judge_history(deal, INITIAL_STATE)[1]) for deal in deals)


def random_chess_games(count: int, plies: int, seed: int = 1) -> list[list[chess.Move]]:
    """Random legal chess games as lists of moves."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        board = chess.Board()
        moves: list[chess.Move] = []
        while len(moves) < plies and (legal := list(board.legal_moves)):
            moves.append(rng.choice(legal))
            board.push(moves[-1])
        games.append(moves)
    return games


def check_chess_games(games: list[list[chess.Move]]) -> int:
    """Play every game with each move checked; returns the number of illegal moves, which is 0."""
    illegal = 0
    for moves in games:
        board = chess.Board()
        for move in moves:
            illegal += move not in board.legal_moves
            board.push(move)
    return illegal


def main() -> int:
    """Measure both; print a line for each, and the ratio."""
    parser = build_bench_parser("Judged events beside the checked moves of python-chess.")
    parser.add_argument("--rounds", type=int, default=15, help="an odd number has a true median")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    goals = BenchGoals(options)
    deals = [effective(deal) for deal in random_deals(options.deals)]
    games = random_chess_games(options.games, PLIES_PER_GAME)
    events, moves = sum(len(deal.entries) for deal in deals), sum(map(len, games))
    ours, theirs = [], []
    for _ in range(options.rounds):
        start = time.process_time()
        assert judge_deals(deals) == 0
        middle = time.process_time()
        assert check_chess_games(games) == 0
        end = time.process_time()
        ours.append(events / (middle - start))
        theirs.append(moves / (end - middle))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(
        f"engine: judged events      {statistics.median(ours):>10,.0f} /s  "
        f"({events} events, {len(deals)} deals)"
    )
    print(
        f"python-chess: checked moves{statistics.median(theirs):>10,.0f} /s  "
        f"({moves} moves, {len(games)} games)"
    )
    print(f"ratio                      {ratio:>10.2f}    (asked for: {RATIO_GOAL:.1f})")
    goals.check_at_least("the ratio to python-chess", ratio, RATIO_GOAL)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
