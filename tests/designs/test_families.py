"""Families by organisation: derivatives are their makers', not Meta's or OpenAI's."""

import pytest

import bayesjudge as bj


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("openai/gpt-oss-120b", "openai"),
        ("gpt35", "openai"),
        ("GPT-4", "openai"),
        ("gpt4all-13b-snoozy", "nomic"),
        ("google/gemma-3n-E4B-it", "google"),
        ("bard", "google"),
        ("llama-13b", "meta"),
        ("meta-llama/Llama-3.3-70B-Instruct-Turbo", "meta"),
        ("alpaca-13b", "stanford"),
        ("vicuna-13b-v1.2", "lmsys"),
        ("deepcogito/cogito-v2-preview-llama-109B-MoE", "deepcogito"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "deepseek"),
        ("zai-org/GLM-4.5-Air-FP8", "zhipu"),
        ("chatglm-6b", "zhipu"),
        ("arcee_ai/arcee-spotlight", "arcee_ai"),
        ("my-model", "my-model"),
    ],
)
def test_family(name, family):
    assert bj.organisation_families([name]) == {name: family}
