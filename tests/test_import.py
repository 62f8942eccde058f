"""Importing the package changes nothing and waits for nothing."""

import subprocess
import sys

CHECK = """
import sys, logging
before = len(logging.root.handlers)
import bayesjudge as bj
assert "jax" not in sys.modules and "pandas" not in sys.modules, "import is not lazy"
assert bj.models and bj.studies, "a folder is not found before another module imports it"
import jax
assert not jax.live_arrays(), "importing created arrays"
assert not jax.config.jax_enable_x64, "importing changed the float type"
assert len(logging.root.handlers) == before
assert set(bj.__all__) <= set(dir(bj))
assert all(getattr(bj, name) is not None for name in bj.__all__)
assert all(getattr(bj.models, name).__doc__ for name in bj.models.__all__)
"""


def test_import_has_no_side_effect():
    process = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr


def test_top_level_models_are_not_a_second_package():
    # the folder is installed as bayesjudge.models; a twin would register everything twice
    assert "models" not in sys.modules
