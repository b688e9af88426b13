"""Several cards as they stand on paper: one by one, or a suit with its ranks, with commas or without.

A letter may be a suit or a rank, in one language or in two ("K D 7"). What shows which it is: suits of a
list are written alike, so that behind ♠, ``spades`` or ``S:`` a letter alone is a rank.
"""

from typing import Final

from schemas.notation.letters import SIGNS, Alphabet
from schemas.notation.tokens import Ambiguous, Cursor, Misread
from schemas.notation.words import SEATS, is_word

DASHES: Final = ("-", "–", "—", "−")
"""What may stand behind a suit of which somebody has no card."""


def cards_of(cursor: Cursor, letters: Alphabet) -> list[str]:
    """Takes the cards that come next, as far as they go; their codes.

    They stand one by one, or a suit and its ranks together or apart ("SAK2", "S A K 2", "SA K 2"), with
    spaces, commas or slashes between them; a suit with a dash behind it has none. Where ranks stand apart,
    ``cursor.apart`` is True behind them: another alphabet may take them for something else.

    Raises:
        Ambiguous: a letter may be a suit or a rank.
        Misread: a letter stands where, in this alphabet, a suit is due that is written like those before.
    """
    found: list[str] = []
    lists: _Lists | None = None
    last = ""
    while word := cursor.word():
        card = letters.cards.get(word)
        if card is not None:
            found.append(card)
            cursor.next += 1
            last = word
        else:
            lists, start = lists or _Lists(cursor, letters), cursor.next
            several = lists.more(last)
            if several is None:
                break
            found += several
            last = word if cursor.next == start + 1 else ""
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
    if _is_void(word, letters):
        return True
    behind = cursor.word(2)
    return letters.suit(word) is not None and (letters.of_suit("S", behind) is not None or _nothing(behind))


def _nothing(word: str) -> bool:
    return word in DASHES or is_word(word, "none")


def _is_void(word: str, letters: Alphabet) -> bool:
    """Whether a word is a suit with a dash behind it, as "♥—"."""
    return word[-1] in DASHES and letters.suit(word[:-1].rstrip(":")) is not None


class _Lists:
    """Cards that are written in lists, a suit and its ranks; and how the suits before were written.

    ``marked`` is True behind a suit as a sign, as a word or with a colon; ``alone`` holds the letters that
    stood alone as suits.
    """

    def __init__(self, cursor: Cursor, letters: Alphabet) -> None:
        self.cursor = cursor
        self.letters = letters
        self.marked = False
        self.alone: set[str] = set()

    def more(self, last: str) -> list[str] | None:
        """The cards of the next word, or of a suit and its ranks; None where no card stands there.

        ``last`` is the word before, if it is a whole card or several: their suit may go on.
        """
        cursor, letters = self.cursor, self.letters
        word = cursor.word()
        several = _of_word(word, letters)
        if several is not None:
            cursor.next += 1
            return several
        leads = letters.suit_first(last) if last else None
        if leads is not None and (found := self._ranks(leads, last[0] in SIGNS, behind=True)):
            return found
        suit = letters.suit(word)
        return None if suit is None else self._of_suit(suit)

    def _of_suit(self, suit: str) -> list[str] | None:
        """The cards of a suit whose ranks stand apart behind it; takes the suit and them."""
        cursor, start = self.cursor, self.cursor.next
        token = cursor.take()
        marked = token.colon or len(token.text) > 1 or token.text in SIGNS
        if _nothing(cursor.word()):
            cursor.next += 1
            self.marked |= marked
            return []
        found = self._ranks(suit, marked, behind=False)
        if not found:
            cursor.next = start
            return None
        letter = token.text.lower()
        if not marked and (self.marked or letter in self.alone):
            raise _alone(token.text, token.at, twice=letter in self.alone)
        self.marked |= marked
        if not marked:
            self.alone.add(letter)
        return found

    def _ranks(self, suit: str, marked: bool, behind: bool) -> list[str]:
        """The cards whose ranks come next; ``behind`` says that one of the suit stands before them."""
        cursor, letters = self.cursor, self.letters
        found: list[str] = []
        while True:
            comma = bool(found) and cursor.is_sign(",")
            word = cursor.word(int(comma))
            ranks = letters.of_suit(suit, word)
            if ranks is None:
                return found
            if found or behind:
                if letters.card(word) is not None or letters.fan(word) is not None:
                    raise _card_or_ranks(cursor, int(comma))
                if letters.suit(word) is not None and not marked and not self._colon(comma):
                    after = cursor.word(comma + 1)
                    if letters.of_suit("S", after) is not None or _nothing(after):
                        raise _suit_or_rank(cursor, int(comma))
            if letters.suit(word) is not None and self._colon(comma):
                return found
            cursor.apart = True
            cursor.next += 1 + comma
            found += ranks

    def _colon(self, comma: bool) -> bool:
        return self.cursor.tokens[self.cursor.next + comma].colon


def _of_word(word: str, letters: Alphabet) -> list[str] | None:
    """The cards that are written in one word: a card, several of a suit, or some of these with slashes."""
    if _is_void(word, letters):
        return []
    found: list[str] = []
    for part in word.split("/"):
        card = letters.card(part)
        several = [card] if card is not None else letters.fan(part)
        if several is None:
            return None
        found += several
    return found


def _suit_or_rank(cursor: Cursor, ahead: int) -> Ambiguous:
    """The error of a letter that may be a suit or a rank, as the Danish k."""
    word = cursor.word(ahead)
    said = f"{word} may be a suit or a rank here; write {word}: before the cards of a suit, or whole cards."
    return Ambiguous(cursor.tokens[cursor.next + ahead].at, word, f"{word}: or each card with its suit", said)


def _card_or_ranks(cursor: Cursor, ahead: int) -> Ambiguous:
    """The error of what may be a card of another suit, or more ranks of the one before it."""
    word = cursor.word(ahead)
    expected = "ranks apart, or each card with its suit"
    said = f"{word} may be a card of its own or ranks of the suit before it; write {expected}."
    return Ambiguous(cursor.tokens[cursor.next + ahead].at, word, expected, said)


def _alone(word: str, at: int, twice: bool) -> Misread:
    """The error of a letter alone that is a suit in this alphabet, and may be a rank in another."""
    expected = f"{word}: for the suit, each card with its suit, or the language in a tag (Letters: da)"
    if twice:
        said = f"{word} stands for a suit here a second time, or is a rank in another language; "
        return Ambiguous(at, word, expected, f"{said}write {expected}.")
    said = f"{word} stands alone here, where the suits before it do not, and may be a rank; write {expected}."
    return Misread(at, word, expected, said)
