"""How a projection stands, as a store keeps it: who makes it and how far it has come, held to a digest.

What is said of a root holds up to the position at which its projection stands. A disk that turned a bit there
would have what is long past told as what is so: therefore it is sealed, and begun anew where it is not whole.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

from service.eventstore.projecting import Progress, Refused

_FORMER: Final = 2000
"""So many letters of the names of makers in whose place others have come are kept."""
_SEAL_BYTES: Final = 8


class Standing(NamedTuple):
    """What a store keeps of a projection: ``former`` are the makers in whose place others have come."""

    maker: str
    position: int
    seal: str
    former: str

    def progress(self, name: str, head: int) -> Progress | None:
        """How far it has come; None where that cannot be so, as another stood there, or it is behind the
        log's end."""
        whole = self.seal == _seal(name, self.maker, self.position)
        return Progress(self.maker, self.position) if whole and self.position <= head else None


def begun(name: str, maker: str) -> Standing:
    """A projection at its beginning."""
    return _standing(name, maker, 0, "")


def claimed(
    name: str, was: Standing, head: int, maker: str, free: bool, again: bool = False
) -> Standing | Refused:
    """How a projection stands for a maker who goes on with it, if it is ``free`` to be claimed by him."""
    if not free:
        return Refused.BUSY
    if maker in was.former and not again:
        return Refused.SUPERSEDED
    former = was.former
    if maker != was.maker:
        former = f"{_without(maker, former)} {was.maker}"[-_FORMER:]
    return _standing(name, maker, _reached(name, was, head), former)


def gone_on(name: str, was: Standing, position: int) -> Standing:
    """How it stands farther on."""
    return _standing(name, was.maker, position, was.former)


def rewound(name: str, was: Standing, head: int, position: int, maker: str) -> Standing:
    """How it stands set back to a position, for that maker to go on from."""
    position = min(position, _reached(name, was, head))
    return _standing(name, was.maker, position, _without(maker, was.former))


def _reached(name: str, was: Standing, head: int) -> int:
    progress = was.progress(name, head)
    return 0 if progress is None else progress.position


def _without(maker: str, former: str) -> str:
    return former.replace(maker, "").strip()


def _standing(name: str, maker: str, position: int, former: str) -> Standing:
    return Standing(maker, position, _seal(name, maker, position), former)


def _seal(name: str, maker: str, position: object) -> str:
    return blake2b(f"{name}\0{maker}\0{position}".encode(), digest_size=_SEAL_BYTES).hexdigest()
