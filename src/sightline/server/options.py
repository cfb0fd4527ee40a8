"""What the server is told when it starts. Plain values: the command line and notebooks make them, tests
too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ServerOptions:
    """Everything but the log itself. ``host`` and ``port`` are those of the bound socket, as users know
    them."""

    host: str = "127.0.0.1"
    """A name, an address, or one of the words of ``model.addresses``."""
    port: int = 6006
    path_prefix: str = ""
    """``/some/path`` that all URLs begin with; empty for none. A slash at the end makes no difference."""
    window_title: str = ""
    token: str | None = None
    """None: no token is asked for."""
    allowed_hosts: tuple[str, ...] = ()
    """More names that requests may be addressed to (Host header). ``.example.org`` allows all below it."""
    histogram_interval: int | None = None
    is_delete_allowed: bool = False
    """Whether pages may move runs to the trash; see docs/workspace.md."""
    flags: Mapping[str, object] = field(default_factory=dict)
    """Every flag of the command line by TensorBoard's name, for /data/environment."""
    notices: tuple[str, ...] = ()
    """Lines for the page's list of warnings."""

    @property
    def prefix(self) -> str:
        """The path prefix in one spelling: a slash in front, none at the end; empty for none."""
        inside = self.path_prefix.strip("/")
        return f"/{inside}" if inside else ""
