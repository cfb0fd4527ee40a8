"""Small git repositories for tests, untouched by the configuration of whoever runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(directory: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env=_ENVIRONMENT, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def make_repository(directory: Path, **files: str) -> str:
    """A repository with one commit of these files (``name_py`` is ``name.py``); returns the commit."""
    directory.mkdir(parents=True, exist_ok=True)
    git(directory, "init", "--quiet", "--initial-branch=main")
    for name, text in (files or {"train_py": "lr = 0.1\n"}).items():
        (directory / name.replace("_py", ".py")).write_text(text, "utf-8")
    git(directory, "add", ".")
    git(directory, "commit", "--quiet", "-m", "first")
    return git(directory, "rev-parse", "HEAD")
