"""A program of its own: answers heavy questions (`service.http.heavy_client`) from its input, one after
another.

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

from engine.rulesets import PUBLISHED_RULESETS, compile_ruleset
from service.application.hidden_cards import build_evidence_answer, build_odds_answer
from service.http.heavy_client import LENGTH_PREFIX_BYTES, HeavyQuestion
from service.presentation.i18n.translate import build_translator
from service.records.deal_points import build_deal_point

ANSWER_BUILDERS: Final = {"evidence": build_evidence_answer, "odds": build_odds_answer}
NICENESS: Final = 10
"""By so much its priority is lower than that of whoever records."""
MEMORY_LIMIT_BYTES: Final = 1 << 30
"""So much memory it may have, with the code that it runs."""


def answer_question(question: HeavyQuestion) -> bytes:
    """The answer to a question, with how many seconds it took."""
    start_seconds = time.process_time()
    book = (*PUBLISHED_RULESETS, *map(compile_ruleset, question.rulesets))
    point = build_deal_point(question.log, question.at, None, book)
    body = ANSWER_BUILDERS[question.answer_name](point, build_translator(question.language), question.query)
    if question.rulesets:
        compile_ruleset.cache_clear()  # what somebody sent once is not asked about again
    return orjson.dumps({"body": body, "seconds": time.process_time() - start_seconds})


def run_heavy_worker() -> None:
    """Answer until the input ends, as it does when the service ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends this
    _lower_priority()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            question = pickle.load(questions)
        except EOFError:
            return
        answer = answer_question(question)
        answers.write(len(answer).to_bytes(LENGTH_PREFIX_BYTES) + answer)
        answers.flush()


def _lower_priority() -> None:
    """Take less than others get, where the system lets that be said."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            os.nice(NICENESS)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))


if __name__ == "__main__":
    run_heavy_worker()
