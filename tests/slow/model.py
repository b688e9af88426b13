"""The rules of `dlu` once more: what may happen next in a deal, and what is paid for it.

Written from the rules concordance and the source text alone, sharing no line with the engine, so that a
misreading on either side shows as a difference. Clarity before speed: every question folds the deal anew.

A deal is a list of events in the wire form, each a dict with a `type`; cards are "SA", seats "forehand".
Every card must be known (hands dealt, discards, draws, plays). An event that the game does not know of
(a note, a card shown, a settlement) changes nothing here.
"""

from itertools import product
from typing import Any

Event = dict[str, Any]
Deal = dict[str, Any]

SEATS = ["forehand", "middlehand", "backhand"]  # in the order of play
SUITS = ["S", "H", "D", "C"]
PACK = [suit + rank for suit in SUITS for rank in "AKQJ765432"]

RANK_OF_BID = {
    "simple": 1,
    "spade-game": 2,
    "simple-nolo": 3,
    "tourne": 3,
    "grand-tourne": 4,
    "solo": 5,
    "spade-solo": 6,
    "pure-nolo": 6,
    "nolo-ouvert": 7,
}

# The contracts that a winning bid gives the right to name; any other bid is its own and only contract.
NAMING_RIGHT = {"simple": ["simple", "simple-nolo", "spade-game", "tourne"]}
TRUMPS_TO_NAME = {
    "simple": ["C", "D", "H"],
    "spade-game": ["S"],
    "solo": ["C", "D", "H"],
    "spade-solo": ["S"],
}
TURNED = ["tourne", "grand-tourne"]
NOLO = ["simple-nolo", "pure-nolo", "nolo-ouvert"]
SOLO = ["solo", "spade-solo"]
LEAST_EXCHANGE = {"simple": 0, "spade-game": 0, "tourne": 2, "grand-tourne": 2, "simple-nolo": 1}
MAY_GIVE_UP_AS_BETE = ["simple", "spade-game", "tourne", "grand-tourne"]

# Chips from or to each opponent. In nolo-ouvert a single trick is already codille: its bête is in the printed
# table, but only one who wrongly gave up against bête could come to pay it.
TARIFF = {
    "simple": {"won": 1, "bete": 1, "codille": 2},
    "spade-game": {"won": 1, "bete": 1, "codille": 2},
    "simple-nolo": {"won": 2, "bete": 2, "codille": 3},
    "tourne": {"won": 2, "bete": 2, "codille": 3},
    "grand-tourne": {"won": 3, "bete": 3, "codille": 4},
    "solo": {"won": 3, "bete": 3, "codille": 4},
    "spade-solo": {"won": 4, "bete": 4, "codille": 5},
    "pure-nolo": {"won": 4, "bete": 4, "codille": 5},
    "nolo-ouvert": {"won": 6, "bete": 6, "codille": 7},
}


# --- Cards ----------------------------------------------------------------------------------------


def matadors(trump: str) -> list[str]:
    """Spadille, manille and basta of this trump suit, the highest first."""
    return ["SA", trump + ("2" if trump in "SC" else "7"), "CA"]


def order_of_suit(suit: str, trump: str | None) -> list[str]:
    """All cards that count as this suit, the highest first. `trump` is None in nolo."""
    if suit == trump:
        rest = "KQJ76543" if suit in "SC" else "AKQJ23456"
        return matadors(suit) + [suit + rank for rank in rest]
    if suit in "HD":
        return [suit + rank for rank in "KQJA234567"]
    plain = [suit + rank for rank in "KQJ765432"]
    return plain if trump else [*plain, suit + "A"]  # with a trump suit both black aces are trumps


def suit_of(card: str, trump: str | None) -> str:
    """The suit a card counts as: the black aces are trumps wherever there is a trump suit."""
    if trump is not None and card in ("SA", "CA"):
        return trump
    return card[0]


def beats(card: str, other: str, trump: str | None) -> bool:
    """Whether `card`, played after `other`, takes the trick from it."""
    suit, other_suit = suit_of(card, trump), suit_of(other, trump)
    if suit != other_suit:
        return suit == trump
    order = order_of_suit(suit, trump)
    return order.index(card) < order.index(other)


def playable(hand: list[str], led: str | None, trump: str | None) -> list[str]:
    """The cards of `hand` that may be played to a trick to which `led` was led (None: he leads), sorted."""
    if led is None:
        return sorted(hand)
    suit = suit_of(led, trump)
    following = [card for card in hand if suit_of(card, trump) == suit]
    if not following:
        return sorted(hand)
    if suit == trump:
        only_matadors = all(card in matadors(trump) for card in following)
        if only_matadors and any(beats(card, led, trump) for card in following):
            return sorted(hand)  # the matador privilege: he need not give up a matador that beats the lead
    return sorted(following)


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
        "contract": None,
        "declarer": None,
        "trump": None,
        "turned": None,
        "discarded": {},  # seat: number of cards; 0 for one who stood
        "drawn": {},  # seat: number of cards
        "tricks": [],  # each a list of (seat, card)
        "abandoned": None,
    }
    for event in events:
        _take_in(deal, event)
    return deal


