"""Names that a package loads when they are first used, so that reading does not wait for JAX."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, Sequence[str]], moved: Mapping[str, str]
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: public names by module, old names by their new one.

    A name listed under the empty module is a module itself.
    """
    places = {name: module for module, listed in names.items() for name in listed}

    def load(name: str) -> Any:  # noqa: ANN401
        if name in moved:
            raise AttributeError(f"{package}.{name} is now {package}.{moved[name]}")
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not places[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{places[name]}"), name)

    return load
