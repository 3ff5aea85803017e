"""A policy as a rule: where its findings point, what they say, and when there is none."""

from __future__ import annotations

from datetime import date

import pytest

from sbatchlint.lint.docs import read_doc
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Confidence, Severity
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source
from sbatchlint.toml.read import TomlError
from tests.policy.policies import lint, load

WALLTIME = """
[[policy]]
name = "walltime"
when = "job.partition == 'interactive'"
require = "job.time <= duration('4h')"
message = "{job.time} is too long on {job.partition}"
help = "take at most 4 hours, not {job.time}"
docs = "https://example.org/limits"
"""
LONG = "#!/bin/bash\n#SBATCH --partition=interactive\n#SBATCH --time=1-12:00:00\nsrun a\n"


def _lines(toml: str, script: str, **options: object) -> list[tuple[str, int]]:
    result = lint(toml, script, **options)  # type: ignore[arg-type]
    assert not result.internal_errors
    return [(one.code, result.source.position(one.span.start).line) for one in result.findings]


def _policy(require: str, message: str = "wrong", **more: str) -> str:
    rest = "".join(f"{key} = '''{value}'''\n" for key, value in more.items())
    return f"[[policy]]\nname = 'one'\nrequire = '''{require}'''\nmessage = '''{message}'''\n{rest}"


def test_a_finding_points_at_the_option_and_shows_its_value() -> None:
    (finding,) = lint(WALLTIME, LONG).findings
    assert (finding.code, finding.name) == ("walltime", "walltime")
    assert finding.severity is Severity.ERROR and finding.confidence is Confidence.HIGH
    assert finding.message == "1-12:00:00 is too long on interactive"
    assert finding.help == "take at most 4 hours, not 1-12:00:00"
    assert finding.notes == ("see https://example.org/limits",)
    assert LONG[finding.span.start : finding.span.end] == "--time=1-12:00:00"
    assert [LONG[one.span.start : one.span.end] for one in finding.related] == ["--partition=interactive"]


def test_nothing_is_found_where_it_does_not_apply_holds_or_cannot_be_told() -> None:
    for script in (
        LONG.replace("interactive", "long"),
        LONG.replace("1-12:00:00", "4:00:00"),
        LONG.replace("#SBATCH --time=1-12:00:00\n", ""),
        LONG.replace("1-12:00:00", "soon"),
        LONG.replace("--partition=interactive", "--partition=<partition>"),
    ):
        assert not lint(WALLTIME, script).findings, script


def test_without_the_option_the_first_directive_or_line_is_marked() -> None:
    toml = _policy("job.account != ''")
    assert _lines(toml, "#!/bin/bash\n# a\n#SBATCH --nodes=1\nsrun a\n") == [("one", 3)]
    assert _lines(toml, "#!/bin/bash\nsrun a\n") == [("one", 1)]
    assert _lines(toml, "") == [("one", 1)]


def test_the_step_that_breaks_a_policy_is_marked() -> None:
    toml = _policy("steps.all(s, s.nodes == 1)")
    script = (
        "#!/bin/bash\n#SBATCH --nodes=2\nsrun -N1 -n1 a\nsrun -N2 -n2 b\nsrun -N1 -n1 c\nsrun -N2 -n2 d\n"
    )
    (finding,) = lint(toml, script).findings
    assert script[finding.span.start :].startswith("srun -N2 -n2 b")
    assert [script[one.span.start :][:14] for one in finding.related] == ["srun -N2 -n2 d"]


def test_the_container_that_breaks_a_policy_is_marked_where_its_image_is_written() -> None:
    toml = _policy("containers.all(c, c.image.startsWith('/ours/'))")
    script = '#!/bin/bash\nIMAGE=/theirs/a.sqsh\nsrun hostname\nsrun --container-image="$IMAGE" a\n'
    (finding,) = lint(toml, script).findings
    assert script[finding.span.start :].startswith(("/theirs", '"$IMAGE"', "--container-image"))


def test_without_steps_that_decide_the_first_step_is_marked() -> None:
    toml = _policy("steps.exists(s, s.nodes == 2)")
    script = "#!/bin/bash\n#SBATCH --nodes=1\n\nsrun -N1 -n1 a\n"
    assert _lines(toml, script) == [("one", 4)]


