"""Settings of the documentation: Sphinx, MyST-NB and furo."""

import shutil
from pathlib import Path

import bayesjudge

HERE = Path(__file__).parent

# Notebooks live in one place; the site shows copies, which are never committed.
(HERE / "notebooks").mkdir(exist_ok=True)
for notebook in (HERE.parent / "notebooks").glob("*.ipynb"):
    shutil.copy2(notebook, HERE / "notebooks")

project = "bayesjudge"
author = "The bayesjudge developers"
copyright = author
version = release = bayesjudge.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build", "_templates", "jupyter_execute", "**.ipynb_checkpoints"]
templates_path = ["_templates"]

myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3

# Pages are executed at every build: an output that is kept would outlive the code that made it.
# The build is one of the tests (tests/test_docs_build.py), so nothing else executes notebooks.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = False  # a page that fails is a warning, so that -W names all of them
nb_execution_show_tb = True
nb_execution_timeout = 300  # seconds a cell, on a busy machine
nb_merge_streams = True
nb_render_markdown_format = "myst"  # tables of names are made by the code that they describe

default_role = "py:obj"
autodoc_typehints = "none"  # docstrings say types, with shapes and units
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = True
# Some disks do not tell bayesjudge.Mode from bayesjudge.mode.
autosummary_filename_map = {
    "bayesjudge.Design": "bayesjudge.Design-class",
    "bayesjudge.Mode": "bayesjudge.Mode-class",
    "bayesjudge.calibration.Structure": "bayesjudge.calibration.Structure-class",
    "bayesjudge.new_items.Orthogonal": "bayesjudge.new_items.Orthogonal-class",
    "bayesjudge.new_items.Placement": "bayesjudge.new_items.Placement-class",
    "bayesjudge.new_items.Roster": "bayesjudge.new_items.Roster-class",
}

html_theme = "furo"
html_title = f"bayesjudge {version}"
html_static_path = ["_static"]
html_css_files = ["outputs.css"]
html_show_sourcelink = False
html_show_copyright = False
