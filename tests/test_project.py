"""What the project promises about itself, beyond its code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import aws_cdk
import pytest

ROOT = Path(__file__).parents[1]
LOCKS = [
    "requirements/dev.txt",
    "requirements/lowest.txt",
    "requirements/sagemaker.txt",
    "package-lock.json",
]


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_have_hashes_and_name_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "https://" not in text.replace("https://opencollective", "")
    assert '"resolved"' not in text
    if lock.endswith(".txt"):
        pins = re.findall(r"^[a-zA-Z0-9._-]+==.*$", text, re.MULTILINE)
        assert pins
        for pin in pins:
            following = text.partition(pin)[2].lstrip("\\\n ")
            assert following.startswith("--hash=sha256:"), pin
    else:
        assert '"integrity": "sha512-' in text


def test_the_files_of_the_pure_half_do_not_name_cdk() -> None:
    package = ROOT / "src" / "qm_constructs"
    for path in package.rglob("*.py"):
        inside = path.relative_to(package)
        if "constructs" in inside.parts or inside.name in ("__init__.py", "checks.py"):
            continue
        assert not re.search(
            r"^\s*(from|import) (aws_cdk|jsii|constructs)\b", path.read_text(), re.MULTILINE
        )


@pytest.mark.lint  # the flags are those of the locked version
def test_cdk_json_has_every_recommended_feature_flag() -> None:
    (archive,) = (Path(aws_cdk.__file__).parent / "_jsii").glob("aws-cdk-lib@*.jsii.tgz")
    with tarfile.open(archive) as package:
        flags = package.extractfile("package/recommended-feature-flags.json")
        assert flags is not None
        recommended = json.load(flags)
    context = json.loads((ROOT / "cdk.json").read_text())["context"]
    assert context == recommended
    # CDK's own validator ends a synth with what it finds.
    assert context["@aws-cdk/core:validateAgainstDefaultRules"] is True


def test_the_rule_reference_is_what_the_catalogue_says() -> None:
    script = ROOT / "scripts" / "generate_rules_doc.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
