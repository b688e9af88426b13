"""The schema of a problem."""

from marshmallow import INCLUDE, Schema

from schemas.answers import fields
from schemas.answers.response_schema import ResponseSchema


class ProblemErrorSchema(ResponseSchema):
    """One thing wrong in a request."""

    class Meta(ResponseSchema.Meta):
        unknown = INCLUDE

    pointer = fields.string("The place in the body: a JSON Pointer.", required=False)
    parameter = fields.string("The query parameter.", required=False)
    line = fields.integer("The line of the body, from 1.", min_value=None, required=False)
    column = fields.integer("The character of the line, from 1.", min_value=None, required=False)
    detail = fields.string("What was read, what was expected, what to do.")


class ProblemSchema(Schema):
    """An error, as RFC 9457 has it."""

    class Meta:
        unknown = INCLUDE
        register = False

    type = fields.string("The kind of problem.", format="uri-reference", examples=["/problems/stale-version"])
    title = fields.string("The kind of problem in a few words.")
    status = fields.integer("The HTTP status.", min_value=None)
    detail = fields.string("What happened here, and what to do.")
    errors = fields.list_of(ProblemErrorSchema, "Each fault of the request.", required=False)
    rule = fields.string("The section of the rules that it breaks.", required=False)
    seq = fields.seq("The entry concerned.", required=False)
