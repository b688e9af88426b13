"""The catalogues of messages: ``locale/da.po`` holds the Danish of each English text.

A language has one file there. A text that it does not have stays English.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from engine.core.message import LocalizedText

SOURCE_LANGUAGE: Final = "en"
LOCALE_FOLDER: Final = Path(__file__).with_name("locale")
MESSAGE_LANGUAGES: Final = (SOURCE_LANGUAGE, *sorted(file.stem for file in LOCALE_FOLDER.glob("*.po")))
"""The languages of messages; the first is the default."""


@cache
def load_catalog(lang: str) -> NullTranslations:
    """Load the messages of a language; raises `FileNotFoundError` for a language without a file."""
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
    """An English text in a language; ``context`` distinguishes what is the same in English."""
    if isinstance(text, LocalizedText):
        return text.translations.get(lang, str(text))
    if lang == SOURCE_LANGUAGE or not text:  # gettext keeps the header of the file where no text is
        return text
    catalog = load_catalog(lang)
    return catalog.pgettext(context, text) if context else catalog.gettext(text)


def localize(text: str) -> LocalizedText:
    """Return a text with all its translations, for a reader whose language is not known yet."""
    return LocalizedText(text, {lang: gettext(text, lang) for lang in MESSAGE_LANGUAGES[1:]})


def list_translations(text: str) -> list[str]:
    """Return a text in English and each translation that differs from it."""
    return list(dict.fromkeys(gettext(text, lang) for lang in MESSAGE_LANGUAGES))


def format_decimal(figure: str, lang: str) -> str:
    """A figure such as "0.25" with the decimal mark of a language."""
    return figure.replace(".", gettext(".", lang, "decimal mark"))


def group_thousands(number: int, lang: str) -> str:
    """A whole number with its thousands apart."""
    return f"{number:,}".replace(",", gettext(",", lang, "thousands"))


def rank_letter(rank: str, lang: str) -> str:
    """The letter of a rank on a card; ``rank`` is as the record has it."""
    return gettext(rank, lang, "on a card") if rank in "AKQJ" else rank
