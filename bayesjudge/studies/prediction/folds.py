"""Folds of prompts: all verdicts on one prompt are trained on, or predicted, together."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.core.arguments import demand_count, demand_named, demand_seed
from bayesjudge.core.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import Design
from bayesjudge.engine.sites import Model
from bayesjudge.errors import InvalidFoldsError, NotDesignError


def prompt_folds(data: Comparisons, folds: int = 3, *, seed: int) -> IntArray:
    """Put prompts into folds of equal number, at random.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    folds : int
        Number of folds, from 2 to the number of prompts.
    seed : int
        Same seed, same folds.

    Returns
    -------
    ndarray of int, shape (n_rows,)
        The fold of each row, from 0. Numbers of prompts differ by at most one.

    Raises
    ------
    InvalidFoldsError
        If there are fewer prompts than folds, fewer than two folds, or `folds` is not whole.
    NotComparisonsError, SamplerSettingError
        If the verdicts have not been read, or the seed is no whole number.

    Notes
    -----
    OSCAR, Appendix E.2: prompts, in the order of their names, are permuted and cut into parts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> np.bincount(prompt_folds(bj.example_panel(), seed=1))  # 400 prompts, 5 verdicts each
    array([670, 665, 665])
    """
    data, seed = demand_comparisons(data), demand_seed(seed)
    advice = f"there are {data.n_prompts} prompts, so give a whole number from 2 to that"
    demand_count("folds", folds, advice, InvalidFoldsError, least=2, most=data.n_prompts)
    order = np.random.default_rng(seed).permutation(data.n_prompts)
    fold = np.empty(data.n_prompts, dtype=np.int64)
    for number, part in enumerate(np.array_split(order, folds)):
        fold[part] = number
    return fold[data.prompt]


def fold_of_prompt(data: Comparisons, folds: IntArray) -> IntArray:
    """Give the fold of each prompt, and refuse folds that would let a model see what it predicts.

    Parameters
    ----------
    data : Comparisons
        The verdicts.
    folds : ndarray of int, shape (n_rows,)
        The fold of each row.

    Returns
    -------
    ndarray of int, shape (n_prompts,)
        Its fold.

    Raises
    ------
    InvalidFoldsError
        If folds do not fit the rows, are not whole numbers, there is one only, or a prompt is in
        two.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fold_of_prompt(data, data.prompt % 2)[:4]
    array([0, 1, 0, 1])
    """
    folds = _fold_numbers(folds)
    if folds.shape != (data.n_rows,) or len(np.unique(folds)) < 2:
        raise InvalidFoldsError(
            f"The folds have shape {folds.shape} for {data.n_rows} rows; give each row one of at "
            "least two folds, as prompt_folds(...) does."
        )
    fold = np.zeros(data.n_prompts, dtype=folds.dtype)
    fold[data.prompt] = folds
    if not np.array_equal(fold[data.prompt], folds):
        split = data.prompts[data.prompt[np.argmax(fold[data.prompt] != folds)]]
        raise InvalidFoldsError(
            f"Prompt {split!r} is in two folds, so that a model would be trained on what it "
            "predicts; keep each prompt in one, as prompt_folds(...) does."
        )
    return fold


def _fold_numbers(folds: ArrayLike) -> IntArray:
    """Give folds as an array; words and fractions could not seed a sampler by fold."""
    try:
        array = np.asarray(folds)
    except ValueError:  # rows of uneven lengths
        array = np.array([None])
    if array.dtype.kind not in "biu":
        raise InvalidFoldsError(
            "The folds are no array of whole numbers; number them from 0, as prompt_folds(...) "
            "does."
        )
    return array


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
