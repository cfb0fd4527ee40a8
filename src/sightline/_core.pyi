"""Typed face of the compiled core: bytes in, columns out.

Everything here releases the GIL while it works and may be called from any thread.
Strings for tags and runs are always valid Unicode: bytes that are not UTF-8 are shown as ``\\xNN``.
"""

from collections.abc import Sequence
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

# How a value lies in the file. The public *kind* (image, text, ...) follows from form and plugin name.
FORM_SCALAR: Final[int]  # columns: value
FORM_TENSOR: Final[int]  # every other form: columns offset, length
FORM_SCALAR_TENSOR: Final[
    int
]  # one-element numeric tensors of a plugin other than "scalars"; also in FORM_SCALAR
FORM_IMAGE: Final[int]
FORM_AUDIO: Final[int]
FORM_HISTOGRAM: Final[int]
FORM_METADATA: Final[int]  # metadata and no data at all (hparams)
FORM_GRAPH: Final[int]  # Event.graph_def, tag "__run_graph__"; bytes are the GraphDef
FORM_META_GRAPH: Final[int]  # Event.meta_graph_def, tag "__meta_graph__"; bytes are the MetaGraphDef
FORM_RUN_METADATA: Final[int]  # Event.tagged_run_metadata; bytes are the TaggedRunMetadata message
FORM_LOG_MESSAGE: Final[int]  # Event.log_message, tag "__log_message__"; bytes are the LogMessage
FORM_NAMES: Final[tuple[str, ...]]

def crc32c(data: bytes) -> int: ...
def masked_crc32c(data: bytes) -> int: ...
def crc32c_implementation() -> str: ...

