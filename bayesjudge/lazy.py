"""Names that a package loads when they are first used, so that reading does not wait for JAX."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_getattr(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Give the ``__getattr__`` of a package.

    Parameters
    ----------
    package : str
        Name of the package.
    places : mapping of str to str
        By public name, the module of the package that defines it; a name that maps to itself is a
        module.

    Returns
    -------
    callable
        Imports a name's module on first use.

    Examples
    --------
    >>> lazy_getattr("bayesjudge", {"helmert_basis": "core.algebra"})("helmert_basis")(1).shape
    (1, 0)
    """

    def getattribute(name: str) -> Any:  # noqa: ANN401
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{places[name]}")
        return module if places[name] == name else getattr(module, name)

    return getattribute
