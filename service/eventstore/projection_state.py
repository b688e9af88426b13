"""How a projection stands, as a store keeps it: who makes it and how far it has come, held to a digest.

What is said of a root holds up to the position at which its projection stands. A disk that turned a bit there
would have what is long past told as what is so: therefore it is sealed, and begun anew where it is not whole.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

from service.eventstore.projection_interface import ClaimRefusal, ProjectionProgress

_MAX_FORMER_LENGTH: Final = 2000
"""So many letters of the names of makers in whose place others have come are kept."""
_CHECKSUM_BYTES: Final = 8


class ProjectionState(NamedTuple):
    """What a store keeps of a projection; others have come in the place of ``former_builders``."""

    builder: str
    position: int
    checksum: str
    former_builders: str

    def verified_progress(self, name: str, head: int) -> ProjectionProgress | None:
        """How far it has come; None where that cannot be so, as another stood there, or it is behind the
        log's end."""
        is_intact = self.checksum == _compute_checksum(name, self.builder, self.position)
        return (
            ProjectionProgress(self.builder, self.position) if is_intact and self.position <= head else None
        )


def initial_state(name: str, builder: str) -> ProjectionState:
    """A projection at its beginning."""
    return _build_state(name, builder, 0, "")


def claim_state(
    name: str, state: ProjectionState, head: int, builder: str, is_free: bool, allow_superseded: bool = False
) -> ProjectionState | ClaimRefusal:
    """How a projection stands for a maker who goes on with it; ``is_free``: whether they may claim it."""
    if not is_free:
        return ClaimRefusal.BUSY
    if builder in state.former_builders and not allow_superseded:
        return ClaimRefusal.SUPERSEDED
    former_builders = state.former_builders
    if builder != state.builder:
        former_builders = f"{_remove_builder(builder, former_builders)} {state.builder}"[-_MAX_FORMER_LENGTH:]
    return _build_state(name, builder, _verified_position(name, state, head), former_builders)


def advance_state(name: str, state: ProjectionState, position: int) -> ProjectionState:
    """How it stands farther on."""
    return _build_state(name, state.builder, position, state.former_builders)


def rewind_state(
    name: str, state: ProjectionState, head: int, position: int, builder: str
) -> ProjectionState:
    """How it stands set back to a position, for that maker to go on from."""
    position = min(position, _verified_position(name, state, head))
    return _build_state(name, state.builder, position, _remove_builder(builder, state.former_builders))


def _verified_position(name: str, state: ProjectionState, head: int) -> int:
    progress = state.verified_progress(name, head)
    return 0 if progress is None else progress.position


def _remove_builder(builder: str, former_builders: str) -> str:
    return former_builders.replace(builder, "").strip()


def _build_state(name: str, builder: str, position: int, former_builders: str) -> ProjectionState:
    return ProjectionState(builder, position, _compute_checksum(name, builder, position), former_builders)


def _compute_checksum(name: str, builder: str, position: object) -> str:
    return blake2b(f"{name}\0{builder}\0{position}".encode(), digest_size=_CHECKSUM_BYTES).hexdigest()
