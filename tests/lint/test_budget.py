"""What is not followed to its end is told, and nothing is concluded from the rest."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Finding, Source
from sbatchlint.launch import session
from sbatchlint.lint.docs import as_file, example_options, read_doc
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import Registry, RuleSet
from sbatchlint.shell import lexer

HEAD = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=00:10:00\n"
NOTICE = "SB004"
_BUDGET = 8000


@cache
def _rules() -> RuleSet:
    return Registry.load().select()


@cache
def _examples() -> tuple[tuple[str, LintOptions], ...]:
    """Return the examples of all rules' pages, with what they assume."""
    docs = [read_doc(rule) for rule in _rules().registry.rules]
    found = ((text, example_options(doc)) for doc in docs for text in (*doc.bad, *doc.good))
    return tuple((as_file(text), options) for text, options in found)


def _lint(text: str, options: LintOptions | None = None) -> FileResult:
    return lint_source(Source.from_text(text, "job.sbatch"), _rules(), options)


def _notices(text: str) -> list[Finding]:
    return [finding for finding in _lint(text).findings if finding.code == NOTICE]


def _check_subset(text: str, options: LintOptions, commands: int) -> None:
    """Follow *text* for some *commands* only: nothing but the notice is found that is not found else."""
    full = set(_lint(text, options).findings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_END", _BUDGET - commands)
        short = _lint(text, options)
    assert short.internal_errors == ()
    # A rule that gives way to a sterner one there may speak, and a fix needs to know the steps.
    places = {finding.span for finding in full}
    assert {finding.span for finding in short.findings if finding.code != NOTICE} <= places


@settings(max_examples=80)
@given(st.deferred(lambda: st.sampled_from(_examples())), st.integers(0, 12))
def test_less_followed_is_less_found(example: tuple[str, LintOptions], commands: int) -> None:
    _check_subset(*example, commands)


@pytest.mark.slow
@pytest.mark.parametrize("commands", [0, 1, 2, 3, 5, 8])
def test_less_of_every_example_followed_is_less_found(commands: int) -> None:
    for text, options in _examples():
        _check_subset(text, options, commands)


@given(st.integers(1, 40), st.integers(0, 50))
def test_the_notice_stands_where_following_ends(lines: int, commands: int) -> None:
    body = "".join(f"echo {number}\n" for number in range(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_END", _BUDGET - commands)
        found = _notices(HEAD + body)
    if commands >= lines:
        assert found == []
    else:
        (notice,) = found
        assert (HEAD + body)[notice.span.start : notice.span.end] == f"echo {commands}"
        assert notice.severity.value == "warning"
        assert notice.prominent


def test_the_budget_is_as_large_as_the_notice_says() -> None:
    assert _notices(HEAD + "echo\n" * _BUDGET) == []
    (notice,) = _notices(HEAD + "echo\n" * _BUDGET + "srun hostname\n")
    assert notice.message.endswith(f"the script runs more than {_BUDGET} commands")


def test_half_a_words_text_is_no_known_text() -> None:
    """What a function prints is not known where it was not followed to its end."""
    lines = "".join(f"  echo {number}\n" for number in range(20))
    text = f"{HEAD}f() {{\n{lines}}}\nsrun echo $(f)\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_END", _BUDGET - 12)
        plan = Job(Source.from_text(text, "job.sbatch")).plan
    assert plan.steps == ()
    assert plan.may_stop
    assert plan.variables == {}
    assert [cut.whole for cut in plan.cuts] == [True]


def test_a_condition_that_was_not_followed_decides_nothing() -> None:
    lines = "".join("  true\n" for _ in range(20))
    text = f"{HEAD}f() {{\n{lines}  false\n}}\nif f; then srun right; fi\nsrun last\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_END", _BUDGET - 12)
        assert Job(Source.from_text(text, "job.sbatch")).plan.steps == ()


def test_a_suppression_in_a_part_that_was_not_followed_is_not_called_idle() -> None:
    text = HEAD + "echo\n" * 5 + "srun a.py  # sbatchlint: ignore[SB301] known\n"
    assert [one.code for one in _lint(text).findings if one.code == "SB002"] == ["SB002"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_END", _BUDGET - 3)
        assert [one.code for one in _lint(text).findings] == [NOTICE]


@pytest.mark.parametrize(
    ("script", "severities"),
    [
        pytest.param('retry() { "$@" || retry "$@"; }\nretry srun a\n', ["info"], id="again"),
        pytest.param("f() { (f); }\nf\n", ["info"], id="again in subshells"),
        pytest.param("eval " * 13 + "srun a\n", ["warning"], id="too deep"),
        pytest.param("if true; then srun a; fi\n", [], id="neither"),
    ],
)
def test_code_that_runs_itself_is_a_note(script: str, severities: list[str]) -> None:
    assert [notice.severity.value for notice in _notices(HEAD + script)] == severities


@pytest.mark.parametrize("after", ["srun --ntasks-per-nodes=2 a\n"])
def test_code_that_runs_itself_hides_nothing_behind_it(after: str) -> None:
    alone = {finding.message for finding in _lint(HEAD + after).findings}
    assert alone
    for before in ("f() { f; f; }\nf\n", 'x=\'eval "$x"\'\neval "$x"\n', ":(){ :|:& };:\n"):
        assert alone <= {finding.message for finding in _lint(HEAD + before + after).findings}


def test_a_job_that_is_submitted_has_a_budget_of_its_own() -> None:
    inner = "true\n" * 2100
    text = f"{HEAD}sbatch <<'E'\n#!/bin/bash\n{inner}E\nsrun hostname\n"
    plan = Job(Source.from_text(text, "job.sbatch")).plan
    assert len(plan.steps) == 1
    assert not plan.incomplete
    (notice,) = _notices(text)
    assert text[notice.span.start : notice.span.end] == "true"


def test_a_very_long_script_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lexer.MOST_TOKENS >= 400_000, "60,000 lines of a script are no more than that"
    monkeypatch.setattr(lexer, "MOST_TOKENS", 400)
    result = _lint(HEAD + "srun --tyme=1 a\n" + "a b c d e f g h i j\n" * 40)
    (unread,) = [finding for finding in result.findings if finding.code == "SB001"]
    assert unread.label == "more than 400 words, comments and operators: too much to be read"
    assert any("tyme" in finding.message for finding in result.findings)
