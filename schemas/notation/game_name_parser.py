"""Reading what a bid or a contract is called: as its ruleset has it, or in quotation marks."""

from typing import Final

from schemas.notation.notation_words import RESERVED_WORDS, WORD_FORMS, GameNames
from schemas.notation.tokenizer import NotationError, TokenCursor
from schemas.wire.wire_faults import find_nearest_word, quote_value

PASS_BID: Final = "pass"
MAX_GAME_NAME_WORDS: Final = 3
"""The name of a game has at most so many words."""


def take_game_name(cursor: TokenCursor, game_names: GameNames) -> str:
    """Takes the name of a bid or contract, of one word or several; what the ruleset calls it by.

    A mark that is glued to the name is left for what comes next.

    Raises:
        NotationError: no name stands there, or the ruleset has none of that name.
    """
    if cursor.word().lower() in WORD_FORMS["passes"]:
        cursor.index += 1
        return PASS_BID
    name, count, size = find_game_name(cursor, game_names)
    word = cursor.word()
    if name is None:
        if not word or word.lower() in RESERVED_WORDS:
            raise cursor.error_here("a name")
        if game_names.ids:
            raise _unknown_game_error(cursor, game_names)
        name, count, size = word, 1, len(word)
    cursor.index += count - 1
    if size < len(cursor.word()):
        cursor.split_word(size)
    else:
        cursor.index += 1
    return name


def find_game_name(cursor: TokenCursor, game_names: GameNames) -> tuple[str | None, int, int]:
    """The id of the bid or contract whose name comes next, None where none does.

    Beside it stands of how many words the name is, and how long it is in the last of them.
    """
    words: list[str] = []
    while len(words) < MAX_GAME_NAME_WORDS and (word := cursor.word(len(words))):
        words.append(word)
    while words:
        last = words[-1]
        for ending in (last, last.rstrip("!?")) if last[-1] in "!?" else (last,):
            name = game_names.find_id(" ".join((*words[:-1], ending)))
            if name is not None:
                return name, len(words), len(ending)
        words.pop()
    return None, 0, 0


def _unknown_game_error(cursor: TokenCursor, game_names: GameNames) -> NotationError:
    word = cursor.word()
    nearest = find_nearest_word(word, sorted(game_names.ids)) or min(
        game_names.ids - {PASS_BID, "self"}, default=PASS_BID
    )
    expected = f"a name that these rules have, such as {nearest}, or this one in quotation marks"
    return NotationError(cursor.offset, quote_value(word), expected)
