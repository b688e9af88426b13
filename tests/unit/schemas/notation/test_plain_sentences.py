"""Sentences read at once: they mean what they mean when they are read word by word."""

import random

import pytest

from engine.rulesets import PUBLISHED_RULESETS
from schemas.notation.alphabets import ALPHABETS, get_alphabet
from schemas.notation.deal_parser import LANGUAGE_CLUES, DealParser, ParsedDeal
from schemas.notation.field_values import MAX_GAME_NAME_WORDS
from schemas.notation.joined_lines import join_lines
from schemas.notation.notation_words import RESERVED_WORDS, build_game_names
from schemas.notation.plain_sentences import (
    CARD_EVENTS,
    GAME_EVENTS,
    LONE_EVENTS,
)

KEYWORDS = (*CARD_EVENTS, *GAME_EVENTS, *LONE_EVENTS)
RULESET_IDS = [one.ruleset.id for one in PUBLISHED_RULESETS]


class WordByWord(DealParser):
    """Reads no sentence and no trick at once."""

    def _add_plain_sentences(self, text: str) -> bool:
        return False

    def _add_whole_trick(self, text: str) -> bool:
        return False


def parse(
    parser: type[DealParser], ruleset: str, language: str, line: str
) -> tuple[ParsedDeal, set[str], bool]:
    heading = ["Deal:", f"Rules: {ruleset}", "Players: Turned, Hand, F", "", line]
    deal = parser(get_alphabet(language), list(join_lines(list(enumerate(heading, 1)))))
    return deal.parse(), deal.language_clues, deal.has_loose_ranks


def make_sentence(chance: random.Random, language: str, games: list[str]) -> str:
    cards = sorted(get_alphabet(language).cards)
    keyword = chance.choice(KEYWORDS)
    words = [chance.choice("FMBFMBf"), keyword]
    if keyword in CARD_EVENTS:
        words += chance.choices(cards, k=chance.choice([0, 1, 2, 3, 9]))
    elif keyword in GAME_EVENTS:
        words += [
            chance.choice(games),
            *chance.choice([[], [], ["in", chance.choice([*"SHDCRKxs", "spades", "spar"])]]),
        ]
    if chance.random() < 0.1:
        words = ["Turned", *chance.choices(cards, k=chance.choice([1, 1, 2]))]
    if chance.random() < 0.1:
        words.insert(
            chance.randrange(len(words) + 1), chance.choice(["SA!", "in", "??", "Turned", "F", "x."])
        )
    return chance.choice([" ", "  "]).join(words)


def make_trick(chance: random.Random, language: str) -> str:
    """A trick in canonical form, perhaps with a wrong number."""
    cards = chance.sample(sorted(get_alphabet(language).card_by_word), 3)
    plays = (f"{seat} {card}" for seat, card in zip("FMB", cards, strict=True))
    return " ".join([f"{chance.choice([0, 1, 2, 9, 12, 10**9])}{chance.choice('.:')}", *plays])


def test_tricks_mean_the_same_as_word_by_word() -> None:
    chance = random.Random(7)
    for _ in range(200):
        language = chance.choice(list(ALPHABETS))
        trick = make_trick(chance, language)
        at_once, word_by_word = (parse(one, "dlu", language, trick) for one in (DealParser, WordByWord))
        assert at_once == word_by_word, trick


def test_sentences_mean_the_same_as_word_by_word() -> None:
    chance, plain_count = random.Random(7), 0
    for _ in range(600):
        ruleset, language = chance.choice(RULESET_IDS), chance.choice(list(ALPHABETS))
        games = sorted(build_game_names(ruleset).ids)
        line = "; ".join(make_sentence(chance, language, games) for _ in range(chance.choice([1, 1, 3])))
        at_once, word_by_word = (parse(one, ruleset, language, line) for one in (DealParser, WordByWord))
        assert at_once == word_by_word, line
        plain_count += len(at_once[0].log) > 1 and not at_once[0].problems
    assert plain_count > 200


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_names_of_games_show_no_language_and_are_no_game_with_its_trumps(ruleset: str) -> None:
    names = build_game_names(ruleset)
    assert not (names.ids - RESERVED_WORDS) & LANGUAGE_CLUES.keys()
    words = [name.split() for name in names.id_by_name]
    assert not [one for one in words if len(one) <= MAX_GAME_NAME_WORDS and "in" in one]


def test_keywords_are_no_cards_and_show_no_language() -> None:
    assert not LANGUAGE_CLUES.keys() & set(KEYWORDS)
    for language in ALPHABETS:
        assert not [word for word in KEYWORDS if get_alphabet(language).is_card_word(word)]
