"""English Ombre once more, from RULES 8 and source 003 alone: what may happen next, and what is paid.

Shares no line with the engine. As in `model`, a deal is a list of events in the wire form in which every
card is known, and every question folds it anew.
"""

from typing import Any

from tests.properties.slow.cards import playable, suit_of, trick_winner
from tests.properties.slow.model import SEATS, all_courses, seats_from, take_cards, talon_left, undecided

Event = dict[str, Any]
Deal = dict[str, Any]
Json = dict[str, Any]

OMBRE_RANK = {"play": 1, "favor": 2, "higher": 3, "voltereta": 4, "solo": 5, "oros": 6, "vole": 7}
BASE = {"play": 5, "favor": 5, "voltereta": 7, "solo": 8, "oros": 8, "gascarille": 8, "countervole": 5}
SUITS_OF = {"play": "CDHS", "favor": "D", "voltereta": "", "solo": "CHS", "oros": "D", "gascarille": ""}
STANDS_PAT = ["solo", "oros", "countervole", "favoured-solo"]
OMBRE_NAMES = {
    "play": ["play", "voltereta", "solo", "oros"],
    "favor": ["favor", "voltereta", "solo", "oros"],
    "higher": ["voltereta", "solo", "oros"],
    "voltereta": ["voltereta", "solo", "oros"],
    "solo": ["solo", "oros"],
    "oros": ["oros"],
    "vole": ["solo", "oros"],
}
# Tresillo: entrada, vuelta and solo; with a favoured suit each but vuelta has a form that outranks it, and
# what that pays the source does not say.
TRESILLO = ["play", "favoured-play", "voltereta", "solo", "favoured-solo"]
AFTER_ALL_PASS = ["countervole", "gascarille"]
VOLE = 30


# --- The deal so far ------------------------------------------------------------------------------


def fold(events: list[Event]) -> Deal:
    """What the events say, gathered."""
    opened = events[0]
    switches = {name.replace("_", "-"): value for name, value in opened.get("switches", {}).items()}
    favoured = switches.get("favoured-suit", "none")
    deal: Deal = {
        "tresillo": opened["ruleset"] == "tresillo",
        "favoured": None if favoured == "none" else favoured,
        "on": switches,
        "sitters": opened["players"].get("sitting_out", []),
        "pool": opened["pool"],
        "reserved": opened.get("reserved", []),
        "hands": {seat: [] for seat in SEATS},
        "calls": [],
        "discarded": {},
        "drawn": {},
        "yields": 0,
        "tricks": [],
        "accepted": [],
        "aside": False,
        **dict.fromkeys(("contract", "declarer", "trump", "at_lead", "offered", "first_ombre")),
    }
    for event in events[1:]:
        _take_in(deal, event)
    return deal


def _take_in(deal: Deal, event: Event) -> None:
    kind, seat = event["type"], event.get("seat")
    if kind == "bid_made":
        deal["calls"].append((seat, event["bid"]))
    elif kind == "contract_named":
        deal["contract"], deal["declarer"] = event["contract"], seat
        deal["trump"] = event.get("trump")
        if event["contract"] in ("favor", "oros"):
            deal["trump"] = "D"
        elif event["contract"].startswith("favoured"):
            deal["trump"] = deal["favoured"]
    elif kind == "trump_named":
        deal["trump"] = event["trump"]
    elif kind == "talon_turned":
        deal["trump"] = event["card"][0]
    elif kind == "puesta_reserved":
        deal["aside"] = True
    elif kind.startswith("surrender"):
        _take_surrender(deal, event)
    elif kind == "exchange_yielded":
        deal["yields"] += 1
    elif kind == "card_played" and deal["at_lead"] is None:
        deal["at_lead"] = {who: list(hand) for who, hand in deal["hands"].items()}
    take_cards(deal, event)


def _take_surrender(deal: Deal, event: Event) -> None:
    if event["type"] == "surrender_offered":
        deal["offered"] = event["seat"]
    elif event["answer"] == "accept":
        deal["accepted"].append(event["seat"])
    else:
        deal["first_ombre"], deal["declarer"] = deal["offered"], event["seat"]


