"""The rules of the Danish family once more: what may happen next in a deal, and what is paid for it.

Written from the rules concordance and the source texts alone, sharing no line with the engine, so that a
misreading on either side shows as a difference. Clarity before speed: every question folds the deal anew.

A deal is a list of events in the wire form, each a dict with a `type`; cards are "SA", seats "forehand".
Every card must be known (hands dealt, discards, draws, plays). An event that the game does not know of
(a note, a card shown, a settlement) changes nothing here.
"""

from itertools import product
from typing import Any

from tests.properties.slow.cards import PACK, beats, matadors, order_of_suit, suit_of
from tests.properties.slow.cards import playable as playable_by
from tests.properties.slow.cards import trick_winner as winner_by
from tests.properties.slow.rulesets import DLU, rules_of

__all__ = ["PACK", "beats", "matadors", "order_of_suit", "suit_of"]

Event = dict[str, Any]
Deal = dict[str, Any]

SEATS = ["forehand", "middlehand", "backhand"]  # in the order of play
TRUMPS_TO_NAME = {
    "simple": ["C", "D", "H"],
    "spade-game": ["S"],
    "solo": ["C", "D", "H"],
    "spade-solo": ["S"],
}
TURNED = ["tourne", "grand-tourne"]
NOLO = ["simple-nolo", "pure-nolo", "nolo-ouvert"]
SUIT_SOLO = ["solo", "spade-solo"]
SOLO = [*SUIT_SOLO, "grandissimo"]
MAY_GIVE_UP_AS_BETE = ["simple", "spade-game", "tourne", "grand-tourne"]

# The tables of `dlu`, by which the tests of the model and the generator's faults go.
RANK_OF_BID = {bid: rank for rank, group in enumerate(DLU["order"], 1) for bid in group}
NAMING_RIGHT = DLU["naming"]
TARIFF = DLU["payments"]


def playable(hand: list[str], led: str | None, trump: str | None) -> list[str]:
    """The cards that may be played by the rules of `dlu`."""
    return playable_by(hand, led, trump, DLU["privilege"])


def trick_winner(trick: list[tuple[str, str]], trump: str | None) -> str:
    """The seat that takes this complete trick, ponto being the fourth trump."""
    return winner_by(trick, trump)


def seats_from(seat: str) -> list[str]:
    """The three seats in the order of play, beginning with this one."""
    first = SEATS.index(seat)
    return SEATS[first:] + SEATS[:first]


# --- The deal so far ------------------------------------------------------------------------------


def fold(events: list[Event]) -> Deal:
    """What the events say, gathered: hands as dealt and as they are now, calls, contract, exchange, play."""
    deal: Deal = {
        "dealt": {seat: [] for seat in SEATS},
        "hands": {seat: [] for seat in SEATS},
        "calls": [],
        "discarded": {},  # seat: number of cards; 0 for one who stood
        "drawn": {},  # seat: number of cards
        "tricks": [],  # each a list of (seat, card)
        "announced": False,
        **dict.fromkeys(("contract", "declarer", "trump", "turned", "abandoned", "ruling")),
        "rules": rules_of(events[0] if events else {"ruleset": "dlu", "players": {}}),
    }
    for event in events:
        _take_in(deal, event)
    return deal


def _take_in(deal: Deal, event: Event) -> None:
    kind = event["type"]
    if kind == "hand_dealt":
        deal["dealt"][event["seat"]] = list(event["cards"])
    take_cards(deal, event)
    if kind == "bid_made":
        deal["calls"].append((event["seat"], event["bid"]))
    elif kind == "contract_named":
        deal["contract"] = event["contract"]
        deal["declarer"] = event["seat"]
        fixed = {"spade-game": "S", "spade-solo": "S", "grandissimo": "aces"}.get(event["contract"])
        deal["trump"] = fixed or event.get("trump")
    elif kind == "talon_turned":
        deal["turned"] = event["card"]
        deal["trump"] = event["card"][0]  # the printed suit, also of a black ace
    elif kind == "deal_abandoned":
        deal["abandoned"] = event.get("pays") or (_ways_to_give_up(deal) or ["bete"])[0]
    elif kind == "slam_announced":
        deal["announced"] = deal["announced"] or _may_announce(deal)
    elif kind == "ruling_made":
        deal["ruling"] = event


