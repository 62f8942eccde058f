"""A platform that a machine does not have is said in one sentence, when something is computed."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

import bayesjudge as bj

MODE = "import bayesjudge as bj; print(bj.mode(bj.models.bradley_terry, bj.example_panel()))"
READ = "import bayesjudge as bj; print(bj.example_panel())"
CUDA = pytest.param(
    "cuda", marks=pytest.mark.skipif(bool(find_spec("jaxlib.cuda")), reason="JAX has CUDA here")
)


def run(code, platforms):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "JAX_PLATFORMS": platforms},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("platforms", ["no_such_platform", CUDA, "no_such_platform,cpu"])
def test_a_missing_device_is_a_named_error(platforms):
    done = run(MODE, platforms)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("bayesjudge.errors.MissingDeviceError")
    assert f"'{platforms}'" in last
    assert "set JAX_PLATFORMS=cpu before Python starts" in last


def test_verdicts_are_read_without_a_device():
    done = run(READ, "no_such_platform")
    assert done.returncode == 0
    assert "2,000 rows" in done.stdout


def test_the_shell_says_so_without_a_traceback(tmp_path):
    rows = tmp_path / "verdicts.csv"
    bj.example_panel().to_frame().to_csv(rows, index=False)
    arguments = ["rank", str(rows), "--out", str(tmp_path / "out")]
    code = f"from bayesjudge.cli import main; raise SystemExit(main({arguments!r}))"
    done = run(code, "no_such_platform")
    assert done.returncode == 2
    assert "set JAX_PLATFORMS=cpu" in done.stderr
    assert "Traceback" not in done.stderr
