"""A schema of answers writes the objects that it publishes."""

from typing import Any, NamedTuple

from engine.core.cards import FOREHAND, Seat
from schemas.answers import fields
from schemas.answers.response_schema import ResponseSchema


class Play(NamedTuple):
    seat: Seat | None
    said: str | None
    counts: bool = False


class PlaySchema(ResponseSchema):
    who = fields.seat(get="seat", allow_none=True)
    length = fields.integer(get=lambda play: len(play.said or ""))
    words = fields.string(get="said", data_key="said", required=False)
    counts = fields.boolean(required=False)


class PlaysSchema(ResponseSchema):
    first = fields.nested(PlaySchema, get=lambda plays: plays[0])
    all = fields.list_of(PlaySchema, get=tuple, write=len)
    link = fields.string()
    told = fields.string(get=lambda plays: plays[0].said, translate=lambda text, lang: f"{lang}: {text}")


def test_members_are_read_written_left_out_and_given() -> None:
    bare: dict[str, Any] = {"who": "forehand", "length": 0}
    assert PlaySchema.write(Play(FOREHAND, None)) == bare
    assert PlaySchema.write(Play(None, "", True)) == {"who": None, "length": 0, "said": "", "counts": True}
    assert PlaySchema.write(Play(FOREHAND, "a"), counts=False, length=9) == {**bare, "said": "a", "length": 9}
    plays = PlaysSchema.write((Play(None, "b"),), "da", link="/")
    assert list(plays.items()) == [
        ("first", {"who": None, "length": 1, "said": "b"}), ("all", 1), ("link", "/"), ("told", "da: b"),
    ]  # fmt: skip
