"""What is wrong with a sheet, collected in the language of whoever reads it."""

from schemas.spreadsheet.sheet_messages import (
    ExpectedPhrase,
    SheetLanguages,
    describe_cell_error,
    format_advice,
    format_sheet_sentence,
)
from schemas.spreadsheet.slip import SlipFault
from schemas.wire.wire_faults import WireError

FaultPlace = tuple[int, int, str]
"""Row and column, as `SlipFault` has them, and the column's heading."""


class SheetFaults(list[SlipFault]):
    """The faults found so far, told in ``languages``."""

    def __init__(self, languages: SheetLanguages) -> None:
        super().__init__()
        self.languages = languages

    def tell(
        self,
        place: FaultPlace,
        read: str,
        expected: ExpectedPhrase | str,
        sentence_id: str = "",
        *,
        loses_data: bool = True,
        **parts: object,
    ) -> None:
        """Tell by a sentence, which may name more ``parts``, or else what to write instead of ``read``."""
        if isinstance(expected, ExpectedPhrase):
            expected = expected.format(self.languages)
        message = (
            format_sheet_sentence(sentence_id, self.languages, read=read, expected=expected, **parts)
            if sentence_id
            else format_advice(read, expected, self.languages)
        )
        self.append(SlipFault(*place, read, expected, message, loses_data))

    def tell_error(self, place: FaultPlace, error: WireError) -> None:
        """Tell why a cell cannot be read."""
        self.append(SlipFault(*place, *describe_cell_error(error, self.languages)))
