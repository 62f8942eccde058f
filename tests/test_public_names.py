"""The public face: three layers, few names, and old names that say where they went."""

import ast
from pathlib import Path

import pytest

import bayesjudge as bj

LAYERS = (bj, bj.calibration, bj.new_items, bj.studies)


def test_the_first_layer_is_small():
    assert len(bj.__all__) <= 38


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_tab_completion_shows_public_names_and_they_exist(layer):
    assert sorted(dir(layer)) == sorted(layer.__all__)
    assert all(getattr(layer, name).__doc__ for name in layer.__all__)


def test_type_checkers_see_the_names_that_are_loaded_lazily():
    tree = ast.parse(Path(bj.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    assert sorted(name.name for node in block.body for name in node.names) == bj.__all__


@pytest.mark.parametrize("name", bj._MOVED)
def test_old_names_say_where_they_are(name):
    with pytest.raises(AttributeError, match="is now bayesjudge"):
        getattr(bj, name)
    place = bj._MOVED[name].split("(")[0].split(".")
    found = bj
    for part in place:
        found = getattr(found, part)