class SeriesInfo:
    """One (tag, form) of a run, summed over the run's files."""

    @property
    def tag(self) -> str: ...
    @property
    def form(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def plugin(self) -> str:
        """Plugin name from the first metadata seen for the tag in the run; "" without any."""
    @property
    def metadata(self) -> bytes:
        """Serialized SummaryMetadata, the first seen; b"" without any (or when it is over 64 KiB)."""

class Part:
    """The rows of one series that come from one file, in write order. Arrays are read-only views, no copy."""

    @property
    def file_id(self) -> int: ...
    @property
    def generation(self) -> int:
        """Of the file's content that the rows come from: it grows when content is dropped (a replaced file)."""
    @property
    def step(self) -> NDArray[np.int64]: ...
    @property
    def wall_time(self) -> NDArray[np.float64]: ...
    @property
    def value(self) -> NDArray[np.float64]:
        """FORM_SCALAR only; empty otherwise."""
    @property
    def offset(self) -> NDArray[np.uint64]:
        """Where the bytes of the row's message start in the file; empty for FORM_SCALAR."""
    @property
    def length(self) -> NDArray[np.uint64]: ...
    @property
    def breaks(self) -> list[tuple[int, int, float]]:
        """(row, start_step, start_wall_time): a SessionLog START stands in the file just before that row."""

class FileInfo:
    @property
    def id(self) -> int: ...
    @property
    def run(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str:
        """Base name."""
    @property
    def is_stream(self) -> bool:
        """True for files that are fed by the caller (remote ones)."""
    @property
    def size_bytes(self) -> int: ...
    @property
    def read_bytes(self) -> int:
        """Offset behind the last record that was read; the next read starts here."""
    @property
    def record_count(self) -> int: ...
    @property
    def first_wall_time(self) -> float:
        """Earliest of the events; the version event counts only when there is no other. NaN while unknown."""
    @property
    def last_wall_time(self) -> float:
        """Latest, likewise."""
    @property
    def starts(self) -> list[tuple[int, float]]:
        """(step, wall_time) of every SessionLog START."""
    @property
    def file_version(self) -> str: ...
    @property
    def source_writer(self) -> str: ...
    @property
    def damage(self) -> list[tuple[int, int, str]]:
        """(offset, length, reason) of the first 64 damaged places."""
    @property
    def damage_count(self) -> int: ...
    @property
    def skipped_bytes(self) -> int: ...
    @property
    def torn_bytes(self) -> int:
        """Bytes of an unfinished record at the end of the file."""
    @property
    def error(self) -> str:
        """Why the file could not be opened or read; "" when it could."""

class Progress:
    @property
    def files_total(self) -> int: ...
    @property
    def files_done(self) -> int: ...
    @property
    def bytes_total(self) -> int: ...
    @property
    def bytes_done(self) -> int: ...
    @property
    def is_walking(self) -> bool: ...

class Change:
    @property
    def run(self) -> str: ...
    @property
    def is_removed(self) -> bool:
        """The run is gone (its last event file vanished)."""
    @property
    def is_reset(self) -> bool:
        """A file of the run was replaced, truncated or removed: earlier points may be gone."""
    @property
    def has_new_series(self) -> bool:
        """A (tag, form) that the run did not have appeared, or the run is new, or it was reset."""
    @property
    def tags(self) -> list[str]:
        """Tags that have new points."""

class Index:
    """All event files of one log, decoded into columns."""

    def __init__(self, threads: int = 0) -> None: ...
    def add_root(
        self, path: str, prefix: str = "", include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> int:
        """Add a local directory (or one event file). Run names get ``prefix/`` in front when it is set.

        include / exclude are shell globs (fnmatch; ``*`` crosses ``/``) on the run's path below the root; a
        directory that matches exclude is not entered.
        """
    def scan(self) -> None:
        """Walk all roots, drop what vanished, read everything that is new. Newest files first."""
    def refresh(self, paths: Sequence[str]) -> None:
        """Look only at these files or directories (absolute paths) and read what is new."""
    def stop(self) -> None:
        """Make a running scan or refresh return early, for good."""
    def progress(self) -> Progress: ...
    def take_changes(self) -> list[Change]:
        """What changed since the last call. Recorded only after watch_changes(True)."""
    def watch_changes(self, enabled: bool) -> None: ...
    def run_names(self) -> list[str]:
        """Ordered by first wall time, then name."""
    def run_directories(self, run: str) -> list[str]: ...
    def files(self, run: str) -> list[FileInfo]:
        """Ordered by file name. Empty for an unknown run."""
    def series(self, run: str) -> list[SeriesInfo]:
        """In order of first appearance."""
    def parts(self, run: str, tag: str, form: int) -> list[Part]:
        """One per file that has rows, ordered by file name."""
    def revision(self, run: str) -> int:
        """Grows whenever anything of the run changes; 0 for an unknown run."""
    def generation(self, file_id: int) -> int:
        """Of the content that is known now; 0 for an unknown file."""
    def read(self, file_id: int, offset: int, length: int, generation: int) -> bytes:
        """Bytes of a local file. Raises OSError when it is gone, too short, or not of that generation any more."""
    def decode_histograms(
        self,
        file_id: NDArray[np.int64],
        generation: NDArray[np.uint64],
        offset: NDArray[np.uint64],
        length: NDArray[np.uint64],
        *,
        brought: list[bytes | None] | None,
        most_numbers: int,
    ) -> HistogramColumns | None:
        """The histograms at these places, in either form; None when they hold more numbers than that.

        ``brought`` has the bytes of values in files that the core cannot read. Raises ValueError for columns of
        different lengths.
        """
    def decode_pr_curves(
        self,
        file_id: NDArray[np.int64],
        generation: NDArray[np.uint64],
        offset: NDArray[np.uint64],
        length: NDArray[np.uint64],
        *,
        brought: list[bytes | None] | None,
        most_numbers: int,
    ) -> PrCurveColumns | None:
        """The same of precision-recall curves."""
    def walk_errors(self) -> list[str]:
        """Directories that could not be read, one clear line each."""
    # About many runs at once. ``own_writer`` is what the files of our writer call themselves.
    def run_table(self, own_writer: str) -> RunColumns:
        """All runs, ordered like ``run_names``."""
    def run_facts(self, runs: Sequence[str], own_writer: str) -> RunColumns:
        """These runs; unknown ones are left out."""
    def tag_table(
        self, own_writer: str
    ) -> tuple[list[str], list[tuple[str, int, str, list[bytes], NDArray[np.uint32]]]]:
        """(names of all runs, (tag, form, plugin, metadata, positions of its runs) in order of first appearance).

        Metadata are the distinct ones, at most 16. Log messages in files of ``own_writer`` are left out.
        """
    def last_scalars(
        self, runs: Sequence[str], tag: str
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float64]]:
        """(SCALARS_…, step, value) of each run's last row; the numbers count for SCALARS_PLAIN only."""
    # Files whose bytes the caller brings (remote roots).
    def add_stream(self, run: str, path: str) -> int: ...
    def feed(self, file_id: int, data: bytes) -> int:
        """Bytes that follow what was fed before. Returns the file offset wanted next."""
    def set_stream_size(self, file_id: int, size_bytes: int, identity: str) -> int:
        """Tell size and identity (ETag ...) before feeding; returns the offset wanted next (0 after a replacement)."""
    def remove_stream(self, file_id: int) -> None: ...
    # The persisted index. A pack directory belongs to one set of roots.
    def load_cache(self, directory: str) -> int:
        """Map the packs of a directory, to be used by later scans. Returns the number of files known from it."""
    def save_cache(self, directory: str) -> int:
        """Write what changed enough since the last save; atomic. Returns the bytes written."""

class ValueColumns(TypedDict):
    """Values that are tables of numbers, laid end to end: one element for each value."""

    size: NDArray[np.uint32]  # of the columns of numbers: buckets or thresholds
    state: NDArray[np.uint8]  # 0: good; 1: damaged, 2: its file is gone, both with a size of 0

class HistogramColumns(ValueColumns):
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    counts: NDArray[np.float64]

class PrCurveColumns(ValueColumns):
    true_positives: NDArray[np.float64]
    false_positives: NDArray[np.float64]
    true_negatives: NDArray[np.float64]
    false_negatives: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]

# Whether a run's points of a tag can be taken as they lie in the file.
SCALARS_ABSENT: Final[int]
SCALARS_PLAIN: Final[int]  # one file has them all, and no restart is recorded
SCALARS_BRANCHING: Final[int]  # several files or restarts: see store/branches.py

class RunColumns(TypedDict):
    """Element i of each column is about the same run; times and gaps are NaN while unknown."""

    name: list[str]
    revision: NDArray[np.uint64]
    first_wall_time: NDArray[np.float64]
    last_wall_time: NDArray[np.float64]
    last_step: NDArray[np.int64]
    has_step: NDArray[np.uint8]
    points: NDArray[np.uint64]
    size_bytes: NDArray[np.uint64]
    read_bytes: NDArray[np.uint64]
    damage_count: NDArray[np.uint64]
    usual_gap_s: NDArray[np.float64]
    is_own: NDArray[np.uint8]

class ReducedColumns(TypedDict):
    """Series i has the rows offsets[i] to offsets[i + 1] of the first four columns; all others have one element each."""

    offsets: NDArray[np.uint64]
    step: NDArray[np.int64]
    wall: NDArray[np.float64]
    value: NDArray[np.float64]
    smoothed: NDArray[np.float64] | None  # None without smoothing
    x: NDArray[np.float64] | None  # None on any axis but "given"
    total: NDArray[np.uint64]
    is_exact: NDArray[np.uint8]
    origin_wall: NDArray[np.float64]
    y_low: NDArray[np.float64]  # these four are NaN without a finite value in the range
    y_high: NDArray[np.float64]
    core_low: NDArray[np.float64]
    core_high: NDArray[np.float64]

class GroupColumns(TypedDict):
    """All groups one behind the other: the places of group i are at offsets[i] to offsets[i + 1]."""

    offsets: NDArray[np.uint64]
    x: NDArray[np.float64]
    center: NDArray[np.float64]
    low: NDArray[np.float64] | None  # None without a band; NaN where there is one member
    high: NDArray[np.float64] | None
    members: NDArray[np.uint32]
    breaks: NDArray[np.uint32]  # of all groups; those of group i at break_offsets[i] to break_offsets[i + 1]
    break_offsets: NDArray[np.uint64]
    is_exact: NDArray[np.uint8]  # these four: one number per group
    runs: NDArray[np.uint64]
    y_low: NDArray[np.float64]
    y_high: NDArray[np.float64]

class ScalarBatch:
    """Scalar series that are reduced together; see core/include/sightline/reduce.hpp."""

    def __init__(self, x: str) -> None:
        """``x``: "step", "relative", "wall" or "given"."""
    def __len__(self) -> int: ...
    def add_runs(self, index: Index, runs: Sequence[str], tag: str) -> NDArray[np.uint8]:
        """Adds the series of the runs that are SCALARS_PLAIN, in their order; returns what each run is.

        Not on the axis "given": raises ValueError."""
    def add(
        self,
        step: NDArray[np.int64],
        wall: NDArray[np.float64],
        value: NDArray[np.float64],
        origin_wall: float = ...,
        x: NDArray[np.float64] | None = None,
    ) -> None:
        """Adds one series. ``origin_wall`` is the zero of relative time; NaN: the first finite wall time.

        ``x`` is there on the axis "given" and only there. The caller sorts the rows by it where it must not fall:
        rows stay in the order they come in. A row whose x is not finite has no place and is left out.
        Raises ValueError for columns of different lengths.
        """
    def reduce(
        self,
        *,
        x_range: tuple[float, float] | None = None,
        is_log_x: bool = False,
        buckets: int,
        smoothing: str = "none",
        amount: float = 0.0,
    ) -> ReducedColumns:
        """May use several threads. Raises ValueError for an unknown smoothing or an amount it cannot work with."""
    def aggregate(
        self,
        members: NDArray[np.uint32],
        offsets: NDArray[np.uint64],
        *,
        x_range: tuple[float, float] | None = None,
        is_log_x: bool = False,
        buckets: int,
        smoothing: str = "none",
        amount: float = 0.0,
        center: str = "mean",
        band: str = "none",
        has_neighbours: bool = False,
    ) -> GroupColumns:
        """Centre and band of groups; see core/include/sightline/aggregate.hpp. Group i is the series at
        members[offsets[i] : offsets[i + 1]], by their position in the batch. ``center``: "mean" or "median".
        ``band``: "none", "std", "sem", "minmax", "quartiles" or "ci". May use several threads. Raises
        ValueError as ``reduce`` does, and for members that do not exist."""

def smooth(
    kind: str, amount: float, value: NDArray[np.float64], wall: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The smoothed line of one series; kinds and amounts as in core/include/sightline/smooth.hpp."""

def arrow_stream(
    runs: Sequence[str],
    tags: Sequence[str],
    steps: Sequence[NDArray[np.int64]],
    wall_times: Sequence[NDArray[np.float64]],
    values: Sequence[NDArray[np.float64]],
) -> object:
    """A PyCapsule "arrow_array_stream": one batch per series; run and tag dictionary-encoded, columns not copied."""

# -- writing

class Sink:
    """One event file and the native thread that writes it.

    The ``add_…`` methods copy what they are given into a bounded buffer and return; they may be called from any
    thread. They return True when there is something to say: then call `take_notices`. Trouble with the disk
    raises nothing: what was given is kept and tried again while memory allows. Wall time None is now, step None 0.

    In a forked child the next call begins a file of the child's own. After `close` the next call begins
    a new file in the same directory.
    """

    def __init__(
        self,
        directory: str,
        *,
        hostname: str,
        suffix: str = "",
        flush_secs: float = 1.0,
        max_pending_bytes: int = 67108864,
        purge_step: int | None = None,
    ) -> None:
        """Creates the directory and the file, with its first record, at once. Raises OSError."""
    def add_scalar(self, tag: str, value: float, step: int | None, wall_time: float | None, /) -> bool:
        """Takes float, int and NumPy numbers; raises TypeError for anything else, also for odd tags and steps."""
    def add_scalars(self, values: dict[str, float], step: int | None, wall_time: float | None, /) -> bool:
        """All values as one event. Raises TypeError like `add_scalar`, and then has taken nothing."""
    def add_histogram(
        self,
        tag: str,
        data: NDArray[np.generic],
        step: int,
        wall_time: float,
        style: int,
        *,
        max_bins: int = 0,
        buckets: int = 30,
        metadata: bytes = b"",
    ) -> bool:
        """Copies a contiguous array of numbers; the thread counts it.

        Style HISTOGRAM_GEOMETRIC writes ``Value.histo`` as torch does for ``bins="tensorflow"``,
        HISTOGRAM_UNIFORM a float64 tensor [buckets, 3] as TensorFlow 2 does. Not a number and infinite elements are
        left out, counted, and told by a notice once per tag. `metadata` is a serialized SummaryMetadata.
        """
    def add_event(self, event: bytes) -> bool:
        """Takes a serialized Event as it is."""
    def flush(self) -> bool:
        """Waits until everything given so far was handed to the system. False: it could not be, see `problem`."""
    def close(self) -> bool:
        """Flushes, ends the thread and closes the file. False: something was lost or could not be written."""
    def take_notices(self) -> list[tuple[str, str]]:
        """(level, message) of what happened since the last call; level: "info", "warning" or "error"."""
    @property
    def path(self) -> str:
        """Of the file written now, or last."""
    @property
    def is_open(self) -> bool: ...
    @property
    def problem(self) -> str:
        """Why the file cannot be written just now; "" when it can."""
    @property
    def pending_bytes(self) -> int: ...
    @property
    def lost_events(self) -> int:
        """Events dropped because memory ran out before the disk came back."""
    @property
    def last_step(self) -> int:
        """The largest step given to `add_scalar` or `add_scalars`; 0 without any."""

HISTOGRAM_GEOMETRIC: Final[int]
HISTOGRAM_UNIFORM: Final[int]

class HistogramCounts:
    """Finite elements of an array, counted into buckets. ``edges`` has one element more than ``counts``."""

    @property
    def edges(self) -> NDArray[np.float64]: ...
    @property
    def counts(self) -> NDArray[np.float64]: ...
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def num(self) -> int: ...
    @property
    def sum(self) -> float: ...
    @property
    def sum_squares(self) -> float: ...
    @property
    def nan_count(self) -> int: ...
    @property
    def inf_count(self) -> int: ...

def count_geometric(data: NDArray[np.generic]) -> HistogramCounts:
    """TensorFlow's grid: 0 and ±1e-12 · 1.1^k up to 1e20, as torch and tensorboardX count it."""

def count_uniform(data: NDArray[np.generic], buckets: int) -> HistogramCounts:
    """Buckets of equal width between the smallest and the largest element."""

def count_into(data: NDArray[np.generic], edges: NDArray[np.float64]) -> HistogramCounts:
    """Any ascending edges; the last bucket is closed on both sides, as in NumPy."""

def histogram_statistics(
    size: NDArray[np.uint32],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> NDArray[np.float64]:
    """15 numbers for each value of HistogramColumns, end to end: count, min, max, mean, std, share of the bucket
    that holds 0, and nine quantiles. Raises ValueError for columns that do not belong together."""

def histogram_map(
    size: NDArray[np.uint32],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    counts: NDArray[np.float64],
    edges: NDArray[np.float64],
) -> NDArray[np.float32]:
    """For each value of HistogramColumns how many lie between each two neighbouring edges, end to end. Raises
    ValueError for columns that do not belong together, and for edges that do not ascend."""
