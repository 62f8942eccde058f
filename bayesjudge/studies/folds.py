"""Folds of prompts: all verdicts on one prompt are trained on, or predicted, together."""

import numpy as np

from bayesjudge.data.arrays import IntArray
from bayesjudge.data.comparisons import Comparisons
from bayesjudge.errors import InvalidFoldsError


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
        If there are fewer prompts than folds, or fewer than two folds.

    Notes
    -----
    OSCAR, Appendix E.2: prompts, in the order of their names, are permuted and cut into parts.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> np.bincount(prompt_folds(bj.example_panel(), seed=1))  # 400 prompts, 5 verdicts each
    array([670, 665, 665])
    """
    if not 2 <= folds <= data.n_prompts:
        raise InvalidFoldsError(
            f"folds is {folds} and there are {data.n_prompts} prompts; give a number from 2 to the "
            "number of prompts."
        )
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
        If folds do not fit the rows, there is one only, or a prompt is in two.

    Examples
    --------
    >>> import bayesjudge as bj
    >>> data = bj.example_panel()
    >>> fold_of_prompt(data, data.prompt % 2)[:4]
    array([0, 1, 0, 1])
    """
    folds = np.asarray(folds)
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
