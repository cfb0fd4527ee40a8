"""What handlers of dashboards see of the server: the log's runs, and room for what is kept between
requests."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Protocol, TypeVar

from sightline.wire import routes

if TYPE_CHECKING:
    from sightline.model.thumbnail_place import ThumbnailPlace
    from sightline.query.stored_types import RunStore

Kept = TypeVar("Kept")


class Context(routes.Context, Protocol):
    @property
    def store(self) -> RunStore:
        """The log's runs; what the functions of ``sightline.query`` take."""

    @property
    def series_revision(self) -> int:
        """The revision at which a series last appeared or vanished."""

    @property
    def thumbnail_place(self) -> ThumbnailPlace | None:
        """Where small pictures may be kept on disk; None: nowhere."""

    def keep(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What was made under this key, for as long as the server runs. Keys begin with the type of what is
        kept, so that no two dashboards mean the same by accident."""