# --- Auction --------------------------------------------------------------------------------------


def auction(deal: Deal) -> Json:
    """Where the auction stands: who is to speak, the standing bid and its holder, and in which round.

    `round` is 1, or 2 after all have passed, where an extra may be undertaken.
    """
    calls = deal["calls"]
    passed: list[str] = []
    standing = holder = None
    for place, (seat, call) in enumerate(calls):
        if len(passed) == 3:
            return _second_round(deal, calls[place:])
        if call == "pass":
            passed.append(seat)
        else:
            holder = seat
            standing = standing if call == "self" else call
    if len(passed) == 3:
        return _second_round(deal, [])
    left = [seat for seat in SEATS if seat not in passed]
    spoken = {seat for seat, _ in calls}
    if len(left) == 1 and left[0] in spoken:
        return {"turn": None, "standing": standing, "holder": holder, "round": 1}
    last = calls[-1][0] if calls else "backhand"
    turn = next(seat for seat in [*seats_from(last)[1:], last] if seat in left)
    return {"turn": turn, "standing": standing, "holder": holder, "round": 1}


def _second_round(deal: Deal, calls: list[tuple[str, str]]) -> Json:
    declined = [seat for seat, call in calls if call == "pass"]
    undertaken = [(seat, call) for seat, call in calls if call != "pass"]
    if undertaken:
        seat, call = undertaken[0]
        return {"turn": None, "standing": call, "holder": seat, "round": 2}
    waiting = [seat for seat in SEATS if seat not in declined]
    agreed = any(deal["on"].get(extra) for extra in AFTER_ALL_PASS)
    turn = waiting[0] if waiting and agreed else None
    return {"turn": turn, "standing": None, "holder": None, "round": 2}


def ranks_of(deal: Deal) -> dict[str, int]:
    """The bids of this table with their ranks."""
    if not deal["tresillo"]:
        return OMBRE_RANK
    bids = [bid for bid in TRESILLO if deal["favoured"] or not bid.startswith("favoured")]
    return {bid: rank for rank, bid in enumerate(bids, 1)}


def suits_of(deal: Deal, contract: str) -> list[str]:
    """The suits in which a contract may be named, sorted."""
    favoured = deal["favoured"]
    if contract.startswith("favoured"):
        return [favoured]
    if deal["tresillo"] and contract in ("play", "solo"):
        return [suit for suit in "CDHS" if suit != favoured]
    return list(SUITS_OF[contract])


def _calls(deal: Deal, now: Json) -> list[str]:
    """What the seat to speak may say, sorted."""
    if now["round"] == 2:
        return sorted(["pass", *(extra for extra in AFTER_ALL_PASS if deal["on"].get(extra))])
    standing, seat = now["standing"], now["turn"]
    calls = ["pass"]
    ranks = ranks_of(deal)
    open_here = {
        "favor": deal["on"].get("favor"),
        "vole": deal["on"].get("vole-challenge"),
        "higher": standing in ("play", "favor"),
    }
    to_beat = ranks[standing] if standing else 0
    calls += [bid for bid, rank in ranks.items() if rank > to_beat and open_here.get(bid, True)]
    if standing and now["holder"] != seat and SEATS.index(seat) < SEATS.index(now["holder"]):
        calls.append("self")
    return sorted(calls)


def spadille_has_to_play(deal: Deal, now: Json) -> str | None:
    """The holder of spadille, where it is forced to play; None where it is not, or lies in the talon."""
    if not deal["on"].get("forced-spadille") or now["round"] != 2 or now["holder"]:
        return None
    return next((seat for seat in SEATS if "SA" in deal["hands"][seat]), None)


def _namings(deal: Deal, bid: str, seat: str) -> list[Json]:
    """The contracts that may be named, each with its trumps, sorted."""
    if bid == "gascarille":
        return [{"contract": "gascarille", "trumps": []}]
    if bid == "countervole":
        hand = deal["hands"][seat]
        suits = [suit for suit in "CDHS" if any(suit_of(card, suit) == suit for card in hand)]
        return [{"contract": "countervole", "trumps": suits}]
    if deal["tresillo"]:
        ranks = ranks_of(deal)
        names = [name for name in ranks if ranks[name] >= ranks[bid]]
    else:
        names = OMBRE_NAMES[bid]
    return [{"contract": name, "trumps": suits_of(deal, name)} for name in sorted(names)]


