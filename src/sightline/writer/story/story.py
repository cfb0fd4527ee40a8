"""The run's story: how it was started, and how it ended. And the code it ran, for who asks for it.

Two records of the event file hold the story, as JSON in an ``Event.log_message``, which TensorBoard and all
others pass over. ``run_start`` is gathered on the background thread, so that opening a writer stays quick;
``run_end`` is the last record before the file is closed. A job that was killed leaves a start without an end.

Both records have no wall time of their own (the JSON tells the time): readers tell a restarted job from two
parallel ones by when the *data* of a file was written, and a story around it must not change that.
"""

from __future__ import annotations

# At the top, not where they are used: a program that forks while our thread is inside an import would leave
# its child with a lock that nobody opens.
import json
import os
import re
import sys
import time
import traceback
from contextlib import suppress

import numpy as np

from sightline.formats.messages import Event, LogLevel, LogMessage, Value
from sightline.formats.plugin_messages import TextPluginData
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.writer.engine.background import background
from sightline.writer.engine.base import WriterBase, log, plugin_value
from sightline.writer.engine.lifetime import ended_well
from sightline.writer.story.git_state import CodeChanges, code_changes
from sightline.writer.story.redaction import redacted_prose
from sightline.writer.story.surroundings import Launch, surroundings

MAX_RECORD_BYTES = 256 << 10
MAX_CODE_BYTES = 1 << 20
CODE_TAG = "code/diff"

_LONGEST_MESSAGE = 2_000
_LONGEST_TRACEBACK = 16_000
_LONGEST_LOOKED_AT = 100_000
_MOST_FRAMES = 20


class StoryMethods(WriterBase):
    _launch: Launch | None = None

    def _begin_story(self) -> None:
        """Leaves the gathering to the background thread."""
        if not self._sink.is_open:  # nothing is written anyway
            return
        launch = self._launch = Launch.now()

        def job() -> None:
            record = start_record(launch)
            if self._sink.is_open:  # else it would begin another file
                self._write_story(record)

        background.submit(job, 0)

    def _end_story(self, error: BaseException | None) -> None:
        """Says how the run ended."""
        launch = self._launch
        if launch is None or launch.pid != os.getpid():
            return
        duration_s = time.monotonic() - launch.moment_s
        try:
            self._write_story(end_record(launch.id, error, duration_s=duration_s, wall_time=time.time()))
        except Exception:
            log.exception("how the run ended could not be recorded in %s", self.log_dir)

    def _write_story(self, record: str) -> None:
        self._write_event(Event(log_message=LogMessage(level=LogLevel.INFO, message=record)).encode())

    def log_code(
        self, path: str | os.PathLike[str] | None = None, *, max_bytes: int = MAX_CODE_BYTES
    ) -> bool:
        """Stores what is not committed: ``git diff HEAD``, and the names of files that git does not know.

        `path`       a directory of the repository; by default that of the running script, or the current one
        `max_bytes`  of both together; what is longer is cut, and the text says so

        The text is under the tag ``code/diff``. Returns whether there was something to store. Waits for git;
        secrets in the code are not hidden.
        """
        if max_bytes <= 0:
            raise BadArgumentError(f"max_bytes is a size above 0, not {max_bytes!r}")
        if path is not None and not os.path.isdir(path):
            raise NoSuchPathError(os.fspath(path), "log_code needs a directory of a git repository")
        directories = Launch.now().code_directories() if path is None else [os.fspath(path)]
        found = (code_changes(directory, max_bytes=max_bytes) for directory in directories)
        changes = next((one for one in found if one is not None), None)
        if changes is None:
            where = " or ".join(directories)
            log.warning("log_code stores nothing: no git repository with a commit around %s", where)
            return False
        if not changes.diff and not changes.untracked and not changes.is_cut:
            log.info("log_code stores nothing: everything is in commit %s", changes.commit)
            return False
        self._write([code_value(changes, max_bytes=max_bytes)])
        return True


# ── records ─────────────────────────────────────────────────────────────────────────────────────────────


def start_record(launch: Launch) -> str:
    facts = surroundings(launch)
    head = {
        "sightline": "run_start",
        "id": launch.id,
        "time": launch.wall_time,
        "pid": launch.pid,
        "writer": getattr(sys.modules.get("sightline"), "__version__", ""),
    }
    record = _json({**head, **facts})
    left_out: list[str] = []
    while len(record) > MAX_RECORD_BYTES and facts:
        largest = max(facts, key=lambda name: len(_json(facts[name])))
        del facts[largest]
        left_out.append(largest)
        record = _json({**head, **facts, "left_out": left_out})
    return record


def end_record(story_id: str, error: BaseException | None, *, duration_s: float, wall_time: float) -> str:
    status, facts = ending_of(error)
    record: dict[str, object] = {
        "sightline": "run_end",
        "id": story_id,
        "time": wall_time,
        "status": status,
        "duration_s": round(duration_s, 3),
    }
    return _json({**record, "error": facts} if facts else record)


def ending_of(error: BaseException | None) -> tuple[str, dict[str, object]]:
    """The status, and what is known about the error; nothing for a program that came to its end."""
    if ended_well(error):
        return "finished", {}
    assert error is not None
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    facts: dict[str, object] = {"type": f"{module}{kind.__qualname__}"}
    with suppress(Exception):  # the text of an exception is made by anybody's code
        facts["message"] = redacted_prose(str(error)[:_LONGEST_LOOKED_AT])[:_LONGEST_MESSAGE]
    if isinstance(error, SystemExit):
        facts["code"] = error.code if isinstance(error.code, int) else 1
    with suppress(Exception):
        facts["traceback"] = _traceback_of(error)
    return "interrupted" if isinstance(error, KeyboardInterrupt) else "crashed", facts


def _traceback_of(error: BaseException) -> str:
    """The last frames: the first ones are the launcher's."""
    lines = traceback.TracebackException.from_exception(error, limit=-_MOST_FRAMES).format()
    text = redacted_prose("".join(lines)[-_LONGEST_LOOKED_AT:])
    return text if len(text) <= _LONGEST_TRACEBACK else f"…{text[-_LONGEST_TRACEBACK:]}"


def _json(record: object) -> str:
    # ASCII: a command line may hold bytes that are no text, and escapes bring them through.
    return json.dumps(record, separators=(",", ":"), default=str)


# ── code ────────────────────────────────────────────────────────────────────────────────────────────────


def code_value(changes: CodeChanges, *, max_bytes: int) -> Value:
    text = np.array(code_text(changes, max_bytes=max_bytes).encode(), dtype=object)
    return plugin_value(CODE_TAG, "text", tensor=tensor_from_array(text), content=TextPluginData().encode())


def code_text(changes: CodeChanges, *, max_bytes: int) -> str:
    """Markdown: the diff and the names in fences that nothing inside can close."""
    parts = []
    if changes.diff:
        parts.append(f"Not committed, on top of `{changes.commit}`:\n\n{_fenced(changes.diff, 'diff')}")
    if changes.untracked:
        parts.append(f"Files that git does not know:\n\n{_fenced(changes.untracked)}")
    if changes.is_cut:
        parts.append(f"**Cut:** there is more than {max_bytes:,} bytes; the rest is not stored.")
    return "\n\n".join(parts)


def _fenced(text: str, language: str = "") -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}"
