"""What may be kept of an answer. Each route names one of these, which decides and is published.

`declared_cache_control` gives the header of the operation that is asked.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from service.http.current_request import request_globals

PRIVATE_NO_CACHE: Final = "private, no-cache"
"""May be kept by the client that asked, and has to be asked for again each time."""
NO_STORE: Final = "no-store"
PUBLIC_IMMUTABLE: Final = "public, max-age=31536000, immutable"
PUBLIC_SHORT: Final = "public, max-age=300"
"""May be kept where others are answered from it, for so many seconds: publishing may be taken back."""
PRIVATE_IMMUTABLE: Final = "private, max-age=31536000, immutable"
"""May be kept for good, but not where others are answered from it: not everybody may read it."""


class CacheFacts(NamedTuple):
    """What it depends on how long an answer may be kept.

    ``sees_everything``: nothing was cut for its reader; ``is_fixed``: nothing that is recorded later changes
    it; ``is_fully_public``: everybody may read all of it.
    """

    sees_everything: bool = False
    is_fixed: bool = False
    is_fully_public: bool = False


class CachePolicy(NamedTuple):
    """For how long something may be kept, and what its ETag is made of (None: it has none)."""

    choose: Callable[[CacheFacts], str]
    description: str
    etag_basis: str | None = None


def _choose_for_reader(facts: CacheFacts) -> str:
    """What is cut for its reader never."""
    return PRIVATE_NO_CACHE if facts.sees_everything else NO_STORE


def _choose_for_deal_point(facts: CacheFacts) -> str:
    """For ever what cannot change; if it is cut, only what is public, and briefly: that may be taken back."""
    if facts.is_fixed and facts.sees_everything:
        return PRIVATE_IMMUTABLE
    return PUBLIC_SHORT if facts.is_fixed and facts.is_fully_public else _choose_for_reader(facts)


def _choose_for_library_point(facts: CacheFacts) -> str:
    """What cannot change for ever: everybody may read the library."""
    return PUBLIC_IMMUTABLE if facts.is_fixed and facts.sees_everything else _choose_for_reader(facts)


_FOR_READER: Final = f"`{PRIVATE_NO_CACHE}` for a caller who may know everything, else `{NO_STORE}`"
_CONTENT_ETAG: Final = "a hash of what it says"
_VERSION_ETAG: Final = "the record's version, and behind a hyphen whatever else it depends on"

NO_STORE_POLICY: Final = CachePolicy(lambda _: NO_STORE, f"`{NO_STORE}`")
REVALIDATED_POLICY: Final = CachePolicy(lambda _: PRIVATE_NO_CACHE, f"`{PRIVATE_NO_CACHE}`", _CONTENT_ETAG)
CHECKPOINT_POLICY: Final = REVALIDATED_POLICY._replace(etag_basis="how many events it is of")
LIST_POLICY: Final = CachePolicy(_choose_for_reader, _FOR_READER, _CONTENT_ETAG)
RECORD_POLICY: Final = CachePolicy(_choose_for_reader, _FOR_READER, _VERSION_ETAG)
LOG_POLICY: Final = CachePolicy(
    _choose_for_reader,
    _FOR_READER,
    'the record\'s version, alone for JSON as it is stored (`"17"`), else with the form or a hash behind a '
    'hyphen (`"17-jsonl"`)',
)
POINT_POLICY: Final = CachePolicy(
    _choose_for_deal_point,
    f"{_FOR_READER}; where `at` and `known` are given, the deal is closed and no member of the club plays in "
    f"it `{PRIVATE_IMMUTABLE}` for a caller who may know everything, and for everybody else "
    f"`{PUBLIC_SHORT}` if the deal is published and is no variation",
    f"{_VERSION_ETAG}; a drawing's is a hash of what it shows",
)
LIBRARY_POLICY: Final = CachePolicy(
    _choose_for_library_point,
    f"`{PRIVATE_NO_CACHE}`; `{PUBLIC_IMMUTABLE}` where `at` and `known` are given and the deal is closed; "
    f"`{NO_STORE}` where a `viewer` is asked for who may not know everything",
    _CONTENT_ETAG,
)


def declare_cache_policy(policy: CachePolicy) -> None:
    """Sets the policy of the request that is answered."""
    request_globals().cache_policy = policy


def declared_cache_control(
    sees_everything: bool = False, *, is_fixed: bool = False, is_fully_public: bool = False
) -> str:
    """The header `Cache-Control` of the operation that is asked; what is not said counts as not so."""
    policy: CachePolicy = request_globals().cache_policy
    return policy.choose(CacheFacts(sees_everything, is_fixed, is_fully_public))
