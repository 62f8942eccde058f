"""What is compared: programs with the verdicts laid out for them, by name."""

from collections.abc import Mapping

from bayesjudge.data.comparisons import Comparisons
from bayesjudge.data.design import Design
from bayesjudge.errors import NotDesignError
from bayesjudge.inference.sites import Model
from bayesjudge.studies.arguments import demand_named

type Contender = tuple[Model, Design]

EXAMPLE = '{"J": (bj.models.sensitivity, bj.design(data, terms=()))}'


def demand_programs(programs: object) -> Mapping[str, Contender]:
    """Check that programs are given by name, each with its design.

    Parameters
    ----------
    programs : object
        What the user gave.

    Returns
    -------
    mapping of str to (program, Design)
        The same.

    Raises
    ------
    NotMappingError
        If it is no mapping of names.
    EmptyComparisonsError
        If it is empty.
    NotDesignError
        If a name stands for something else than a program and a design.
    """
    named = demand_named("programs", programs, EXAMPLE)
    for name, contender in named.items():
        _demand_contender(name, contender)
    return named


def _demand_contender(name: str, contender: object) -> None:
    if not isinstance(contender, tuple | list) or len(contender) != 2:
        raise NotDesignError(
            f"{name!r} is not a program with its design; give both, as in {EXAMPLE}."
        )
    demand_design(name, contender[1])


def demand_design(name: str, given: object) -> Design:
    """Check that verdicts have been laid out.

    Parameters
    ----------
    name : str
        Whose they are.
    given : object
        What the user gave.

    Returns
    -------
    Design
        The same.

    Raises
    ------
    NotDesignError
        If it is anything else; of verdicts the message says how they are laid out.
    """
    if isinstance(given, Design):
        return given
    advice = "with" if isinstance(given, Comparisons) else "of verdicts with"
    raise NotDesignError(
        f"{name!r} wants a design and has a {type(given).__name__}; lay it out {advice} "
        "bj.design(data, terms=...), which says what terms the model has."
    )
