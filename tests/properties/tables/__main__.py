"""The report of an evening with errors planted in it: `python -m tests.properties.tables --evenings 20`.

For each ruleset, with all cards told and with some hidden, how many evenings were tried and in how many the
report named each error at its deal and entry, and nothing else. With `--show dlu` one such evening's report
is printed for a reader instead, in `--lang da` or `en`.
"""

import argparse
import sys
import time

from tests.support.hidden.records import RULESETS
from tests.support.tables.trials import DEALS, reported, trial


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.properties.tables", description=__doc__)
    parser.add_argument("--evenings", type=int, default=5)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--ruleset", choices=RULESETS, action="append", help="only this; repeatable")
    parser.add_argument("--show", metavar="RULESET", choices=RULESETS, help="print one report for a reader")
    parser.add_argument("--hidden", action="store_true", help="with --show: some cards hidden")
    parser.add_argument("--lang", choices=("en", "da"), default="en")
    asked = parser.parse_args()
    if asked.show:
        return show(asked)
    wrong = 0
    for ruleset in asked.ruleset or RULESETS:
        for hidden in (False, True):
            wrong += run_trials(asked, ruleset, hidden=hidden)
    return 1 if wrong else 0


def run_trials(asked: argparse.Namespace, ruleset: str, *, hidden: bool) -> int:
    """Prints a line for one ruleset; how many evenings were not told as they are."""
    named, longest, missed = 0, 0.0, []
    for number in range(asked.evenings):
        seed = f"{asked.seed}.{number}"
        one = trial(seed, ruleset, hidden=hidden, deals=asked.deals)
        begun = time.perf_counter()
        reported(one.evening)
        longest = max(longest, time.perf_counter() - begun)
        named += one.named
        if not one.named:
            found = [(fault.number, fault.finding.code, fault.finding.seq) for fault in one.report.faults]
            missed.append(f"  seed {seed}: {found} where {[tuple(planted) for planted in one.planted]}")
    told = "some cards hidden" if hidden else "all cards told"
    print(
        f"{ruleset:16} {told:17} {asked.evenings:>4} evenings of {asked.deals} deals: "
        f"all five and nothing else in {named}; longest report {longest:.2f} s",
        flush=True,
    )
    print("".join(f"{line}\n" for line in missed), end="")
    return asked.evenings - named


def show(asked: argparse.Namespace) -> int:
    from service.cli.views.table_reports import table_report_lines
    from service.presentation.text.style import TextStyle

    one = trial(asked.seed, asked.show, hidden=asked.hidden, deals=asked.deals)
    for planted in one.planted:
        print(f"planted: {planted.kind} in deal {planted.deal + 1}, entry {planted.seq}")
    print()
    print("\n".join(table_report_lines(one.report, "an evening", TextStyle(lang=asked.lang))))
    return 0 if one.named else 1


if __name__ == "__main__":
    sys.exit(main())
