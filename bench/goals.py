"""The goals of a benchmark: its exit status is 1 if one is missed, unless it only measures (`--goals
off`)."""

from __future__ import annotations

import argparse

from engine import fold


def choose_goal(plain: float, compiled: float) -> float:
    """The goal for the engine that runs, in plain Python or compiled."""
    return plain if fold.__file__.endswith(".py") else compiled


def build_bench_parser(description: str) -> argparse.ArgumentParser:
    """The options of every benchmark."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--goals", choices=("on", "off"), default="on", help="off: only measure")
    return parser


class BenchGoals:
    """Compares measurements with goals."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._is_enforced, self._missed_count = options.goals == "on", 0

    def check_at_least(self, name: str, value: float, goal: float) -> None:
        """Compare a measurement with its minimum."""
        self._check(name, value, goal, "at least", value >= goal)

    def check_at_most(self, name: str, value: float, goal: float) -> None:
        """Compare a measurement with its maximum."""
        self._check(name, value, goal, "at most", value <= goal)

    def _check(self, name: str, value: float, goal: float, relation: str, is_met: bool) -> None:
        if self._is_enforced and not is_met:
            self._missed_count += 1
            print(f"missed: {name} is {value:,.2f}; asked for is {relation} {goal:,.2f}")

    def exit_status(self) -> int:
        """The exit status of the benchmark."""
        return 1 if self._missed_count else 0
