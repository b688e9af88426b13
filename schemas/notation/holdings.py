"""Several cards as they stand on paper: one by one, or a suit with its ranks, with commas or without."""

from schemas.notation.letters import Alphabet
from schemas.notation.tokens import Ambiguous, Cursor
from schemas.notation.words import SEATS


def cards_of(cursor: Cursor, letters: Alphabet) -> list[str]:
    """Takes the cards that come next, as far as they go; their codes.

    They stand one by one, or a suit and its ranks together or apart ("SAK2", "S A K 2"), with spaces,
    commas or slashes between them.

    Raises:
        Ambiguous: a letter may be a suit or a rank.
    """
    found: list[str] = []
    while word := cursor.word():
        card = letters.cards.get(word)
        several = [card] if card is not None else _one_of_cards(cursor, letters)
        if several is None:
            break
        found += several
        cursor.next += card is not None
        if cursor.is_sign(",") and _cards_follow(cursor, letters):
            cursor.next += 1
    return found


def may_be_cards(word: str, letters: Alphabet) -> bool:
    """Whether a word is a card, several of a suit, a suit or some ranks, and no seat."""
    return bool(word) and word.lower() not in SEATS and letters.says(word)


def _cards_follow(cursor: Cursor, letters: Alphabet) -> bool:
    """Whether cards stand behind the comma that comes next."""
    word = cursor.word(1)
    if not word:
        return False
    if letters.card(word) is not None or letters.fan(word) is not None or "/" in word:
        return True
    return letters.suit(word) is not None and letters.of_suit("S", cursor.word(2)) is not None


def _one_of_cards(cursor: Cursor, letters: Alphabet) -> list[str] | None:
    """The cards of the next word, or of a suit and the ranks that follow it."""
    several = _of_word(cursor.word(), letters)
    if several is not None:
        cursor.next += 1
        return several
    suit = letters.suit(cursor.word())
    return None if suit is None else _of_suit(suit, cursor, letters)


def _of_word(word: str, letters: Alphabet) -> list[str] | None:
    """The cards that are written in one word: a card, several of a suit, or some of these with slashes."""
    found: list[str] = []
    for part in word.split("/"):
        card = letters.card(part)
        several = [card] if card is not None else letters.fan(part)
        if several is None:
            return None
        found += several
    return found


def _of_suit(suit: str, cursor: Cursor, letters: Alphabet) -> list[str] | None:
    """The cards of a suit whose ranks stand apart behind it; takes the suit and them."""
    start = cursor.next
    cursor.next += 1
    found: list[str] = []
    while True:
        comma = bool(found) and cursor.is_sign(",")
        word = cursor.word(int(comma))
        ranks = letters.of_suit(suit, word)
        if ranks is None:
            break
        cursor.next += comma
        if letters.suit(word) is not None:
            if cursor.tokens[cursor.next].colon:
                break
            raise _suit_or_rank(cursor)
        found += ranks
        cursor.next += 1
    if not found:
        cursor.next = start
        return None
    return found


def _suit_or_rank(cursor: Cursor) -> Ambiguous:
    """The error of a letter that may be a suit or a rank, as the Danish k."""
    word = cursor.word()
    said = f"{word} may be a suit or a rank here; write {word}: before the cards of a suit, or whole cards."
    return Ambiguous(cursor.at, word, f"{word}: or each card with its suit", said)
