"""Files of a history: damaged ones are refused by name, and other files are never lost."""

import json
from dataclasses import fields

import numpy as np
import pytest

import bayesjudge as bj
from bayesjudge.anchor.history import History
from bayesjudge.anchor.history_file import NAMES
from bayesjudge.errors import UnreadableFileError, UnwritableFolderError

ARRAYS = [each.name for each in fields(History) if each.name not in NAMES]
FLOATS = [name for name in ARRAYS if name != "retained"]


@pytest.fixture(scope="module")
def history(panel):
    return bj.new_items.fit_history(panel, bj.example_votes(), folds=2)


@pytest.fixture
def saved(history, tmp_path):
    history.save(tmp_path / "history.npz")
    return tmp_path / "history.npz"


def rewritten(path, **changes):
    """The same file with some of its parts changed."""
    with np.load(path) as file:
        values = dict(file.items()) | changes
    np.savez_compressed(path, **values)
    return path


def refused(path, match=r"bj\.new_items\.fit_history|again"):
    with pytest.raises(UnreadableFileError, match=match) as caught:
        bj.new_items.load_history(path)
    assert "allow_pickle" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parts_of_a_file(saved):
    content = saved.read_bytes()
    for share in (0, 0.1, 0.5, 0.9, 0.999):
        saved.write_bytes(content[: int(share * len(content))])
        refused(saved)


def test_a_file_with_one_bit_turned_is_refused_or_is_the_same(saved, history):
    content = saved.read_bytes()
    rng = np.random.default_rng(1)
    wrong = 0
    for place in rng.integers(len(content), size=300):
        turned = bytearray(content)
        turned[place] ^= 1 << rng.integers(8)
        saved.write_bytes(turned)
        try:
            found = bj.new_items.load_history(saved)
        except UnreadableFileError:
            wrong += 1
            continue
        assert all(np.array_equal(getattr(found, x), getattr(history, x)) for x in ARRAYS)
    assert wrong > 200


@pytest.mark.parametrize("text", ["", "left,right,winner\na,b,left\n", "PK\x03\x04 and no more"])
def test_text(text, tmp_path):
    (tmp_path / "history.npz").write_text(text)
    refused(tmp_path / "history.npz")


def test_one_array(tmp_path):
    np.save(tmp_path / "history.npy", np.zeros(3))
    refused(tmp_path / "history.npy")


def test_parts_that_are_objects(saved):
    refused(rewritten(saved, score=np.array([None, {}], dtype=object)))


@pytest.mark.parametrize("path", [None, 3, "", b"history.npz", "no/such/file.npz", "a\0b"])
def test_what_is_no_file(path):
    refused(path)


def test_a_folder_is_not_read(tmp_path):
    refused(tmp_path)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_other_shapes(name, saved, history):
    array = getattr(history, name)
    for wrong in (array[..., :-1], array[None], array.ravel()[0]):
        refused(rewritten(saved, **{name: wrong}))


@pytest.mark.parametrize("name", FLOATS)
def test_arrays_that_are_not_finite(name, saved, history):
    for value in (np.nan, np.inf):
        array = getattr(history, name).copy()
        array.flat[0] = value
        refused(rewritten(saved, **{name: array}), match=name)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_other_types(name, saved, history):
    refused(rewritten(saved, **{name: getattr(history, name).astype(str)}), match=name)


def test_pairs_without_votes(saved, history):
    refused(rewritten(saved, pair_votes=-history.pair_votes), match="without votes")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("names", ["[", '{"a": 1}', "[1, 2]", '["a", "a"]', '"text"'])
def test_names_that_are_none(name, names, saved):
    refused(rewritten(saved, **{name: np.array(names)}), match="names")


def test_too_few_names(saved, history):
    refused(rewritten(saved, items=np.array(json.dumps(history.items[:-1]))))


def test_a_history_without_terms_is_the_same(tmp_path, panel):
    plain = bj.new_items.fit_history(bj.design(panel, ()), bj.example_votes(), folds=1)
    plain.save(tmp_path / "history.npz")
    found = bj.new_items.load_history(tmp_path / "history.npz")
    assert found.terms == ()
    assert np.array_equal(found.information, plain.information)


@pytest.mark.parametrize(
    "path", [None, 3, "", b"history.npz", "no/such/folder/history.npz", "a\0b"]
)
def test_where_nothing_can_be_written(path, history):
    with pytest.raises(UnwritableFolderError, match=r"give the name|choose a folder"):
        history.save(path)


def test_a_folder_is_not_written_to(history, tmp_path):
    with pytest.raises(UnwritableFolderError, match="is a folder"):
        history.save(tmp_path)


def test_other_files_are_left(history, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("left,right,winner\n")
    with pytest.raises(UnwritableFolderError, match="is not a history"):
        history.save(path)
    assert path.read_text() == "left,right,winner\n"


def test_a_history_is_replaced(history, saved):
    history.save(str(saved))
    assert bj.new_items.load_history(str(saved)).items == history.items
