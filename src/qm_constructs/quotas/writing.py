"""A plan written as a quotas file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from qm_constructs.errors import Fault, QuotaManagementError, shown
from qm_constructs.quotas.from_plan import values_of
from qm_constructs.quotas.keys import FILE, AnyKind, Entries, Section
from qm_constructs.template._yaml_text import as_yaml

if TYPE_CHECKING:
    from qm_constructs.quota_plan import QuotaPlan

_YAML: Final = (".yaml", ".yml")
_JSON: Final = ".json"


def write(plan: QuotaPlan, path: str | os.PathLike[str]) -> None:
    """Writes a plan as a quotas file.

    Args:
        plan: The plan.
        path: The file, whose name ends in ``.yaml``, ``.yml`` or ``.json``.

    Raises:
        QuotaManagementError: The name ends otherwise, the file cannot be written, or the plan has
            what a quotas file cannot say.
    """
    call = f"QuotaPlan.to_file({shown(path)})"
    try:
        ending = Path(path).suffix.lower()
    except TypeError:
        problem = "Must be the path of a quotas file, as text."
        fault = Fault("path", path, problem, "Write plan.to_file('quotas.yaml'), say.")
        raise QuotaManagementError(call, [fault]) from None
    if ending not in (*_YAML, _JSON):
        problem = "The name must end in .yaml, .yml or .json."
        fault = Fault("path", path, problem, "Write 'quotas.yaml', say.")
        raise QuotaManagementError(call, [fault])
    values = ordered(FILE, values_of(plan, call))
    text = _as_json(values) if ending == _JSON else as_yaml(values)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fault = Fault("path", path, f"It cannot be written: {reason}.", "Give another path.")
        raise QuotaManagementError(call, [fault]) from None


def ordered(kind: AnyKind, value: Any) -> Any:
    """Returns a value with its keys in the order of the table; a writer's own keys as they are."""
    if isinstance(kind, Section) and isinstance(value, Mapping):
        return {k: ordered(key.kind, value[k]) for k, key in kind.members.items() if k in value}
    if isinstance(kind, Entries) and isinstance(value, Mapping):
        return {key: ordered(kind.values, part) for key, part in value.items()}
    return value


def _as_json(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"
