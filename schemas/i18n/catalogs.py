"""The catalogues of messages: ``locale/da.po`` holds the Danish of each English text.

A language has one file there. A text that it does not have stays English.
"""

import os
import sys
from contextlib import suppress
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
    source = LOCALE_FOLDER / f"{lang}.po"
    compiled = source.parent / "__pycache__" / f"{lang}.mo"
    if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
        messages = _compile_catalog(source, lang)
        if not sys.dont_write_bytecode:
            _keep_messages(messages, compiled)
        return GNUTranslations(BytesIO(messages))
    with compiled.open("rb") as file:
        return GNUTranslations(file)


def _compile_catalog(source: Path, lang: str) -> bytes:
    """The messages as `gettext` reads them: this takes six times as long as reading them."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file, locale=lang))
    return compiled.getvalue()


def _keep_messages(messages: bytes, file: Path) -> None:
    """Keep compiled messages for the next process, as Python does with its own; not in a read-only folder."""
    with suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(messages)
        unfinished.replace(file)


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
