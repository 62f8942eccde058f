"""Folds of prompts, which keep all verdicts on one prompt together, and models to compare."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from bayesjudge.core.arguments import demand_count, demand_named, demand_seed, wanted
from bayesjudge.core.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons, demand_comparisons
from bayesjudge.designs.design import Design
from bayesjudge.engine.sites import Model
from bayesjudge.errors import InvalidFoldsError, NotDesignError

type Contender = tuple[Model, Design]
EXAMPLE = '{"J": (bj.models.sensitivity, bj.design(data, terms=()))}'


def prompt_folds(data: Comparisons, folds: int = 3, *, seed: int) -> IntArray:
    """Assign prompts at random to folds of equal size.

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
        The fold of each row, from 0. The numbers of prompts differ by at most one.

    Raises
    ------
    InvalidFoldsError
        If there are fewer prompts than folds, fewer than two folds, or `folds` is not a whole
        number.
    NotComparisonsError, SamplerSettingError
        If the verdicts have not been read, or the seed is not a whole number.

    Notes
    -----
    OSCAR, Appendix E.2: prompts, in the order of their names, are permuted and cut into parts.

    Examples
    --------
    >>> import numpy as np
    >>> import bayesjudge as bj
    >>> folds = bj.studies.prompt_folds(bj.example_panel(), seed=1)
    >>> np.bincount(folds)  # 400 prompts, 5 verdicts each
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
    """Return the fold of each prompt (n_prompts,), raising where folds (n_rows,) split one."""
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
    """Return folds as an array; text and fractions could not seed a sampler by fold."""
    try:
        array = np.asarray(folds)
    except ValueError:  # rows of uneven lengths
        array = np.array([None])
    if array.dtype.kind not in "biu":
        raise InvalidFoldsError(
            "The folds are not an array of whole numbers; number them from 0, as "
            "prompt_folds(...) does."
        )
    return array


def demand_programs(programs: object) -> Mapping[str, Contender]:
    """Return programs by name, each with its design."""
    named = demand_named("programs", programs, EXAMPLE)
    for name, contender in named.items():
        if not isinstance(contender, tuple | list) or len(contender) != 2:
            raise NotDesignError(
                f"{name!r} is not a program with its design; give both, as in {EXAMPLE}."
            )
        advice = "with" if isinstance(contender[1], Comparisons) else "of verdicts with"
        sentence = (
            f"{name!r} needs a design and has a {{type}}; lay it out {advice} bj.design(data, "
            "terms=...), which says what terms the model has."
        )
        wanted(Design, contender[1], NotDesignError, sentence)
    return named
