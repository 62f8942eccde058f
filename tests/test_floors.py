"""Rooms import from lower floors only, and no module reaches itself.

Imports for type checking, and those inside functions, count like any other.
"""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("errors", "lazy"),
    ("core",),
    ("data",),
    ("reading", "designs"),
    ("models",),
    ("engine",),
    ("fits",),
    ("dial", "anchor"),
    ("diagnosis", "report"),
    ("plots",),
    ("studies",),
    ("calibration", "new_items"),
    ("",),
    ("face",),
    ("cli",),
    ("__main__",),
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MODULES = {
    ".".join((*start, *path.relative_to(folder).with_suffix("").parts)).removesuffix(
        "__init__"
    ): path
    for folder, start in ((ROOT / "bayesjudge", ()), (ROOT / "models", ("models",)))
    for path in folder.rglob("*.py")
}
PATHS = {name.rstrip("."): path for name, path in MODULES.items()}


def imported(path):
    """Modules of ours that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bayesjudge":
            source = node.module.removeprefix("bayesjudge").lstrip(".")
            for name in node.names:
                inner = f"{source}.{name.name}".lstrip(".")
                yield inner if inner in PATHS else source


IMPORTS = {name: set(imported(path)) - {name} for name, path in PATHS.items()}


def test_every_room_imports_lower_floors_only():
    upward = [
        f"{name} imports {other}"
        for name, others in IMPORTS.items()
        for other in others
        if (room := name.split(".")[0]) != (source := other.split(".")[0])
        and FLOOR[source] >= FLOOR[room]
    ]
    assert upward == []


def test_no_module_reaches_itself():
    TopologicalSorter(IMPORTS).prepare()  # raises where there is a circle


def test_folders_and_files_are_small():
    folders = {}
    for path in PATHS.values():
        folders.setdefault(path.parent, []).append(path)
    assert max(len(paths) for paths in folders.values()) <= 16  # fifteen files and an __init__
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PATHS.values()}
    assert [str(path) for path, count in lines.items() if count > 400] == []
