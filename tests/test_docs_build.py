"""The documentation builds without warnings, and what its pages and notebooks show runs.

Sphinx executes every page, so that one execution both tests a notebook and draws its page.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MADE_BY_BUILDS = shutil.ignore_patterns("_build", "api", "notebooks", ".ipynb_checkpoints")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Folder in which a copy of the documentation was built, and the finished process."""
    folder = tmp_path_factory.mktemp("site")
    for part in ("docs", "notebooks"):
        shutil.copytree(ROOT / part, folder / part, ignore=MADE_BY_BUILDS)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", "built/html"]
    return folder, subprocess.run(sphinx, cwd=folder, capture_output=True, text=True)


def test_documentation_builds_without_warnings(site):
    _, process = site
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_from_top_to_bottom(path, site):
    folder, process = site
    executed = folder / "built" / "jupyter_execute" / "notebooks" / path.name
    assert executed.exists(), process.stderr
    cells = [
        cell
        for cell in nbformat.read(executed, as_version=4).cells
        if cell.cell_type == "code" and cell.source
    ]
    assert cells
    for cell in cells:
        assert cell.execution_count
        assert not [output for output in cell.outputs if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert not any(cell.outputs or cell.execution_count for cell in cells)
