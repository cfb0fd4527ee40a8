"""The tables of the writing benchmark, in the order of the bars."""

from __future__ import annotations

import statistics

from benchmarks import overhead
from benchmarks.table import markdown_table, ratio, seconds
from benchmarks.write_bars import bars_table
from benchmarks.write_process import FLOOR, KILL_AFTER_S, SIGHTLINE
from benchmarks.write_results import NOTHING, Results

EXPLANATION = """\
Rounds: {rounds}, in an order drawn by lot; medians of the rounds unless a column says otherwise. Each number
comes from a fresh process. All writers have their default settings. Everything that was written was read back
with an independent decoder: complete, in order, checksums right. *Floor*: a deque's `append` in a function of
two lines, nothing written."""
CALLS_EXPLANATION = """\
The clock is read around each call; what reading it takes is subtracted. *Full speed*: {calls:,} calls in a
row, which makes slow writers wait for their own queues. *Working*: a call, then 1 ms of vector products that
give Python's lock away and empty the caches. *Idle*: a call, then 1 ms of sleep. Ratio: to Sightline."""
LOGS_EXPLANATION = """\
20 numbers of one step: one `log` of a dict for Sightline and trackio, 20 calls of `add_scalar` for the
others. Making the dict is not counted."""
SUSTAINED_EXPLANATION = """\
Calls as fast as they go, until `close` has returned and the file can be read back (the page cache counts as
disk; nobody calls fsync). CPU: user and system time of all threads and child processes in that time, the loop
included."""
BYTES_EXPLANATION = """\
Of the records that hold points, with 20 tags of 15 letters; the same points for all, because later steps take
more bytes. *Fixed*: the rest of the file, however many points it has. Sightline's `log` puts the values of a
step into one record. trackio: of its whole database."""
LONGEST_EXPLANATION = """\
`add_scalar` at full speed. The floor does nothing but append: its longest call is the machine's doing (other
processes, interrupts)."""
KILLED_EXPLANATION = """\
Calls every millisecond, then a burst of {burst:,}; {after} s after the last call the process gets SIGKILL.
The length of the first part differs from kill to kill, so that the last call falls on different moments of a
flush timer. The thread goes on working until it is killed."""
START_EXPLANATION = """\
In a process that has imported NumPy, and torch for the writers that import it. *Modules*: how many the import
loads. *Close* after a single value."""
HISTOGRAM_EXPLANATION = """\
`add_histogram` of normally distributed float32 numbers, default bins. *Call*: how long the caller waits;
*written*: until `flush` has returned."""
COUNTING_EXPLANATION = """\
Counting alone, in one process, in turns, the same grid for both. *Uneven grid*: TensorFlow's, the default of
torch's writer."""
OVERHEAD_EXPLANATION = """\
{layers} layers, width {width}, {batch} sequences of {length} tokens. 100 numbers a step through `log`
(torch's writer: 100 calls), histograms of all parameters and gradients once in {steps} steps. Both arms in
one process and one stretch of time, in short blocks in an order drawn by lot; each pair is {steps} steps with
and {steps} without. Median of the paired differences, and its bootstrap interval. A block with logging ends
when `flush` has returned. *CPU*: the same for the time of all threads. *Inside calls*: the time that the
caller spends in the writer's methods, of all step time."""


def full_report(results: Results, *, rounds: int) -> str:
    sections = [
        bars_table,
        calls_table,
        logs_table,
        sustained_table,
        bytes_table,
        longest_table,
        killed_table,
        overhead_table,
        start_table,
        histogram_table,
        counting_table,
    ]
    explanation = EXPLANATION.format(rounds=rounds)
    return "\n\n".join([explanation, *(text for section in sections if (text := section(results)))])


def calls_table(results: Results) -> str:
    paces = {"none": "full speed", "working": "working", "idle": "idle"}
    rows = []
    for writer in results.writers("calls none"):
        row = [writer]
        for pace in paces:
            task = f"calls {pace}"
            row += [seconds(results.median(task, writer, key)) for key in ("median_s", "p99_s")]
        row += [
            results.ratio_to_sightline(f"calls {pace}", writer, "median_s") for pace in ("none", "working")
        ]
        rows.append(row)
    if not rows:
        return ""
    header = ["writer"]
    for name in paces.values():
        header += [f"{name}: median", "p99"]
    calls = results.answers("calls none", results.writers("calls none")[0])[0]["points"]
    text = CALLS_EXPLANATION.format(calls=calls)
    table = markdown_table([*header, "ratio, full speed", "ratio, working"], rows)
    return _section("One `add_scalar` on the caller's thread", text, table)


def logs_table(results: Results) -> str:
    rows = []
    for writer in results.writers("logs none"):
        row = [writer]
        for pace in ("none", "working"):
            row += [seconds(results.median(f"logs {pace}", writer, key)) for key in ("median_s", "p99_s")]
        row += [
            results.ratio_to_sightline(f"logs {pace}", writer, "median_s") for pace in ("none", "working")
        ]
        rows.append(row)
    header = [
        "writer",
        "full speed: median",
        "p99",
        "working: median",
        "p99",
        "ratio, full speed",
        "ratio, working",
    ]
    return _section("20 scalars of one step", LOGS_EXPLANATION, markdown_table(header, rows)) if rows else ""


