"""Generate the JSON Schema of a quotas file, which the package ships, from the table of its keys.

Without arguments the file is written anew. With --check nothing is written; the exit code is 1
when the file is not what the table says.
"""

from __future__ import annotations

import argparse
import json
import sys

from qm_constructs.quotas.json_schema import json_schema
from qm_constructs.quotas.schema_file import SCHEMA_FILE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    check: bool = parser.parse_args().check

    text = json.dumps(json_schema(), indent=2) + "\n"
    if not check:
        SCHEMA_FILE.write_text(text)
    elif not SCHEMA_FILE.exists() or SCHEMA_FILE.read_text() != text:
        print(f"{SCHEMA_FILE} is not what the table says: make generate", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
