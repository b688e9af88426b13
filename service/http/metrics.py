"""Metrics in the form of Prometheus: requests, events, durations, disk space.

Labels are route templates, methods and statuses; never an id, a name or other input.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.eventstore import EventReader, StoreError
from service.http.store_health import DamageTracker
from service.projections.projection import PROJECTION_VERSION
from service.projections.projector import ALL_PROJECTIONS
from service.records.live import ConnectionLimit

METRICS_CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
REQUEST_SECONDS_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics(Collector):
    """The counters of one application, and the gauges that are read when asked for."""

    def __init__(
        self, store: EventReader, connection_limit: ConnectionLimit, damage_tracker: DamageTracker
    ) -> None:
        self._store, self._connection_limit, self._damage_tracker = store, connection_limit, damage_tracker
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "spadille_http_requests",
            "Answered requests.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "spadille_http_request_seconds",
            "Seconds until the answer; for a live stream, until it began.",
            ("method", "route"),
            buckets=REQUEST_SECONDS_BUCKETS,
            registry=self._registry,
        )
        self._appended = Counter(
            "spadille_events_appended",
            "Events that this process has stored, without repeats.",
            registry=self._registry,
        )
        self._registry.register(self)
        self._request_metrics = cache(self._find_request_metrics)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        answered, duration = self._request_metrics(method, route, status)
        answered.inc()
        duration.observe(seconds)

    def _find_request_metrics(self, method: str, route: str, status: int) -> tuple[Counter, Histogram]:
        return self._requests.labels(method, route, str(status)), self._seconds.labels(method, route)

    def count_appended_events(self, count: int) -> None:
        """Count events that were stored."""
        self._appended.inc(count)

    def render(self) -> bytes:
        """All metrics as they are now."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Read streams, events, disk space."""
        limit = self._connection_limit
        yield GaugeMetricFamily("spadille_live_streams", "Live streams now.", limit.connection_count)
        yield GaugeMetricFamily(
            "spadille_live_streams_limit", "The maximum of live streams.", limit.max_connections
        )
        yield CounterMetricFamily(
            "spadille_damage_noticed",
            "Damaged places in the store that this process has found.",
            len(self._damage_tracker.places),
        )
        try:
            head, usage = self._store.head(), self._store.disk_usage()
            progress = [
                (projection.name, self._store.projections.read_progress(projection.name))
                for projection in ALL_PROJECTIONS
            ]
        except StoreError:
            yield GaugeMetricFamily("spadille_store_up", "Whether the store can be read.", 0)
            return
        yield GaugeMetricFamily("spadille_store_up", "Whether the store can be read.", 1)
        yield CounterMetricFamily("spadille_store_position", "The position of the newest event.", head)
        position = GaugeMetricFamily(
            "spadille_projection_position",
            "The position up to which the stored figures are up to date.",
            labels=["projection"],
        )
        current = GaugeMetricFamily(
            "spadille_projection_current",
            "Whether this version of Spadille made the stored figures.",
            labels=["projection"],
        )
        for name, state in progress:
            position.add_metric([name], state.position if state else 0)
            current.add_metric([name], state is not None and state.version == PROJECTION_VERSION)
        yield position
        yield current
        if usage is not None:
            yield GaugeMetricFamily("spadille_store_bytes", "The store's size on its disk.", usage.used)
        if usage is not None and usage.free is not None:
            yield GaugeMetricFamily("spadille_store_free_bytes", "Free space on its disk.", usage.free)

    def describe(self) -> Iterator[Metric]:
        """Describe nothing; otherwise the registry would collect once to see what there is."""
        return iter(())
