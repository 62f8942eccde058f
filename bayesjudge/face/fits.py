"""The two fits of every ranking: a posterior, and a mode with its sandwich."""

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import xarray as xr

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError, NotConvergedError
from bayesjudge.face.choice import Choice
from bayesjudge.face.programs import model
from bayesjudge.face.screen.text import announce
from bayesjudge.face.spelling import as_options

if TYPE_CHECKING:
    from bayesjudge.fits.covariance import Covariance
    from bayesjudge.report.fits import Readable


MANY_PARAMETERS = 2000
POSTERIOR = "posterior"  # name of the method
type Verdicts = bj.Comparisons | bj.Design


@dataclass(frozen=True, eq=False)
class Fits:
    """Fits of one ranking.

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
            fits[POSTERIOR] = self.posterior
        if self.robust is not None:
            fits[method_label(self.robust)] = self.robust
        return fits

    @property
    def leading(self) -> "Readable":
        """The fit of the leading method."""
        return self.by_method[leading_method(self)]


def leading_method(fits: Fits) -> str:
    """Return the method whose fit orders the items and is drawn where only one can be.

    The posterior, unless it takes as independent what the sandwich shows to depend on each other.
    """
    from bayesjudge.report.marks import dependence_note

    methods = list(fits.by_method)
    if fits.posterior is None or not dependence_note(fits.posterior):
        return methods[0]
    return methods[-1]


def fit_judges(choice: Choice, *data: Verdicts) -> Fits:
    """Fit the verdicts both ways."""
    posterior, unsampled = _sampled(choice, data)
    robust, unmaximised = _maximised(choice, data)
    return Fits(choice, posterior, robust, unsampled + unmaximised)


def fit_humans(choice: Choice, votes: "bj.Comparisons") -> Fits:
    """Fit human verdicts, with raters alike; the mode where no posterior can stand alone."""
    from bayesjudge.report.marks import dependence_note

    choice = _alike(choice)
    posterior, unsampled = _sampled(choice, (votes,))
    alone = posterior is not None and not dependence_note(posterior)
    robust, unmaximised = (None, ()) if alone else _maximised(choice, (votes,))
    return Fits(choice, posterior, robust, unsampled + unmaximised)


def _alike(choice: Choice) -> Choice:
    return replace(choice, program="bradley_terry", terms=())


def _sampled(
    choice: Choice, data: tuple[Verdicts, ...]
) -> tuple[xr.DataTree | None, tuple[str, ...]]:
    """Sample the pooled sibling, or say why there is no posterior."""
    for sentence in size_sentences(choice, *data):
        announce(sentence)
    try:
        posterior = bj.nuts(
            model(choice.pair.pooled),
            *data,
            seed=choice.seed,
            warmup=choice.warmup,
            draws=choice.draws,
            progress=sys.stderr.isatty(),
        )
    except NotConvergedError as error:
        return None, (f"No posterior is reported: {as_options(str(error))}",)
    return posterior, ()


def _maximised(
    choice: Choice, data: tuple[Verdicts, ...]
) -> "tuple[Covariance | None, tuple[str, ...]]":
    """Compute the mode of the plain sibling, or say why there is no sandwich."""
    plain = choice.pair.plain
    if plain is None:
        return None, ()
    announce(f"Computing the mode of {plain} and its sandwich covariance.")
    try:
        robust = bj.mode(model(plain), *data).covariance()
    except BayesjudgeError as error:
        return None, (f"No sandwich is reported: {as_options(str(error))}",)
    return robust, ()


def size_sentences(choice: Choice, *data: Verdicts) -> list[str]:
    """Announce what is sampled, and name a quicker program where that may take long."""
    pooled, few = choice.pair.pooled, _alike(choice)
    number = parameter_count(pooled, *data)
    sentences = [
        f"Sampling {pooled}, {number:,} parameters (compilation takes some seconds first)."
    ]
    if number > MANY_PARAMETERS and choice.program != few.program and not choice.with_votes:
        sentences.append(
            "Sampling so many parameters may take hours; --program bradley_terry, which treats all "
            f"judges as alike, has {parameter_count(few.pair.pooled, *data):,}."
        )
    return sentences


def parameter_count(name: str, *data: Verdicts) -> int:
    """Count the free parameters of a program."""
    from bayesjudge.engine.prepare import prepared_data, program_data

    program = model(name)
    return bj.program(program, *program_data(*prepared_data(program, *data))).sites.size
