"""``make`` as a test runs it: with the virtual environment that is there, whoever set it up."""

from __future__ import annotations

from tests.aws.endpoint import ROOT


def make(target: str, *variables: str) -> tuple[str, ...]:
    """Returns the command for a target.

    The stamp of the environment ends with the Python that it was made from; by another one it would
    be made anew, under the test.
    """
    python = (ROOT / ".venv" / ".stamp").read_text().split()[-1]
    return ("make", "--no-print-directory", f"PYTHON={python}", target, *variables)
