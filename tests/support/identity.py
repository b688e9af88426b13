"""Registers that are asked by many at once."""

from service.auth.grants import UnknownToken
from service.auth.register import Register
from tests.support.store.concurrency import in_threads


def entered_at_once(token: str, *registers: Register) -> int:
    """How many get in who exchange a token at the same time, one at each of these registers."""
    entered: list[int] = []

    def enter(number: int) -> None:
        try:
            registers[number].enter(token)
        except UnknownToken:
            return
        entered.append(number)

    in_threads(len(registers), enter)
    return len(entered)