def _take_in(deal: Deal, event: Event) -> None:
    kind = event["type"]
    if kind == "hand_dealt":
        deal["dealt"][event["seat"]] = list(event["cards"])
        deal["hands"][event["seat"]] = list(event["cards"])
    elif kind == "bid_made":
        deal["calls"].append((event["seat"], event["bid"]))
    elif kind == "contract_named":
        deal["contract"] = event["contract"]
        deal["declarer"] = event["seat"]
        fixed = "S" if event["contract"] in ("spade-game", "spade-solo") else None
        deal["trump"] = fixed or event.get("trump")
    elif kind == "talon_turned":
        deal["turned"] = event["card"]
        deal["trump"] = event["card"][0]  # the printed suit, also of a black ace
    elif kind == "cards_discarded":
        _take_away(deal["hands"][event["seat"]], event["cards"])
        deal["discarded"][event["seat"]] = len(event["cards"])
    elif kind == "cards_drawn":
        deal["hands"][event["seat"]] += event["cards"]
        deal["drawn"][event["seat"]] = len(event["cards"])
    elif kind == "card_played":
        _take_away(deal["hands"][event["seat"]], [event["card"]])
        if not deal["tricks"] or len(deal["tricks"][-1]) == 3:
            deal["tricks"].append([])
        deal["tricks"][-1].append((event["seat"], event["card"]))
    elif kind == "deal_abandoned":
        deal["abandoned"] = event.get("pays") or _pays_for_giving_up(deal)


def _take_away(hand: list[str], cards: list[str]) -> None:
    for card in cards:
        if card in hand:
            hand.remove(card)


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
    to_beat = RANK_OF_BID[standing] if standing else 0
    outranking = [bid for bid, rank in RANK_OF_BID.items() if rank > to_beat]
    calls = ["pass"] + [bid for bid in outranking if _may_hold(deal, seat, bid)]
    if standing and duel["elder"] and duel["holder"] != seat and _may_hold(deal, seat, standing):
        calls.append("self")
    return sorted(calls)


def _may_hold(deal: Deal, seat: str, bid: str) -> bool:
    """Grand-tourne is for one who was dealt both black aces; every other bid is free."""
    return bid != "grand-tourne" or {"SA", "CA"} <= set(deal["dealt"][seat])


# --- Exchange -------------------------------------------------------------------------------------


def talon_left(deal: Deal) -> int:
    """How many of the talon's thirteen cards have not been drawn; a turned card lies there until it is."""
    return 13 - sum(deal["drawn"].values())


def _exchange_order(deal: Deal) -> list[str]:
    contract, declarer = deal["contract"], deal["declarer"]
    if contract in ("pure-nolo", "nolo-ouvert"):
        return []
    if contract == "simple-nolo":
        return [declarer]
    if contract in SOLO:
        return [seat for seat in SEATS if seat != declarer]  # who sits first, exchanges first
    return seats_from(declarer)


def _exchange_due(deal: Deal) -> Deal | None:
    """The exchange or draw that comes next, None when all that may have had their turn."""
    for seat in _exchange_order(deal):
        if seat not in deal["discarded"]:
            if talon_left(deal) == 0:
                continue
            least = LEAST_EXCHANGE[deal["contract"]] if seat == deal["declarer"] else 0
            return {"seat": seat, "action": "exchange", "min": least, "max": min(9, talon_left(deal))}
        if deal["discarded"][seat] > 0 and seat not in deal["drawn"]:
            return {"seat": seat, "action": "draw", "count": deal["discarded"][seat]}
    return None


# --- Play -----------------------------------------------------------------------------------------


def trick_winner(trick: list[tuple[str, str]], trump: str | None) -> str:
    """The seat that takes this complete trick."""
    best_seat, best_card = trick[0]
    for seat, card in trick[1:]:
        if beats(card, best_card, trump):
            best_seat, best_card = seat, card
    return best_seat


def _next_to_play(deal: Deal) -> tuple[str, str | None]:
    """The seat to play, and the card led to the trick (None: he leads)."""
    tricks = deal["tricks"]
    if not tricks:
        return "forehand", None
    if len(tricks[-1]) == 3:
        return trick_winner(tricks[-1], deal["trump"]), None
    leader, led = tricks[-1][0]
    done = [seat for seat, _ in tricks[-1]]
    return next(seat for seat in seats_from(leader) if seat not in done), led


def _play_is_over(contract: str, declarers: int, played: int) -> bool:
    """Whether a deal ends here, by declarer's tricks and all tricks played."""
    ends_at = {"pure-nolo": 2, "nolo-ouvert": 1, "simple-nolo": 9}.get(contract, 5)
    return played == 9 or declarers >= ends_at


def tricks_won(deal: Deal) -> tuple[dict[str, int], bool]:
    """Tricks of each seat, and whether the play is over. Tricks played after the end do not count."""
    tricks = dict.fromkeys(SEATS, 0)
    for trick in deal["tricks"]:
        if len(trick) == 3:
            tricks[trick_winner(trick, deal["trump"])] += 1
            if _play_is_over(deal["contract"], tricks[deal["declarer"]], sum(tricks.values())):
                return tricks, True
    return tricks, False


