"""Numbers by a seed that is given: the engine has no chance of its own, so the same seed gives the same."""

from collections.abc import Iterator
from typing import Final

WORD: Final = 64
_WHOLE: Final = (1 << WORD) - 1


def numbers(seed: int, count: int, total: int) -> tuple[int, ...]:
    """So many different numbers below ``total``, as the seed has them; all where there are no more."""
    if total <= count:
        return tuple(range(total))
    chance, chosen = Chance(seed), dict[int, None]()
    while len(chosen) < count:
        chosen[chance.below(total)] = None
    return tuple(chosen)


class Chance:
    """A stream of numbers, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._words = _words(seed)

    def below(self, total: int) -> int:
        """The next number below ``total``."""
        drawn = 0
        # A word more than it takes, so that no number is likelier by as much as could be seen.
        for _ in range(total.bit_length() // WORD + 2):
            drawn = drawn << WORD | next(self._words)
        return drawn % total


def _words(seed: int) -> Iterator[int]:
    """Words of 64 bits without end, by the generator SplitMix64 (Steele, Lea and Flood 2014)."""
    state = seed & _WHOLE
    while True:
        state = state + 0x9E3779B97F4A7C15 & _WHOLE
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WHOLE
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WHOLE
        yield mixed ^ mixed >> 31
