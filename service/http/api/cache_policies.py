"""How long answers may be kept. Each route names a policy, which decides and is published."""

from collections.abc import Callable
from typing import Final, NamedTuple

from service.http.current_request import request_globals

PRIVATE_NO_CACHE: Final = "private, no-cache"
"""The client may keep it, and has to ask each time whether it still holds."""
NO_CACHE: Final = "no-cache"
"""As `PRIVATE_NO_CACHE`, and the same for everybody."""
NO_STORE: Final = "no-store"
PUBLIC_IMMUTABLE: Final = "public, max-age=31536000, immutable"
PUBLIC_SHORT: Final = "public, max-age=300"
"""Shared caches may keep it for that many seconds: publishing may be taken back."""
PRIVATE_IMMUTABLE: Final = "private, max-age=31536000, immutable"
"""The client may keep it for good, shared caches may not: not everybody may read it."""


class CachePolicy(NamedTuple):
    """How long an answer may be kept, and what its ETag is made of (None: it has none).

    ``choose`` gives the header: it takes whether nothing was removed for the reader, whether nothing recorded
    later changes the answer, and whether everybody may read all of it.
    """

    choose: Callable[[bool, bool, bool], str]
    description: str
    etag_basis: str | None = None


def _choose_for_reader(sees_everything: bool, *_: bool) -> str:
    """Never keep an answer from which something was removed for its reader."""
    return PRIVATE_NO_CACHE if sees_everything else NO_STORE


def _choose_for_deal_point(sees_everything: bool, is_fixed: bool, is_fully_public: bool) -> str:
    """Keep what cannot change; if it is redacted only what is public, and briefly: that may be taken back."""
    if is_fixed and sees_everything:
        return PRIVATE_IMMUTABLE
    return PUBLIC_SHORT if is_fixed and is_fully_public else _choose_for_reader(sees_everything)


def _choose_for_library_point(sees_everything: bool, is_fixed: bool, _: bool) -> str:
    """Keep what cannot change: everybody may read the library."""
    return PUBLIC_IMMUTABLE if is_fixed and sees_everything else _choose_for_reader(sees_everything)


_FOR_READER: Final = f"`{PRIVATE_NO_CACHE}` for a caller who may know everything, else `{NO_STORE}`"
_CONTENT_ETAG: Final = "a hash of its contents"
_VERSION_ETAG: Final = "the record's version, a hyphen, and a hash of what else the answer depends on"

NO_STORE_POLICY: Final = CachePolicy(lambda *_: NO_STORE, f"`{NO_STORE}`")
REVALIDATED_POLICY: Final = CachePolicy(lambda *_: PRIVATE_NO_CACHE, f"`{PRIVATE_NO_CACHE}`", _CONTENT_ETAG)
CHECKPOINT_POLICY: Final = REVALIDATED_POLICY._replace(etag_basis="its number of events")
LIST_POLICY: Final = CachePolicy(_choose_for_reader, _FOR_READER, _CONTENT_ETAG)
RECORD_POLICY: Final = CachePolicy(_choose_for_reader, _FOR_READER, _VERSION_ETAG)
LOG_POLICY: Final = CachePolicy(
    _choose_for_reader,
    _FOR_READER,
    'for JSON as it is stored, only the record\'s version (`"17"`); for other answers the version, a hyphen, '
    'and the form or a hash (`"17-jsonl"`)',
)
POINT_POLICY: Final = CachePolicy(
    _choose_for_deal_point,
    f"{_FOR_READER}. With `at` and `known`, once the deal is closed: `{PRIVATE_IMMUTABLE}` for a caller who "
    f"may know everything; for others `{PUBLIC_SHORT}` if the deal is published. If a club member plays in "
    "the deal, neither of these applies; for a variation, the `public` one does not apply",
    f"{_VERSION_ETAG}; for a drawing, a hash of what it shows",
)
LIBRARY_POLICY: Final = CachePolicy(
    _choose_for_library_point,
    f"`{PRIVATE_NO_CACHE}`; `{PUBLIC_IMMUTABLE}` if `at` and `known` are given and the deal is closed; "
    f"`{NO_STORE}` for a `viewer` who may not know everything",
    _CONTENT_ETAG,
)


def declare_cache_policy(policy: CachePolicy) -> None:
    """Set the policy of the current request."""
    request_globals().cache_policy = policy


def declared_cache_control(
    sees_everything: bool = False, *, is_fixed: bool = False, is_fully_public: bool = False
) -> str:
    """The header `Cache-Control` of the current operation."""
    policy: CachePolicy = request_globals().cache_policy
    return policy.choose(sees_everything, is_fixed, is_fully_public)
