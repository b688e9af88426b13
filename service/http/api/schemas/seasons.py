"""What is answered of seasons, and of a member's evenings."""

from marshmallow import fields

from engine.core.vocabulary import Chips, ChipsByName, Ordinal
from schemas.wire.declaration import kind_of
from service.http.api.schemas.fields import (
    Answer,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.ledger import FiguresSchema
from service.http.api.schemas.points import NAME, names_of_members
from service.http.api.schemas.streams import ID, damaged_records

CHIPS = kind_of(Chips)
DAY = {"format": "date"}


def day(means: str, *, null: bool = False) -> fields.String:
    """A day, such as 2026-11-21."""
    return fields.String(required=True, allow_none=null, metadata={"description": means, **DAY})


class SeasonInShortSchema(Answer):
    """A season in short."""

    id = said("What addresses call it: `2026-27` is August 2026 to July 2027.")
    first = day("Its first day; null where it has no beginning.", null=True)
    last = day("Its last day; null where it has no end.", null=True)
    evenings = Whole("How many tables were opened in it that the caller may read.")
    links = link_map()


class SeasonsSchema(Answer):
    """The seasons that have tables, the latest first."""

    seasons = list_of(SeasonInShortSchema)
    damaged = damaged_records()


class WorthSchema(Answer):
    """An amount of money."""

    currency = said("The currency; null where the tables name none.", null=True)
    amount = said("A decimal number, exact.")


class EveningSchema(Answer):
    """What one table came to."""

    table = Vocabulary(ID)
    title = said("What it is called; null where it has no name, or you may not know it.", null=True)
    day = day("The day on which it was opened.")
    ruleset = Vocabulary(NAME)
    revision = Vocabulary(
        kind_of(Ordinal), "Null where its opening names none: then it is the newest.", null=True
    )
    deals = Whole("How many deals stand in its ledger.")
    closed = flag("Whether it is over.")
    totals = Vocabulary(kind_of(ChipsByName), "What each has won (+) or lost (−): as in its ledger.")
    shares = Vocabulary(kind_of(ChipsByName), "What each gets of what lies in the pool.")
    chip_value = said("What a chip is worth, as a decimal number; null where it is not agreed.", null=True)
    currency = said("What chips are worth it in; null where it is not agreed.", null=True)
    links = link_map()


class OverEveningsSchema(FiguresSchema):
    """A player over several evenings. `chips` is the sum of the totals in their ledgers."""

    evenings = Whole("At how many tables the player sat.")
    share = Vocabulary(CHIPS, "The player's shares of what lies in pools.")
    settled = Vocabulary(CHIPS, "Both together; of all players it is nothing.")
    money = list_of(WorthSchema, "What that is worth, in each currency; empty where no chip has a value.")


class SeasonStandingSchema(OverEveningsSchema):
    """A player over the evenings of a season."""

    place = Whole("The place by `settled`; equal ones share it.", least=1)


class SeasonSchema(Answer):
    """The evenings of a season, and what they come to."""

    id = said("What addresses call it.")
    first = day("Its first day; null where it has no beginning.", null=True)
    last = day("Its last day; null where it has no end.", null=True)
    evenings = list_of(EveningSchema, "The tables that the caller may read, the earliest first.")
    standings = list_of(SeasonStandingSchema, "Whoever came away with most first.")
    damaged = damaged_records()
    names = names_of_members()
    links = link_map()


class AttendedSchema(EveningSchema):
    """An evening that a member sat at, and what the member did there."""

    season = said("The season that it belongs to.")
    figures = nested_in(FiguresSchema)
    settled = Vocabulary(CHIPS, "The member's chips, with the share of what lies in the pool.")
    money = said("What that is worth, as a decimal number; null where no chip value is agreed.", null=True)


class MemberFiguresSchema(Answer):
    """What a member did, over all evenings that the caller may read."""

    member = said("The member's id.")
    total = nested_in(OverEveningsSchema, "All evenings together; null where there are none.", null=True)
    evenings = list_of(AttendedSchema, "The latest first.")
    damaged = damaged_records()
    names = names_of_members()
    links = link_map()
