"""The shape of a problem, as it is published."""

from marshmallow import INCLUDE, Schema, fields

from service.http.api.schemas.fields import (
    SEQ_KIND,
    ResponseSchema,
    VocabularyField,
    list_field,
    string_field,
)


class ProblemErrorSchema(ResponseSchema):
    """One thing wrong in a request."""

    class Meta(ResponseSchema.Meta):
        unknown = INCLUDE

    pointer = fields.String(metadata={"description": "Where in the body: a JSON Pointer."})
    parameter = fields.String(metadata={"description": "Which query parameter."})
    line = fields.Integer(metadata={"description": "At which line of the body, from 1."})
    column = fields.Integer(metadata={"description": "At which character of the line, from 1."})
    detail = string_field("What was read, what was expected, what to do.")


class ProblemSchema(Schema):
    """An error, as RFC 9457 has it."""

    class Meta:
        unknown = INCLUDE
        register = False

    type = fields.String(
        required=True,
        metadata={
            "format": "uri-reference",
            "description": "What kind of problem.",
            "examples": ["/problems/stale-version"],
        },
    )
    title = string_field("The kind of problem in a few words.")
    status = fields.Integer(required=True, metadata={"description": "The HTTP status."})
    detail = string_field("What happened here, and what to do.")
    errors = list_field(ProblemErrorSchema, "Each fault of the request.", required=False)
    rule = fields.String(metadata={"description": "The section of the rules that speaks against it."})
    seq = VocabularyField(SEQ_KIND, "The entry it is about.", required=False)
