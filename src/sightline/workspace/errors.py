"""What the workspace refuses, by the reaction it calls for. Messages are sentences for people."""

from __future__ import annotations

from sightline.model.errors import UserError


class WorkspaceError(UserError):
    """It cannot be done, and asking again will not help."""


class ConflictError(WorkspaceError):
    """Somebody else was faster: look at what is there now, then decide."""


class NotKeptError(WorkspaceError):
    """The disk did not take it. Nothing was changed."""


class RefusedError(WorkspaceError):
    """One edit that makes no sense, or that contradicts another."""

    def __init__(self, message: str, conflict: str | None = None) -> None:
        super().__init__(message, conflict)
        self.message = message
        self.conflict = conflict
        """What somebody else made of a note meanwhile."""

    def __str__(self) -> str:
        return self.message
