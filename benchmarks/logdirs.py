"""The log directories that are read, made by the shared generator when they are not there yet.

A *shape* is a name and the generator's arguments. The generator lies outside this repository (beside it, in
``shared/bench``, or where SIGHTLINE_BENCH_GENERATOR says) and writes a manifest next to each directory; the
manifest says how many runs, tags and points there must be, so it is also the first check of every reader.
TensorBoard's Python reader and tbparse would need many minutes for the full shapes: each shape also has a
*sample*, the same thing with fewer runs or steps, whose time is scaled by the number of points.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parents[1]
DEFAULT_DATA_DIRECTORY = PROJECT_ROOT / "build" / "bench"
GENERATOR_VARIABLE = "SIGHTLINE_BENCH_GENERATOR"


@dataclass(frozen=True)
class Shape:
    name: str
    summary: str
    arguments: tuple[str, ...]
    sample_arguments: tuple[str, ...]
    """Same preset, small enough for about a second of the slow readers."""
    points: int
    """What the arguments give; a directory with another number is another directory."""


SHAPES = {
    shape.name: shape
    for shape in (
        Shape(
            name="S1",
            summary="1 run, 1 tag, 10 M scalars in one file",
            arguments=("--preset", "S1", "--steps", "10000000"),
            sample_arguments=("--preset", "S1", "--steps", "20000"),
            points=10_000_000,
        ),
        Shape(
            name="S2",
            summary="100 runs, 20 tags, 1,000 steps",
            arguments=("--preset", "S2"),
            sample_arguments=("--preset", "S2", "--runs", "1"),
            points=2_000_000,
        ),
        Shape(
            name="S3",
            summary="1,000 runs, 50 tags, 100 steps",
            arguments=("--preset", "S3"),
            sample_arguments=("--preset", "S3", "--runs", "4"),
            points=5_000_000,
        ),
        Shape(
            name="S4",
            summary="10,000 runs, 5 tags, 20 steps",
            arguments=("--preset", "S4"),
            sample_arguments=("--preset", "S4", "--runs", "150"),
            points=1_000_000,
        ),
        Shape(
            name="H1",
            summary="5 runs, 50 tags, 1,000 histograms each",
            arguments=("--preset", "H1"),
            sample_arguments=("--preset", "H1", "--runs", "1", "--steps", "40"),
            points=250_000,
        ),
        Shape(
            name="H2",
            summary="1 run, 200 tags, 300 histograms each",
            arguments=("--preset", "H1", "--runs", "1", "--tags", "200", "--steps", "300"),
            sample_arguments=("--preset", "H1", "--runs", "1", "--steps", "40"),
            points=60_000,
        ),
        Shape(
            name="I1",
            summary="1 run, 10 tags, 500 images of 20 kB each",
            arguments=("--preset", "I1"),
            sample_arguments=("--preset", "I1", "--steps", "20"),
            points=5_000,
        ),
        # As many images as I1 and four times the bytes: shows that memory follows the count, not the bytes.
        Shape(
            name="I1-large",
            summary="1 run, 10 tags, 500 images of 80 kB each",
            arguments=("--preset", "I1", "--image-bytes", "80000"),
            sample_arguments=("--preset", "I1", "--image-bytes", "80000", "--steps", "5"),
            points=5_000,
        ),
    )
}


@dataclass(frozen=True)
class LogDirectory:
    """A generated directory and what its manifest says about it."""

    name: str
    path: Path
    kind: str
    """scalar, histogram or image: the one kind of all its tags."""
    runs: int
    tags_per_run: int
    points: int
    events: int
    size_bytes: int
    last_step: int

    @property
    def series(self) -> int:
        return self.runs * self.tags_per_run

    def event_files(self) -> list[Path]:
        return sorted(self.path.rglob("*tfevents*"))


class GeneratorMissingError(Exception):
    """A directory has to be made and the generator is not where it is looked for."""


def generator_path() -> Path:
    named = os.environ.get(GENERATOR_VARIABLE)
    return Path(named) if named else PROJECT_ROOT.parent / "shared" / "bench" / "gen_logdir.py"


def full_directory(shape: Shape, *, data: Path) -> LogDirectory:
    """The shape itself, generated under ``data`` unless it is there already."""
    directory = _existing(data / shape.name, name=shape.name)
    if directory is None or directory.points != shape.points:
        directory = _generate(data / shape.name, name=shape.name, arguments=shape.arguments)
    if directory.points != shape.points:
        raise ValueError(f"{shape.name} has {directory.points:,} points, expected {shape.points:,}")
    return directory


def sample_directory(shape: Shape, *, data: Path) -> LogDirectory:
    """The small one for slow readers. Arguments are in the name: a changed sample is made anew."""
    name = f"{shape.name}-sample-" + "-".join(part.lstrip("-") for part in shape.sample_arguments[2:])
    directory = _existing(data / name, name=name)
    return directory or _generate(data / name, name=name, arguments=shape.sample_arguments)


def _existing(path: Path, *, name: str) -> LogDirectory | None:
    manifest = path.with_name(path.name + ".json")
    if not path.is_dir() or not manifest.is_file():
        return None
    facts = json.loads(manifest.read_text())
    return LogDirectory(
        name=name,
        path=path,
        kind=facts["kind"],
        runs=facts["runs"],
        tags_per_run=facts["n_tags"],
        points=facts["points"],
        events=facts["events"],
        size_bytes=facts["bytes"],
        last_step=facts["last_step"],
    )


def _generate(path: Path, *, name: str, arguments: tuple[str, ...]) -> LogDirectory:
    generator = generator_path()
    if not generator.is_file():
        raise GeneratorMissingError(
            f"{name} is not generated yet and the generator is missing. Set {GENERATOR_VARIABLE} to "
            f"gen_logdir.py, or pass --data with directories that it made. Looked for {generator}"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    print(f"generating {name} …", file=sys.stderr)
    subprocess.run(
        [sys.executable, str(generator), str(path), *arguments], check=True, stdout=subprocess.DEVNULL
    )
    directory = _existing(path, name=name)
    if directory is None:
        raise ValueError(f"the generator wrote no manifest for {name}")
    return directory
