"""Whatever the table, there is a named error, or an answer whose marks say what it rests on."""

import json
from pathlib import Path

from fuzzed_tables import outcomes, tables
from hypothesis import HealthCheck, given, settings

STORED = Path(__file__).parents[1] / "golden" / "trust" / "fuzz.json"


@settings(
    max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(tables())
def test_every_table_has_a_named_error_or_an_answer_with_marks(case):
    assert [said for said in outcomes(case) if said.startswith("fault")] == []


def test_no_table_of_the_long_run_was_at_fault():
    stored = json.loads(STORED.read_text())
    assert stored["tables"] >= 1_000
    assert stored["faults"] == {}
    assert stored["answers"] > stored["tables"]
