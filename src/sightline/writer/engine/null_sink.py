"""The sink of a writer that writes nothing (``write_to_disk=False``): takes every call, keeps none."""

from __future__ import annotations


class NullSink:
    path = ""
    is_open = False
    problem = ""
    pending_bytes = 0
    lost_events = 0
    last_step = 0

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def _take(self, *values: object, **options: object) -> bool:
        return False

    add_scalar = add_scalars = add_histogram = add_event = _take

    def flush(self) -> bool:
        return True

    close = flush

    def take_notices(self) -> list[tuple[str, str]]:
        return []
