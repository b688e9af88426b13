"""Where an import goes: into a store, or into the service that runs on it, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from engine.rulesets import Ruleset, RulesetBook
from schemas.rulesets.published_rulesets import published_ruleset_object
from schemas.wire.event_writer import entry_bytes
from service.cli.io.inputs import InputLog
from service.cli.io.safe_group import CommandFailed
from service.cli.io.store_location import StoreLocation
from service.config.urls import API_PREFIX
from service.server.data_location import find_running_service, open_local_url

if TYPE_CHECKING:
    from service.auth.access_register import AccessRegister
    from service.eventstore import EventReader, EventStore
    from service.records.log_import import ImportResult

TOKEN_LABEL: Final = "spadille import-slips"
TOKEN_DAYS: Final = 1 / 24
REQUEST_SECONDS: Final = 600


class ImportTarget(Protocol):
    """Takes logs and rulesets; ``reader`` reads what is there already."""

    reader: EventReader

    @property
    def book(self) -> RulesetBook:
        """The rulesets, with those of the club."""
        ...

    def publish_ruleset(self, ruleset: Ruleset) -> bool:
        """Publish a ruleset; return whether it is new. Raises `ValueError` and others with the reason."""
        ...

    def import_logs(self, logs: Iterable[InputLog]) -> Iterator[ImportResult[InputLog]]:
        """Import logs as `service.records.log_import` does."""
        ...


@contextmanager
def open_import_target(location: StoreLocation, book: RulesetBook) -> Iterator[ImportTarget]:
    """The store, or the service that has it open. Raises as `StoreLocation.open_writer` does."""
    from service.auth.register_factory import open_access_register
    from service.eventstore import StoreInUse

    with ExitStack() as stack:
        try:
            store = stack.enter_context(location.open_writer())
        except StoreInUse:
            url = find_running_service(location.folder)
            if url is None:
                raise
            reader = stack.enter_context(location.open_reader())
            register = stack.enter_context(open_access_register(location.file))
            token = stack.enter_context(_temporary_token(register))
            yield _ServiceTarget(reader, book, url, token)
        else:
            yield _StoreTarget(store, book)


@contextmanager
def _temporary_token(register: AccessRegister) -> Iterator[str]:
    """A token of an owner, revoked at the end."""
    from service.auth.grants import GrantTerms
    from service.auth.timestamps import add_days
    from service.eventstore.clock import utc_now

    expires_at = add_days(utc_now(), TOKEN_DAYS)
    grant, token = register.create_grant(GrantTerms("owner", label=TOKEN_LABEL, expires_at=expires_at))
    try:
        yield token or ""
    finally:
        register.revoke_grant(grant.id)


class _StoreTarget:
    def __init__(self, store: EventStore, book: RulesetBook) -> None:
        from service.records.club_rules import ClubRules

        self.reader: EventReader = store
        self._store, self._rules = store, ClubRules(store, book)

    @property
    def book(self) -> RulesetBook:
        return self._rules.book

    def publish_ruleset(self, ruleset: Ruleset) -> bool:
        return self._rules.publish_revision(ruleset).is_new

    def import_logs(self, logs: Iterable[InputLog]) -> Iterator[ImportResult[InputLog]]:
        from service.records.log_import import import_logs

        return import_logs(self._store, logs, self.book)


class _ServiceTarget:
    def __init__(self, reader: EventReader, book: RulesetBook, url: str, token: str) -> None:
        self.reader, self._book, self._url, self._token = reader, book, url, token

    @property
    def book(self) -> RulesetBook:
        from service.records.club_rules import read_club_rules

        return (*self._book, *read_club_rules(self.reader))

    def publish_ruleset(self, ruleset: Ruleset) -> bool:
        (result,) = self._post(orjson.dumps(published_ruleset_object(ruleset)))["rulesets"]
        if result["detail"] is not None:
            raise ValueError(result["detail"])
        return bool(result["new"])

    def import_logs(self, logs: Iterable[InputLog]) -> Iterator[ImportResult[InputLog]]:
        from service.records.log_import import ImportResult

        sent: Sequence[InputLog] = list(logs)
        lines = (entry_bytes(entry, omit_unknown=True) for one in sent for entry in one.log)
        for result in self._post(b"\n".join(lines))["records"] if sent else ():
            yield ImportResult(
                sent[result["log"] - 1],
                *(result[name] for name in ("kind", "id", "version", "new", "detail")),
            )

    def _post(self, lines: bytes) -> Any:
        from urllib.error import HTTPError
        from urllib.request import Request

        from service.http.api.request_bodies import MAX_LOG_BYTES

        if len(lines) > MAX_LOG_BYTES:
            raise CommandFailed(
                f"The service is running, and takes at most {MAX_LOG_BYTES >> 20} MiB. Import fewer files "
                "together, or stop the service first."
            )
        headers = {"Content-Type": "application/jsonl", "Authorization": f"Bearer {self._token}"}
        request = Request(f"{self._url}{API_PREFIX}/import", lines, headers)
        try:
            with open_local_url(request, REQUEST_SECONDS) as response:
                return json.load(response)
        except HTTPError as error:
            problem = json.load(error)
            reason = problem.get("detail") or problem.get("title")
        except OSError as error:
            reason = str(error)
        raise CommandFailed(f"The service at {self._url} did not import it: {reason}")
