"""Asking rules about a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sbatchlint.api import Finding, Job, Rule, Severity, Source, Span
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import Registry

MakeRegistry = Callable[..., Registry]
HEAD = "#!/bin/bash\n"


def test_findings_in_the_order_of_the_text(registry: Registry) -> None:
    source = Source.from_text(HEAD + "noisy; old\nold noisy\n", "f")
    result = lint_source(source, registry.select())
    assert [finding.code for finding in result.findings] == ["SB401", "SB301", "SB301", "SB401"]
    assert result.internal_errors == ()
    assert result.source is source


def test_a_rule_that_breaks_hides_nothing(make_registry: MakeRegistry, broken_rule: type[Rule]) -> None:
    rules = make_registry(broken_rule).select()
    result = lint_source(Source.from_text(HEAD + "old\n", "f"), rules)
    assert [finding.code for finding in result.findings] == ["SB302", "SB301"]
    (error,) = result.internal_errors
    assert (error.code, error.kind, error.message) == ("SB302", "RuntimeError", "this rule is broken")
    assert "test_engine" not in error.kind
    assert "RuntimeError: this rule is broken" in error.traceback


class OutOfBounds(Rule):
    """Reports a place that does not exist."""

    code = "SB303"
    name = "out-of-bounds"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        yield self.finding(Span(0, 10**6), "far")


class Impostor(Rule):
    """Reports under another rule's code."""

    code = "SB304"
    name = "impostor"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        yield Finding("SB301", "old-program", Severity.ERROR, "m", Span(0, 1))


@pytest.mark.parametrize(("rule", "message"), [(OutOfBounds, "outside"), (Impostor, "another rule's")])
def test_findings_that_cannot_be_shown(make_registry: MakeRegistry, rule: type[Rule], message: str) -> None:
    result = lint_source(Source.from_text(HEAD, "f"), make_registry(rule).select())
    assert result.findings == ()
    assert [error.code for error in result.internal_errors] == [rule.code]
    assert message in result.internal_errors[0].message


class Twice(Rule):
    """Reports one thing twice."""

    code = "SB305"
    name = "twice"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        yield self.finding(Span(0, 1), "m")
        yield self.finding(Span(0, 1), "m")


def test_one_cause_is_one_finding(make_registry: MakeRegistry) -> None:
    assert len(lint_source(Source.from_text(HEAD, "f"), make_registry(Twice).select()).findings) == 1


def test_unreadable_statement_is_told_and_the_rest_is_checked(registry: Registry) -> None:
    text = HEAD + "old\nfor x in a; echo; done\nold # sbatchlint: ignore[SB401]\n"
    result = lint_source(Source.from_text(text, "f"), registry.select())
    assert [finding.code for finding in result.findings] == ["SB301", "SB001", "SB301"], (
        "and the suppression is not called unused: the answer may lie in what was not read"
    )
    unread = result.findings[1]
    assert unread.severity is Severity.WARNING
    assert "for x in a" in result.source.slice(unread.span)


def test_one_quote_without_an_end_is_told_of_once(registry: Registry) -> None:
    text = HEAD + 'if [ -n "$X" ]; then\n  echo a\nelse\n  export L="run \\\n  --x\nfi\necho b\n'
    found = lint_source(Source.from_text(text, "f"), registry.select(["SB001"])).findings
    assert [finding.label.split(" opened")[0] for finding in found] == ['unterminated "']


