"""Following event files in an object store: list rarely, read only what is new.

    list ─▶ event files ─▶ new, grown, replaced ones, newest first ─▶ ranges in parallel ─▶ feed in order
      └──▶ side files

Requests cost money and time, so the whole state of a root comes from one listing per pass; nothing is asked
per directory or per file, and a file costs one range request per 8 MiB of *new* bytes. Passes come every 2 s
while something changes and get rarer, to once a minute, while nothing does.

A store cannot append: a file that grows is a new object with a new identity each time. That it still is the
same log, only longer, is proven by asking for a few bytes more than the new ones: the last ones read before.
When they differ the object was replaced and is read from the start.

A pass runs on the thread that asks for it. Only the downloads are spread over a pool; the index is fed, and
all state here is changed, by the asking thread alone.
"""

from __future__ import annotations

import fnmatch
import threading
import time
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from sightline.model.errors import FileGoneError
from sightline.model.places import WORKSPACE_GLOBS
from sightline.model.reports import Progress, one_line
from sightline.readers.object_store import ObjectStore, StoredObject
from sightline.readers.roots import Root, is_event_file_name
from sightline.readers.side_listing import side_files_by_directory
from sightline.store.side_files import SideFiles

if TYPE_CHECKING:
    from sightline._core import Index

BLOCK_BYTES = 8 << 20
"""Most bytes of one request: large enough to need few, small enough to show a file while it loads."""

PROOF_BYTES = 16
"""Bytes read again to see that an object still begins with what was read: the checksum of the last record
(4 bytes) and the end of its payload, where the value usually is."""

_MAX_DOWNLOADS = 8  # with blocks of 8 MiB this bounds the memory of a pass to 64 MiB

_SHORTEST_DELAY_S = 2.0
_LONGEST_DELAY_S = 60.0
_DELAY_GROWTH = 1.5  # from the shortest to the longest in two and a half quiet minutes
# A listing of a million objects is a thousand requests: then the pause must grow with it, whatever changes.
_LISTING_COST_FACTOR = 10
_LONGEST_RETRY_DELAY_S = 300.0

_LONGEST_REASON = 200

# How often a pass that waits for the network looks whether the reader was closed.
_CLOSE_CHECK_S = 0.05


# Which reader feeds an object, by (id of the index, URL). Patterns may overlap in ways that cannot be seen
# from the roots, and an object fed by two readers would be garbage. A reader holds its index: the id is good.
_owners: weakref.WeakValueDictionary[tuple[int, str], RemoteReader] = weakref.WeakValueDictionary()
_owners_lock = threading.Lock()


@dataclass
class _RemoteFile:
    """What is known of one event file."""

    file_id: int
    url: str
    stored: StoredObject
    next_offset: int = 0
    tail: bytes = b""
    """The last bytes before next_offset, as far as they are known (not after a start from the cache)."""
    generation: int = 0
    """Grows when blocks that were asked for are not wanted any more: after a restart or a failure."""
    has_restarted: bool = False
    """In this pass. An object that changes faster than it can be read has to wait for the next one."""
    problem: str = ""
    failure_count: int = 0
    retry_due_s: float = 0.0

    @property
    def is_read(self) -> bool:
        return self.next_offset >= self.stored.size_bytes


@dataclass(frozen=True)
class _Block:
    """A range of a file that is being downloaded. It starts with the proof when there is one."""

    file: _RemoteFile
    generation: int
    start: int
    end: int
    proof: bytes

    @property
    def is_wanted(self) -> bool:
        return self.generation == self.file.generation


