"""Check what the built wheel and sdist hold: print one line for each fault, exit 1 on any."""

from __future__ import annotations

import argparse
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
PACKAGE = "qm_constructs"
CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
# Of the files at the top of the checkout, an sdist holds these; PKG-INFO is made for it.
SDIST_TOP = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
# The build backend always adds it.
SDIST_ALLOWED = {".gitignore"}
METADATA = {
    "Name": "qm-constructs",
    "License-Expression": "Apache-2.0",
    "Requires-Python": ">=3.10",
}


def is_cache(path: PurePosixPath) -> bool:
    return bool(CACHES.intersection(path.parts)) or path.suffix in {".pyc", ".pyo"}


def sources() -> set[str]:
    """Return the package's files, as paths below src/."""
    src = ROOT / "src"
    paths = {
        PurePosixPath(path.relative_to(src).as_posix())
        for path in (src / PACKAGE).rglob("*")
        if path.is_file()
    }
    return {str(path) for path in paths if not is_cache(path)}


def metadata_faults(metadata: Message) -> Iterator[str]:
    for field, wanted in METADATA.items():
        if metadata[field] != wanted:
            yield f"metadata has {field} {metadata[field]!r}, not {wanted!r}"
    if metadata.get_all("License-File") != ["LICENSE"]:
        yield f"metadata has License-File {metadata.get_all('License-File')}, not LICENSE alone"


def set_faults(held: set[str], wanted: set[str], allowed: set[str]) -> Iterator[str]:
    for path in sorted(wanted - held):
        yield f"lacks {path}"
    for path in sorted(held - wanted - allowed):
        yield f"should not hold {path}"


def wheel_faults(wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
        version = wheel.name.split("-")[1]
        info = f"{PACKAGE}-{version}.dist-info"
        names = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
        made = {f"{info}/{name}" for name in names}
        yield from set_faults(held, sources() | {f"{PACKAGE}/py.typed"} | made, set())
        if f"{info}/METADATA" in held:
            text = archive.read(f"{info}/METADATA").decode()
            yield from metadata_faults(Parser().parsestr(text))


def sdist_faults(sdist: Path) -> Iterator[str]:
    with tarfile.open(sdist) as archive:
        paths = [PurePosixPath(member.name) for member in archive if not member.isdir()]
        tops = {path.parts[0] for path in paths}
        if tops != {sdist.name.removesuffix(".tar.gz")}:
            yield f"has other folders at its top than its own name: {', '.join(sorted(tops))}"
        held = {str(PurePosixPath(*path.parts[1:])) for path in paths}
        wanted = SDIST_TOP | {f"src/{path}" for path in sources()}
        yield from set_faults(held, wanted | {f"src/{PACKAGE}/py.typed"}, SDIST_ALLOWED)
        for member in archive:
            if member.isfile() and re.fullmatch(r"[^/]+/PKG-INFO", member.name):
                file = archive.extractfile(member)
                text = file.read().decode() if file else ""
                yield from metadata_faults(Parser().parsestr(text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the built files are")
    folder: Path = parser.parse_args().folder

    faults: list[str] = []
    for pattern, check in (("*.whl", wheel_faults), ("*.tar.gz", sdist_faults)):
        found = sorted(folder.glob(pattern))
        if len(found) != 1:
            faults.append(f"{folder}: holds {len(found)} files named {pattern}, not one")
        for path in found:
            faults += [f"{path.name}: {fault}" for fault in check(path)]
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(f"{folder}: the wheel and the sdist hold what they should")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
