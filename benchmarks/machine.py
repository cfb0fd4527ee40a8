"""What the numbers were measured on: processor and versions, and nothing that names the machine."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("sightline", "numpy", "tensorboard", "tensorboard-data-server", "tbparse", "protobuf")


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def description() -> list[str]:
    versions = [f"{package} {version_of(package) or '(not installed)'}" for package in PACKAGES]
    return [
        f"Processor: {_processor()}, {len(os.sched_getaffinity(0))} cores"
        if hasattr(os, "sched_getaffinity")
        else f"Processor: {_processor()}, {os.cpu_count()} cores",
        f"System: {platform.system()} {platform.release()}, Python {platform.python_version()}",
        "Versions: " + ", ".join(versions),
    ]


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
