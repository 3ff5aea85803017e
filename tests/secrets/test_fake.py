"""The made-up tokens that documentation examples are filled with."""

from __future__ import annotations

import random

import pytest

from sbatchlint.secrets import find_secrets
from sbatchlint.secrets.fake import fake_of, fake_token, fill_tokens
from sbatchlint.secrets.names import provider_of, words_of
from sbatchlint.secrets.patterns import formats, named
from sbatchlint.secrets.providers import PROVIDER_OF_WORD, TITLES
from sbatchlint.source import Source


@pytest.mark.parametrize("form", formats(), ids=lambda form: form.prefix)
def test_each_format_of_the_table_finds_its_own_tokens(form: object) -> None:
    for seed in range(20):
        token = fake_of(form, random.Random(seed))  # type: ignore[arg-type]
        (secret,) = find_secrets(Source.from_text(f"x {token} y"))
        assert (secret.provider, secret.is_certain) == (form.provider, True)  # type: ignore[attr-defined]
        assert len(secret.span) == len(token)


def test_marks_are_filled_alike_everywhere_and_other_braces_are_left_alone() -> None:
    one = fill_tokens("export HF_TOKEN={{token:huggingface}}\n")
    two = fill_tokens("# {{ HF_TOKEN }} ${X:-{{token:huggingface}}}\n")
    token = one.removeprefix("export HF_TOKEN=").rstrip("\n")
    assert token in two
    assert "# {{ HF_TOKEN }} ${X:-" in two
    assert len(find_secrets(Source.from_text(one))) == 1


def test_a_provider_known_by_name_only_has_tokens_too() -> None:
    token = fake_token("comet", random.Random(1))
    (secret,) = find_secrets(Source.from_text(f"COMET_API_KEY={token}"))
    assert (secret.provider, secret.is_certain) == ("comet", True)


def test_an_unknown_provider_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="nosuch"):
        fill_tokens("{{token:nosuch}}")


def test_every_provider_has_a_title_and_every_word_a_provider() -> None:
    providers = {form.provider for form in formats()} | {shape.provider for shape in named()}
    assert providers | set(PROVIDER_OF_WORD.values()) <= set(TITLES)
    assert provider_of(words_of("NGC_CLI_API_KEY")) == "nvidia"
    assert provider_of(words_of("SERVICE_TOKEN")) == "generic"
