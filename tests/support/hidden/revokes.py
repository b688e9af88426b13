"""A game in hearts, and six tricks of which one holds a revoke."""

from tests.support.engine.shorthand import Event, named, opened, said, stands


def game(ruleset: str = "dlu") -> list[Event]:
    contract = "simple" if ruleset == "dlu" else "play"
    events = opened(ruleset=ruleset) + said(f"F {contract}, M pass, B pass")
    return events + named("F", contract, "H") + stands()


SIX_TRICKS = (
    "F-SA M-H3 B-H4 F-H7 M-C4 B-H5 F-SK M-S3 B-S4 F-CK M-C5 B-C6 F-D2 M-DK B-D3 "
    "M-H6"  # trick 6: a trump that was not given to the second
)
