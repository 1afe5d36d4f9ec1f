"""``qm-constructs schema``: the JSON Schema of a quotas file, for editors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from qm_constructs.cli._arguments import Parser
from qm_constructs.cli._output import plain, write
from qm_constructs.quotas.schema_file import SCHEMA_FILE

_EPILOG: Final = """\
Save it beside the quotas file, and name it in the first line of a YAML file
  # yaml-language-server: $schema=quotas.schema.json
or in a JSON file as "$schema": "quotas.schema.json".

exit codes:
  0  it was printed
  2  these arguments are wrong

example:
  qm-constructs schema > quotas.schema.json
"""


def run(arguments: Sequence[str]) -> int:
    """Prints the JSON Schema, and returns the exit code."""
    parser = Parser(
        "qm-constructs schema",
        "[--help]",
        "Prints the JSON Schema of a quotas file, by which an editor helps to write one.",
        _EPILOG,
    )
    _, words = parser.parse(arguments)
    if words:
        raise parser.wrong(f"it takes no argument, but got '{plain(words[0])}'", parser.prog)
    write(SCHEMA_FILE.read_text(encoding="utf-8"), sys.stdout)
    return 0
