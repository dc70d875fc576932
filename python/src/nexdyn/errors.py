"""The errors of NexDyn: one type for bad input and wrong usage, one for an engine that is not there any more."""

from __future__ import annotations

__all__ = ["NexdynError", "EngineError"]


class NexdynError(ValueError):
    """Bad input or wrong usage.

    Attributes:
        code: what went wrong, for programs, as in ``'unknown-reference'``.
        reason: the bare sentence, without place and hint.
        path: path into the scene, as in ``'bodies[2].joints[0].axis'``.
        file, line, column: place in a file.
        hint: what you can do.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        path: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
        message: str | None = None,
    ) -> None:
        super().__init__(message or (f"{reason} ({hint})" if hint else reason))
        self.code = code
        self.reason = reason
        self.path = path
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint


class EngineError(RuntimeError):
    """The engine could not be started, has ended, or has a defect. What was open in it is gone; the next call starts it anew."""
