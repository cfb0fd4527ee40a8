"""The tables of the reading benchmark, one for each bar, from its measurements."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from benchmarks.results import (
    COLD,
    DATA_SERVER,
    PLAIN,
    PYTHON_READER,
    SCALED_READERS,
    TBPARSE,
    WARM,
    ShapeResult,
)
from benchmarks.table import markdown_table, megabytes, met_or_missed, millions_per_second, ratio, seconds

Results = Mapping[str, ShapeResult]
NOTHING = "–"

# The bars of the project: how many times faster than the data server, and the largest share of the cold time.
COLD_BARS = {"S1": 12.0, "S2": 8.0, "S3": 6.0, "S4": 4.0}
WARM_BARS = {"S1": 0.05, "S3": 0.05}
MEMORY_BAR_OF_COLUMNS = 1.5
COLUMN_BYTES_PER_POINT = 24  # step int64, wall time float64, value float64

EXPLANATION = """\
Rounds: {rounds}, interleaved; medians unless a column says otherwise. Page cache warm, each read in a
fresh process. Every Sightline read was checked: number of runs, series and points, and all columns of the
first and the last run against an independent decode."""
COLD_EXPLANATION = """\
Sightline verifies every checksum and keeps every point; the data server skips payload checksums and keeps
1,000 scalars, 100 histograms or 10 images a series. Both without start-up: Sightline from `open` until
`wait` returns, the data server by its own duration of the load cycle."""
READERS_EXPLANATION = """\
Ratio: how many times longer than Sightline cold. ~: measured on a part of the shape and scaled by the
number of points ({samples}). Both Python readers run without TensorFlow; tbparse needs it for images."""
LIMIT_EXPLANATION = """\
Plain read: open, read to the end into one page-aligned buffer of 1 MiB, close; one thread, nothing looks
at the bytes."""
WARM_EXPLANATION = """\
Cache present, nothing new. *Readable*: from `open` until every series can be read (`wait_cached`) and one has
been: this is what the bar is about. *Verified*: until every file has been looked at (`wait`). *All touched*:
until a Python loop has fetched every series and counted its points as well."""
PROCESS_EXPLANATION = """\
From starting the process, Python and imports included, until everything is loaded; and the CPU time of
reading (of the whole process for the data server)."""
MEMORY_EXPLANATION = """\
Largest of the rounds, the writing of Sightline's cache included. *Growth* is the peak minus what was
resident after the imports; *anonymous* is what is held when everything is loaded, without pages of mapped
files; columns are 24 bytes a point. *Touching all adds*: resident memory after a Python loop has fetched
every series, mapped pages included."""


def full_report(results: Results, *, rounds: int) -> str:
    sections: list[Callable[[Results], str]] = [
        cold_table,
        readers_table,
        limit_table,
        warm_table,
        process_table,
        memory_table,
    ]
    explanation = EXPLANATION.format(rounds=rounds)
    return "\n\n".join([explanation, *(text for section in sections if (text := section(results)))])


def cold_table(results: Results) -> str:
    rows = []
    for name, result in results.items():
        if COLD not in result or DATA_SERVER not in result:
            continue
        ours, theirs = result.median_read_s(COLD), result.median_read_s(DATA_SERVER)
        bar = COLD_BARS.get(name)
        rows.append(
            [
                name,
                f"{result.directory.points:,}",
                megabytes(result.directory.size_bytes),
                seconds(result.best_read_s(COLD)),
                seconds(ours),
                millions_per_second(result.directory.events, ours),
                seconds(result.best_read_s(DATA_SERVER)),
                seconds(theirs),
                millions_per_second(result.directory.events, theirs),
                ratio(result.best_read_s(DATA_SERVER) / result.best_read_s(COLD)),
                ratio(theirs / ours),
                met_or_missed(f"≥ {bar:.0f}×", is_met=theirs / ours >= bar) if bar else NOTHING,
            ]
        )
    if not rows:
        return ""
    header = ["shape", "points", "size", "cold best", "cold median", "events", "server best", "server median"]
    header += ["events", "ratio of bests", "ratio of medians", "bar"]
    return _section(
        "Cold read against TensorBoard's data server",
        COLD_EXPLANATION,
        markdown_table(header, rows),
    )


def readers_table(results: Results) -> str:
    measured = {reader for result in results.values() for reader in result.rounds}
    peers = [reader for reader in (DATA_SERVER, PYTHON_READER, TBPARSE) if reader in measured]
    rows = []
    for name, result in results.items():
        ours = result.median_read_s(COLD) if COLD in result else None
        row = [name, seconds(ours) if ours else NOTHING, _time_or_nothing(result, WARM)]
        for peer in peers:
            text = _time_or_nothing(result, peer)
            row += [f"~{text}" if peer in SCALED_READERS and peer in result else text]
            row += [ratio(result.median_read_s(peer) / ours) if ours and peer in result else NOTHING]
        rows.append(row)
    header = ["shape", COLD, WARM]
    for peer in peers:
        header += [peer, "ratio"]
    samples = ", ".join(
        f"{name} {result.sample.points:,} of {result.directory.points:,}"
        for name, result in results.items()
        if result.sample and any(reader in result for reader in SCALED_READERS)
    )
    return _section(
        "All readers",
        READERS_EXPLANATION.format(samples=samples or "none"),
        markdown_table(header, rows),
    )


def limit_table(results: Results) -> str:
    rows = []
    for name, result in results.items():
        if PLAIN not in result:
            continue
        plain = result.median_read_s(PLAIN)
        inside_s = statistics.median(m.found["inside_reads_s"] for m in result.rounds[PLAIN])
        row = [name, f"{result.directory.runs:,}", megabytes(result.directory.size_bytes), seconds(plain)]
        row += [seconds(inside_s), f"{result.directory.size_bytes / plain / 1e9:.2f} GB/s"]
        if COLD in result:
            cold = result.median_read_s(COLD)
            row += [seconds(cold), ratio(cold / plain)]
        else:
            row += [NOTHING, NOTHING]
        rows.append(row)
    header = ["shape", "files", "size", "plain read", "of it read calls", "speed", COLD, "cold / plain"]
    return _section(
        "Against the limit",
        LIMIT_EXPLANATION,
        markdown_table(header, rows),
    )


def warm_table(results: Results) -> str:
    rows = []
    for name, result in results.items():
        if WARM not in result or COLD not in result:
            continue
        cold, warm = result.median_read_s(COLD), result.median_read_s(WARM)
        reads = [(m.read_s, m.found) for m in result.rounds[WARM]]
        readable = statistics.median(found["readable_s"] + found["first_s"] for _, found in reads)
        touched = statistics.median(read_s + found["first_s"] + found["touch_s"] for read_s, found in reads)
        bar = WARM_BARS.get(name)
        rows.append(
            [
                name,
                seconds(cold),
                seconds(readable),
                f"{readable / cold:.1%}",
                met_or_missed(f"< {bar:.0%}", is_met=readable / cold < bar) if bar else NOTHING,
                seconds(result.best_read_s(WARM)),
                seconds(warm),
                f"{warm / cold:.1%}",
                seconds(touched),
                f"{result.directory.series:,}",
                megabytes(result.cache_bytes),
            ]
        )
    if not rows:
        return ""
    header = ["shape", "cold", "readable", "of cold", "bar", "verified best", "verified median", "of cold"]
    header += ["all touched", "series", "cache"]
    return _section(
        "Warm start",
        WARM_EXPLANATION,
        markdown_table(header, rows),
    )


def process_table(results: Results) -> str:
    readers = [COLD, WARM, DATA_SERVER]
    rows = []
    for name, result in results.items():
        row = [name]
        for reader in readers:
            row.append(seconds(result.median_process_s(reader)) if reader in result else NOTHING)
        for reader in readers:
            row.append(seconds(result.median_cpu_s(reader)) if reader in result else NOTHING)
        if COLD in result and DATA_SERVER in result:
            row.append(ratio(result.median_process_s(DATA_SERVER) / result.median_process_s(COLD)))
        else:
            row.append(NOTHING)
        rows.append(row)
    header = [f"{reader}, {what}" for what in ("process", "CPU") for reader in readers]
    return _section(
        "Whole processes",
        PROCESS_EXPLANATION,
        markdown_table(["shape", *header, "process ratio"], rows),
    )


def memory_table(results: Results) -> str:
    rows = []
    for name, result in results.items():
        for reader in (COLD, WARM, DATA_SERVER):
            if reader not in result:
                continue
            is_scalar = result.directory.kind == "scalar"
            columns = result.directory.points * COLUMN_BYTES_PER_POINT
            share = result.growth_bytes(reader) / columns
            has_bar = name == "S1" and reader == COLD
            rows.append(
                [
                    f"{name} {reader}",
                    megabytes(result.directory.size_bytes),
                    megabytes(result.peak_bytes(reader)),
                    megabytes(result.growth_bytes(reader)),
                    megabytes(result.anonymous_bytes(reader)),
                    megabytes(columns) if is_scalar else NOTHING,
                    ratio(share) if is_scalar and reader != DATA_SERVER else NOTHING,
                    met_or_missed(f"< {MEMORY_BAR_OF_COLUMNS}×", is_met=share < MEMORY_BAR_OF_COLUMNS)
                    if has_bar
                    else NOTHING,
                    NOTHING if reader == DATA_SERVER else megabytes(result.touched_bytes(reader)),
                ]
            )
    header = ["shape, reader", "on disk", "peak", "growth", "anonymous"]
    header += ["columns", "growth / columns", "bar", "touching all adds"]
    text = _section(
        "Peak memory",
        MEMORY_EXPLANATION,
        markdown_table(header, rows),
    )
    return text + _media_memory(results)


def _media_memory(results: Results) -> str:
    """I1 against the same number of larger images."""
    small, large = results.get("I1"), results.get("I1-large")
    if not small or not large or COLD not in small or COLD not in large:
        return ""
    before, after = small.growth_bytes(COLD), large.growth_bytes(COLD)
    times = large.directory.size_bytes / small.directory.size_bytes
    return (
        f"\n\nMedia: {times:.1f} times the bytes (I1-large against I1, equally many images) and "
        f"{after / before:.2f} times the memory ({megabytes(before)}, {megabytes(after)})."
    )


def _time_or_nothing(result: ShapeResult, reader: str) -> str:
    return seconds(result.median_read_s(reader)) if reader in result else NOTHING


def _section(title: str, explanation: str, table: str) -> str:
    return f"## {title}\n\n{explanation}\n\n{table}"
