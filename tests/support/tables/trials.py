"""Trials: evenings with five errors of different kinds: the report names each of them, and nothing else."""

import random
from typing import NamedTuple

from engine.tables.evening_faults import EveningFault
from engine.tables.table_report import TableReport, compile_table_report
from tests.support.tables.evenings import Evening, evening
from tests.support.tables.planting import PLANTERS, Planted, found_at

DEALS = 40
DOUBLINGS = ("doubled_entry", "doubled_deal")


class Trial(NamedTuple):
    """An evening, what is planted in it, and what is reported of it."""

    evening: Evening
    planted: tuple[Planted, ...]
    report: TableReport

    @property
    def named(self) -> bool:
        """Whether each error is named at its deal and entry, and nothing else is."""
        faults = self.report.faults
        hits = [[one for one in faults if names(one, planted)] for planted in self.planted]
        return len(faults) == len(self.planted) and all(len(hit) == 1 for hit in hits)


def names(fault: EveningFault, planted: Planted) -> bool:
    """Whether a fault names an error: at its deal, by its code, and at its entry, or with it as evidence."""
    one = fault.finding
    if fault.number != planted.deal + 1:
        return False
    if planted.code != "misprint_likely":
        return (one.code, one.seq) == (planted.code, planted.seq)
    return one.severity == "impossible" and planted.seq in one.evidence


def reported(made: Evening) -> TableReport:
    report = compile_table_report(made.log(), made.logs())
    assert report is not None
    return report


def trial(seed: object, ruleset: str, *, hidden: bool, deals: int = DEALS, doubling: str = "") -> Trial:
    """An evening of so many deals with five errors planted in it.

    A wrong settlement, a revoke, a card in place of another, an entry or a whole deal that is there twice
    (``doubling`` says which), and a wrong dealer: written down so, or really out of turn.
    """
    rng = random.Random(f"{seed} {ruleset} {hidden}")
    doubling = doubling or rng.choice(DOUBLINGS)
    count = deals - (doubling == "doubled_deal")
    revoked = rng.randrange(count)
    really = rng.random() < 0.5
    out_of_turn = rng.choice([one for one in range(1, count) if one != revoked]) if really else None
    made = evening(
        rng, ruleset, count=count, players=rng.choice((3, 4)), hidden=hidden, revoke_in=revoked,
        out_of_turn=out_of_turn,
    )  # fmt: skip
    made.touched |= {revoked} if out_of_turn is None else {revoked, out_of_turn}
    planted = [PLANTERS[doubling](rng, made)]
    if doubling == "doubled_deal":
        copy = planted[0].deal
        revoked += revoked >= copy
        out_of_turn = None if out_of_turn is None else out_of_turn + (out_of_turn >= copy)
    kinds = ["wrong_settlement", "swapped_card", *([] if really else ["wrong_dealer"])]
    planted += [PLANTERS[kind](rng, made) for kind in kinds]
    if out_of_turn is not None:
        planted.append(Planted("dealer out of turn", out_of_turn, 1, "seating_mismatch"))
    (seq,) = found_at(made.deals[revoked], "revoke")
    assert isinstance(seq, int)
    planted.append(Planted("revoke", revoked, seq, "revoke"))
    return Trial(made, tuple(planted), reported(made))
