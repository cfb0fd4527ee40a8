"""Log directories for tests: event files put together from the records of ``fixtures.event_bytes``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sightline.store.runs import RunStore
from tests.fixtures import event_bytes as eb

BEGIN_S = eb.WALL_TIME_S


def file_version(*, wall_time: float = BEGIN_S) -> bytes:
    return eb.record(eb.event(eb.blob(3, b"brain.Event:2"), wall_time=wall_time))


def write_run(directory: Path, *records: bytes, name: str = eb.FILE_NAME, begin_s: float = BEGIN_S) -> Path:
    """One event file that begins at the given wall time."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(file_version(wall_time=begin_s) + b"".join(records))
    return path


def append(path: Path, *records: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(records))


def points(
    steps: Iterable[int], *, tag: str = "loss", begin_s: float = BEGIN_S, factor: float = 1.0
) -> bytes:
    """Scalars at these steps, one second apart from the given time on; the value is ``factor * step``."""
    return b"".join(
        eb.scalar(step, factor * step, tag=tag.encode(), wall_time=begin_s + row + 1)
        for row, step in enumerate(steps)
    )


def start(step: int, *, wall_time: float) -> bytes:
    return eb.session_log(eb.START, step=step, wall_time=wall_time)


def write_restarted_run(directory: Path) -> None:
    """Steps 0 to 5, a crash, and steps 3 to 7 again with other values, in a second and later file."""
    write_run(directory, points(range(6)), name="events.out.tfevents.1.a")
    later_s = BEGIN_S + 100
    write_run(
        directory,
        points(range(3, 8), begin_s=later_s, factor=10),
        name="events.out.tfevents.2.a",
        begin_s=later_s,
    )


def image_record(tag: str, step: int, data: bytes, *, wall_time: float | None = None) -> bytes:
    """A legacy image, as torch writes it."""
    image = eb.integer(1, 4) + eb.integer(2, 6) + eb.integer(3, 3) + eb.blob(4, data)
    value = eb.blob(1, tag.encode()) + eb.blob(4, image)
    return eb.record(eb.event(eb.summary(value), step=step, wall_time=wall_time))


def image_tensor_record(tag: str, step: int, *samples: bytes) -> bytes:
    """An image tensor, as TensorFlow 2 writes it."""
    strings = b"".join(eb.blob(8, text) for text in (b"6", b"4", *samples))
    return eb.tensor_record(
        tag.encode(), 7, eb.shape(2 + len(samples)), strings, step=step, meta=eb.metadata(b"images")
    )


def read(*roots: Path, prefix: str = "") -> RunStore:
    """Everything below the roots, read by the core now."""
    store = RunStore()
    for root in roots:
        store.index.add_root(str(root), prefix)
    store.access.root_directories = [str(root) for root in roots]
    store.index.scan()
    return store