def test_a_reader_that_breaks_is_an_internal_error(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(job: Job) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(Job, "script", property(broken))
    result = lint_source(Source.from_text(HEAD + "old # sbatchlint: ignore[SB301]\n", "f"), registry.select())
    assert [finding.code for finding in result.findings] == ["SB301"]
    assert [(error.code, error.kind) for error in result.internal_errors] == [
        ("SB001", "RecursionError"),
        ("", "RecursionError"),
    ]


def test_views_of_a_job_are_made_once_and_with_its_options() -> None:
    source = Source.from_text("#!/bin/bash\n#SBATCH --nodes=2\nhostname\n", "f")
    job = Job(source, LintOptions(release="22.05", sbatch_args=("--nodes=3",)))
    assert job.script is job.script
    assert job.request is job.request
    assert job.request.release == "22.05"
    assert job.request.uses != Job(source).request.uses


def test_fixing_a_file(registry: Registry) -> None:
    text = HEAD + "# é\n\told\n# sbatchlint: ignore[SB301] kept\nold\n"
    result = fix_source(Source.from_text(text.replace("é\n", "é\r\n"), "f"), registry.select())
    after = HEAD + "# é\r\n\tnew\n# sbatchlint: ignore[SB301] kept\nold\n"
    assert result.converged.source.to_bytes() == after.encode()
    assert [finding.code for finding in result.before.findings] == ["SB301"]
    assert result.after.findings == ()
    assert len(result.before.suppressed) == len(result.after.suppressed) == 1
    again = fix_source(result.converged.source, registry.select())
    assert not again.converged.changed


def test_fix_may_leave_a_suppression_without_work(make_registry: MakeRegistry) -> None:
    class Loud(Rule):
        """Speaks of noise as long as there is something old; twice on one line."""

        code = "SB402"
        name = "loud"
        severity = Severity.WARNING

        def check(self, job: Job) -> Iterator[Finding]:
            at = job.source.text.find("noise")
            if at >= 0 and "old" in job.source.text:
                yield self.finding(Span(at, at + 5), "loud")

    text = HEAD + "old\nnoise # sbatchlint: ignore[loud] because\n"
    result = fix_source(Source.from_text(text, "f"), make_registry(Loud).select())
    assert result.converged.source.text == HEAD + "new\nnoise\n"
    assert [applied.finding.code for applied in result.converged.applied] == ["SB301", "SB002"]
    assert result.converged.dropped == ()


def test_fix_on_whose_result_a_rule_breaks_is_dropped(make_registry: MakeRegistry) -> None:
    class Fragile(Rule):
        """Breaks on what is new, and so would not report what it should."""

        code = "SB403"
        name = "fragile"
        severity = Severity.ERROR

        def check(self, job: Job) -> Iterator[Finding]:
            if "new" in job.source.text:
                raise ValueError("new")
            yield self.finding(Span(0, 1), "m")

    result = fix_source(Source.from_text(HEAD + "old\n", "f"), make_registry(Fragile).select())
    assert not result.converged.changed
    assert [dropped.reason for dropped in result.converged.dropped] == [
        "it could not be checked: rules break on the fixed text: SB403"
    ]
    assert result.after.internal_errors == ()


def test_a_placeholder_that_is_left_is_named_as_the_cause() -> None:
    text = "#!/bin/bash\n#SBATCH -N1\nmodule load openmpi/<version>\nsrun hostname\n"
    (found,) = lint_source(Source.from_text(text, "job.sh"), Registry.load().select(["SB001"])).findings
    assert found.message.startswith("<version> is still to be filled in")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("for a in 1 2; do\n  f() {{\n    x\n  }}\n  case $a in\n    1) y ;;\n  esac\ndone\n", 1),
        ("cat x | \\\nwhile read a; do\n  f() {{\n    x\n  }}\n  if y; then\n    z\n  fi\ndone\n", 1),
        ("for node in a b; echo $node; done\nhostname\nfor node in a b; echo $node; done\n", 2),
        ("python <a.py>\nhostname\npython <b.py>\n", 2),
    ],
)
def test_of_a_broken_compound_command_the_first_piece_is_reported(body: str, lines: int) -> None:
    source = Source.from_text(f"#!/bin/bash\n#SBATCH -N1\n{body}", "job.sh")
    found = lint_source(source, Registry.load().select(["SB001"])).findings
    assert len(found) == lines


def test_a_redirection_without_a_file_is_no_placeholder() -> None:
    text = "#!/bin/bash\n#SBATCH -N1\nsrun hostname <in >\n"
    (found,) = lint_source(Source.from_text(text, "job.sh"), Registry.load().select(["SB001"])).findings
    assert found.message == "this part of the script could not be read, so it was not checked"


@pytest.mark.parametrize(
    ("line", "blank"),
    [
        ("srun python t.py <options>", "<options>"),
        ("python <my_program.py> <param1> <param2> > out 2>&1", "<my_program.py>"),
        ("export CACHE=<cache_dir>", "<cache_dir>"),
        ("srun <my openmp program>", "<my openmp program>"),
        ("if true; then python t.py <args>; fi", "<args>"),
    ],
)
def test_a_placeholder_in_code_is_called_one(line: str, blank: str) -> None:
    source = Source.from_text(f"#!/bin/bash\n#SBATCH -n1\nhostname\n{line}\n", "a.sh")
    found = lint_source(source, Registry.load().select(["SB001"])).findings
    assert [source.slice(one.span) for one in found] == [blank]
    assert "still to be filled in" in found[0].message