def sustained_table(results: Results) -> str:
    rows = []
    for task, how in (("sustained", "`add_scalar`"), ("sustained log", "20 at a time")):
        for writer in results.writers(task):
            points = results.answers(task, writer)[0]["points"]
            rows.append(
                [
                    f"{writer}, {how}",
                    f"{points:,}",
                    f"{results.rate(task, writer):,.0f}",
                    seconds(results.per_point(task, writer, "cpu_s")),
                    results.ratio_to_sightline(task, writer, "cpu_s", is_per_point=True),
                ]
            )
    header = ["writer", "points", "points/s", "CPU per point", "CPU ratio"]
    table = markdown_table(header, rows)
    return _section("Until on disk", SUSTAINED_EXPLANATION, table) if rows else ""


def bytes_table(results: Results) -> str:
    rows = []
    for writer in results.writers("calls none"):
        if writer == FLOOR:
            continue
        row = [writer, f"{results.answers('calls none', writer)[0]['points']:,}"]
        for task in ("calls none", "logs none"):
            has_some = bool(results.answers(task, writer))
            row.append(f"{results.per_point(task, writer, 'point_bytes'):.2f}" if has_some else NOTHING)
        rows.append([*row, f"{results.median('calls none', writer, 'other_bytes'):,.0f}"])
    header = ["writer", "points", "by `add_scalar`", "20 at a time", "fixed"]
    return _section("Bytes per point", BYTES_EXPLANATION, markdown_table(header, rows)) if rows else ""


def longest_table(results: Results) -> str:
    rows = []
    for writer in results.writers("longest"):
        times = [seconds(results.median("longest", writer, key)) for key in ("median_s", "p999_s", "max_s")]
        points = results.answers("longest", writer)[0]["points"]
        rows.append([writer, f"{points:,}", *times, seconds(results.worst("longest", writer, "max_s"))])
    header = ["writer", "calls", "median", "p99.9", "longest (median of rounds)", "longest of all rounds"]
    table = markdown_table(header, rows)
    return _section("The longest call", LONGEST_EXPLANATION, table) if rows else ""


def killed_table(results: Results) -> str:
    rows = []
    for writer in results.writers("killed"):
        answers = results.answers("killed", writer)
        shares, delays = [answer["share"] for answer in answers], [answer["delay_s"] for answer in answers]
        lost = max(answer["points"] - answer["found"] for answer in answers)
        row = [writer, f"{len(answers)}", f"{sum(answer['points'] for answer in answers):,}"]
        row += [f"{statistics.mean(shares):.3%}", f"{min(shares):.3%}", f"{lost:,}"]
        rows.append([*row, f"{min(delays):.3f} … {max(delays):.3f} s"])
    header = ["writer", "kills", "points", "read back", "worst kill", "most lost", "killed after"]
    if not rows:
        return ""
    burst = max(answer["burst"] for answer in results.answers("killed", results.writers("killed")[0]))
    text = KILLED_EXPLANATION.format(burst=burst, after=KILL_AFTER_S)
    return _section("After SIGKILL", text, markdown_table(header, rows))


def overhead_table(results: Results) -> str:
    answers = {writer: rounds[0] for writer, rounds in results.rounds.get("overhead", {}).items()}
    if not answers:
        return ""
    text = OVERHEAD_EXPLANATION.format(
        layers=overhead.LAYERS,
        width=overhead.WIDTH,
        batch=overhead.BATCH,
        length=overhead.LENGTH,
        steps=next(iter(answers.values()))["steps"],
    )
    return _section("A small transformer on the CPU", text, overhead.tables(answers))


def start_table(results: Results) -> str:
    rows = []
    for writer in results.writers("start"):
        parts = [results.median("start", writer, key) for key in ("import_s", "open_s", "first_s", "close_s")]
        modules = f"{results.median('start', writer, 'modules'):.0f}"
        rows.append([writer, *(seconds(part) for part in parts), modules])
    header = ["writer", "import", "open", "first value", "close", "modules"]
    return _section("Before the first step", START_EXPLANATION, markdown_table(header, rows)) if rows else ""


def histogram_table(results: Results) -> str:
    rows = []
    for elements in results.sizes_of("histogram"):
        task = f"histogram {elements}"
        for writer in results.writers(task):
            times = [seconds(results.median(task, writer, key)) for key in ("called_s", "written_s")]
            share = results.ratio_to_sightline(task, writer, "called_s")
            rows.append([f"{elements:,}, {writer}", *times, share])
    header = ["elements, writer", "call", "written", "ratio of calls"]
    return _section("Histograms", HISTOGRAM_EXPLANATION, markdown_table(header, rows)) if rows else ""


def counting_table(results: Results) -> str:
    rows = []
    for elements in results.sizes_of("counting"):
        for grid, name in (("uniform", "30 equal buckets"), ("geometric", "uneven grid")):
            task = f"counting {elements}"
            ours, theirs = (results.median(task, SIGHTLINE, key) for key in (grid, f"numpy_{grid}"))
            rows.append([f"{elements:,}, {name}", seconds(ours), seconds(theirs), ratio(theirs / ours)])
    header = ["elements, grid", "Sightline", "numpy.histogram", "ratio"]
    table = markdown_table(header, rows)
    return _section("Counting against numpy.histogram", COUNTING_EXPLANATION, table) if rows else ""


def _section(title: str, explanation: str, table: str) -> str:
    return f"## {title}\n\n{explanation}\n\n{table}"