class RemoteReader:
    """Feeds an index from one remote root. Its methods may be called from any thread."""

    def __init__(
        self,
        index: Index,
        root: Root,
        *,
        storage_options: Mapping[str, Any] | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Touches no network. include and exclude mean what they mean in Index.add_root; the root's own
        exclude is applied in any case.

        Raises MissingExtraError when the package for this kind of store is not installed.
        """
        self.root = root
        self._index = index
        self._store = ObjectStore(root, storage_options=storage_options)
        self._selects = _selection(root, include=include, exclude=exclude)
        self._clock = clock
        self._pass_lock = threading.Lock()
        self._closed = threading.Event()
        self._pool: ThreadPoolExecutor | None = None
        self._files: dict[str, _RemoteFile] = {}
        self._by_id: dict[int, _RemoteFile] = {}
        self._runs: set[str] = set()
        self._side_files: dict[str, SideFiles] = {}
        self._warnings: list[str] = []
        self._quiet_delay_s = _SHORTEST_DELAY_S
        self._due_s = clock()
        self._progress = Progress(0, 0, 0, 0, is_done=False)

    # ---- passes ----

    def scan(self) -> None:
        """One full pass: everything there is listed and read; what failed before is tried again at once."""
        self._run_pass(is_patient=False)

    def poll(self) -> bool:
        """One pass: one listing, and reads of what is new. Returns whether anything changed. Never raises."""
        return self._run_pass(is_patient=True)

    @property
    def next_delay_s(self) -> float:
        """How long to wait before the next poll."""
        return max(0.0, self._due_s - self._clock())

    def stop(self) -> None:
        """Make a running pass return early, for good. Does not wait."""
        self._closed.set()

    def close(self) -> None:
        """Stop, wait for a running pass and let the download threads go."""
        self.stop()
        with self._pass_lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None

    def _run_pass(self, *, is_patient: bool) -> bool:
        with self._pass_lock:
            if self._closed.is_set():
                return False
            started_s = self._clock()
            try:
                listing = self._store.list()
            except Exception as error:  # every back end has errors of its own; none may end the reading
                line = f"Cannot list the log directory ({_reason(error)}); trying again: {self.root.path}"
                self._warnings = [line, *self._file_warnings()]
                self._plan_next(has_changed=False, listing_cost_s=0.0)
                return False
            listing_cost_s = self._clock() - started_s
            has_changed = self._take_listing(listing, is_patient=is_patient)
            self._plan_next(has_changed=has_changed, listing_cost_s=listing_cost_s)
            return has_changed

    def _take_listing(self, listing: Sequence[StoredObject], *, is_patient: bool) -> bool:
        wanted = {stored.key: stored for stored in listing if self._is_wanted(stored)}
        self._side_files = side_files_by_directory(stored.relative_path for stored in listing)
        self._runs = {self._run_name(stored.relative_path) for stored in wanted.values()}
        has_changed = self._forget_vanished(wanted)
        newest_first = sorted(wanted.values(), key=lambda stored: (-stored.modified_s, stored.relative_path))
        for stored in newest_first:
            has_changed = self._notice(stored) or has_changed
        now_s = self._clock()
        files = [self._files[stored.key] for stored in newest_first]
        unread = [f for f in files if not f.is_read and (f.retry_due_s <= now_s or not is_patient)]
        has_changed = self._read(unread) or has_changed
        empty = f"No event files (looked for names with 'tfevents'): {self.root.path}"
        self._warnings = self._file_warnings() if wanted else [empty]
        self._set_progress(is_done=not self._closed.is_set())
        return has_changed

    def _is_wanted(self, stored: StoredObject) -> bool:
        directory, _, name = stored.relative_path.rpartition("/")
        is_ours = is_event_file_name(name) and self._selects(directory, name)
        return is_ours and (stored.key in self._files or self._takes_over(stored))

    def _takes_over(self, stored: StoredObject) -> bool:
        key = id(self._index), self._url(stored.relative_path)
        with _owners_lock:
            owner = _owners.get(key)
            is_free = owner is None or owner is self or owner._closed.is_set()
            if is_free:
                _owners[key] = self
        return is_free

    def _plan_next(self, *, has_changed: bool, listing_cost_s: float) -> None:
        grown_s = min(_LONGEST_DELAY_S, self._quiet_delay_s * _DELAY_GROWTH)
        self._quiet_delay_s = _SHORTEST_DELAY_S if has_changed else grown_s
        self._due_s = self._clock() + max(self._quiet_delay_s, _LISTING_COST_FACTOR * listing_cost_s)

    def _forget_vanished(self, wanted: Mapping[str, StoredObject]) -> bool:
        vanished = [key for key in self._files if key not in wanted]
        for key in vanished:
            file = self._files.pop(key)
            self._by_id.pop(file.file_id, None)
            with _owners_lock:
                _owners.pop((id(self._index), file.url), None)
            self._index.remove_stream(file.file_id)
        return bool(vanished)

    def _notice(self, stored: StoredObject) -> bool:
        """Tell the index about a file that is new or another one than before. Returns whether it is."""
        file = self._files.get(stored.key)
        if file is None:
            url = self._url(stored.relative_path)
            file_id = self._index.add_stream(self._run_name(stored.relative_path), url)
            file = self._files[stored.key] = self._by_id[file_id] = _RemoteFile(file_id, url, stored)
        elif (stored.size_bytes, stored.identity) == (file.stored.size_bytes, file.stored.identity):
            return False
        file.stored = stored
        file.retry_due_s = 0.0
        self._continue_at(file, self._index.set_stream_size(file.file_id, stored.size_bytes, stored.identity))
        return True

    # ---- reading ----

    def _read(self, files: Sequence[_RemoteFile]) -> bool:
        """Download several blocks at a time, feed them in order. Returns whether anything was fed."""
        self._set_progress(is_done=False)
        for file in files:
            file.has_restarted = False
        blocks = chain.from_iterable(_blocks(file) for file in files)
        downloads: deque[tuple[_Block, Future[bytes]]] = deque()
        has_fed = False
        while not self._closed.is_set():
            while len(downloads) < _MAX_DOWNLOADS and (block := next(blocks, None)) is not None:
                downloads.append((block, self._download(block)))
            if not downloads:
                break
            block, download = downloads[0]
            if not wait([download], timeout=_CLOSE_CHECK_S).done:
                continue
            downloads.popleft()
            if not block.is_wanted:
                continue
            if self._feed(block, download):
                has_fed = True
            elif not block.file.problem:
                blocks = chain(_blocks(block.file), blocks)  # replaced: from the start, before anything else
        for _, download in downloads:
            download.cancel()
        return has_fed

    def _download(self, block: _Block) -> Future[bytes]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_MAX_DOWNLOADS, thread_name_prefix="sightline-remote")
        start = block.start - len(block.proof)
        return self._pool.submit(self._store.read, block.file.stored.key, start, block.end)

    def _feed(self, block: _Block, download: Future[bytes]) -> bool:
        """Hand a block to the index. Returns False when the file has to be read from elsewhere or later."""
        file = block.file
        try:
            data = download.result()
        except Exception as error:
            self._fail(file, _reason(error))
            return False
        file.problem, file.failure_count = "", 0
        if not data.startswith(block.proof):
            self._forget_content(file)
            self._restart(file, 0)
            return False
        wanted = self._index.feed(file.file_id, data[len(block.proof) :])
        if wanted != block.end:  # the core saw by the first record that this is not the file it knew
            self._restart(file, wanted)
            return False
        file.next_offset = wanted
        file.tail = (file.tail + data)[-PROOF_BYTES:]
        self._advance_progress(file_count=int(file.is_read), size_bytes=block.end - block.start)
        return True

    def _forget_content(self, file: _RemoteFile) -> None:
        """Make the index drop what it has of a file: for the index an object is replaced when it shrinks.

        Not to 0: a file without bytes counts as never read, and its content would come back from the cache.
        """
        self._index.set_stream_size(file.file_id, 1, "")
        self._index.set_stream_size(file.file_id, file.stored.size_bytes, file.stored.identity)

    def _restart(self, file: _RemoteFile, offset: int) -> None:
        self._advance_progress(file_count=0, size_bytes=offset - file.next_offset)
        self._continue_at(file, offset)
        file.generation += 1
        if file.has_restarted:
            self._fail(file, "it changes while it is read")
        file.has_restarted = True

    def _continue_at(self, file: _RemoteFile, offset: int) -> None:
        if offset != file.next_offset:
            file.next_offset, file.tail = offset, b""

    def _fail(self, file: _RemoteFile, reason: str) -> None:
        file.generation += 1
        file.problem = reason
        delay_s = min(_LONGEST_RETRY_DELAY_S, _SHORTEST_DELAY_S * 2**file.failure_count)
        file.failure_count += 1
        file.retry_due_s = self._clock() + delay_s

    def owns(self, file_id: int) -> bool:
        """Is this one of the files found below this root, and still there?"""
        return file_id in self._by_id

    def read(self, file_id: int, offset: int, length: int) -> bytes:
        """Bytes of a file, from the store. Raises FileGoneError (an OSError) when they cannot be had."""
        file = self._by_id.get(file_id)
        if file is None:
            raise FileGoneError(self.root.path, f"there is no remote file {file_id} any more")
        try:
            return self._store.read(file.stored.key, offset, offset + length)
        except OSError as error:
            raise FileGoneError(file.url, _reason(error)) from error

    # ---- facts ----

    @property
    def progress(self) -> Progress:
        """Of the objects that were there at the last listing."""
        return self._progress

    @property
    def warnings(self) -> list[str]:
        """What is wrong now, one clear line for each cause; a line goes when its cause does."""
        return list(self._warnings)

    def side_files(self, run: str) -> SideFiles:
        """Projector configs and profiler traces beside a run's event files, as URLs; no request."""
        if run not in self._runs:
            return SideFiles()
        own = self._side_files.get(self._directory_of_run(run), SideFiles())
        # One config in the root serves every run below it, as in local logs.
        projector = {*own.projector, *self._side_files.get("", SideFiles()).projector}
        return SideFiles(
            projector=tuple(self._url(path) for path in sorted(projector)),
            profile=tuple(self._url(path) for path in own.profile),
        )

    def _set_progress(self, *, is_done: bool) -> None:
        files = self._files.values()
        self._progress = Progress(
            files_done=sum(file.is_read for file in files),
            files_total=len(files),
            bytes_done=sum(min(file.next_offset, file.stored.size_bytes) for file in files),
            bytes_total=sum(file.stored.size_bytes for file in files),
            is_done=is_done,
        )

    def _advance_progress(self, *, file_count: int, size_bytes: int) -> None:
        """As _set_progress, without looking at every file for every block."""
        before = self._progress
        self._progress = replace(
            before, files_done=before.files_done + file_count, bytes_done=before.bytes_done + size_bytes
        )

    def _file_warnings(self) -> list[str]:
        files = [file for file in self._files.values() if file.problem]
        counts = Counter(file.problem for file in files)
        first = {file.problem: file.url for file in reversed(files)}
        return [
            f"Cannot read {count:,} event file{'s' * (count > 1)} ({reason}); trying again: {first[reason]}"
            for reason, count in counts.items()
        ]

    # ---- names ----

    def _url(self, relative_path: str) -> str:
        is_root_itself = self.root.path.endswith("/" + relative_path) and "/" not in relative_path
        return self.root.path if is_root_itself else f"{self.root.path}/{relative_path}"

    def _run_name(self, relative_path: str) -> str:
        directory = relative_path.rpartition("/")[0]
        return "/".join(part for part in (self.root.prefix, directory) if part) or "."

    def _directory_of_run(self, run: str) -> str:
        if run in (".", self.root.prefix):
            return ""
        return run.removeprefix(self.root.prefix + "/") if self.root.prefix else run


def _blocks(file: _RemoteFile) -> Iterator[_Block]:
    """What is missing of a file, in blocks; ends early when the file turns out to be another one."""
    generation = file.generation
    start, proof, size_bytes = file.next_offset, file.tail, file.stored.size_bytes
    while start < size_bytes and generation == file.generation:
        end = min(size_bytes, start + BLOCK_BYTES)
        yield _Block(file, generation, start, end, proof)
        start, proof = end, b""


def _selection(root: Root, *, include: Sequence[str], exclude: Sequence[str]) -> Callable[[str, str], bool]:
    """Whether an event file belongs to the log, from its directory below the root and its name."""
    left_out = (*root.exclude, *exclude, *WORKSPACE_GLOBS)
    pattern = root.pattern.split("/") if root.pattern else None

    def selects(directory: str, name: str) -> bool:
        parts = directory.split("/") if directory else []
        around = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        if any(fnmatch.fnmatchcase(path, glob) for glob in left_out for path in around):
            return False
        if include and not any(fnmatch.fnmatchcase(directory or ".", glob) for glob in include):
            return False
        path = [*parts, name]
        return pattern is None or any(_matches(path[:n], pattern) for n in range(1, len(path) + 1))

    return selects


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """As the globs of local roots: a star stays inside one part of the path, ``**`` takes any number."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[n:], pattern[1:]) for n in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _reason(error: BaseException) -> str:
    """Why something failed, in one short line that is the same each time, so that it is told once."""
    if isinstance(error, OSError) and error.strerror:
        return one_line(error.strerror)
    if isinstance(error, FileNotFoundError):
        return "not found"
    return one_line(str(error))[:_LONGEST_REASON] or type(error).__name__
