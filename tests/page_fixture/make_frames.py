"""Makes the replay documents that the replayer's page is developed and tested against.

Three deals, each known in another way: Belinda's game (all hands known, one player's cards
in the play not), a club deal where only one hand was recorded (a revoke, a correction, a
card of which only the suit was seen), and a slip. The fold is crude on purpose, and the
winner of each trick is given by hand, so that the page's tests lean on no engine.
"""

import copy
from typing import Any

SEATS = ("forehand", "middlehand", "backhand")
HIDDEN = "??"

Json = dict[str, Any]


def opening_state(opened: Json) -> Json:
    """The state before any card is known."""
    return {
        "phase": "dealing",
        "to_act": None,
        "ruleset": opened["ruleset"],
        "revision": 1,
        "players": opened["players"],
        "calls": [],
        "declarer": None,
        "contract": None,
        "trump": None,
        "hands": {seat: {"cards": [], "unknown": 9} for seat in SEATS},
        "talon": {"cards": [HIDDEN] * 13, "count": 13, "turned": None},
        "discards": {},
        "draws": {},
        "tricks": [],
        "tricks_won": dict.fromkeys(SEATS, 0),
        "slam": None,
        "pool": opened.get("pool"),
        "incomplete": False,
    }


def take_from_hand(state: Json, seat: str, cards: list[str]) -> None:
    """Takes cards out of a hand: known ones by name, others from the unknown."""
    hand = state["hands"][seat]
    for card in cards:
        if card in hand["cards"]:
            hand["cards"].remove(card)
        elif hand["unknown"]:
            hand["unknown"] -= 1
        elif hand["cards"]:
            hide_hand(hand)
            hand["unknown"] -= 1


def hide_hand(hand: Json) -> None:
    """A card that nobody saw left a known hand: which ones are left is no longer known."""
    hand["unknown"] += len(hand["cards"])
    hand["maybe"], hand["cards"] = hand["cards"], []


def play(state: Json, seq: int | str, event: Json, winners: list[str]) -> None:
    """Adds a card to the trick, and closes the trick with its third card."""
    seat, tricks = event["seat"], state["tricks"]
    if not tricks or tricks[-1]["winner"]:
        tricks.append(
            {"number": len(tricks) + 1, "leader": seat, "seats": [], "cards": [], "seqs": [], "winner": None}
        )
    trick = tricks[-1]
    trick["seats"].append(seat)
    trick["cards"].append(event["card"])
    trick["seqs"].append(seq)
    take_from_hand(state, seat, [event["card"]])
    following = SEATS[(SEATS.index(seat) + 1) % 3]
    if len(trick["cards"]) == 3:
        following = trick["winner"] = winners[trick["number"] - 1]
        state["tricks_won"][following] += 1
    state["phase"], state["to_act"] = "play", following


def fold(state: Json, seq: int | str, event: Json, winners: list[str]) -> None:
    """Folds one event into the state, in place."""
    kind, seat = event["type"], event.get("seat", "")
    if kind == "hand_dealt":
        state["hands"][seat] = {"cards": list(event["cards"]), "unknown": 9 - len(event["cards"])}
        state.update(phase="auction", to_act="forehand")
    elif kind == "talon_laid":
        state["talon"]["cards"] = list(event["cards"])
    elif kind == "talon_turned":
        state["talon"]["turned"] = event["card"]
        state.update(trump=event["card"][0], phase="exchange", to_act=state["declarer"])
    elif kind == "bid_made":
        call = {"seq": seq, "seat": seat, "bid": event["bid"]}
        state["calls"].append(call | ({"said": event["said"]} if "said" in event else {}))
        state.update(phase="auction", to_act=event.get("then", SEATS[(SEATS.index(seat) + 1) % 3]))
    elif kind == "contract_named":
        state.update(
            declarer=seat, contract=event["contract"], trump=event.get("trump"), phase="exchange", to_act=seat
        )
    elif kind == "cards_discarded":
        take_from_hand(state, seat, event["cards"])
        state["discards"][seat] = {"cards": event["cards"], "count": len(event["cards"])}
    elif kind == "cards_drawn":
        hand, talon = state["hands"][seat], state["talon"]
        known = [card for card in event["cards"] if card != HIDDEN]
        hand["cards"] += known
        hand["unknown"] += len(event["cards"]) - len(known)
        talon["cards"] = talon["cards"][len(event["cards"]) :]
        talon["count"] -= len(event["cards"])
        talon["turned"] = None
        state["draws"][seat] = {"cards": event["cards"], "count": len(event["cards"])}
        state["to_act"] = SEATS[(SEATS.index(seat) + 1) % 3]
    elif kind == "card_played":
        play(state, seq, event, winners)
    elif kind == "result_recorded":
        state.update(
            phase="finished", declarer=event["declarer"], contract=event["contract"], trump=event.get("trump")
        )
        state["tricks_won"] = event["tricks"]


