"""The two fits of every ranking: a posterior, and a mode with its sandwich."""

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError, NotConvergedError
from bayesjudge.face.inputs import Choice
from bayesjudge.face.screen import announce
from bayesjudge.face.spelling import as_options

if TYPE_CHECKING:
    from bayesjudge.engine.sites import Model
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.report.fits import Readable


MANY_PARAMETERS = 2000


@dataclass(frozen=True, eq=False)
class Fits:
    """Fits of one data set.

    Attributes
    ----------
    choice : Choice
        What was asked for.
    posterior : DataTree or None
        The posterior, if the chains converged.
    robust : Covariance or None
        The mode with its sandwich covariance, if it exists.
    notes : tuple of str
        Why a fit is missing, the posterior first.
    """

    choice: Choice
    posterior: xr.DataTree | None
    robust: "Covariance | None"
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.posterior is None and self.robust is None:
            raise NotConvergedError(" ".join(self.notes))

    @property
    def by_method(self) -> "dict[str, Readable]":
        """The fits that exist by the name of their method, the posterior first."""
        from bayesjudge.report.fits import method_label

        fits: dict[str, Readable] = {}
        if self.posterior is not None:
            fits["posterior"] = self.posterior
        if self.robust is not None:
            fits[method_label(self.robust)] = self.robust
        return fits

    @property
    def first(self) -> "tuple[str, Readable]":
        """The first method and its fit."""
        return next(iter(self.by_method.items()))


def fit_judges(data: "bj.Comparisons | bj.Design", choice: Choice) -> Fits:
    """Fit the judges' verdicts both ways."""
    posterior, unsampled = _sampled(data, choice)
    robust, unmaximised = _maximised(data, choice)
    return Fits(choice, posterior, robust, unsampled + unmaximised)


def fit_humans(data: "bj.Comparisons", choice: Choice) -> Fits:
    """Fit human verdicts, with raters alike; the mode only where there is no posterior."""
    choice = replace(choice, program="bradley_terry")
    posterior, unsampled = _sampled(data, choice)
    robust, unmaximised = (None, ()) if posterior is not None else _maximised(data, choice)
    return Fits(choice, posterior, robust, unsampled + unmaximised)


def _sampled(
    data: "bj.Comparisons | bj.Design", choice: Choice
) -> tuple[xr.DataTree | None, tuple[str, ...]]:
    """Sample the pooled sibling, or say why there is no posterior."""
    for sentence in size_sentences(data, choice):
        announce(sentence)
    try:
        posterior = bj.nuts(
            _model(choice.pooled),
            data,
            seed=choice.seed,
            warmup=choice.warmup,
            draws=choice.draws,
            progress=sys.stderr.isatty(),
        )
    except NotConvergedError as error:
        return None, (f"No posterior is reported: {as_options(str(error))}",)
    return posterior, ()


def _maximised(
    data: "bj.Comparisons | bj.Design", choice: Choice
) -> "tuple[Covariance | None, tuple[str, ...]]":
    """Compute the mode of the plain sibling, or say why there is no sandwich."""
    announce(f"Computing the mode of {choice.plain} and its sandwich covariance.")
    try:
        robust = bj.mode(_model(choice.plain), data).covariance()
    except BayesjudgeError as error:
        return None, (f"No sandwich is reported: {as_options(str(error))}",)
    return robust, ()


def size_sentences(data: "bj.Comparisons | bj.Design", choice: Choice) -> list[str]:
    """Announce what is sampled, and name a quicker program where that may take long."""
    number, plain = parameter_count(choice.pooled, data), replace(choice, program="bradley_terry")
    size = f"{choice.pooled}, {number:,} parameters"
    sentences = [f"Sampling {size} (compilation takes some seconds first)."]
    if number > MANY_PARAMETERS and choice.program != plain.program:
        few = parameter_count(plain.pooled, data)
        sentences.append(
            "Sampling so many parameters may take hours; --program bradley_terry, which treats all "
            f"judges as alike, has {few:,}."
        )
    return sentences


def parameter_count(name: str, data: "bj.Comparisons | bj.Design") -> int:
    """Count the free parameters of a program."""
    from bayesjudge.designs.design import designs

    layouts = [design.layout for design in designs(data)]
    return bj.program(_model(name), *layouts).sites.size


def _model(name: str) -> "Model":
    from bayesjudge import models

    model: Model = getattr(models, name)
    return model
