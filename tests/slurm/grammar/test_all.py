"""What holds for every grammar."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.slurm.grammar import registry
from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.option_values import readings
from sbatchlint.slurm.options import SUPPORTED_RELEASES, OptionSpec, option_table

OPTIONS = tuple(spec for spec in option_table() if registry.grammar_of(spec) is not None)


def contexts(spec: OptionSpec) -> Iterator[Context]:
    """Give the option in each supported release that has it."""
    for release in SUPPORTED_RELEASES:
        if any(spec.accepted(command, release) for command in spec.commands):
            yield Context(spec.long, release)


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.long)
def test_good_is_read_and_bad_is_refused_in_all_releases(spec: OptionSpec) -> None:
    grammar = registry.grammar_of(spec)
    assert grammar is not None
    for context in contexts(spec):
        for text in grammar.good:
            grammar.read(text, context)
        for text in grammar.bad:
            with pytest.raises(Refused):
                grammar.read(text, context)
                pytest.fail(f"{context} takes {text!r}")


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.long)
def test_releases_can_be_compared_by_what_they_read(spec: OptionSpec) -> None:
    grammar = registry.grammar_of(spec)
    assert grammar is not None
    for text in grammar.good:
        assert bool(readings(spec.long, text)) is any(True for _ in contexts(spec))
    for text in grammar.bad:
        assert not readings(spec.long, text)


def test_every_kind_of_value_has_a_grammar_or_is_free_text() -> None:
    kinds = {spec.value for spec in option_table()}
    assert kinds == set(registry.grammars()) | registry.FREE_TEXT
    assert not set(registry.grammars()) & registry.FREE_TEXT


@pytest.mark.parametrize("module", registry.MODULES)
def test_no_module_is_empty_and_no_name_stands_twice(module: str) -> None:
    names = [grammar.name for grammar in import_module(f"{registry.PACKAGE}.{module}").GRAMMARS]
    assert names
    assert len(set(names)) == len(names)
    assert set(names) <= set(registry.grammars())


def test_no_two_modules_give_one_name() -> None:
    count = sum(len(import_module(f"{registry.PACKAGE}.{module}").GRAMMARS) for module in registry.MODULES)
    assert count == len(registry.grammars())


@pytest.mark.parametrize("name", sorted(registry.grammars()))
def test_words_about_a_grammar(name: str) -> None:
    grammar = registry.grammars()[name]
    assert grammar.summary
    assert grammar.good
    assert grammar.forms
    assert not grammar.summary.endswith(".")
    assert all(note.endswith(".") for note in grammar.notes)


PIECES = st.sampled_from(
    [*"0123456789-+:,;@%*=/&|()[]{}. \t\n\\", "gpu", "node", "now", "after", "\u0663", "\udcff", "\0"]
)


def read_or_refuse(spec: OptionSpec, text: str) -> None:
    grammar = registry.grammar_of(spec)
    assert grammar is not None
    for context in contexts(spec):
        try:
            grammar.read(text, context)
        except Refused as refused:
            assert refused.said


@given(spec=st.sampled_from(OPTIONS), text=st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_whatever_the_text_it_is_read_or_refused(spec: OptionSpec, text: str) -> None:
    read_or_refuse(spec, text)


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.long)
def test_texts_that_are_hard_on_python(spec: OptionSpec) -> None:
    for text in ("9" * 5000, "-" + "9" * 5000, "\ud800", "\u0663", "0" * 5000, "1" * 40 + "G", "\0"):
        read_or_refuse(spec, text)