def test_the_option_that_a_policy_forbids_is_marked() -> None:
    toml = _policy("!job.options.exists(o, o in ['nice', 'qos'])")
    script = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --nice=3\nsrun a\n"
    assert _lines(toml, script) == [("one", 3)]
    allowed = _policy("job.options.all(o, o in ['nodes'])")
    assert _lines(allowed, script) == [("one", 3)]


def test_a_policy_about_steps_is_told_once_in_a_heterogeneous_job() -> None:
    script = "#!/bin/bash\n#SBATCH --qos=a\n#SBATCH hetjob\n#SBATCH --qos=b\nsrun --mpi=pmi2 x\n"
    (finding,) = lint(_policy("steps.all(s, s.options['mpi'] == 'pmix')"), script).findings
    assert finding.message == "wrong"


def test_what_rests_on_a_default_is_a_doubtful_warning() -> None:
    toml = _policy("job.nodes > 1")
    (finding,) = lint(toml, "#!/bin/bash\nsrun a\n").findings
    assert finding.severity is Severity.WARNING and finding.confidence is Confidence.MEDIUM
    assert "rests on a default" in finding.notes[0]
    (sure,) = lint(toml, "#!/bin/bash\n#SBATCH --nodes=1\nsrun a\n").findings
    assert sure.severity is Severity.ERROR and sure.confidence is Confidence.HIGH


def test_a_doubtful_note_stays_a_note() -> None:
    toml = _policy("job.nodes > 1", severity="info")
    (finding,) = lint(toml, "#!/bin/bash\nsrun a\n").findings
    assert finding.severity is Severity.INFO


def test_options_from_outside_the_script_are_named() -> None:
    (finding,) = lint(
        WALLTIME, "#!/bin/bash\nsrun a\n", sbatch_args=("-p", "interactive", "-t", "5:00:00")
    ).findings
    assert finding.notes[0] == "--time is given on the command line; --partition is given on the command line"
    variables = (("SBATCH_TIMELIMIT", "9:00:00"),)
    (finding,) = lint(WALLTIME, LONG, submit_environment=variables).findings
    assert finding.notes[0] == "--time is set by SBATCH_TIMELIMIT"


def test_each_component_of_a_heterogeneous_job_is_told_of() -> None:
    script = "#!/bin/bash\n#SBATCH --qos=a\n#SBATCH hetjob\n#SBATCH --qos=b\nsrun x\n"
    (finding,) = lint(_policy("job.qos == 'a'", "wrong qos {job.qos}"), script).findings
    assert finding.message == "wrong qos b (component 1)"
    assert script[finding.span.start : finding.span.end] == "--qos=b"


def test_a_comment_in_the_script_suppresses_a_policy() -> None:
    script = LONG.replace("srun a", "# sbatchlint: ignore[walltime]\nsrun a").replace(
        "#SBATCH --time=1-12:00:00", "#SBATCH --time=1-12:00:00  # sbatchlint: ignore[walltime]"
    )
    result = lint(WALLTIME, script)
    assert "walltime" not in [one.code for one in result.findings]
    assert [one.finding.code for one in result.suppressed] == ["walltime"]


def test_policies_are_chosen_by_name_and_by_group() -> None:
    registry = Registry(load(WALLTIME + _policy("job.qos != ''")))
    for ignore, left in ((["policy"], []), (["walltime"], ["one"]), ([], ["one", "walltime"])):
        result = lint_source(Source.from_text(LONG, "job.sh"), registry.select(ignore=ignore))
        assert sorted(one.code for one in result.findings) == left


def test_the_page_of_a_policy_tells_of_it() -> None:
    toml = WALLTIME + "examples = { good = '#!/bin/bash', bad = ['#!/bin/sh', '#!/bin/ksh'] }\n"
    (rule,) = load(toml)
    doc = read_doc(rule)
    assert doc.summary and "job.time <= duration('4h')" in doc.why
    assert len(doc.bad) == 2 and len(doc.good) == 1


# --- exceptions ------------------------------------------------------------------------------------

EXCEPTION = (
    WALLTIME
    + """
[[exception]]
policy = "walltime"
paths = ["nightly/**", "debug.sh"]
owner = "Ada"
reason = "ticket 17"
expires = 2026-03-31
"""
)


