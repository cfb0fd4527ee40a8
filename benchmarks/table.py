"""Text tables that read well in a terminal and are Markdown at the same time."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """First column left, the others right aligned."""
    widths = [max(len(line[i]) for line in (header, *rows)) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        padded[0] = cells[0].ljust(widths[0])
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(header), "| " + " | ".join(rule) + " |", *(line(row) for row in rows)])


def section(title: str, explanation: str, table: str) -> str:
    return f"## {title}\n\n{explanation}\n\n{table}"


def met_or_missed(bar: str, *, is_met: bool) -> str:
    return f"{bar} {'met' if is_met else 'MISSED'}"


def seconds(value: float) -> str:
    """Three significant digits, in the unit that fits."""
    if value < 0.9995e-3:
        return f"{_three_digits(value * 1e6)} µs"
    return f"{_three_digits(value * 1e3)} ms" if value < 0.9995 else f"{_three_digits(value)} s"


def ratio(value: float) -> str:
    return f"{_three_digits(value)}×"


def megabytes(size_bytes: float) -> str:
    return f"{_three_digits(size_bytes / 1e6)} MB"


def millions_per_second(count: float, duration_s: float) -> str:
    return f"{_three_digits(count / duration_s / 1e6)} M/s"


def _three_digits(value: float) -> str:
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:,.{digits}f}"
