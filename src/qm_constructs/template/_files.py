"""Files of the file system: what may be read, how much of it, and how their names are shown."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from qm_constructs.template._reading import MAX_BYTES, CannotRead, too_large

_REASONS: Final = {
    errno.ENOENT: "does not exist",
    errno.EACCES: "may not be read: permission denied",
    errno.EPERM: "may not be read: permission denied",
}


# What a shell has opened for the command; to open any other pipe may take for ever.
_OPEN_ALREADY: Final = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")


def read(path: str, *, or_dash: bool = True) -> bytes:
    """Returns what is in a regular file of bounded size.

    Args:
        path: The path of the file.
        or_dash: Whether ``-`` stands for standard input where the path was given.

    Raises:
        CannotRead: If it is no such file, or cannot be read.
    """
    try:
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode) and not path.startswith(_OPEN_ALREADY):
            hint = "; to read a pipe, give '-'" if or_dash and not stat.S_ISDIR(mode) else ""
            raise CannotRead(f"is {_kind(mode)}, no file{hint}")
        with Path(path).open("rb") as file:
            return read_stream(file)
    except (OSError, ValueError) as error:
        raise CannotRead(reason_of(error)) from None


def read_stream(stream: BinaryIO) -> bytes:
    """Returns all that a stream gives, but never much more than may be in a file."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large()
    return data


def reason_of(error: OSError | ValueError) -> str:
    """Returns why the system did not let a file be read."""
    if isinstance(error, OSError) and error.errno is not None:
        words = os.strerror(error.errno).lower()
        return _REASONS.get(error.errno, f"cannot be read: {words}")
    return f"cannot be read: {printable(str(error)) or 'no reason given'}"


def printable(name: str) -> str:
    """Returns a file name as it can be printed anywhere: what is no character is escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
