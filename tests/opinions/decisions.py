"""Where the two opinions differ, and are to: see docs/decisions.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# By rule, why the endpoint makes what the rule finds.
NEVER_REFUSED: Final[Mapping[str, str]] = {
    "QS-03-CASE": "AWS tells the two names apart; people may not",
    "QS-10": "legal, and almost surely not meant: LEND says the same",
    "QS-11": "legal, though it may come to nothing: how AWS rounds is not known",
    "XR-06": "legal, though nobody lends: a share may be added by hand",
    "CF-04": "CloudFormation refuses it; the engine takes a reference to nothing for text",
    "CF-04-ID": "legal: what has the name may be made elsewhere, and the endpoint has none there",
    "LA-03": "the endpoint has every type in every Region, and its share needs a queue elsewhere",
}

_ELSEWHERE = "names what is made elsewhere, of which the check knows nothing and AWS has nothing"

_NO_QUOTAS = "a queue that is not of quota management is not judged for waiting (JQ-06)"

# Of the templates that somebody wrote, by a pattern of the disagreement.
OF_WRITTEN: Final[Mapping[str, str]] = {
    "^CF-04 faulty: the check says CF-04, AWS 'Properties validation": NEVER_REFUSED["CF-04"],
    r"^CF-04-ID faulty: .* nothing, AWS 'Queue does not exist": NEVER_REFUSED["CF-04-ID"],
    r"^JQ-08 correct: .* nothing, AWS 'SchedulingPolicy \S+ not found": _ELSEWHERE,
    r"^XR-09 correct: .* nothing, AWS 'SchedulingPolicy \S+ not found": _ELSEWHERE,
    r"^LA-03 correct: .* nothing, AWS '\S+ does not exist": _ELSEWHERE,
    r"^correct/borrower-on-a-queue-elsewhere.yaml: .* nothing, AWS '\S+ does not": _ELSEWHERE,
    r"^correct/queue-on-environment-elsewhere.json: .* nothing, AWS 'Service env": _ELSEWHERE,
    r"^faulty/hand-environment-list-novalue.yaml Env=otherwise: .* AWS 'Service env": _ELSEWHERE,
    r"^faulty/hand-external-environment-twice.yaml: .* SE-12, AWS 'Service env": _ELSEWHERE,
    r"^faulty/hand-select-from-list.yaml Teams.* QS-03, AWS 'training does not exist": _ELSEWHERE,
    r"^faulty/qs-name-twice-queue-elsewhere-select.yaml: .* QS-03, AWS '.* exist": _ELSEWHERE,
    r"^faulty/qs-six-units.yaml: the check says QS-04, AWS 'Service env": _ELSEWHERE,
    r"^faulty/qs-unit-unknown-elsewhere.json: .* nothing, AWS '\S+ does not exist": _ELSEWHERE,
    r"^correct/fifo-several-queues-one-environment.json: .* nothing, AWS 'Service env": _NO_QUOTAS,
    r"^faulty/(qs-properties-list|se-properties-null)\.\w+: the check says CF-02, AWS \".* has no "
    "attribute 'get'": "the endpoint refuses properties that are no map in Python's words",
}