def legal_in(state: Json) -> Json | None:
    """Roughly what may happen next."""
    seat = state["to_act"]
    if state["phase"] == "auction":
        return {"seat": seat, "action": "bid", "calls": ["pass"]}
    if state["phase"] == "exchange":
        return {"seat": seat, "action": "exchange", "min": 0, "max": min(9, state["talon"]["count"])}
    if state["phase"] == "play" and seat:
        hand = state["hands"][seat]
        cards = {"seat": seat, "action": "play", "cards": sorted(hand["cards"])}
        return cards | ({"hidden": True} if hand["unknown"] else {})
    return None


def undecided(state: Json, reachable: Json) -> Json:
    """A score that nothing has decided yet."""
    return {
        "decided": False, "outcome": None, "contract": state["contract"], "declarer": state["declarer"],
        "tricks": state["tricks_won"], "slam": None, "payments": None, "pool": None, "items": [],
        "reachable": reachable if state["declarer"] else {},
    }  # fmt: skip


def document(deal: Json) -> Json:
    """The replay document of a deal: what the page fetches."""
    state = opening_state(deal["entries"][0][1])
    frames: list[Json] = []
    for seq, event in deal["entries"]:
        fold(state, seq, event, deal["winners"])
        if seq == deal["decided_at"]:
            state.update(phase="finished", to_act=None)
        over = any(frame["seq"] == deal["decided_at"] for frame in frames) or seq == deal["decided_at"]
        score = (
            deal["score"] | {"tricks": dict(state["tricks_won"])}
            if over
            else undecided(state, deal["reachable"])
        )
        shown = {key: value for key, value in event.items() if key != "then"}
        frames.append(
            copy.deepcopy(
                {"seq": seq, "event": shown, "state": state, "legal": legal_in(state), "score": score}
            )
        )
    opened = deal["entries"][0][1]
    return {
        "title": opened["title"],
        "source": opened["source"],
        "ruleset": opened["ruleset"],
        "players": {"sitting_out": []} | opened["players"],
        "frames": frames,
        "findings": deal["findings"],
        "notes": [{"seq": seq} | event for seq, event in deal["entries"] if event["type"] == "note_added"],
    }


def numbered(events: list[Json]) -> list[tuple[int | str, Json]]:
    """Events with their seqs; one with a ``seq`` of its own stands in the place of another."""
    return [
        (event.get("seq", number), {key: value for key, value in event.items() if key != "seq"})
        for number, event in enumerate(events, start=1)
    ]


def cards_of(text: str) -> list[str]:
    """Cards as written one after the other."""
    return text.split()


def dealt(seat: str, cards: str) -> Json:
    """The hand dealt to a seat."""
    return {"type": "hand_dealt", "seat": seat, "cards": cards_of(cards)}


def bid(seat: str, name: str, said: str | None = None, then: str | None = None) -> Json:
    """One call; ``then`` is who speaks next where it is not the next seat."""
    event = {"type": "bid_made", "seat": seat, "bid": name}
    return event | ({"said": said} if said else {}) | ({"then": then} if then else {})


def exchange(seat: str, sold: str, bought: str) -> list[Json]:
    """Discard and draw of one seat."""
    return [
        {"type": "cards_discarded", "seat": seat, "cards": cards_of(sold)},
        {"type": "cards_drawn", "seat": seat, "cards": cards_of(bought)},
    ]


def trick(leader: str, cards: str) -> list[Json]:
    """The three cards of a trick, from its leader on."""
    first = SEATS.index(leader)
    return [
        {"type": "card_played", "seat": SEATS[(first + step) % 3], "card": card}
        for step, card in enumerate(cards_of(cards))
    ]


def note(text: str, on: int | None = None, mark: str | None = None, author: str | None = None) -> Json:
    """An annotation."""
    event: Json = {"type": "note_added", "text": text}
    return event | {key: value for key, value in (("on", on), ("mark", mark), ("author", author)) if value}


