"""Run the README's first Python block, and say what it synthesized."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parent.parent / "README.md"


def main() -> None:
    block = re.search(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    if block is None:
        raise SystemExit("README.md: no Python block")
    names: dict[str, Any] = {}
    exec(block[1], names)
    templates = [stack.template for stack in names["app"].synth().stacks]
    types = sorted(
        body["Type"] for template in templates for body in template["Resources"].values()
    )
    expected = ["JobQueue", "QuotaShare", "QuotaShare", "SchedulingPolicy", "ServiceEnvironment"]
    if types != [f"AWS::Batch::{name}" for name in expected]:
        raise SystemExit(f"README.md: its first block made {types}")
    print(f"README.md: its first block made {', '.join(types)}")


if __name__ == "__main__":
    main()
