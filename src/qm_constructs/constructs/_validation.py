"""What can only be said of a queue when the whole app is known, said at synth."""

from __future__ import annotations

import jsii
from constructs import IValidation

from qm_constructs.constructs._creating import error_text, warn
from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.rules import Severity


@jsii.implements(IValidation)
class QueueValidation:
    """Judges a queue at synth: warnings go to the construct at fault, errors end the synth.

    Args:
        state: The queue.
    """

    def __init__(self, state: QueueState) -> None:
        self._state = state

    def validate(self) -> list[str]:
        """Returns the errors, each in one line."""
        errors = []
        for finding in self._state.judge_at_synth():
            construct = self._state.construct_of(finding.resource)
            if construct is None:
                continue
            if finding.rule.severity is Severity.ERROR:
                whose = "" if construct is self._state.construct else f"{construct!r}: "
                errors.append(whose + error_text(finding, self._state.written))
            else:
                warn(construct, [finding], self._state.written)
        return errors


def watch(state: QueueState) -> None:
    """Has a queue judged at the synth, which only one with something odd about it pays for."""
    if not state.watched:
        state.watched = True
        construct = state.constructs[state.plan.queue]
        construct.node.add_validation(QueueValidation(state))
