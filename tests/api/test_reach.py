"""Grants that reach a record are found by its name, and are those that reach it."""

from hypothesis import given
from hypothesis import strategies as st

from service.auth.grants import ROLES, Grant, Role, Scope, Terms
from service.auth.reach import Grants
from service.eventstore import StreamInfo

NAMES = st.sampled_from("abc")
SCOPES = st.just(Scope()) | st.builds(Scope, st.sampled_from(["table", "deal"]), NAMES)
MOMENTS = st.none() | st.dates().map(lambda day: f"{day.isoformat()}T12:00:00.000Z")


@st.composite
def some_terms(draw: st.DrawFn) -> Terms:
    role: Role = draw(st.sampled_from(ROLES))
    person = "Anna" if role == "player" else None
    return Terms(role, draw(SCOPES), person=person, expires_at=draw(MOMENTS))


GRANTS = st.lists(some_terms()).map(
    lambda terms: Grants(Grant(str(n), one, "") for n, one in enumerate(terms))
)
STREAMS = st.builds(StreamInfo, NAMES, NAMES, st.sampled_from(["table", "deal"]), st.just(1))


def reaches(scope: Scope, stream: StreamInfo | None) -> bool:
    """Whether a scope reaches a record, told as a person would: all of it, a table's deals too."""
    if scope.kind == "everything" or stream is None:
        return scope.kind == "everything"
    if scope.kind == "table":
        return scope.id == stream.root
    return stream.kind == "deal" and scope.id == stream.stream


@given(GRANTS, st.none() | STREAMS)
def test_of_many_those_are_found_that_reach_a_record_in_their_order(
    grants: Grants, stream: StreamInfo | None
) -> None:
    assert grants.reaching(stream) == [one for one in grants if reaches(one.terms.scope, stream)]


@given(GRANTS)
def test_the_first_end_is_told_and_who_may_know_more(grants: Grants) -> None:
    ends = sorted(one.terms.expires_at for one in grants if one.terms.expires_at)
    assert grants.ends == (ends[0] if ends else None)
    assert list(grants.of_people) == [one for one in grants if one.terms.role != "viewer"]
