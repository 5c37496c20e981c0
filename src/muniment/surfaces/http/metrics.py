"""Numbers for those who run the server: requests by route and status, their times, and when the last one was finished."""

from __future__ import annotations

import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST as MEDIA_TYPE

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
__all__ = ["MEDIA_TYPE", "Numbers"]


class Numbers:
    """The counts of one server, in a registry of their own. Nothing of a request but its route is a label."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "muniment_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "muniment_request_seconds",
            "Time to answer.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._age = Gauge("muniment_last_write_age_seconds", "Since the last write was done.", registry=self._registry)
        self._age.set_function(lambda: self._since_write() or 0.0)
        self._written: float | None = None

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)
        if method not in ("GET", "HEAD") and status < 300:
            self._written = time.monotonic()

    def _since_write(self) -> float | None:
        return None if self._written is None else time.monotonic() - self._written

    def readiness(self) -> dict[str, Any]:
        """How long ago the last write of this server was done; null if there was none."""
        since = self._since_write()
        return {"status": "ready", "last_write_age_s": None if since is None else round(since, 1)}

    def text(self) -> str:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry).decode()
