"""Several cards as on paper: one by one, or a suit with its ranks, with commas or without.

A letter may be a suit or a rank, in one language or in two ("K D 7"). The suits of a list are written
alike: after ♠, ``spades`` or ``S:`` a letter alone is a rank.
"""

from typing import Final

from engine.core.message import format_message
from schemas.notation.alphabets import SUIT_SIGNS, Alphabet
from schemas.notation.notation_words import SEAT_BY_WORD, is_form_of
from schemas.notation.tokens import AmbiguousNotation, NotationError, TokenCursor

VOID_DASHES: Final = ("-", "–", "—", "−")
"""What may follow a suit without cards."""


def take_cards(cursor: TokenCursor) -> list[str]:
    """Take as many cards as come next; return their codes.

    They stand one by one, or a suit and its ranks together or apart ("SAK2", "S A K 2", "SA K 2"), with
    spaces, commas or slashes between them; a suit with a dash after it has none. Ranks apart set
    ``cursor.has_loose_ranks``, as another alphabet may read them differently.
    """
    found: list[str] = []
    lists: _CardListParser | None = None
    last, alphabet = "", cursor.context.alphabet
    while word := cursor.word():
        card = alphabet.cards.get(word)
        if card is not None:
            found.append(card)
            cursor.index += 1
            last = word
        else:
            lists, start = lists or _CardListParser(cursor), cursor.index
            more_cards = lists.take_cards(last)
            if more_cards is None:
                break
            found += more_cards
            last = word if cursor.index == start + 1 else ""
        if cursor.is_sign_next(",") and _cards_follow(cursor, alphabet):
            cursor.index += 1
    return found


def may_be_cards(word: str, alphabet: Alphabet) -> bool:
    """Whether a word is a card word and no seat."""
    return bool(word) and word.lower() not in SEAT_BY_WORD and alphabet.is_card_word(word)


def _cards_follow(cursor: TokenCursor, alphabet: Alphabet) -> bool:
    """Whether cards follow the next comma."""
    word = cursor.word(1)
    if not word:
        return False
    if "/" in word or _cards_in_word(word, alphabet) is not None:
        return True
    return alphabet.find_suit(word) is not None and _begins_ranks(cursor.word(2), alphabet)


def _begins_ranks(word: str, alphabet: Alphabet) -> bool:
    """Whether a word can follow a suit: ranks, or a sign that there are none."""
    return alphabet.parse_ranks("S", word) is not None or _is_nothing(word)


def _is_nothing(word: str) -> bool:
    return word in VOID_DASHES or is_form_of(word, "none")


def _is_void(word: str, alphabet: Alphabet) -> bool:
    """Whether a word is a suit with a dash, as "♥—"."""
    return word[-1] in VOID_DASHES and alphabet.find_suit(word[:-1].rstrip(":")) is not None


