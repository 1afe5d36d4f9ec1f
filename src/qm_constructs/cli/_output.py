"""Writing for a terminal, a pipe or a file, whatever it can take."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import TextIO

Paint = Callable[[str, str], str]
"""Returns a text in a style, such as ``paint("error", RED)``."""

BOLD, RED, YELLOW = "1", "1;31", "1;33"


class OutputError(Exception):
    """What was to be said could not be written; its text says why."""


def plain(text: str) -> str:
    """Returns a text that a terminal shows and never obeys: control characters are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write(text: str, stream: TextIO | None) -> None:
    """Writes a text as far as the stream's encoding goes; a reader that has gone is no error."""
    if stream is None:  # closed by the shell
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        _abandon(stream)
        if not isinstance(error, BrokenPipeError):
            raise OutputError(error.strerror) from None


def _abandon(stream: TextIO) -> None:
    """Lets what could not be written go, which Python would try again, and fail, at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def painter(stream: TextIO | None) -> Paint:
    """Returns what colours a text for a stream: in colour only where a person looks at it."""
    if stream is not None and stream.isatty() and _wants_colour():
        return lambda text, style: f"\x1b[{style}m{text}\x1b[0m"
    return lambda text, style: text  # noqa: ARG005


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
