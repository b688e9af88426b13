"""The catalogues of messages: ``locale/da.po`` holds the Danish of each English text.

A language has one file there. A text that it does not have stays English.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

SOURCE_LANGUAGE: Final = "en"
LOCALE_FOLDER: Final = Path(__file__).with_name("locale")


@cache
def load_catalog(lang: str) -> NullTranslations:
    """The messages of a language; raises `FileNotFoundError` for a language without a file."""
    if lang == SOURCE_LANGUAGE:
        return NullTranslations()
    # Imported when it is needed: the command line in English starts sooner.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with (LOCALE_FOLDER / f"{lang}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=lang))
    compiled.seek(0)
    return GNUTranslations(compiled)


def gettext(text: str, lang: str, context: str = "") -> str:
    """An English text in a language; ``context`` tells apart what is the same in English."""
    if not text:
        return text  # gettext keeps the header of the file there
    catalog = load_catalog(lang)
    return catalog.pgettext(context, text) if context else catalog.gettext(text)
