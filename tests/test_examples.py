"""Every example in a docstring runs as written."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import bayesjudge


def module_names():
    """Names of all modules; the folder of programs lies outside the package."""
    modules = pkgutil.walk_packages(bayesjudge.__path__, "bayesjudge.")
    programs = pkgutil.iter_modules(bayesjudge.models.__path__, "bayesjudge.models.")
    return sorted({module.name for module in (*modules, *programs)})


@pytest.mark.parametrize("name", module_names())
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    outcome = doctest.testmod(import_module(name), optionflags=options)
    assert outcome.failed == 0
