"""Names, priors and limits on the pages of the documentation are those of the package."""

import re
from inspect import signature
from pathlib import Path

import pytest

import bayesjudge as bj
from bayesjudge.core.algebra import helmert_basis
from bayesjudge.models import judges, scores

DOCS = Path(__file__).parents[1] / "docs"
EVERYWHERE = {"win_probability"}  # columns of reports, beside the quantities of fits


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def code_spans(text):
    return re.findall(r"`([^`\n]+)`", text)


def listed_names(text):
    """Names of the autosummary lists of a page."""
    return set(re.findall(r"^   (\w+)$", text, flags=re.MULTILINE))


def table_rows(text, heading):
    """Cells of the rows of the first table under a heading, without its head."""
    section = text.split(f"## {heading}\n", 1)[1]
    table = section[section.index("\n| ") + 1 :].split("\n\n", 1)[0]
    rows = [row.strip("|").split("|") for row in table.splitlines()[2:]]
    return [[cell.strip() for cell in row] for row in rows]


@pytest.fixture(scope="module")
def quantities(panel):
    """Names of the quantities of all programs, with all terms."""
    terms = ("position", "length", "family")
    judges = bj.design(panel, terms, families=bj.panel_families()).layout
    data = {
        "judges": judges,
        "humans": bj.design(bj.example_votes()).layout,
        "structure": bj.calibration.structure(panel),
        "roster": bj.new_items.roster(panel, bj.example_votes(), new=["maple"]),
        "space": bj.calibration.Space(helmert_basis(judges.n_items)),
    }
    programs = [program_of(getattr(bj.models, name), data) for name in bj.models.__all__]
    return {each.name for program in programs for each in program.sites.quantities}


def program_of(model, data):
    return bj.program(model, *(data[name] for name in signature(model).parameters))


def test_every_public_name_is_listed():
    layers = (bj.calibration, bj.new_items, bj.models, bj.studies)
    modules = {"calibration", "models", "new_items", "studies"}
    expected = {*bj.__all__, *(name for layer in layers for name in layer.__all__)} - modules
    assert listed_names(page("api.md") + page("models/other.md")) == expected


def test_names_of_the_oscar_glossary_exist(quantities):
    members = {*dir(bj.Mode), *bj.Mode.__dataclass_fields__}
    known = quantities | EVERYWHERE | {"phi"}
    for row in table_rows(page("glossary.md"), "OSCAR"):
        for name in code_spans(row[1]):
            if re.fullmatch(r"\w+", name):
                assert name in known
            elif member := re.match(r"Mode\.(\w+)", name):
                assert member[1] in members


def test_names_of_other_papers_exist_unless_planned(quantities):
    for row in table_rows(page("glossary.md"), "DIAL and ANCHOR"):
        (name,) = code_spans(row[2])
        assert (name in quantities) != ("planned" in row[2])


def test_quantities_of_the_judge_model_exist(quantities):
    for row in table_rows(page("models/judge.md"), "The formula"):
        (name,) = code_spans(row[1])
        assert name.split("[")[0] in quantities


def test_every_program_has_a_place_in_the_pages():
    pages = "".join(page(f"models/{name}.md") for name in ("judge", "other", "human", "new_item"))
    plain = [name for name in bj.models.__all__ if not name.endswith(("_pooled", "_davidson"))]
    assert all(f"models.{name}" in pages for name in plain)


def test_priors_on_the_pages_are_those_of_the_programs():
    judge, other = page("models/judge.md"), page("models/other.md")
    for location, scale in (scores.SCORE_SPREAD, judges.SENSITIVITY_SPREAD, judges.EFFECT_SPREAD):
        assert f"LogNormal({location:g}, {scale:g})" in judge
    location, scale = scores.DISAGREEMENT_SPREAD
    assert f"LogNormal({location:g}, {scale:g})" in other
    fixed = (judges.EFFECT_MEAN, judges.TIE_MEAN, judges.LONE_SENSITIVITY, judges.LONE_EFFECT)
    assert all(f"Normal(0, {scale:g})" in judge for scale in fixed)
    assert f"Ridge {scores.RIDGE}" in judge
    assert judges.FEWEST_POOLED == 3
    assert "fewer than three judges" in judge


def test_limits_on_the_pages_are_those_of_the_code():
    from bayesjudge.diagnosis.judge_findings import MANY_TIES
    from bayesjudge.engine import convergence as limits
    from bayesjudge.engine.chains import BLOCK
    from bayesjudge.fits.progress import SETTLED

    assert f"{MANY_TIES:.0%}".replace("%", " %") in page("models/judge.md")
    words = re.sub(r"\s+", " ", page("intervals.md"))
    assert f"R-hat {limits.MAX_R_HAT:g}, effective sample size {limits.MIN_ESS:g}" in words
    assert limits.MAX_DIVERGING == 1 / 1000
    assert "one divergence in a thousand" in words
    assert f"in {100 * limits.MAX_SATURATED:g} % of the draws" in words
    assert f"an E-BFMI of {limits.MIN_E_BFMI:g}" in words
    assert f"with a limit of {limits.MAX_R_HAT_ALONE:g}" in words
    assert BLOCK == 50
    assert "blocks of fifty transitions" in words
    assert f"after {SETTLED} transitions of each chain" in words
