"""What players, calls, contracts and cards are called at a point of a deal."""

from collections.abc import Iterable

from engine import Score, State
from engine.core.cards import CODES, HIDDEN, NO_TRUMP, SEAT_NAMES, SEATS, SUITS, Card, Seat, Suit
from engine.core.vocabulary import Seq
from engine.play.state import known_trump
from engine.rulesets import Rules
from service.presentation.i18n.card_words import CALLS, MATADORS, OUTCOMES, RANKS
from service.presentation.i18n.card_words import SEATS as SEAT_WORDS
from service.presentation.i18n.card_words import SUITS as SUIT_WORDS
from service.presentation.text.layout import clipped
from service.presentation.text.phrases import PHRASES
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS, RESULTS, SOMEBODY


def player(state: State, seat: Seat | None, style: Style) -> str:
    """Who plays at ``seat``: by name, else by the seat."""
    if seat is None:
        return SOMEBODY[style.lang]
    taken_over = state.ending.taken_over[seat]
    return taken_over or state.opening.players.at(seat) or SEAT_WORDS[SEAT_NAMES[seat]][style.lang]


def short(state: State, seat: Seat, style: Style) -> str:
    """Who plays at ``seat``, cut off where it would take more than a quarter of a line."""
    return clipped(player(state, seat, style), style.width // 4)


def listed(names: Iterable[str], style: Style) -> str:
    """Names as a list in words: "Anna, Bo and Carl"."""
    *others, last = names
    return f"{', '.join(others)} {LABELS['and'][style.lang]} {last}" if others else last


def bid(state: State, bid_id: str, style: Style) -> str:
    """What a call is called by the rules in force."""
    known = state.opening.rules.bids.get(bid_id)
    words = CALLS.get(bid_id) or (known.words if known else None)
    return words[style.lang] if words else bid_id


def suit(trump: Suit, style: Style) -> str:
    """A suit in words."""
    return SUIT_WORDS[SUITS[trump]][style.lang]


def game(state: State, contract_id: str | None, trump: Suit | None, style: Style) -> str:
    """A contract with its trumps: "solo in hearts"; without them where its name says them."""
    if contract_id is None:
        return LABELS["unrecorded"][style.lang]
    return game_by(state.opening.rules, contract_id, trump, style)


def game_by(rules: Rules, contract_id: str, trump: Suit | None, style: Style) -> str:
    """A contract with its trumps, called as these rules call it."""
    known = rules.contracts.get(contract_id)
    name = known.words[style.lang] if known else contract_id
    if trump is None or trump >= NO_TRUMP or _says_its_suit(rules, contract_id):
        return name
    return PHRASES["game_in"][style.lang].format(game=name, suit=suit(trump, style))


def _says_its_suit(rules: Rules, contract_id: str) -> bool:
    """Whether a contract has but one trump suit by the rules, whoever names it."""
    namings = [one for _, open_to in rules.ruleset.naming for one in open_to]
    trumps = [one.trumps for one in namings if one.contract == contract_id]
    return bool(trumps) and all(len(choice) == 1 for choice in trumps)


def card(state: State, card: Card, style: Style) -> str:
    """A card in words: "the king of spades", "manille (♥7)", "an unseen card"."""
    say = PHRASES
    if card == HIDDEN:
        return say["hidden_card"][style.lang]
    letter, rank = CODES[card][0], CODES[card][1]
    if rank == "?":
        return say["suit_card"][style.lang].format(suit=SUIT_WORDS[letter][style.lang])
    matadors = state.play.table.ladder[: len(MATADORS)]
    if card in matadors:
        name = MATADORS[matadors.index(card)]
        return say["matador"][style.lang].format(name=name, card=style.card(card))
    return say["card"][style.lang].format(rank=RANKS[rank][style.lang], suit=SUIT_WORDS[letter][style.lang])


def cards(group: tuple[Card, ...], style: Style) -> str:
    """Some cards: the known ones as symbols, of the others how many there are."""
    known = [one for one in group if one != HIDDEN]
    unseen = len(group) - len(known)
    parts = [style.cards(tuple(known))] if known else []
    if unseen:
        key = "one_unseen" if unseen == 1 else "unseen"
        parts.append(PHRASES[key][style.lang].format(count=unseen))
    return listed(parts, style) if parts else PHRASES["no_cards"][style.lang]


def result(state: State, score: Score, style: Style) -> str:
    """How the deal ended, in one phrase; that it is open, where it has not."""
    played = game(state, score.contract, known_trump(state), style)
    if score.outcome is None:
        still_open = LABELS["ruled" if score.decided else "open"][style.lang]
        return still_open if score.contract is None else f"{played}: {still_open}"
    words = RESULTS.get(score.outcome, OUTCOMES.get(score.outcome))
    told = words[style.lang] if words else score.outcome
    return told.format(game=played, name=player(state, score.declarer, style))


def ruleset(state: State, style: Style) -> str:
    """The rules in force, by their name."""
    opened, rules = state.opening.opened, state.opening.rules
    if rules.known or opened is None:
        return rules.ruleset.words[style.lang]
    return f"{rules.ruleset.words[style.lang]} {opened.ruleset}"


def place_label(key: str, style: Style, **parts: Seq) -> str:
    """A place in a file or a log: "deal 2", "entry 31"."""
    return LABELS[key][style.lang].format(**parts)


def seat_names(style: Style) -> tuple[str, ...]:
    """The three seats, forehand first."""
    return tuple(SEAT_WORDS[SEAT_NAMES[seat]][style.lang] for seat in SEATS)
