"""Numbers by a seed that is given: the engine has no chance of its own, so the same seed gives the same."""

from collections.abc import Iterator, Sequence
from typing import Final

WORD_BITS: Final = 64
_WORD_MASK: Final = (1 << WORD_BITS) - 1


def draw_numbers(seed: int, count: int, total: int) -> tuple[int, ...]:
    """So many different numbers below ``total``, as the seed has them; all where there are no more."""
    if total <= count:
        return tuple(range(total))
    rng, chosen = SeededRandom(seed), dict[int, None]()
    while len(chosen) < count:
        chosen[rng.randbelow(total)] = None
    return tuple(chosen)


def pick_share(shares: Sequence[int], number: int) -> tuple[int, int]:
    """In which of the shares, laid one after another, a number falls, and how far into it."""
    for index, share in enumerate(shares):
        if number < share:
            return index, number
        number -= share
    raise IndexError(number)


class SeededRandom:
    """A stream of numbers, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._words = _split_mix_64(seed)

    def randbelow(self, total: int) -> int:
        """The next number below ``total``."""
        drawn = 0
        # A word more than it takes, so that no number is likelier by as much as could be seen.
        for _ in range(total.bit_length() // WORD_BITS + 2):
            drawn = drawn << WORD_BITS | next(self._words)
        return drawn % total


def _split_mix_64(seed: int) -> Iterator[int]:
    """Words of 64 bits without end, by the generator SplitMix64 (Steele, Lea and Flood 2014)."""
    state = seed & _WORD_MASK
    while True:
        state = state + 0x9E3779B97F4A7C15 & _WORD_MASK
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD_MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD_MASK
        yield mixed ^ mixed >> 31