class _CardListParser:
    """Reads lists of a suit and its ranks, by how the suits before them were written.

    ``has_marked_suit`` is True after a suit as a sign, as a word or with a colon; ``lone_letters`` are the
    letters that stood alone as suits.
    """

    def __init__(self, cursor: TokenCursor) -> None:
        self.cursor = cursor
        self.alphabet = cursor.context.alphabet
        self.has_marked_suit = False
        self.lone_letters: set[str] = set()

    def take_cards(self, previous_word: str) -> list[str] | None:
        """Take the cards of the next word, or of a suit and its ranks; None where no card stands.

        ``previous_word`` is the word before, if it is a card or several: their suit may continue.
        """
        cursor, letters = self.cursor, self.alphabet
        word = cursor.word()
        cards = _cards_in_word(word, letters)
        if cards is not None:
            cursor.index += 1
            return cards
        leads = letters.leading_suit(previous_word) if previous_word else None
        if leads is not None and (
            found := self._take_ranks(leads, previous_word[0] in SUIT_SIGNS, after_card=True)
        ):
            return found
        suit = letters.find_suit(word)
        return None if suit is None else self._take_suit(suit)

    def _take_suit(self, suit: str) -> list[str] | None:
        """Take a suit and the ranks that stand apart after it."""
        cursor, start = self.cursor, self.cursor.index
        token = cursor.take_token()
        marked = token.has_colon or len(token.text) > 1 or token.text in SUIT_SIGNS
        if _is_nothing(cursor.word()):
            cursor.index += 1
            self.has_marked_suit |= marked
            return []
        found = self._take_ranks(suit, marked, after_card=False)
        if not found:
            cursor.index = start
            return None
        letter = token.text.lower()
        if not marked and (self.has_marked_suit or letter in self.lone_letters):
            raise _lone_letter_error(token.text, token.offset, is_repeated=letter in self.lone_letters)
        self.has_marked_suit |= marked
        if not marked:
            self.lone_letters.add(letter)
        return found

    def _take_ranks(self, suit: str, is_suit_marked: bool, after_card: bool) -> list[str]:
        """Take ranks of a suit; ``after_card`` is True if a card of the suit stands before them."""
        cursor, letters = self.cursor, self.alphabet
        found: list[str] = []
        while True:
            comma = bool(found) and cursor.is_sign_next(",")
            word = cursor.word(int(comma))
            ranks = letters.parse_ranks(suit, word)
            if ranks is None:
                return found
            is_suit = letters.find_suit(word) is not None
            has_colon = cursor.tokens[cursor.index + comma].has_colon
            if found or after_card:
                if letters.find_card(word) is not None or letters.parse_run(word) is not None:
                    raise _card_or_ranks_error(cursor, int(comma))
                may_be_suit = is_suit and not is_suit_marked and not has_colon
                if may_be_suit and _begins_ranks(cursor.word(comma + 1), letters):
                    raise _suit_or_rank_error(cursor, int(comma))
            if is_suit and has_colon:
                return found
            cursor.has_loose_ranks = True
            cursor.index += 1 + comma
            found += ranks


def _cards_in_word(word: str, alphabet: Alphabet) -> list[str] | None:
    """The cards of one word: a card, several of a suit, or some of these with slashes."""
    if _is_void(word, alphabet):
        return []
    found: list[str] = []
    for part in word.split("/"):
        card = alphabet.find_card(part)
        part_cards = [card] if card is not None else alphabet.parse_run(part)
        if part_cards is None:
            return None
        found += part_cards
    return found


def _suit_or_rank_error(cursor: TokenCursor, ahead: int) -> AmbiguousNotation:
    word, offset = cursor.word(ahead), cursor.tokens[cursor.index + ahead].offset
    message = format_message(
        "{read} may be a suit or a rank here; write {read}: before the cards of a suit, or write whole "
        "cards.",
        read=word,
    )
    return AmbiguousNotation(offset, word, f"{word}: or each card with its suit", message=message)


def _card_or_ranks_error(cursor: TokenCursor, ahead: int) -> AmbiguousNotation:
    word, offset = cursor.word(ahead), cursor.tokens[cursor.index + ahead].offset
    reason = format_message("{read} may be a whole card, or ranks of the suit before it", read=word)
    return AmbiguousNotation(offset, word, "separate ranks, or each card with its suit", reason)


def _lone_letter_error(word: str, offset: int, is_repeated: bool) -> NotationError:
    """The error of a letter that is a suit in this alphabet and may be a rank in another."""
    expected = f"{word}: for the suit, each card with its suit, or the language in a tag (Letters: da)"
    if is_repeated:
        reason = format_message(
            "{read} is a suit for the second time, or a rank in another language", read=word
        )
        return AmbiguousNotation(offset, word, expected, reason)
    reason = format_message("{read} is alone, unlike the suits before it, and may be a rank", read=word)
    return NotationError(offset, word, expected, reason)
