"""The bars of the project, a row each: what Sightline reached, and the best of its peers in the same run."""

from __future__ import annotations

from functools import partial

from benchmarks import overhead
from benchmarks.table import markdown_table, met_or_missed, ratio, seconds
from benchmarks.write_process import SIGHTLINE, TORCH
from benchmarks.write_results import NOTHING, Results

CALL_BAR_S, CALL_BAR_RATIO = 1.5e-6, 10.0
LOG_BAR_S = 10e-6
CPU_BAR_S = 3e-6
RATE_BAR = 300_000
P999_BAR_S = 100e-6
KILLED_BAR = 1.0


def bars_table(results: Results) -> str:
    rows = [
        *_call_bars(results),
        *_sustained_bars(results),
        *_bytes_bar(results),
        *_longest_bar(results),
        *_killed_bar(results),
        *_overhead_bars(results),
        *_counting_bars(results),
    ]
    if not rows:
        return ""
    return "## The bars\n\n" + markdown_table(["what", "Sightline", "best peer", "ratio", "bar"], rows)


def _call_bars(results: Results) -> list[list[str]]:
    rows = []
    cases = [("calls none", "one `add_scalar`, full speed", CALL_BAR_S, CALL_BAR_RATIO)]
    cases += [("logs none", "20 scalars, full speed", LOG_BAR_S, 0.0)]
    cases += [("calls working", "one `add_scalar`, working", 0.0, 0.0)]
    cases += [("logs working", "20 scalars, working", 0.0, 0.0)]
    for task, name, bar_s, bar_ratio in cases:
        if not results.answers(task, SIGHTLINE):
            continue
        ours = results.median(task, SIGHTLINE, "median_s")
        best = results.best_peer(task, partial(_median, results, task, "median_s"))
        bars = []
        if bar_s:
            bars.append(met_or_missed(f"≤ {seconds(bar_s)}", is_met=ours <= bar_s))
        if bar_ratio and best:
            bars.append(met_or_missed(f"≥ {bar_ratio:.0f}×", is_met=best[1] / ours >= bar_ratio))
        peer = [f"{best[0]} {seconds(best[1])}", ratio(best[1] / ours)] if best else [NOTHING, NOTHING]
        rows.append([name, seconds(ours), *peer, ", ".join(bars) or NOTHING])
    return rows


def _sustained_bars(results: Results) -> list[list[str]]:
    task = "sustained"
    if not results.answers(task, SIGHTLINE):
        return []
    cpu, rate = results.per_point(task, SIGHTLINE, "cpu_s"), results.rate(task, SIGHTLINE)
    rows = []
    best = results.best_peer(task, lambda writer: results.per_point(task, writer, "cpu_s"))
    peer = [f"{best[0]} {seconds(best[1])}", ratio(best[1] / cpu)] if best else [NOTHING, NOTHING]
    met = met_or_missed(f"≤ {seconds(CPU_BAR_S)}", is_met=cpu <= CPU_BAR_S)
    rows.append(["CPU per scalar, all threads", seconds(cpu), *peer, met])
    best = results.best_peer(task, lambda writer: -results.rate(task, writer))
    peer = [f"{best[0]} {-best[1]:,.0f}", ratio(rate / -best[1])] if best else [NOTHING, NOTHING]
    rows.append(
        [
            "points/s until on disk",
            f"{rate:,.0f}",
            *peer,
            met_or_missed(f"≥ {RATE_BAR:,}", is_met=rate >= RATE_BAR),
        ]
    )
    return rows


def _bytes_bar(results: Results) -> list[list[str]]:
    task = "calls none"
    if not results.answers(task, SIGHTLINE) or not results.answers(task, TORCH):
        return []
    ours, theirs = (results.per_point(task, writer, "point_bytes") for writer in (SIGHTLINE, TORCH))
    met = met_or_missed("not more", is_met=ours <= theirs)
    return [["bytes per point", f"{ours:.2f}", f"{TORCH} {theirs:.2f}", ratio(theirs / ours), met]]


def _longest_bar(results: Results) -> list[list[str]]:
    if not results.answers("longest", SIGHTLINE):
        return []
    ours = {key: results.median("longest", SIGHTLINE, key) for key in ("p999_s", "max_s")}
    rows = []
    for key, name in (("p999_s", "p99.9 of calls"), ("max_s", "longest call")):
        best = results.best_peer("longest", partial(_median, results, "longest", key))
        peer = [f"{best[0]} {seconds(best[1])}", ratio(best[1] / ours[key])] if best else [NOTHING, NOTHING]
        has_bar = key == "p999_s"
        met = (
            met_or_missed(f"≤ {seconds(P999_BAR_S)}", is_met=ours[key] <= P999_BAR_S) if has_bar else NOTHING
        )
        rows.append([name, seconds(ours[key]), *peer, met])
    return rows


def _killed_bar(results: Results) -> list[list[str]]:
    shares = {
        writer: min(answer["share"] for answer in results.answers("killed", writer))
        for writer in results.writers("killed")
    }
    if SIGHTLINE not in shares:
        return []
    ours = shares.pop(SIGHTLINE)
    peers = ", ".join(f"{writer} {share:.1%}" for writer, share in shares.items()) or NOTHING
    met = met_or_missed("100 %", is_met=ours >= KILLED_BAR)
    return [["read back after SIGKILL, worst", f"{ours:.3%}", peers, NOTHING, met]]


def _overhead_bars(results: Results) -> list[list[str]]:
    rows = []
    for writer, (answer, *_) in results.rounds.get("overhead", {}).items():
        if writer.startswith(SIGHTLINE):
            share = answer["overhead_s"] / answer["step_s"]
            name = f"step of a transformer, threads: {answer['threads']}"
            rows.append([name, f"{share:+.2%}", NOTHING, NOTHING, overhead.verdict(answer)])
    return rows


def _counting_bars(results: Results) -> list[list[str]]:
    rows = []
    for elements in results.sizes_of("counting")[-1:]:
        for grid in ("uniform", "geometric"):
            task = f"counting {elements}"
            ours, theirs = (results.median(task, SIGHTLINE, key) for key in (grid, f"numpy_{grid}"))
            name = f"counting {elements:,} elements, {grid}"
            peer = [f"NumPy {seconds(theirs)}", ratio(theirs / ours)]
            rows.append([name, seconds(ours), *peer, met_or_missed("not slower", is_met=ours <= theirs)])
    return rows


def _median(results: Results, task: str, key: str, writer: str) -> float:
    return results.median(task, writer, key)