# --- Exchange -------------------------------------------------------------------------------------


def _ombre(deal: Deal) -> str:
    """Who named the contract: the first Ombre, where another has taken his place."""
    return str(deal["first_ombre"] or deal["declarer"])


def _defenders(deal: Deal) -> list[str]:
    """The defenders in the order in which they choose: the next in order of play, unless he yields."""
    _, first, second = seats_from(_ombre(deal))
    return [second, first] if deal["yields"] == 1 else [first, second]


def exchange_due(deal: Deal) -> Json | None:
    """The exchange, draw or naming that is due before the play; None when the play may begin."""
    contract, ombre = deal["contract"], _ombre(deal)
    if contract == "countervole":
        return None
    order = _defenders(deal) if contract in STANDS_PAT else [ombre, *_defenders(deal)]
    for seat in order:
        if contract == "gascarille" and seat != ombre and deal["trump"] is None:
            return {"seat": ombre, "action": "name", "contracts": [
                {"contract": "gascarille", "trumps": ["C", "D", "H", "S"]}]}  # fmt: skip
        if seat not in deal["discarded"]:
            if talon_left(deal) == 0:
                continue
            least, most = (8, 8) if contract == "gascarille" and seat == ombre else (0, 9)
            if contract in STANDS_PAT and not any(deal["discarded"].values()):
                most = 8
            return {"seat": seat, "action": "exchange", "min": least, "max": min(most, talon_left(deal))}
        if deal["discarded"][seat] and seat not in deal["drawn"]:
            return {"seat": seat, "action": "draw", "count": deal["discarded"][seat]}
    return None


# --- Play -----------------------------------------------------------------------------------------


def tricks_of(deal: Deal) -> list[str]:
    """Who won each complete trick."""
    return [trick_winner(trick, deal["trump"]) for trick in deal["tricks"] if len(trick) == 3]


def challenged(deal: Deal) -> bool:
    """Whether the vole was challenged in the auction, by the Ombre who still plays."""
    return auction(deal)["standing"] == "vole" and deal["first_ombre"] is None


def play_is_over(deal: Deal) -> bool:
    """Whether the deal ends here.

    With nine tricks, or the countervole's first; with five, unless they are the first five; with the
    first that a challenger for the vole loses.
    """
    winners = tricks_of(deal)
    own, played = winners.count(deal["declarer"]), len(winners)
    if played == 9:
        return True
    if deal["contract"] == "countervole":
        return own > 0
    if challenged(deal) and own < played:
        return True
    return own >= 5 and (own < played or deal["first_ombre"] is not None)


def is_over(deal: Deal) -> bool:
    """Whether nothing more is to happen."""
    if len(set(deal["accepted"])) == 2:
        return True
    return deal["contract"] is not None and play_is_over(deal)


# --- What may happen next -------------------------------------------------------------------------


def legal_of(events: list[Event]) -> Json | None:
    """What may happen next, as the "Legal" object without `also`; None when the deal is over."""
    deal = fold(events)
    if is_over(deal):
        return None
    now = auction(deal)
    if deal["contract"] is None:
        return _due_in_auction(deal, now)
    if deal["contract"] == "voltereta" and deal["trump"] is None:
        return {"seat": None, "action": "turn"}
    return exchange_due(deal) or _due_in_play(deal)


def _due_in_auction(deal: Deal, now: Json) -> Json | None:
    if now["turn"]:
        due = {"seat": now["turn"], "action": "bid", "calls": _calls(deal, now)}
        return {**due, "optional": True} if now["round"] == 2 else due
    if now["holder"]:
        contracts = _namings(deal, now["standing"], now["holder"])
        return {"seat": now["holder"], "action": "name", "contracts": contracts}
    forced = spadille_has_to_play(deal, now)
    return forced and {"seat": forced, "action": "name", "contracts": _namings(deal, "play", forced)}  # type: ignore[return-value]