def belinda() -> Json:
    """Belinda's game: every hand known, Sir Anonym's cards hidden from trick 3 on."""
    f, m, b = SEATS
    players = {f: "Belinda", m: "The Baron", b: "Sir Anonym"}
    play_by_trick = [
        (f, "SA S3 S4"), (f, "S2 S5 S6"), (f, "CA S7 ??"), (f, "SK SJ ??"), (f, "CK SQ ??"),
        (m, "DK ?? D5"), (m, "DQ ?? D4"), (m, "DJ ?? HQ"), (m, "HA ?? HK"),
    ]  # fmt: skip
    events: list[Json] = [
        {
            "type": "deal_opened", "ruleset": "ombre", "players": players, "pool": 5,
            "basis": "reconstructed",
            "title": "Belinda’s game",
            "source": "Alexander Pope, The Rape of the Lock, canto III (1714), after Lord Aldenham",
        },
        dealt(f, "SA SK S2 CK C3 HK H7 D2 D3"),
        dealt(m, "SQ SJ S5 S3 C4 C2 H5 DK D7"),
        dealt(b, "S6 S4 C7 C6 C5 HJ H2 H3 H6"),
        bid(f, "play", "I play"),
        bid(m, "pass"),
        note("He holds two manilles, clubs and diamonds, and weighs a voltereta; a heart may turn.", on=6),
        bid(b, "pass", then="forehand"),
        {"type": "contract_named", "seat": f, "contract": "play", "trump": "S"},
        note("“Let Spades be trumps!” she said, and trumps they were.", author="Pope"),
        *exchange(f, "C3 H7 D2 D3", "CA HQ D5 D4"),
        *exchange(m, "C4 C2 H5 D7", "S7 DQ DJ HA"),
        *exchange(b, "C7 C6 C5", "CJ D6 H4"),
    ]  # fmt: skip
    for leader, cards in play_by_trick:
        events += trick(leader, cards)
        if cards.startswith("SK"):
            events.append(
                note(
                    "She has made her four certain tricks; but to win the game she must either make another "
                    "trick, or dexterously divide the five remaining tricks between her opponents.",
                    author="Aldenham",
                )
            )
        if cards.startswith("DJ"):
            events.append(note("Four tricks all, and one card each.", mark="!"))
    events.append(note("An Ace of Hearts steps forth: the King unseen lurked in her hand.", author="Pope"))
    last_card = len(events) - 1
    entries = numbered(events)
    hidden = [seq for seq, event in entries if event.get("card") == HIDDEN]
    return {
        "entries": entries,
        "winners": [f, f, f, f, m, m, m, m, f],
        "decided_at": last_card,
        "reachable": {
            "won": {f: 23, m: -9, b: -9},
            "bete": {f: -15, m: 0, b: 0},
            "codille": {f: -15, m: 15, b: 0},
        },
        "score": {
            "decided": True, "outcome": "won", "contract": "play", "declarer": f, "slam": None,
            "payments": {f: 23, m: -9, b: -9}, "pool": {"before": 5, "after": 0, "reserved": []},
            "items": [
                {"label": "the pool", "each": 5, "rule": "8. Payments"},
                {"label": "play: sacada", "each": 5, "rule": "8. Payments"},
                {"label": "estuches: 4 in a row from spadille", "each": 4, "rule": "8. Payments"},
            ],
        },
        "findings": [
            {
                "seq": hidden[0], "code": "incomplete", "severity": "info", "seat": b,
                "message": "Seven of Sir Anonym’s cards are not recorded: any that he may play.",
                "rule": None, "evidence": hidden,
            }
        ],
    }  # fmt: skip