# --- What may happen next -------------------------------------------------------------------------


def legal(events: list[Event]) -> dict[str, Any] | None:
    """What may happen next, as the "Legal" object without `also`; None when the deal is over."""
    deal = fold(events)
    if deal["abandoned"]:
        return None
    duel = auction(deal["calls"])
    if deal["contract"] is None:
        if duel["turn"]:
            return {"seat": duel["turn"], "action": "bid", "calls": _calls(deal, duel)}
        return _naming(duel) if duel["standing"] else None
    if deal["contract"] in TURNED and deal["turned"] is None:
        return {"seat": None, "action": "turn"}
    exchange = _exchange_due(deal)
    if exchange:
        return exchange
    if tricks_won(deal)[1]:
        return None
    seat, led = _next_to_play(deal)
    return {"seat": seat, "action": "play", "cards": playable(deal["hands"][seat], led, deal["trump"])}


def _naming(duel: Deal) -> dict[str, Any]:
    contracts = [
        {"contract": contract, "trumps": list(TRUMPS_TO_NAME.get(contract, []))}
        for contract in sorted(NAMING_RIGHT.get(duel["standing"], [duel["standing"]]))
    ]
    return {"seat": duel["holder"], "action": "name", "contracts": contracts}


def also(events: list[Event]) -> list[dict[str, Any]]:
    """What else is open: that declarer gives up, from the naming of the contract until the deal is over.

    `[{"action": "abandon", "seat": declarer, "pays": "bete" or "codille"}]`, or `[]`. Claims are left out.
    """
    deal = fold(events)
    if deal["contract"] is None or legal(events) is None:
        return []
    return [{"action": "abandon", "seat": deal["declarer"], "pays": _pays_for_giving_up(deal)}]


def _pays_for_giving_up(deal: Deal) -> str:
    """Bête in the four small games until two cards of trick 1 have been played, else codille."""
    cards_played = sum(len(trick) for trick in deal["tricks"])
    return "bete" if deal["contract"] in MAY_GIVE_UP_AS_BETE and cards_played < 2 else "codille"


# --- What is paid ---------------------------------------------------------------------------------


def score(events: list[Event]) -> dict[str, Any]:
    """What the deal pays, as the "Score" object without `items`; `reachable` only while undecided."""
    deal = fold(events)
    duel = auction(deal["calls"])
    report: dict[str, Any] = {
        "decided": False,
        "outcome": None,
        "contract": deal["contract"],
        "declarer": deal["declarer"] or (duel["holder"] if duel["turn"] is None else None),
        "tricks": dict.fromkeys(SEATS, 0),
        "slam": None,
        "payments": None,
        "pool": None,
    }
    if deal["contract"] is None:
        if duel["turn"] is None and duel["standing"] is None:
            return {**report, "decided": True, "outcome": "passed_out", "payments": dict.fromkeys(SEATS, 0)}
        return {**report, "reachable": {}}
    report["tricks"], _ = tricks_won(deal)
    if deal["abandoned"]:
        payments = payments_of(deal["contract"], deal["declarer"], deal["abandoned"])
        return {**report, "decided": True, "outcome": "abandoned", "payments": payments}
    reachable = {
        outcome: payments_of(deal["contract"], deal["declarer"], outcome)
        for outcome in reachable_outcomes(deal["contract"], deal["declarer"], report["tricks"])
    }
    if len(reachable) == 1:  # no two outcomes of one contract pay the same
        outcome, payments = next(iter(reachable.items()))
        return {**report, "decided": True, "outcome": outcome, "payments": payments}
    return {**report, "reachable": reachable}


def outcome_of(contract: str, declarer: str, tricks: dict[str, int]) -> str:
    """What a finished deal is, by the tricks of each seat."""
    own = tricks[declarer]
    if contract in NOLO:
        if own == 0:
            return "won"
        return "bete" if own == 1 and contract != "nolo-ouvert" else "codille"
    others = [tricks[seat] for seat in SEATS if seat != declarer]
    if own > max(others):
        return "won"
    if own == max(others) or others == [4, 4]:  # remis en quatre
        return "bete"
    return "codille"


def reachable_outcomes(contract: str, declarer: str, tricks: dict[str, int]) -> list[str]:
    """Every outcome that the counts still allow, sorted: the tricks to come may fall to anybody.

    That a deal may end before its ninth trick does no harm: what ends it settles the outcome, wherever the
    other tricks would go.
    """
    to_come = 9 - sum(tricks.values())
    outcomes = set()
    for more in product(range(to_come + 1), repeat=3):
        if sum(more) == to_come:
            final = {seat: tricks[seat] + extra for seat, extra in zip(SEATS, more, strict=True)}
            outcomes.add(outcome_of(contract, declarer, final))
    return sorted(outcomes)


def payments_of(contract: str, declarer: str, outcome: str) -> dict[str, int]:
    """Chips to (+) or from (-) each seat for this outcome of this contract."""
    each = TARIFF[contract][outcome]
    gain = each if outcome == "won" else -each
    return {seat: 2 * gain if seat == declarer else -gain for seat in SEATS}
