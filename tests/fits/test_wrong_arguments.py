"""A wrong argument ends in a named error that says what to do, never in a bare one."""

import threading

import numpy as np
import numpyro
import pytest
from numpyro.distributions import Normal

import bayesjudge as bj

ERRORS = bj.errors
MODEL = bj.models.bradley_terry


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda d: bj.mode(MODEL, d.to_frame()), ERRORS.NotComparisonsError),
        (lambda d: bj.mode(MODEL, "verdicts.csv"), ERRORS.NotComparisonsError),
        (lambda d: bj.mode(MODEL, None), ERRORS.NotComparisonsError),
        (lambda d: bj.mode(d, MODEL), ERRORS.BayesjudgeError),
        (lambda d: bj.mode("bradley_terry", d), ERRORS.UnknownProgramError),
        (lambda d: bj.mode(MODEL), ERRORS.EmptyComparisonsError),
        (lambda d: bj.mode(MODEL, d, d), ERRORS.UnknownProgramError),
        (lambda d: bj.program(MODEL, d), ERRORS.NotComparisonsError),
        (lambda d: bj.design(d.to_frame()), ERRORS.NotComparisonsError),
        (lambda d: bj.design(d, terms=None), ERRORS.UnknownTermError),
        (lambda d: bj.design(d, terms="position"), ERRORS.UnknownTermError),
        (lambda d: bj.design(d, terms=[["position"]]), ERRORS.UnknownTermError),
        (lambda d: bj.design(d, terms=("position", "position")), ERRORS.UnknownTermError),
        (lambda d: bj.design(d, items=["alder"]), ERRORS.UnknownItemsError),
        (lambda d: bj.design(d, label="a/b"), ERRORS.UnknownOptionError),
        (lambda d: bj.diagnose(d.to_frame()), ERRORS.NotComparisonsError),
        (lambda d: bj.mode(MODEL, d).covariance(cluster=None), ERRORS.UnknownClusterError),
        (lambda d: bj.mode(MODEL, d).covariance(cluster=3), ERRORS.UnknownClusterError),
        (
            lambda d: bj.mode(MODEL, d).covariance(cluster=[None] * d.n_rows),
            ERRORS.UnknownClusterError,
        ),
        (lambda d: bj.mode(MODEL, d).covariance().interval("score", 95), ERRORS.UnknownOptionError),
        (lambda d: bj.rank_table(bj.mode(MODEL, d), prob="0.95"), ERRORS.UnknownOptionError),
        (lambda d: bj.mode(MODEL, d).free("nope"), ERRORS.UnknownQuantityError),
        (lambda d: bj.nuts(MODEL, d, seed=-1), ERRORS.SamplerSettingError),
        (lambda d: bj.nuts(MODEL, d, seed=2**63), ERRORS.SamplerSettingError),
        (lambda d: bj.nuts(MODEL, d, seed=None), ERRORS.SamplerSettingError),
        (lambda d: bj.nuts(MODEL, d, seed=1, max_tree_depth=0), ERRORS.SamplerSettingError),
        (lambda d: bj.nuts(MODEL, d, seed=1, draws=10.5), ERRORS.SamplerSettingError),
        (lambda d: bj.laplace(MODEL, d, seed="1"), ERRORS.SamplerSettingError),
        (lambda d: bj.synthetic_panel(-5, seed=1), ERRORS.SyntheticSettingError),
        (lambda d: bj.synthetic_panel(5, seed=1, dependence=2), ERRORS.SyntheticSettingError),
    ],
)
def test_wrong_argument(panel, call, error):
    with pytest.raises(error):
        call(panel)


def test_numpy_numbers_are_numbers(panel):
    few = {"draws": np.int64(20), "chains": np.int64(2), "target_accept": np.float32(0.9)}
    fit = bj.nuts(MODEL, panel, seed=np.int64(3), progress=False, check=False, **few)
    assert fit.posterior.sizes["draw"] == 20


def no_free_site(judges):
    numpyro.sample("judge_verdicts", Normal(0.0, 1.0), obs=judges.counts)


def no_quantity(judges):
    numpyro.sample("x", Normal(0.0, 1.0))
    numpyro.sample("judge_verdicts", Normal(0.0, 1.0), obs=judges.counts)


@pytest.mark.parametrize("program", [no_free_site, no_quantity])
def test_a_program_that_lacks_a_part_is_refused_in_words(panel, program):
    with pytest.raises(ERRORS.UnknownProgramError, match=program.__name__):
        bj.mode(program, panel)


def test_first_fits_from_several_threads():
    panels = [bj.synthetic_panel(prompts=30 + 20 * i, seed=i) for i in range(4)]
    found = {}

    def fit(index):
        found[index] = bj.mode(MODEL, panels[index]).objective

    threads = [threading.Thread(target=fit, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: bj.mode(MODEL, each).objective for i, each in enumerate(panels)}


def test_numpy_error_state_of_the_user_does_not_matter(panel_mode):
    with np.errstate(all="raise"):
        assert len(bj.rank_table(panel_mode)) == 8
