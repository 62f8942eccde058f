"""Seeds and settings of samplers, checked before anything runs."""

from dataclasses import dataclass
from operator import index

from bayesjudge.errors import SamplerSettingError

LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class SamplerSettings:
    """How chains are run.

    Attributes
    ----------
    chains, warmup, draws : int
        Number of chains, and of adaptation and kept draws in each.
    target_accept : float
        Acceptance probability that the step size is adapted to.
    max_tree_depth : int
        A trajectory has at most ``2**max_tree_depth`` steps.
    """

    chains: int = 4
    warmup: int = 500
    draws: int = 1000
    target_accept: float = 0.9
    max_tree_depth: int = 10


def sampler_settings(
    chains: int, warmup: int, draws: int, target_accept: float, max_tree_depth: int
) -> SamplerSettings:
    """Check the settings of a sampler.

    Parameters
    ----------
    chains, warmup, draws, max_tree_depth : int
        Positive whole numbers.
    target_accept : float
        Between 0 and 1.

    Returns
    -------
    SamplerSettings
        As Python numbers, so that they can be written to a file.

    Raises
    ------
    SamplerSettingError
        If one is out of its range.
    """
    if not isinstance(target_accept, str) and 0 < target_accept < 1:
        return SamplerSettings(
            whole_number("chains", chains),
            whole_number("warmup", warmup),
            whole_number("draws", draws),
            float(target_accept),
            whole_number("max_tree_depth", max_tree_depth),
        )
    raise SamplerSettingError(
        f"target_accept is {target_accept!r}; give a probability between 0 and 1, such as 0.9."
    )


def whole_number(name: str, value: int, least: int = 1) -> int:
    """Check a whole number.

    Parameters
    ----------
    name : str
        What it is, for the message.
    value : int
        The number.
    least : int
        Smallest allowed.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    SamplerSettingError
        If it is not whole or too small.

    Examples
    --------
    >>> whole_number("draws", 1000)
    1000
    """
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise SamplerSettingError(f"{name} is {value!r}; give a whole number of {least} or more.")
    return number


def demand_seed(seed: int) -> int:
    """Check a seed.

    Parameters
    ----------
    seed : int
        Whole, not negative; NumPy's integers are taken too.

    Returns
    -------
    int
        As a Python number.

    Raises
    ------
    SamplerSettingError
        If it is something else: a result that cannot be repeated is not given out.
    """
    number = whole_number("seed", seed, least=0)
    if number > LARGEST_SEED:
        raise SamplerSettingError(f"seed is {seed}; give a whole number below 2**63.")
    return number
