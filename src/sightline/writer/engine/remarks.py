"""What a value lost on its way into the file, said once per tag.

A NaN pixel or a clipped sound must not stop training, and must not pass in silence either. The training loop
logs the same tag again and again, so each remark is made for the first value only.
"""

from __future__ import annotations

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.base import WriterBase, log


class Remarks(WriterBase):
    """Warnings of one writer, each once per tag."""

    def _warn_once(self, tag: str, message: str, *facts: object) -> None:
        """Logs a warning; `message` begins with a place for the tag. The same one again is dropped."""
        made: set[tuple[str, str]] = self.__dict__.setdefault("_remarks_made", set())
        if (tag, message) not in made:
            made.add((tag, message))
            log.warning(message + " (said once per tag)", tag, *facts)


def checked_tag(tag: object) -> str:
    """The tag, if it is one: encoding happens later, where a mistake could not be raised any more."""
    if not isinstance(tag, str):
        raise BadArgumentError(f"A tag is a str, not {type(tag).__name__}: {tag!r}")
    return tag
