"""The goals of a bench: its status is 1 where one is missed, unless it is only to measure (`--goals off`)."""

from __future__ import annotations

import argparse


def bench_options(description: str) -> argparse.ArgumentParser:
    """The options that every bench has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--goals", choices=("on", "off"), default="on", help="off: only measure")
    return parser


class Goals:
    """What was measured, held to what is asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._on, self._missed = options.goals == "on", 0

    def at_least(self, name: str, measured: float, goal: float) -> None:
        """Hold a figure to the least that it may be."""
        self._hold(name, measured, goal, "at least", measured >= goal)

    def at_most(self, name: str, measured: float, goal: float) -> None:
        """Hold a figure to the most that it may be."""
        self._hold(name, measured, goal, "at most", measured <= goal)

    def _hold(self, name: str, measured: float, goal: float, asked: str, reached: bool) -> None:
        if self._on and not reached:
            self._missed += 1
            print(f"missed: {name} is {measured:,.2f}; asked for is {asked} {goal:,.2f}")

    def status(self) -> int:
        """What the bench ends with."""
        return 1 if self._missed else 0