def take_cards(deal: Deal, event: Event) -> None:
    """What an event does to the hands, the exchange and the tricks of a deal."""
    kind, seat = event["type"], event.get("seat")
    if kind == "hand_dealt":
        deal["hands"][seat] = list(event["cards"])
    elif kind == "cards_discarded":
        deal["hands"][seat] = [card for card in deal["hands"][seat] if card not in event["cards"]]
        deal["discarded"][seat] = len(event["cards"])
    elif kind == "cards_drawn":
        deal["hands"][seat] = deal["hands"][seat] + event["cards"]
        deal["drawn"][seat] = len(event["cards"])
    elif kind == "card_played":
        deal["hands"][seat] = [card for card in deal["hands"][seat] if card != event["card"]]
        if not deal["tricks"] or len(deal["tricks"][-1]) == 3:
            deal["tricks"].append([])
        deal["tricks"][-1].append((seat, event["card"]))


# --- Auction --------------------------------------------------------------------------------------


def auction(calls: list[tuple[str, str]]) -> Deal:
    """Where two duels stand after these calls: `{"turn", "elder", "standing", "holder"}`.

    `turn` is the seat to speak (None: the auction is over), `elder` whether he is the elder of his duel,
    `standing` the bid to beat, `holder` who made it or took it over.
    """
    spoken = {seat for seat, _ in calls}
    passed = {seat for seat, call in calls if call == "pass"}
    standing = holder = None
    for seat, call in calls:
        if call == "self":
            holder = seat
        elif call != "pass":
            standing, holder = call, seat
    survivor = None
    turn = _to_speak("forehand", "middlehand", spoken, passed, holder)
    elder: str | None = "forehand"
    if turn is None:
        staying = [seat for seat in ("forehand", "middlehand") if seat not in passed]
        survivor = staying[0] if staying else None
        elder = survivor
        if survivor is not None:
            turn = _to_speak(survivor, "backhand", spoken, passed, holder)
        elif "backhand" not in spoken:
            turn = "backhand"
    return {"turn": turn, "elder": turn is not None and turn == elder, "standing": standing, "holder": holder}


def _to_speak(elder: str, younger: str, spoken: set[str], passed: set[str], holder: str | None) -> str | None:
    """Who speaks in a duel: each once, then whoever does not hold the standing bid, until one has passed."""
    if elder not in spoken:
        return elder
    if younger not in spoken:
        return younger
    if elder in passed or younger in passed:
        return None
    return elder if holder == younger else younger


def _calls(deal: Deal, duel: Deal) -> list[str]:
    """What the seat to speak may say, sorted."""
    seat, standing = duel["turn"], duel["standing"]
    rank_of = deal["rules"]["rank"]
    to_beat = rank_of[standing] if standing else 0
    outranking = [bid for bid, rank in rank_of.items() if rank > to_beat]
    calls = ["pass"] + [bid for bid in outranking if _may_hold(deal, seat, bid)]
    if standing and duel["elder"] and duel["holder"] != seat and _may_hold(deal, seat, standing):
        calls.append("self")
        for said, answer in deal["rules"].get("answers_as_self", []):
            if said == standing:
                calls.append(answer)
    return sorted(calls)


def _may_hold(deal: Deal, seat: str, bid: str) -> bool:
    """Grand-tourne is for one who was dealt both black aces; every other bid is free."""
    return bid != "grand-tourne" or {"SA", "CA"} <= set(deal["dealt"][seat])


# --- Exchange -------------------------------------------------------------------------------------


def talon_left(deal: Deal) -> int:
    """How many of the talon's thirteen cards have not been drawn; a turned card lies there until it is."""
    return 13 - sum(deal["drawn"].values())


def _exchange_order(deal: Deal) -> list[str]:
    contract, declarer, rules = deal["contract"], deal["declarer"], deal["rules"]
    if contract in ("pure-nolo", "nolo-ouvert"):
        return []
    if contract == "simple-nolo":
        return [declarer]
    _, following, last = seats_from(declarer)
    how = rules["solo_order"] if contract in SOLO else rules["order_after"]
    defenders = [following, last] if how == "next" else [last, following]
    if how == "sits-first":
        defenders = sorted(defenders, key=SEATS.index)
    return defenders if contract in SOLO else [declarer, *defenders]


def _exchange_due(deal: Deal) -> Deal | None:
    """The exchange or draw that comes next, None when all that may have had their turn."""
    for seat in _exchange_order(deal):
        if seat not in deal["discarded"]:
            if talon_left(deal) == 0:
                continue
            least = deal["rules"]["least"].get(deal["contract"], 0) if seat == deal["declarer"] else 0
            return {"seat": seat, "action": "exchange", "min": least, "max": min(9, talon_left(deal))}
        if deal["discarded"][seat] > 0 and seat not in deal["drawn"]:
            return {"seat": seat, "action": "draw", "count": deal["discarded"][seat]}
    return None


