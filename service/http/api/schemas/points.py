"""The answers about a deal at one point: state, legal actions, score, findings, replay (DESIGN 5)."""

from schemas.answers import fields
from schemas.answers.deal_reports import BaseReplaySchema, DealReportSchema, LogDealSchema
from schemas.answers.response_schema import ResponseSchema
from schemas.answers.states import FindingSchema, ScoreSchema


class FindingsSchema(ResponseSchema):
    """All findings of the record."""

    ok = fields.boolean("Whether there is no impossible entry and no error.")
    findings = fields.list_of(FindingSchema)


class ReplaySchema(BaseReplaySchema):
    """A whole deal in one answer, for a replayer."""

    names = fields.member_names(required=False)
    links = fields.links()


class LogScoreSchema(LogDealSchema, ScoreSchema):
    """The score of one deal, as `spadille score` prints it."""


class UnreadableLineSchema(ResponseSchema):
    """Why a line could not be read."""

    line = fields.integer("Null if the body is a JSON list.", min_value=1, allow_none=True)
    column = fields.integer("Null if it concerns the whole line.", min_value=1, allow_none=True)
    pointer = fields.string("The place in the line's object, or in the JSON list: a JSON Pointer.")
    read = fields.string("What was read there.")
    expected = fields.string("What was expected instead.")
    message = fields.string("Both, as a sentence.")


class ReportsSchema(ResponseSchema):
    """The reports of all readable deals, and the unreadable parts."""

    reports = fields.list_of(DealReportSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class ScoresSchema(ResponseSchema):
    """The scores of all readable deals, and the unreadable parts."""

    scores = fields.list_of(LogScoreSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")


class LogReplaySchema(BaseReplaySchema):
    """One deal of a log for a replayer, and the unreadable parts."""

    text = fields.string("The deal in the notation; empty if the readable part lacks its opening or a seq.")
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")
