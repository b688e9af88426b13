"""The answers about whole files."""

from engine.core.vocabulary import Kind
from service.http.api.schemas.fields import (
    Answer,
    Parameter,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    said,
)
from service.http.api.schemas.points import UnreadSchema
from service.http.api.schemas.streams import ID, Asked
from service.presentation.csv_sheet import LANGUAGES


class SheetQuery(Asked):
    """How a sheet is written."""

    lang = Parameter(
        Kind("choice", choices=("da", "en")), "The language of its columns and words.", default="da"
    )


class SpreadsheetQuery(Asked):
    """For whom rows are written."""

    lang = Parameter(
        Kind("choice", choices=LANGUAGES),
        "For a person's spreadsheet in this language: heads and words, a file name, a mark that says UTF-8; "
        "Danish with semicolons between the cells and decimal commas. Unless told as programs read it: "
        "commas, codes, no mark.",
    )


class RecordImportedSchema(Answer):
    """What became of one log."""

    kind = Vocabulary(Kind("choice", choices=("deal", "table")), "What was recorded.")
    id = Vocabulary(ID)
    log = Whole("Which log of the file it was, from 1.", least=1)
    version = Whole("The record's version now; 0 where it was not imported.")
    new = Whole("So many of its entries had not been stored before.")
    detail = said("Why it was not imported; null where it was.", null=True)
    links = link_map()


class RulesetImportedSchema(Answer):
    """What became of one ruleset."""

    id = said("Its id.")
    revision = Whole("Its revision.", least=1)
    new = flag("Whether it had not been published before.")
    detail = said("Why it was not published; null where it was.", null=True)


class ImportedSchema(Answer):
    """What became of a file's logs, and what of it could not be read."""

    rulesets = list_of(RulesetImportedSchema)
    records = list_of(RecordImportedSchema)
    problems = list_of(UnreadSchema)
    unlisted = Whole("Problems beyond those told in full.")