# --- Play -----------------------------------------------------------------------------------------


def _winner(deal: Deal, trick: list[tuple[str, str]]) -> str:
    return winner_by(trick, deal["trump"], deal["rules"]["red_ace_low"])


def _next_to_play(deal: Deal) -> tuple[str, str | None]:
    """The seat to play, and the card led to the trick (None: he leads)."""
    tricks = deal["tricks"]
    if not tricks:
        return "forehand", None
    if len(tricks[-1]) == 3:
        return _winner(deal, tricks[-1]), None
    leader, led = tricks[-1][0]
    done = [seat for seat, _ in tricks[-1]]
    return next(seat for seat in seats_from(leader) if seat not in done), led


def _play_is_over(deal: Deal, declarers: int, played: int) -> bool:
    """Whether a deal ends here, by declarer's tricks and all tricks played.

    With his fifth trick, unless he has won them all and may go on for all nine.
    """
    contract = deal["contract"]
    if played == 9:
        return True
    if contract in NOLO:
        ends_at = {"pure-nolo": 2, "nolo-ouvert": deal["rules"]["ouvert"], "simple-nolo": 9}[contract]
        return declarers >= ends_at
    if declarers < 5:
        return False
    return deal["rules"]["slam"] is None or declarers < played


def tricks_won(deal: Deal) -> tuple[dict[str, int], bool]:
    """Tricks of each seat, and whether the play is over. Tricks played after the end do not count."""
    tricks = dict.fromkeys(SEATS, 0)
    for trick in deal["tricks"]:
        if len(trick) == 3:
            tricks[_winner(deal, trick)] += 1
            if _play_is_over(deal, tricks[deal["declarer"]], sum(tricks.values())):
                return tricks, True
    return tricks, False


def slam_of(deal: Deal) -> str | None:
    """How a try for all nine tricks stands; None where there is none.

    "open", "made", "failed" (the game is won all the same), "lost" (the game is not won yet).
    """
    rules, contract = deal["rules"], deal["contract"]
    if rules["slam"] is None or contract in NOLO or contract is None:
        return None
    tricks, _ = tricks_won(deal)
    own, played = tricks[deal["declarer"]], sum(tricks.values())
    winners = [_winner(deal, trick) for trick in deal["tricks"][:5] if len(trick) == 3]
    led_to_sixth = len(deal["tricks"]) > 5 and winners == [deal["declarer"]] * 5
    if not (deal["announced"] or led_to_sixth):
        return None
    if own == played:
        return "made" if own == 9 else "open"
    return "failed" if own >= 5 else "lost"


# --- What may happen next -------------------------------------------------------------------------


def legal_of(events: list[Event]) -> dict[str, Any] | None:
    """What may happen next, as the "Legal" object without `also`; None when the deal is over."""
    deal = fold(events)
    if deal["abandoned"] or deal["ruling"]:
        return None
    duel = auction(deal["calls"])
    if deal["contract"] is None:
        if duel["turn"]:
            return {"seat": duel["turn"], "action": "bid", "calls": _calls(deal, duel)}
        return _naming(deal, duel) if duel["standing"] else None
    if deal["contract"] in TURNED and deal["turned"] is None:
        return {"seat": None, "action": "turn"}
    exchange = _exchange_due(deal)
    if exchange:
        return exchange
    if tricks_won(deal)[1]:
        return None
    seat, led = _next_to_play(deal)
    cards = playable_by(deal["hands"][seat], led, deal["trump"], deal["rules"]["privilege"])
    due: dict[str, Any] = {"seat": seat, "action": "play", "cards": cards}
    if _may_stop(deal, seat, led):
        due["optional"] = True
    return due


def _may_stop(deal: Deal, seat: str, led: str | None) -> bool:
    """Declarer has won the first five tricks, leads to the sixth, and has not announced anything."""
    tricks, _ = tricks_won(deal)
    at_the_sixth = led is None and tricks[seat] == sum(tricks.values()) == 5
    slam = deal["rules"]["slam"] is not None and deal["contract"] not in NOLO
    return slam and at_the_sixth and seat == deal["declarer"] and not deal["announced"]


def _naming(deal: Deal, duel: Deal) -> dict[str, Any]:
    named = deal["rules"]["naming"].get(duel["standing"], [duel["standing"]])
    contracts = [
        {"contract": contract, "trumps": list(TRUMPS_TO_NAME.get(contract, []))}
        for contract in sorted(named)
        if contract == duel["standing"] or _may_hold(deal, duel["holder"], contract)
    ]
    return {"seat": duel["holder"], "action": "name", "contracts": contracts}


