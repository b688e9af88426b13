"""Metrics in Prometheus' form: how much is asked and stored, how quickly, and how much room there is.

Labels are templates of addresses, methods and statuses; never an id, a name or what somebody sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.eventstore import EventReader, StoreError
from service.projections.beside import PROJECTIONS
from service.projections.making import maker

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """What one application counts."""

    def __init__(
        self,
        store: EventReader,
        streams: Callable[[], int],
        most_streams: int,
        damaged: Callable[[], int] = lambda: 0,
    ) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "spadille_http_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "spadille_http_request_seconds",
            "How long an answer took; of a live stream, until it began.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._appended = Counter(
            "spadille_events_appended",
            "Events that this process has stored, without those that were stored before.",
            registry=self._registry,
        )
        self._registry.register(_Now(store, streams, most_streams, damaged))

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def appended(self, count: int) -> None:
        """Count events that were stored."""
        self._appended.inc(count)

    def text(self) -> bytes:
        """All of it, as it is now."""
        return generate_latest(self._registry)


class _Now(Collector):
    """What is not counted but looked at when it is asked for."""

    def __init__(
        self,
        store: EventReader,
        streams: Callable[[], int],
        most_streams: int,
        damaged: Callable[[], int],
    ) -> None:
        self._store, self._streams, self._most, self._damaged = store, streams, most_streams, damaged

    def collect(self) -> Iterator[Metric]:
        """Streams, events, room."""
        yield GaugeMetricFamily("spadille_live_streams", "Live streams now.", self._streams())
        yield GaugeMetricFamily("spadille_live_streams_limit", "Live streams at most.", self._most)
        yield CounterMetricFamily(
            "spadille_damage_noticed",
            "Places in the store at which damage was noticed since this process started.",
            self._damaged(),
        )
        try:
            head, room = self._store.head(), self._store.room()
            progress = [(one.name, self._store.projections.progress(one.name)) for one in PROJECTIONS]
        except StoreError:
            yield GaugeMetricFamily("spadille_store_up", "Whether the store can be read.", 0)
            return
        yield GaugeMetricFamily("spadille_store_up", "Whether the store can be read.", 1)
        yield CounterMetricFamily("spadille_store_position", "The position of the newest event.", head)
        come = GaugeMetricFamily(
            "spadille_projection_position", "How far what is kept of records has come.", labels=["projection"]
        )
        current = GaugeMetricFamily(
            "spadille_projection_current",
            "Whether this version of Spadille made what is kept of records.",
            labels=["projection"],
        )
        for name, reached in progress:
            come.add_metric([name], reached.position if reached else 0)
            current.add_metric([name], reached is not None and reached.maker == maker())
        yield come
        yield current
        if room is not None:
            yield GaugeMetricFamily("spadille_store_bytes", "What the store takes on its disk.", room.used)
        if room is not None and room.free is not None:
            yield GaugeMetricFamily("spadille_store_free_bytes", "What is free on its disk.", room.free)

    def describe(self) -> Iterator[Metric]:
        """Nothing: else it would be collected once to see what there is."""
        return iter(())