def _due_in_play(deal: Deal) -> Json:
    tricks = deal["tricks"]
    if not tricks or len(tricks[-1]) == 3:
        seat = trick_winner(tricks[-1], deal["trump"]) if tricks else "forehand"
        led = None
    else:
        leader, led = tricks[-1][0]
        seat = seats_from(leader)[len(tricks[-1])]
    cards = playable(deal["hands"][seat], led, deal["trump"], "higher")
    due: Json = {"seat": seat, "action": "play", "cards": cards}
    game = deal["contract"] != "countervole" and deal["first_ombre"] is None
    if game and led is None and tricks_of(deal) == [deal["declarer"]] * 5 and not challenged(deal):
        due["optional"] = True
    return due


def also(events: list[Event]) -> list[Json]:
    """What else is open, sorted: to answer a surrender, to offer one, to yield first choice."""
    deal, due = fold(events), legal_of(events)
    if due is None or deal["contract"] is None:
        return []
    found = []
    waiting = deal["offered"] is not None and deal["first_ombre"] is None
    if waiting:
        asked = [seat for seat in SEATS if seat not in (deal["offered"], *deal["accepted"])]
        found = [{"action": "answer", "seat": seat} for seat in asked]
    elif deal["offered"] is None and _may_surrender(deal, due):
        found.append({"action": "surrender", "seat": deal["declarer"]})
    yielding = _may_yield(deal, due)
    if yielding:
        found.append({"action": "yield", "seat": yielding})
    return sorted(found, key=lambda one: (one["action"], one["seat"]))


def _may_surrender(deal: Deal, due: Json) -> bool:
    """In a game, from the end of his own exchange until the fourth trick is begun."""
    if deal["contract"] == "countervole" or challenged(deal) or len(deal["tricks"]) > 3:
        return False
    his_turn = due["seat"] in (deal["declarer"], None)
    own_before_him = his_turn and due["action"] in ("exchange", "draw", "name", "turn")
    return not own_before_him and deal["trump"] is not None


def _may_yield(deal: Deal, due: Json) -> str | None:
    """The first defender to choose, who may leave that to the other; he may hand it back, once."""
    first, second = _defenders(deal)
    if due["action"] != "exchange" or due["seat"] != first or deal["yields"] > 1:
        return None
    return None if second in deal["discarded"] or first in deal["discarded"] else first


# --- What is paid ---------------------------------------------------------------------------------


def score_of(events: list[Event]) -> Json:
    """What the deal pays, as the "Score" object without `items`."""
    deal = fold(events)
    now = auction(deal)
    over_now = now["turn"] is None
    declarer = deal["declarer"] or (over_now and (now["holder"] or spadille_has_to_play(deal, now))) or None
    winners = tricks_of(deal) if deal["contract"] else []
    report = undecided(deal, declarer, {seat: winners.count(seat) for seat in SEATS})
    if deal["contract"] is None:
        return _before_the_contract(deal, now, report)
    if len(set(deal["accepted"])) == 2:
        return _settled(deal, report, "bete")
    report = _by_vole(deal, report, winners) or _by_tricks(deal, report)
    return report if deal["first_ombre"] is None else _with_parts(deal, report)


def _before_the_contract(deal: Deal, now: Json, report: Json) -> Json:
    out = now["round"] == 2 and now["holder"] is None and spadille_has_to_play(deal, now) is None
    if not out:
        return {**report, "reachable": {}}
    nothing = dict.fromkeys([*SEATS, *deal["sitters"]], 0)
    return {**report, "decided": True, "outcome": "passed_out", "payments": nothing, "pool": _untouched(deal)}


def _settled(deal: Deal, report: Json, outcome: str, slam: str | None = None) -> Json:
    paid = due(deal, outcome, report["tricks"], slam)
    if paid is None:  # over, and the source does not say what it pays
        return {**report, "reachable": {}}
    return {**report, "decided": True, "outcome": outcome, "slam": slam, "payments": paid[0], "pool": paid[1]}