def also(events: list[Event]) -> list[dict[str, Any]]:
    """What else is open, sorted: to give up, to announce all nine tricks. Claims are left out."""
    deal = fold(events)
    if deal["contract"] is None or legal_of(events) is None:
        return []
    declarer = deal["declarer"]
    found = [{"action": "abandon", "seat": declarer, "pays": pays} for pays in _ways_to_give_up(deal)]
    if _may_announce(deal):
        found.append({"action": "slam", "seat": declarer})
    return found


def _ways_to_give_up(deal: Deal) -> list[str]:
    """What declarer may give up as now.

    The union: bête in the four small games until two cards of trick 1 have been played, codille always.
    La Bete: bête in the same games, from the end of the exchange until he has played.
    """
    cards_played = [seat for trick in deal["tricks"] for seat, _ in trick]
    small = deal["contract"] in MAY_GIVE_UP_AS_BETE
    if deal["rules"]["give_up"] == "union":
        return ["bete", "codille"] if small and len(cards_played) < 2 else ["codille"]
    if deal["rules"]["give_up"] == "english":
        turned = deal["contract"] not in TURNED or deal["turned"] is not None
        begun = turned and _exchange_due(deal) is None
        return ["bete"] if small and begun and deal["declarer"] not in cards_played else []
    return []


def _may_announce(deal: Deal) -> bool:
    """Whether declarer of a game who has lost no trick may announce all nine now."""
    when = deal["rules"]["slam"]
    if when not in ("announced", "after-fifth") or deal["contract"] in NOLO or deal["announced"]:
        return False
    tricks, _ = tricks_won(deal)
    played = sum(tricks.values())
    led_to_next = bool(deal["tricks"]) and len(deal["tricks"][-1]) < 3
    if tricks[deal["declarer"]] < played or played > 5 or (played == 5 and led_to_next):
        return False
    return when == "announced" or played == 5


# --- What is paid ---------------------------------------------------------------------------------


def undecided(deal: Deal, declarer: str | None, tricks: dict[str, int]) -> dict[str, Any]:
    """The "Score" object of a deal of which nothing is settled yet."""
    open_yet = dict.fromkeys(("outcome", "slam", "payments", "pool"))
    return {
        "decided": False, "contract": deal["contract"], "declarer": declarer, "tricks": tricks, **open_yet
    }  # fmt: skip


def score_of(events: list[Event]) -> dict[str, Any]:
    """What the deal pays, as the "Score" object without `items`; `reachable` only while undecided."""
    deal = fold(events)
    duel = auction(deal["calls"])
    declarer = deal["declarer"] or (duel["holder"] if duel["turn"] is None else None)
    report = undecided(deal, declarer, dict.fromkeys(SEATS, 0))
    if deal["contract"] is None:
        if duel["turn"] is None and duel["standing"] is None:
            nothing = dict.fromkeys([*SEATS, *deal["rules"]["sitters"]], 0)
            return {**report, "decided": True, "outcome": "passed_out", "payments": nothing}
        return {**report, "reachable": {}}
    report["tricks"], _ = tricks_won(deal)
    if deal["ruling"]:
        return _forfeited(deal, report)
    if deal["abandoned"]:
        payments = payments_of(deal, deal["abandoned"], report["tricks"])
        return {**report, "decided": True, "outcome": "abandoned", "payments": payments}
    slam = slam_of(deal)
    if slam in ("made", "failed"):
        payments = payments_of(deal, "won", report["tricks"], 1 if slam == "made" else -1)
        return {**report, "decided": True, "outcome": "won", "slam": slam, "payments": payments}
    if slam == "open" and report["tricks"][deal["declarer"]] >= 5:
        return {**report, "reachable": _both_ends_of_slam(deal, report["tricks"])}
    reachable = _reachable(deal, report["tricks"])
    if slam in ("open", "lost"):
        return _with_a_lost_slam(deal, report, reachable, slam)
    if len(reachable) == 1 and None not in next(iter(reachable.values())).values():
        outcome, payments = next(iter(reachable.items()))
        return {**report, "decided": True, "outcome": outcome, "payments": payments}
    return {**report, "reachable": reachable}


def _both_ends_of_slam(deal: Deal, tricks: dict[str, int]) -> dict[str, Any]:
    made, failed = (payments_of(deal, "won", tricks, worth) for worth in (1, -1))
    return {"slam_made": made, "slam_failed": failed}


