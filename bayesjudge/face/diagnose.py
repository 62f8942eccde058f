"""The command `bayesjudge diagnose`: what the verdicts can and cannot identify."""

from typing import Any

from rich.console import Console

import bayesjudge as bj
from bayesjudge.face.document import diagnosis_document
from bayesjudge.face.inputs import Inputs
from bayesjudge.face.screen import show_findings, show_inputs


def diagnose(console: Console, inputs: Inputs) -> dict[str, Any]:
    """Diagnose one table or two.

    Parameters
    ----------
    console : rich.console.Console
        Where findings are shown.
    inputs : Inputs
        The verdicts.

    Returns
    -------
    dict
        The same, ready for JSON.
    """
    diagnosis = bj.diagnose(*inputs.tables.values())
    show_inputs(console, inputs)
    show_findings(console, diagnosis)
    return diagnosis_document(inputs, diagnosis)