@pytest.mark.parametrize(
    ("path", "day", "found"),
    [
        ("nightly/a/b.sh", date(2026, 3, 31), False),
        ("x/debug.sh", date(2026, 1, 1), False),
        ("nightly/a.sh", date(2026, 4, 1), True),
        ("daily/a.sh", date(2026, 1, 1), True),
        ("-", date(2026, 1, 1), True),
    ],
)
def test_an_exception_holds_for_its_paths_until_its_last_day(path: str, day: date, found: bool) -> None:
    assert bool(lint(EXCEPTION, LONG, path, day).findings) is found


def test_what_an_exception_sets_aside_is_kept_with_who_and_why() -> None:
    result = lint(EXCEPTION, LONG, "debug.sh", date(2026, 3, 31))
    (one,) = result.suppressed
    assert (one.by, one.reason) == (None, "Ada: ticket 17 (until 2026-03-31)")
    assert not result.findings and not result.hidden
    assert not any("exception" in note for note in one.finding.notes)


def test_a_comment_that_an_exception_makes_needless_is_not_called_idle() -> None:
    answered = LONG.replace("1-12:00:00\n", "1-12:00:00  # sbatchlint: ignore[walltime] mine\n")
    result = lint(EXCEPTION, answered, "debug.sh", date(2026, 3, 31))
    assert [one.reason for one in result.suppressed] == ["mine"]
    assert not result.findings


def test_what_would_not_be_shown_is_not_counted_as_excepted() -> None:
    """The one node of a job that asks for none rests on a default, so only --pedantic shows it."""
    toml = _policy("job.nodes > 1") + EXCEPTION[EXCEPTION.index("[[exception]]") :].replace("walltime", "one")
    day = date(2026, 3, 31)
    assert lint(toml, LONG, "debug.sh", day, pedantic=False).suppressed == ()
    assert len(lint(toml, LONG, "debug.sh", day, pedantic=True).suppressed) == 1


def test_an_exception_that_ended_is_told() -> None:
    (finding,) = lint(EXCEPTION, LONG, "nightly/a.sh", date(2026, 4, 1)).findings
    assert "an exception for this ended on 2026-03-31 (Ada: ticket 17)" in finding.notes
    (other,) = lint(EXCEPTION, LONG, "daily/a.sh", date(2026, 4, 1)).findings
    assert not any("exception" in note for note in other.notes)


def test_of_two_exceptions_one_that_holds_is_enough() -> None:
    newer = EXCEPTION[EXCEPTION.index("[[exception]]") :].replace("2026-03-31", "2026-12-31")
    assert not lint(EXCEPTION + newer, LONG, "nightly/a.sh", date(2026, 4, 1)).findings


# --- messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message", "shown"),
    [
        ("--mem=64G", "{job.memory_per_node}", "64G"),
        ("--mem=1T", "{job.memory_per_node}", "1T"),
        ("--time=90", "{job.time}", "01:30:00"),
        ("--time=UNLIMITED", "{job.time}", "UNLIMITED"),
        ("--time=90", "{job.account} {job.partitions} {job.memory_per_gpu}", "(none) (none) (not known)"),
        ("--partition=a,b", "{job.partitions}, ${HOME} {x} {}", "a, b, ${HOME} {x} {}"),
        ("--job-name=" + "n" * 200, "{job.name}", "(a text of 200 characters)"),
        ("--time=1", "{script.name}", "job.sh"),
    ],
)
def test_a_message_shows_values_as_slurm_writes_them(options: str, message: str, shown: str) -> None:
    (finding,) = lint(_policy("job.qos != ''", message), f"#!/bin/bash\n#SBATCH {options}\nsrun a\n").findings
    assert finding.message == shown


@pytest.mark.parametrize(
    "text", ["!" * 600 + "true", "(" * 600 + "true" + ")" * 600, "true" + " && true" * 600]
)
def test_an_expression_that_is_nested_too_deeply_breaks_nothing(text: str) -> None:
    try:
        assert not lint(_policy(text), LONG).internal_errors
    except TomlError as error:
        assert "nested too deeply" in str(error)


def test_policies_that_read_the_same_share_it() -> None:
    names = ("one", "two", "three")
    toml = "".join(_policy("job.qos != ''").replace("'one'", f"'{name}'") for name in names)
    assert len(lint(toml, LONG).findings) == 3
