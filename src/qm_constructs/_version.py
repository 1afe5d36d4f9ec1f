"""The version of this library; the package's metadata is made from it."""

from typing import Final

VERSION: Final = "0.1.0"