def _by_vole(deal: Deal, report: Json, winners: list[str]) -> Json | None:
    """A try for the vole, made, lost or open; None where there is none."""
    own = winners.count(deal["declarer"])
    led = winners[:5] == [deal["declarer"]] * 5 and len(deal["tricks"]) > 5
    if deal["contract"] == "countervole" or deal["first_ombre"] or not (led or challenged(deal)):
        return None
    if own < len(winners):
        return _settled(deal, report, "won" if own >= 5 else "bete", "failed")
    if own == 9:
        return _settled(deal, report, "won", "made")
    made = due(deal, "won", report["tricks"], "made")
    lost = [due(deal, "won", report["tricks"], "failed")]
    if own < 5:
        lost.append(due(deal, "bete", report["tricks"], "failed"))
    names = [*SEATS, *deal["sitters"]]
    ways = [paid[0] if paid else dict.fromkeys(names) for paid in lost]
    failed = {name: ways[0][name] if len({way[name] for way in ways}) == 1 else None for name in names}
    return {
        **report,
        "reachable": {"slam_made": made[0] if made else dict.fromkeys(names), "slam_failed": failed},
    }


def _by_tricks(deal: Deal, report: Json) -> Json:
    """Decided as soon as no continuation can change what is paid; else what each outcome would pay."""
    names = [*SEATS, *deal["sitters"]]
    found: dict[str, Json] = {}
    for final in _courses(deal, report["tricks"]):
        outcome = outcome_of(deal, final)
        for five in _primeras_possible(deal, outcome):
            paid = due(deal, outcome, final, None, five)
            chips: Json = paid[0] if paid else dict.fromkeys(names)
            earlier = found.setdefault(outcome, dict(chips))
            found[outcome] = {name: earlier[name] if earlier[name] == chips[name] else None for name in names}
    if len(found) == 1:
        ((outcome, chips),) = found.items()
        if None not in chips.values():
            return _settled(deal, report, outcome)
    return {**report, "reachable": found}


def _primeras_possible(deal: Deal, outcome: str) -> list[bool]:
    """Whether the first five tricks were his: known, or both ways while it may still become so."""
    winners = tricks_of(deal)[:5]
    if outcome != "won" or deal["contract"] == "countervole" or deal["first_ombre"]:
        return [False]
    if any(winner != deal["declarer"] for winner in winners):
        return [False]
    return [True] if len(winners) == 5 else [False, True]


def _courses(deal: Deal, tricks: dict[str, int]) -> list[dict[str, int]]:
    """Every way in which the tricks can still fall; the countervole ends with his first."""
    if play_is_over(deal):
        return [tricks]
    declarer, most = deal["declarer"], 1 if deal["contract"] == "countervole" else 9
    return [{**final, declarer: min(final[declarer], most)} for final in all_courses(tricks)]


def outcome_of(deal: Deal, tricks: dict[str, int]) -> str:
    """Sacada, puesta or codille."""
    own = tricks[deal["declarer"]]
    others = sorted(tricks[seat] for seat in SEATS if seat != deal["declarer"])
    if deal["contract"] == "countervole":
        return "won" if own == 0 else "bete"
    if own > others[1]:
        return "won"
    return "bete" if own == others[1] or others == [4, 4] else "codille"


Due = tuple[dict[str, int], Json]


def due(
    deal: Deal, outcome: str, tricks: dict[str, int], slam: str | None = None, five: bool | None = None
) -> Due | None:
    """Payments and pool for an outcome; None where the source does not say, or the play has not shown it."""
    if deal["first_ombre"]:
        both = both_due(deal, outcome)
        return None if both is None else both[2]
    names, ombre, pool = [*SEATS, *deal["sitters"]], deal["declarer"], deal["pool"]
    if deal["contract"] not in BASE:
        return None  # in the favoured suit: how much more, the source does not say
    opponents, base = len(names) - 1, BASE[deal["contract"]]
    if outcome == "bete" and slam:
        chips = {name: VOLE if name != ombre else -VOLE * opponents for name in names}
        return chips, _untouched(deal)
    if outcome == "won":
        honours = estuches(deal)
        if honours is None:
            return None
        if five is None:
            five = tricks_of(deal)[:5] == [ombre] * 5 and deal["contract"] != "countervole"
        each = {"made": VOLE, "failed": -VOLE}.get(slam or "", base + five) + honours
        chips = {name: -each if name != ombre else each * opponents + pool for name in names}
        return chips, _taken(deal)
    puesta = pool + base * opponents
    chips = {name: -puesta if name == ombre else 0 for name in names}
    if outcome == "bete":
        return chips, _into_pool(deal, puesta)
    most = max((seat for seat in SEATS if seat != ombre), key=lambda seat: tricks[seat])
    chips[most] += puesta
    return chips, _untouched(deal)


