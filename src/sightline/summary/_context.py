"""What a summary function finds around itself: the default writer, the step, names, and whether to record.

As in TensorFlow, all of it belongs to a thread: a new thread begins without a writer. Contexts nest; each
puts back what it found.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_text, step_from
from sightline.writer.engine.arrays import number_from

if TYPE_CHECKING:
    from sightline.summary._writer import FileSummaryWriter

# What TensorFlow allows in the name of a scope. A summary's own name may hold anything.
_ODD_CHARACTERS = re.compile(r"[^-_/.A-Za-z0-9]")


class _State(threading.local):
    writer: FileSummaryWriter | None = None
    step: Any = None
    condition: Any = None
    scope: str = ""  # names of the enclosing scopes, joined by "/"


state = _State()


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Inside the block, summaries are written only while the condition holds.

    `condition` is a bool, a tensor with one bool, or a function that is asked at every summary. None is yes.
    """
    before = state.condition
    state.condition = condition
    try:
        yield
    finally:
        state.condition = before


def should_record_summaries() -> bool:
    """Whether a summary function would write now: there is a default writer, and ``record_if`` allows it."""
    if state.writer is None:
        return False
    condition = state.condition
    if callable(condition):
        condition = condition()
    return condition is None or bool(condition)


should_record = should_record_summaries


def get_step() -> Any:
    """The default step of this thread, as it was set; None without one."""
    return state.step


def set_step(step: Any) -> None:
    """Sets the default step of this thread; None unsets it. A variable is read anew at every summary."""
    state.step = step


def step_number(step: Any) -> int:
    """A step as the file has it."""
    return step_from(step if isinstance(step, int) else number_from(step))


def no_step_error() -> BadArgumentError:
    return BadArgumentError(
        "No step is set. Give step=…, or set one with summary.experimental.set_step or as_default(step=…)"
    )


def record(step: Any, write: Callable[[FileSummaryWriter, int], None]) -> bool:
    """Calls `write` with the default writer and the step if summaries are recorded now, and says if so.

    A step that makes no sense is an error also where nothing is written.
    """
    given = None if step is None else step_number(step)
    writer = state.writer
    if writer is None or not should_record_summaries():
        return False
    if given is None:
        if state.step is None:
            raise no_step_error()
        given = step_number(state.step)
    write(writer, given)
    return True


# Names of summaries: the enclosing scopes and the name, joined by ``/``.


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """Inside the block, names of summaries begin with `name` and ``/``. Gives the whole prefix."""
    before = state.scope
    state.scope = _joined(before, checked_text(name, "The name of a scope").strip("/"))
    try:
        yield f"{current_scope()}/"
    finally:
        state.scope = before


@contextmanager
def summary_scope(
    name: str | None, default_name: str = "summary", values: object = None
) -> Iterator[tuple[str, str]]:
    """For summary functions of your own: gives (tag, scope), and is the scope of what is written inside.

    `values` is accepted and not used.
    """
    tag = tag_of(name, default_name)
    with name_scope(_ODD_CHARACTERS.sub("", name or default_name) or default_name) as scope:
        yield tag, scope


def tag_of(name: str | None, default_name: str) -> str:
    """The tag of a summary with this name in the current scope."""
    return _joined(current_scope(), checked_text(name or default_name, "The name of a summary"))


def current_scope() -> str:
    """Our own scopes inside those of TensorFlow (``tf.name_scope``), where a program has it loaded."""
    # Not there while TensorFlow is being imported.
    get_outer = getattr(sys.modules.get("tensorflow"), "get_current_name_scope", None)
    return _joined(get_outer(), state.scope) if get_outer is not None else state.scope


def _joined(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope and name else scope or name
