"""Every error bayesjudge raises on purpose.

Each is one sentence that says what is wrong with the input and what to do next. All derive from
`BayesjudgeError`, so that a caller may catch them together; none wraps a silent repair. Only
`InterruptedFitError` does not: it is the user's own Ctrl-C.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xarray import DataTree


class BayesjudgeError(ValueError):
    """Base class of every error that bayesjudge raises on purpose."""


class UnreadableFileError(BayesjudgeError):
    """The file is missing, empty, or not in a format that bayesjudge reads."""


class MissingColumnError(BayesjudgeError):
    """A column that the table needs is not there under any known name."""


class AmbiguousColumnError(BayesjudgeError):
    """Two columns could both be the one that is needed."""


class UnknownVerdictError(BayesjudgeError):
    """A verdict label is not one that bayesjudge knows."""


class NumericVerdictError(BayesjudgeError):
    """Verdicts are numbers, and numbers have opposite meanings in the wild."""


class AmbiguousVerdictError(BayesjudgeError):
    """A verdict label can be read in two ways."""


class MissingVerdictError(BayesjudgeError):
    """A row has no verdict, or one that its source marks as failed."""


class InvalidVerdictError(MissingVerdictError):
    """A verdict is one that its source marks as failed, such as "error"."""


class MissingIdentifierError(BayesjudgeError):
    """A row does not say which judge, or which prompt, it belongs to."""


class UnwritableNameError(BayesjudgeError):
    """A name holds a control character, which files and terminals cannot hold."""


class NestedValueError(BayesjudgeError):
    """A cell holds a list or a dict where a name, a verdict or a number belongs."""


class UnknownOptionError(BayesjudgeError):
    """An argument is not one of the values that it may take."""


class InvalidCovariateError(BayesjudgeError):
    """A column of numbers holds something that is not a number it may hold."""


class MissingItemError(BayesjudgeError):
    """A row does not say which two items were compared."""


class SelfComparisonError(BayesjudgeError):
    """A row compares an item with itself."""


class MissingCovariateError(BayesjudgeError):
    """A covariate that is asked for is missing in some rows."""


class InvalidWeightError(BayesjudgeError):
    """A row weight is not a positive finite number."""


class MixedIdentifierError(BayesjudgeError):
    """Two identifiers of different types have the same name."""


class JudgeKindError(BayesjudgeError):
    """A judge is called both human and machine, or something else."""


class EmptyComparisonsError(BayesjudgeError):
    """No comparison is left to analyse."""


class InvalidComparisonsError(BayesjudgeError):
    """The arrays of a table of comparisons do not fit together."""


class UnknownTermError(BayesjudgeError):
    """A judge-specific term is not one that bayesjudge knows."""


class MissingFamilyError(BayesjudgeError):
    """An item or a judge has no family."""


class UnknownJudgeError(BayesjudgeError):
    """A judge is named that gave no verdict."""


class RankError(BayesjudgeError):
    """A rank of disagreement that the panel does not allow."""


class NewItemError(BayesjudgeError):
    """The items that are called new leave nothing to place, or nothing to place it among."""


class FeatureError(BayesjudgeError):
    """Features of answers do not fit the verdicts."""


class WeightError(BayesjudgeError):
    """A weight of the judges is not one that a path can have."""


class NoAdmissibleFitError(BayesjudgeError):
    """No fit along a path of weights may be reported."""


class NotConvergedError(BayesjudgeError):
    """A fit did not reach its criterion.

    Attributes
    ----------
    fit : DataTree or None
        What `bayesjudge.nuts` returns with ``check=False``; None for other fits.
    """

    fit: "DataTree | None" = None


class InterruptedFitError(KeyboardInterrupt):
    """Ctrl-C ended the sampling of a posterior after its warm-up.

    A script ends as by any Ctrl-C, since this is no `BayesjudgeError`.

    Attributes
    ----------
    fit : DataTree or None
        The draws that all chains had made by then, as `bayesjudge.nuts` returns them.
    """

    fit: "DataTree | None" = None


class NoFiniteMaximumError(BayesjudgeError):
    """The likelihood has no finite maximum: the data separate."""


class UnidentifiedError(BayesjudgeError):
    """The data cannot tell some parameters apart."""


class HierarchicalModeError(BayesjudgeError):
    """A mode is asked for of a program whose mode is degenerate."""


class MissingDeviceError(BayesjudgeError):
    """JAX is asked for a device that this machine does not have."""


class UnknownQuantityError(BayesjudgeError):
    """A quantity is named that the fit does not hold."""


class UnknownClusterError(BayesjudgeError):
    """A cluster is named that the data do not have."""


class TooFewClustersError(BayesjudgeError):
    """A sandwich is asked for with fewer than two clusters."""


class NoVariationError(BayesjudgeError):
    """A sandwich is asked for of verdicts that do not vary."""


class UnknownFitError(BayesjudgeError):
    """A report is asked for of something that is not a fit."""


class SamplerSettingError(BayesjudgeError):
    """A sampler setting is out of its range."""


class SyntheticSettingError(BayesjudgeError):
    """A setting of the synthetic panel is out of its range."""


class UnknownProgramError(BayesjudgeError):
    """What is given as a program is not one that bayesjudge can fit."""


class NotComparisonsError(BayesjudgeError):
    """A fit is asked for of something that is not a table of verdicts."""


class InvalidWeightsError(BayesjudgeError):
    """Row weights do not fit the rows, or are negative."""


class UnknownItemsError(BayesjudgeError):
    """Two data sets of one fit do not agree on their items."""


class TooFewSharedItemsError(BayesjudgeError):
    """Two fits whose rankings are to be compared share fewer than two items."""


class UnwritableFolderError(BayesjudgeError):
    """Results cannot be written to the folder that was asked for."""


class NoQualityGapError(BayesjudgeError):
    """A sensitivity is asked for where all quality gaps are zero."""


class NoSwapsError(BayesjudgeError):
    """A swap check is asked for of verdicts that show no pair in both orders."""


class FractionalCountError(BayesjudgeError):
    """A conditional likelihood is asked for of rows that stand for parts of verdicts."""


class MissingEstimateError(BayesjudgeError):
    """An item has no score, or a judge no position effect, among the values given."""


class UnsuitableModeError(BayesjudgeError):
    """A shift by omitted effects is asked for of a mode that the theorem does not cover."""


class NotMappingError(BayesjudgeError):
    """Something else is given where names are to stand for something."""


class NotDesignError(BayesjudgeError):
    """A model to be compared comes without verdicts that are laid out for it."""


class InvalidFoldsError(BayesjudgeError):
    """Folds do not fit the verdicts, or part the verdicts on one prompt."""


class MismatchedRowsError(BayesjudgeError):
    """Models that are to be compared on the same verdicts hold different ones."""


class UnknownModelError(BayesjudgeError):
    """A model is named that was not compared."""


class UnmatchedPromptsError(BayesjudgeError):
    """Judgments and human votes share no prompt."""


class BootstrapError(BayesjudgeError):
    """No replication of a bootstrap succeeded, or none was asked for."""


class InvalidStudyError(BayesjudgeError):
    """A study's definition, or what its metrics give, is not of the form that the runner needs."""


class ForeignFolderError(BayesjudgeError):
    """A folder holds the replications of another study."""


class DamagedRecordError(BayesjudgeError):
    """A file of finished replications cannot be read."""


class StudyFailedError(BayesjudgeError):
    """Every replication of a study failed."""


class WorkerError(BayesjudgeError):
    """A worker process could not be given its task, or died over it."""


class UnrankedItemsError(BayesjudgeError):
    """Scores do not put items in an order."""


def __dir__() -> list[str]:
    return [name for name, value in globals().items() if isinstance(value, type)]