def _untouched(deal: Deal) -> Json:
    return {"before": deal["pool"], "after": deal["pool"], "reserved": list(deal["reserved"])}


def _taken(deal: Deal) -> Json:
    """The pool is won; the largest puesta that was set aside is the next."""
    waiting = sorted(deal["reserved"], reverse=True)
    return {"before": deal["pool"], "after": sum(waiting[:1]), "reserved": waiting[1:]}


def _into_pool(deal: Deal, puesta: int) -> Json:
    """The pool after a puesta, or with it set aside: where the loser says so, or from the agreed size on."""
    pool, reserved, limit = deal["pool"], list(deal["reserved"]), deal["on"].get("reserve-at", 0)
    if deal["aside"] or (limit and pool >= limit):
        return {"before": pool, "after": pool, "reserved": [*reserved, puesta]}
    return {"before": pool, "after": pool + puesta, "reserved": reserved}


def estuches(deal: Deal) -> int | None:
    """The run of top trumps with which Ombre began the play, or which he lacked; None before that."""
    if deal["contract"] == "countervole":
        return 0
    due_before = deal["trump"] is None or exchange_due(deal) is not None
    hands = deal["at_lead"] or (None if due_before else deal["hands"])
    if hands is None:
        return None
    suit, hand = deal["trump"], hands[deal["declarer"]]
    ladder = ["SA", suit + ("2" if suit in "CS" else "7"), "CA"]
    ladder += [suit + rank for rank in ("KQJ76543" if suit in "CS" else "AKQJ23456")]
    has_spadille, run = "SA" in hand, 0
    while run < len(ladder) and (ladder[run] in hand) == has_spadille:
        run += 1
    return min(run, int(deal["on"].get("estuches-most", 5)))


# --- A surrender forbidden ------------------------------------------------------------------------


def both_due(deal: Deal, outcome: str) -> tuple[Due, Due, Due] | None:
    """What the first Ombre pays, what the new one, and both together; None for the new one's codille."""
    if outcome == "codille" or deal["contract"] not in BASE:
        return None
    first, new, pool = deal["first_ombre"], deal["declarer"], deal["pool"]
    names, base = [*SEATS, *deal["sitters"]], BASE[deal["contract"]]
    puesta = pool + base * (len(names) - 1)
    one, two = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    one[first] -= puesta
    if outcome == "bete":
        two[new] -= puesta
        pools = [_into_pool(deal, puesta), _into_pool(deal, 2 * puesta)]
    else:
        one[new] += puesta
        others = [name for name in names if name not in (first, new)]
        for name in others:
            two[name] -= base
        two[new] += pool + base * len(others)
        pools = [_untouched(deal), _taken(deal)]
    together = {name: one[name] + two[name] for name in names}
    return (one, pools[0]), (two, pools[1]), (together, pools[1])


def _with_parts(deal: Deal, report: Json) -> Json:
    """The score with what each of the two declarers pays or is paid."""
    shared = {name: value for name, value in report.items() if name != "reachable"}
    outcome = report["outcome"]
    his = {"won": "codille", "bete": "bete"}.get(outcome)
    first, second = {**shared, "declarer": deal["first_ombre"], "outcome": his}, dict(shared)
    both = both_due(deal, outcome) if report["decided"] else None
    if both:
        first |= {"payments": both[0][0], "pool": both[0][1]}
        second |= {"payments": both[1][0], "pool": both[1][1]}
    return {**report, "parts": [first, second]}