def _with_a_lost_slam(deal: Deal, report: Deal, reachable: dict[str, Any], slam: str) -> dict[str, Any]:
    """Announced before the game is won: won after a lost trick it costs one, lost it costs nothing more."""
    both = _both_ends_of_slam(deal, report["tricks"])
    if reachable.pop("won", None):
        reachable["slam_failed"] = both["slam_failed"]
    if slam == "open":
        reachable["slam_made"] = both["slam_made"]
    if len(reachable) > 1:
        return {**report, "reachable": reachable}
    name, payments = next(iter(reachable.items()))
    failed = name == "slam_failed"
    return {
        **report,
        "decided": True,
        "outcome": "won" if failed else name,
        "slam": "failed" if failed else None,
        "payments": payments,
    }


def _reachable(deal: Deal, tricks: dict[str, int]) -> dict[str, dict[str, int | None]]:
    """For each outcome what it would pay; None for a seat where that depends on the tricks to come."""
    found: dict[str, dict[str, int | None]] = {}
    for final in _courses(deal, tricks):
        outcome = outcome_of(deal["contract"], deal["declarer"], final, deal["rules"])
        due = payments_of(deal, outcome, final)
        earlier = found.get(outcome, due)
        found[outcome] = {name: chips if earlier[name] == chips else None for name, chips in due.items()}
    return dict(sorted(found.items()))


def _courses(deal: Deal, tricks: dict[str, int]) -> list[dict[str, int]]:
    """Every way in which the tricks can come to stand: the tricks to come may fall to anybody.

    A nolo that ends early ends at that trick.
    """
    declarer = deal["declarer"]
    ends_at = {"pure-nolo": 2, "nolo-ouvert": deal["rules"]["ouvert"]}.get(deal["contract"], 9)
    return [{**final, declarer: min(final[declarer], ends_at)} for final in all_courses(tricks)]


def all_courses(tricks: dict[str, int]) -> list[dict[str, int]]:
    """Every way in which the nine tricks can come to stand, so many being won."""
    to_come = 9 - sum(tricks.values())
    ways = (more for more in product(range(to_come + 1), repeat=3) if sum(more) == to_come)
    return [{seat: tricks[seat] + extra for seat, extra in zip(SEATS, more, strict=True)} for more in ways]


def _forfeited(deal: Deal, report: dict[str, Any]) -> dict[str, Any]:
    """What the director's ruling pays, that somebody has fouled up the exchange."""
    rate, declarer = deal["rules"]["payments"][deal["contract"]], deal["declarer"]
    at_fault, how = deal["ruling"]["at_fault"], deal["rules"]["foul"]
    everybody = [*SEATS, *deal["rules"]["sitters"]]
    if how is None:
        return {**report, "reachable": {}}
    opponents = len(everybody) - 1
    if how == "to-each" or at_fault == declarer:
        each = rate["won"] if how == "to-each" else rate["bete"]
        payments = {name: -each * opponents if name == at_fault else each for name in everybody}
    else:
        payments = dict.fromkeys(everybody, 0)
        payments[declarer], payments[at_fault] = rate["won"] * opponents, -rate["won"] * opponents
    return {**report, "decided": True, "outcome": "forfeited", "payments": payments}


def outcome_of(contract: str, declarer: str, tricks: dict[str, int], rules: Deal) -> str:
    """What a finished deal is, by the tricks of each seat."""
    own = tricks[declarer]
    if contract in NOLO:
        if own == 0:
            return "won"
        return "bete" if own == 1 and (contract != "nolo-ouvert" or rules["ouvert"] > 1) else "codille"
    others = [tricks[seat] for seat in SEATS if seat != declarer]
    if own > max(others):
        return "won"
    if own == max(others) or (others == [4, 4] and rules["four_four_is_bete"]):  # remis en quatre
        return "bete"
    return "codille"


def payments_of(deal: Deal, outcome: str, tricks: dict[str, int], slam: int = 0) -> dict[str, Any]:
    """Chips to (+) or from (-) each seat, and each sitter who shares; `slam` +1 made, -1 failed."""
    contract, declarer, rules = deal["contract"], deal["declarer"], deal["rules"]
    rate = rules["payments"][contract]
    if outcome == "won":
        gain = rate["won"] + slam
    elif outcome == "bete":
        gain = None if rate["bete"] is None else -rate["bete"]
    else:
        first = 1 if contract == "nolo-ouvert" and rules["ouvert"] == 1 else 2
        beyond = max(tricks[declarer] - first, 0) if contract in NOLO else 0
        due = rate["codille"][min(beyond, len(rate["codille"]) - 1)]
        gain = None if due is None else -due
    everybody = [*SEATS, *rules["sitters"]]
    if gain is None:  # the source does not say what this pays
        return dict.fromkeys(everybody)
    return {name: gain * (len(everybody) - 1) if name == declarer else -gain for name in everybody}
