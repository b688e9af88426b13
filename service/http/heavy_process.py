"""A program of its own: answers heavy questions (`service.http.heavy`) from its input, one after another.

It knows the engine and the words of both languages, and nothing of store, register and settings.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import time
from typing import Final

import orjson

from engine.rulesets import PUBLISHED, rules_of
from service.application.hidden_cards import evidence_told, likely_told
from service.http.heavy import HEAD, Question
from service.presentation.i18n.translate import telling
from service.records.points import point_of

ANSWERS: Final = {"evidence": evidence_told, "odds": likely_told}
NICE: Final = 10
"""By so much its priority is lower than that of whoever records."""
MOST_BYTES: Final = 1 << 30
"""So much memory it may have, with the code that it runs."""


def answered(question: Question) -> bytes:
    """The answer to a question, with how many seconds it took."""
    begun = time.process_time()
    book = (*PUBLISHED, *map(rules_of, question.rulesets))
    point = point_of(question.log, question.at, None, book)
    body = ANSWERS[question.answer](point, telling(question.language), question.query)
    if question.rulesets:
        rules_of.cache_clear()  # what somebody sent once is not asked about again
    return orjson.dumps({"body": body, "seconds": time.process_time() - begun})


def main() -> None:
    """Answer until the input ends, as it does when the service ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends this
    _step_back()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            question = pickle.load(asked)
        except EOFError:
            return
        answer = answered(question)
        answers.write(len(answer).to_bytes(HEAD) + answer)
        answers.flush()


def _step_back() -> None:
    """Take less than others get, where the system lets that be said."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            os.nice(NICE)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


if __name__ == "__main__":
    main()