def bo() -> Json:
    """A club deal: only the declarer's hand recorded, a revoke, a correction, a suit seen."""
    f, m, b = SEATS
    players = {f: "Anna", m: "Bo", b: "Carl-Christian", "sitting_out": ["Dorthe"]}
    played = [
        *trick(f, "CK C4 C7"), *trick(f, "CQ H3 C5"), *trick(m, "SA H4 H2"), *trick(m, "H7 S3 HQ"),
        *trick(m, "CA D? ??"), *trick(m, "DK H6 D5"), *trick(b, "SQ S7 SK"),
    ]  # fmt: skip
    events: list[Json] = [
        {
            "type": "deal_opened", "ruleset": "dlu", "players": players,
            "title": "Aftenens spil", "source": "Klubaften i november, bord 3, spil 12",
        },
        dealt(m, "SA SK C4 CA HK HJ H7 H3 DK"),
        bid(f, "simple", "spil"),
        bid(m, "tourne", then="forehand"),
        bid(f, "self", "kan selv", then="middlehand"),
        bid(m, "solo", "solo!", then="forehand"),
        bid(f, "pass", then="backhand"),
        bid(b, "pass", then="middlehand"),
        {"type": "contract_named", "seat": m, "contract": "solo", "trump": "H"},
        *exchange(f, "?? ?? ?? ?? ??", "?? ?? ?? ?? ??"),
        *exchange(b, "?? ?? ?? ?? ?? ??", "?? ?? ?? ?? ?? ??"),
    ]  # fmt: skip
    corrected = len(events) + 8
    for index, event in enumerate(played, start=len(events) + 1):
        events.append(event | {"seq": "35.1"} if index == corrected else event)
    entries = numbered(events)
    plays = {event["card"]: seq for seq, event in entries if event["type"] == "card_played"}
    return {
        "entries": entries,
        "winners": [f, m, m, m, m, b, m],
        "decided_at": plays["SK"],
        "reachable": {
            "won": {f: -3, m: 6, b: -3},
            "bete": {f: 3, m: -6, b: 3},
            "codille": {f: 4, m: -8, b: 4},
        },
        "score": {
            "decided": True, "outcome": "won", "contract": "solo", "declarer": m, "slam": None,
            "payments": {f: -3, m: 6, b: -3}, "pool": None,
            "items": [{"label": "solo won", "each": 3, "rule": "7. Payments"}],
        },
        "findings": [
            {
                "seq": plays["S3"], "code": "revoke", "severity": "error", "seat": b,
                "message": "Carl-Christian følger ikke hjerter i stik 4, men spiller en i stik 6.",
                "rule": "Gennemførelse af spillet", "evidence": [plays["S3"], plays["H6"]],
            },
            {
                "seq": plays["??"], "code": "incomplete", "severity": "info", "seat": f,
                "message": "Annas kort i stik 5 er ikke skrevet ned.", "rule": None,
                "evidence": [plays["??"]],
            },
        ],
    }  # fmt: skip


def board() -> Json:
    """The beginning of a tourné on a prepared board: the talon's order is known, its top card turned."""
    f, m, b = SEATS
    events: list[Json] = [
        {
            "type": "deal_opened", "ruleset": "dlu-tournament",
            "players": {f: "Åse", m: "Jens Østergaard", b: "Őrsi"},
            "title": "Board 7", "source": "Turnering, runde 2",
        },
        dealt(f, "SA H5 H3 HK CK D7 D2 C4 S5"),
        dealt(m, "S2 SK SJ HA HQ C7 C2 DQ D4"),
        dealt(b, "S7 S3 HJ H2 C6 C5 DK DJ D5"),
        {"type": "talon_laid", "cards": cards_of("H7 CA C3 SQ DA H4 S6 D3 CQ S4 H6 D6 CJ")},
        bid(f, "tourne", "tourné", then=m), bid(m, "pass"), bid(b, "pass", then=f),
        {"type": "contract_named", "seat": f, "contract": "tourne"},
        {"type": "talon_turned", "card": "H7"},
        *exchange(f, "D7 D2 C4 S5", "H7 CA C3 SQ"),
        *exchange(m, "S2 SJ HQ C7 C2 DQ D4", "DA H4 S6 D3 CQ S4 H6"),
        *exchange(b, "S3 C6", "D6 CJ"),
        *trick(f, "SA HA HJ"),
    ]  # fmt: skip
    return {
        "entries": numbered(events), "winners": [f], "decided_at": None, "score": {}, "findings": [],
        "reachable": {
            "codille": {f: -6, m: 3, b: 3}, "bete": {f: -4, m: 2, b: 2}, "won": {f: 4, m: -2, b: -2},
        },
    }  # fmt: skip


def slip() -> Json:
    """A deal of which only the result is known."""
    f, m, b = SEATS
    events: list[Json] = [
        {
            "type": "deal_opened", "ruleset": "dlu", "players": {f: "Anna", m: "Bo", b: "Carl"},
            "title": "Spil 13", "source": None,
        },
        {
            "type": "result_recorded", "declarer": m, "contract": "solo", "trump": "H",
            "tricks": {f: 3, m: 4, b: 2},
        },
    ]  # fmt: skip
    return {
        "entries": numbered(events),
        "winners": [],
        "decided_at": 2,
        "reachable": {},
        "score": {
            "decided": True, "outcome": "won", "contract": "solo", "declarer": m, "slam": None,
            "payments": {f: -3, m: 6, b: -3}, "pool": None,
            "items": [{"label": "solo won", "each": 3, "rule": "7. Payments"}],
        },
        "findings": [],
    }  # fmt: skip


DEALS = {"belinda": belinda, "bo": bo, "board": board, "slip": slip}
