"""What git is asked, on real repositories; and that nothing a repository or a git does can hold us up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from sightline.writer.story.git_state import code_changes, git_state, without_credentials
from tests.writer.repositories import git, make_repository


def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """From now on ``git`` is this Python program."""
    directory = tmp_path / "bin"
    directory.mkdir()
    file = directory / "git"
    file.write_text(f"#!{sys.executable}\n{program}", "utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{os.environ['PATH']}")


def test_a_clean_repository_tells_commit_and_branch(tmp_path: Path) -> None:
    commit = make_repository(tmp_path)
    assert git_state(str(tmp_path)) == {
        "root": str(tmp_path), "commit": commit, "branch": "main", "is_dirty": False, "untracked": 0,
    }  # fmt: skip


def test_changes_are_counted_as_git_counts_them(tmp_path: Path) -> None:
    make_repository(tmp_path, a_py="1\n2\n3\n", b_py="1\n", c_py="1\n2\n3\n4\n5\n")
    (tmp_path / "a.py").write_text("1\nx\ny\n3\n", "utf-8")  # not staged
    git(tmp_path, "rm", "--quiet", "b.py")
    git(tmp_path, "mv", "c.py", "d.py")
    (tmp_path / "new.py").write_text("", "utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_text("", "utf-8")
    (tmp_path / "data" / "y").write_text("", "utf-8")
    state = git_state(str(tmp_path))
    assert state is not None
    assert (state["is_dirty"], state["untracked"]) == (True, 2)
    numbers = [line.split("\t")[:2] for line in git(tmp_path, "diff", "HEAD", "--numstat").splitlines()]
    assert state["diff"] == {
        "files": len(numbers),
        "insertions": sum(int(added) for added, _ in numbers),
        "deletions": sum(int(removed) for _, removed in numbers),
    }


def test_a_directory_inside_tells_about_the_whole_repository(tmp_path: Path) -> None:
    make_repository(tmp_path)
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "train.py").write_text("lr = 0.2\n", "utf-8")
    state = git_state(str(tmp_path / "src" / "deep"))
    assert state is not None
    assert (state["root"], state["is_dirty"]) == (str(tmp_path), True)


def test_a_detached_head_has_no_branch_and_a_new_repository_no_commit(tmp_path: Path) -> None:
    make_repository(tmp_path / "a")
    git(tmp_path / "a", "checkout", "--quiet", "--detach")
    state = git_state(str(tmp_path / "a"))
    assert state is not None
    assert "branch" not in state
    (tmp_path / "b").mkdir()
    git(tmp_path / "b", "init", "--quiet", "--initial-branch=main")
    state = git_state(str(tmp_path / "b"))
    assert state is not None
    assert "commit" not in state


def test_outside_of_a_repository_and_without_git_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert git_state(str(tmp_path)) is None
    assert code_changes(str(tmp_path), max_bytes=100) is None
    assert git_state(str(tmp_path / "missing")) is None
    make_repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert git_state(str(tmp_path)) is None


def test_a_git_that_does_not_answer_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pid"
    fake_git(
        tmp_path,
        monkeypatch,
        f"import os, time\nopen({str(file)!r}, 'w').write(str(os.getpid()))\nwhile True: time.sleep(60)",
    )
    assert git_state(str(tmp_path), timeout_s=0.5) is None
    if file.exists():  # a busy machine may not have come that far
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.read_text()), 0)


def test_a_git_that_prints_without_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_git(
        tmp_path,
        monkeypatch,
        "import sys\n"
        "if '--show-toplevel' in sys.argv: print('.')\n"
        "elif 'rev-parse' in sys.argv: print('c' * 40)\n"
        "elif 'ls-files' in sys.argv: pass\n"
        "else:\n"
        "    while True: print('x' * 99)\n",
    )
    changes = code_changes(str(tmp_path), max_bytes=1000)
    assert changes is not None
    assert changes.is_cut
    assert changes.diff == ("x" * 99 + "\n") * 10


def test_a_repository_cannot_make_us_run_its_programs(tmp_path: Path) -> None:
    make_repository(tmp_path)
    (tmp_path / "train.py").write_text("lr = 0.2\n", "utf-8")
    trap = tmp_path / "trap.sh"
    trap.write_text("#!/bin/sh\ntouch sprung\n", "utf-8")
    trap.chmod(0o755)
    for name in ("diff.external", "core.fsmonitor", "core.pager", "diff.mine.textconv", "diff.mine.command"):
        git(tmp_path, "config", name, str(trap))
    (tmp_path / ".git" / "info").mkdir(exist_ok=True)
    (tmp_path / ".git" / "info" / "attributes").write_text("*.py diff=mine\n", "utf-8")
    assert git_state(str(tmp_path)) is not None
    assert code_changes(str(tmp_path), max_bytes=10_000) is not None
    assert not (tmp_path / "sprung").exists()


def test_variables_of_a_hook_do_not_lead_to_another_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = make_repository(tmp_path / "here")
    make_repository(tmp_path / "there", other_py="")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "there" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "there"))
    state = git_state(str(tmp_path / "here"))
    assert state is not None
    assert state["commit"] == commit


def test_asking_writes_nothing_into_the_repository(tmp_path: Path) -> None:
    make_repository(tmp_path)
    os.utime(tmp_path / "train.py", (0, 0))  # git would refresh its index
    before = (tmp_path / ".git" / "index").read_bytes()
    git_state(str(tmp_path))
    assert (tmp_path / ".git" / "index").read_bytes() == before


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:abc@github.com/a/b.git", "https://github.com/a/b.git"),
        ("https://abc@github.com/a/b", "https://github.com/a/b"),
        ("ssh://git@host:22/a/b", "ssh://host:22/a/b"),
        ("git@github.com:a/b.git", "git@github.com:a/b.git"),
        ("/srv/git/a@b", "/srv/git/a@b"),
    ],
)
def test_the_address_of_a_repository_has_no_credentials(url: str, shown: str, tmp_path: Path) -> None:
    assert without_credentials(url) == shown
    make_repository(tmp_path)
    git(tmp_path, "remote", "add", "origin", url)
    state = git_state(str(tmp_path))
    assert state is not None
    assert state["remote"] == shown


def test_changes_hold_the_diff_and_the_names_of_unknown_files(tmp_path: Path) -> None:
    commit = make_repository(tmp_path)
    (tmp_path / "train.py").write_text("lr = 0.2\n", "utf-8")
    (tmp_path / "ünknown.py").write_text("", "utf-8")
    (tmp_path / ".gitignore").write_text("*.log\n", "utf-8")
    (tmp_path / "x.log").write_text("", "utf-8")
    changes = code_changes(str(tmp_path), max_bytes=10_000)
    assert changes is not None
    assert changes.commit == commit
    assert changes.diff == git(tmp_path, "diff", "HEAD") + "\n"
    assert changes.untracked.splitlines() == [".gitignore", "ünknown.py"]
    assert not changes.is_cut
