"""Follows docs/add-a-dashboard.md in a copy of the sources, for add-dashboard.test.ts: both halves of the
skeleton are copied under another name, and each registry gets its line. Nothing else is changed.

``add_dashboard.py make DIRECTORY LOGDIR`` makes the copy, builds its page and writes a log with tensors.
``add_dashboard.py serve DIRECTORY …`` is ``sightline …`` from that copy.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WEB = ("src", "public", "index.html", "package.json", "svelte.config.js", "tsconfig.json", "vite.config.ts")
NAME = "sample"


def make(tree: Path, logdir: Path) -> None:
    _copy_sources(tree)
    dashboards = tree / "src" / "sightline" / "dashboards"
    kinds, pages = tree / "web" / "src" / "kinds", tree / "web" / "src" / "dashboards"
    for folder in (dashboards, kinds, pages):
        _copy_skeleton(folder)
    imported = f"from sightline.dashboards.{NAME} import SAMPLE\n"
    _edit(dashboards / "__init__.py", "\nBUILT_IN", f"{imported}\nBUILT_IN")
    _edit(dashboards / "__init__.py", "\n    TABLES,", "\n    TABLES,\n    SAMPLE,")
    line = f"export {{ SAMPLE }} from './{NAME}/kind';\n"
    _edit(kinds / "registry.ts", "export { SCALAR }", f"{line}export {{ SCALAR }}")
    load = f"() => import('./{NAME}/Sample.svelte')"
    entry = f"  {{ name: '{NAME}', label: 'Sample', kinds: ['tensor'], load: {load} }},\n];"
    _edit(pages / "registry.ts", "\n];", f"\n{entry}")
    vite = ROOT / "web" / "node_modules" / "vite" / "bin" / "vite.js"
    subprocess.run(["node", vite, "build", "--logLevel", "error"], cwd=tree / "web", check=True)
    _write_log(logdir)


def _copy_sources(tree: Path) -> None:
    import sightline._core

    package = tree / "src" / "sightline"
    ignored = shutil.ignore_patterns("_static", "__pycache__")
    shutil.copytree(ROOT / "src" / "sightline", package, ignore=ignored)
    shutil.copy(sightline._core.__file__, package)
    for name in WEB:
        source = ROOT / "web" / name
        if source.is_dir():
            shutil.copytree(source, tree / "web" / name)
        else:
            shutil.copy(source, tree / "web" / name)
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")


def _copy_skeleton(folder: Path) -> None:
    shutil.copytree(folder / "skeleton", folder / NAME)
    for path in (folder / NAME).iterdir():
        path.write_text(_renamed(path.read_text("utf-8")), "utf-8")
        path.rename(path.with_name(_renamed(path.name)))


def _renamed(text: str) -> str:
    for word in ("skeleton", "Skeleton", "SKELETON"):
        new = NAME if word.islower() else NAME.upper() if word.isupper() else NAME.title()
        text = text.replace(word, new)
    return text


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path} has {old!r} not once"
    path.write_text(text.replace(old, new), "utf-8")


def _write_log(logdir: Path) -> None:
    import numpy as np

    from sightline import SummaryWriter

    with SummaryWriter(str(logdir / "first")) as writer:
        for step in range(0, 80, 10):
            writer.add_scalar("weights/norm", step, step)
            writer.add_tensor("weights/all", np.zeros((3, step + 1), np.float32), step)


def serve(tree: Path, arguments: list[str]) -> int:
    # What leads to the sources that are being worked on.
    sys.meta_path[:] = [one for one in sys.meta_path if not type(one).__name__.startswith("ScikitBuild")]
    sys.path.insert(0, str(tree / "src"))
    from sightline.cli import main

    return main(arguments)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(serve(Path(sys.argv[2]), sys.argv[3:]))
