"""What the design can and cannot identify, in words."""

from collections.abc import Sequence
from dataclasses import replace

from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.data.findings import Diagnosis, Finding
from bayesjudge.data.graph_findings import (
    components_finding,
    finite_estimate_finding,
    judge_estimates_finding,
    links_finding,
)
from bayesjudge.data.joint_findings import joint_findings, set_label
from bayesjudge.data.judge_findings import judge_findings
from bayesjudge.data.length_findings import length_findings
from bayesjudge.data.position_findings import order_findings
from bayesjudge.data.prompt_findings import prompt_findings
from bayesjudge.errors import EmptyComparisonsError


def diagnose(*data: Comparisons) -> Diagnosis:
    """Say what the data can and cannot identify, before any fit.

    Parameters
    ----------
    *data : Comparisons
        One table, or several (verdicts of LLMs, verdicts of people), which are looked at one by
        one and together.

    Returns
    -------
    Diagnosis
        Findings in sentences; printing it shows problems first.

    Raises
    ------
    EmptyComparisonsError
        If no table is given.
    JudgeKindError
        If a judge is human in one table and an LLM in another.

    Notes
    -----
    Estimates are finite where chains of wins lead both ways (Ford, 1957). Position effects are
    checked by the cycle criterion of the display graph, and by the share of the position column
    that item columns explain.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> table = {
    ...     "left": ["a", "b", "a", "x"],
    ...     "right": ["b", "a", "x", "b"],
    ...     "winner": ["left", "left", "left", "right"],
    ... }
    >>> diagnosis = bj.diagnose(bj.read(table))
    >>> print(diagnosis.on("components")[0].sentence)
    Comparisons link all items.
    >>> diagnosis.on("finite estimate")[0].details["unbounded"]
    ['x']
    """
    if not data:
        raise EmptyComparisonsError("There is nothing to diagnose; give at least one table.")
    for one in data:
        demand_comparisons(one)
    findings = [
        replace(finding, about=set_label(data, i))
        for i, one in enumerate(data)
        for finding in single_findings(one)
    ]
    if len(data) > 1:
        findings += _about_all(data)
    return Diagnosis(tuple(findings))


def _about_all(data: Sequence[Comparisons]) -> list[Finding]:
    return [replace(finding, about="all data together") for finding in joint_findings(data)]


def single_findings(data: Comparisons) -> list[Finding]:
    """Look at one table.

    Parameters
    ----------
    data : Comparisons
        The verdicts.

    Returns
    -------
    list of Finding
        In the order of topics: graph, order, judges, prompts.
    """
    return [
        components_finding(data),
        finite_estimate_finding(data),
        judge_estimates_finding(data),
        links_finding(data),
        *order_findings(data),
        *judge_findings(data),
        *prompt_findings(data),
        *length_findings(data),
    ]
