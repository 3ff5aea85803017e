"""Questions about variables, placeholders, directives and paths, put directly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Job, Source
from sbatchlint.lint.ask.dashes import DashSlip, dash_slips
from sbatchlint.lint.ask.given_variables import given_variables
from sbatchlint.lint.ask.host_paths import missing_paths
from sbatchlint.lint.ask.log_searches import log_search
from sbatchlint.lint.ask.placeholders import is_template, placeholders
from tests.rules.checking import findings, job


def asked(*body: str, path: str = "job.sh", **options: object) -> Job:
    return Job(Source.from_text(job(*body, **options), path))


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("if false; then export X=abc; fi", "abc"),
        ("if false; then export X='abc'; fi", "abc"),
        ('f() { export X="abc"; }', "abc"),
        ("f() { export X=$(a); }", None),
        ("f() { export X='a b'; }", None),
        ("export X=abc", "abc"),
    ],
)
def test_what_a_variable_is_given(line: str, value: str | None) -> None:
    one = asked(line, "srun hostname")
    (given_to,) = given_variables(one)
    assert given_to.name == "X"
    assert (None if given_to.value is None else given_to.value.text) == value
    if value is not None and given_to.value is not None:
        place = given_to.value.span
        assert place is not None
        assert one.source.slice(place).strip("'\"") == value


@pytest.mark.parametrize(
    ("line", "found", "template"),
    [
        ("#SBATCH -J a#NAME#", [("#NAME#", True)], True),
        ("#SBATCH -N <n>", [("<n>", False)], False),
        ("#SBATCH -A <account> # <not this>", [("<account>", False)], False),
        ("#SBATCH -N {{n}}", [("{{n}}", True)], True),
        ("#SBATCH -N {n}", [], False),
        ("#SBATCH -N {n} -t {t}", [("{n}", True), ("{t}", True)], True),
        ("#SBATCH -N 1#x", [], False),
        ("#SBATCH --comment=<x>", [], False),
    ],
)
def test_what_is_to_be_filled_in(line: str, found: list[tuple[str, bool]], template: bool) -> None:
    one = Job(Source.from_text(f"#!/bin/bash\n{line}\nhostname\n"))
    blanks = [(one.source.slice(blank.span), blank.template) for blank in placeholders(one)]
    assert [blank for blank in blanks if blank[0] != "{n}" or blank[1]] == found
    assert all(blank.line == 2 for blank in placeholders(one))
    assert is_template(one) is template


@pytest.mark.parametrize(
    ("text", "path", "template"),
    [
        ("#!/bin/bash\n#SBATCH -A <A> -p <P>\n", "job.template.sh", True),
        ("#!/bin/bash\n#SBATCH -A <A>\n", "job.template.sh", False),
        ("#SBATCH -A <A>\n", "job.template.sh", True),
        ("#SBATCH -A a\n", "job.template.sh", False),
        ("#!/bin/bash\n#SBATCH -A <A> -p <P>\n", "job.sh", False),
    ],
)
def test_a_file_that_is_named_a_template(text: str, path: str, template: bool) -> None:
    assert is_template(Job(Source.from_text(text + "hostname\n", path))) is template


@pytest.mark.parametrize(
    ("line", "slip", "long"),
    [
        ("#SBATCH -N=2", DashSlip.LETTER_EQUALS, "nodes"),
        ("#SBATCH --N=2", DashSlip.TWO_DASHES, "nodes"),
        ("#SBATCH -nodes=2", DashSlip.ONE_DASH, "nodes"),
        ("#SBATCH --nodes = 2", DashSlip.BLANK_EQUALS, "nodes"),
        ("#SBATCH --nodes= 2", DashSlip.BLANK_EQUALS, "nodes"),
    ],
)
def test_dashes_that_do_not_fit(line: str, slip: DashSlip, long: str) -> None:
    (one,) = dash_slips(Job(Source.from_text(f"#!/bin/bash\n{line}\nhostname\n")))
    assert (one.kind, one.spec.long) == (slip, long)


@pytest.mark.parametrize(
    ("line", "name", "may_fail"),
    [
        ("grep loss log", "grep", True),
        ("tail -1 log | grep loss", "grep", True),
        ("grep loss log | tail -1", "tail", False),
        ("cat log | grep loss | sort | head", "head", False),
    ],
)
def test_which_command_of_a_search_decides(line: str, name: str, may_fail: bool) -> None:
    one = asked(line)
    found = log_search(one, one.script.body[-1].command)
    assert found is not None
    assert (found.name, found.may_fail) == (name, may_fail)


@pytest.mark.parametrize("line", ["grep -q loss log", "sort log", "if grep loss log; then :; fi"])
def test_what_is_no_search(line: str) -> None:
    one = asked(line)
    assert log_search(one, one.script.body[-1].command) is None


@pytest.mark.parametrize(
    ("code", "paths"),
    [
        ("cd /lustre/q; python t.py", ["/lustre/q"]),
        ("cd /lustre/q && python t.py", ["/lustre/q"]),
        ("cd /lustre/q || true; python t.py", []),
        ("[ -d /lustre/q ] && cd /lustre/q; python t.py", []),
        ("source /lustre/env.sh; python t.py", ["/lustre/env.sh"]),
        ("cd /; python t.py", []),
        ("cd //lustre; python t.py", []),
    ],
)
def test_folders_that_must_be_in_the_container(code: str, paths: list[str]) -> None:
    one = asked(f"srun --container-image=/i.sqsh --container-mounts=/lustre/x:/l bash -c '{code}'", nodes=1)
    (step,) = one.plan.steps
    assert step.container is not None
    assert [path.path for path in missing_paths(one, step, step.container)] == paths


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["while read -u 3 x; do", "srun python t.py $x", "done 3< f < g"], 0),
        (["while read x; do", "srun python t.py $x", "done 3<<< one < f"], 1),
        (["while read x; do", "srun python t.py $x", "done <<< one"], 0),
    ],
)
def test_of_several_inputs_the_first_is_read(lines: list[str], found: int) -> None:
    assert len(findings(job(*lines, nodes=1), "SB363")) == found


COMMANDS = st.sampled_from(
    """srun sbatch salloc scontrol squeue cd rm mkdir cp export declare trap sleep set source . exec eval
    wait tee grep awk read test [ pip conda uv torchrun accelerate deepspeed python bash ssh
    parallel xargs env timeout nohup time apptainer singularity enroot docker module ulimit
    nvidia-smi ray mpirun tail cat echo printf printenv --tensor-model-parallel-size --nnodes
    --num-layers --recipe -m -c -n -N -x -- - = : ! { } ( ) | || && & ; pretrain_gpt.py > < 2>&1 $X
    "" '' $((1)) $(hostname) ~ / * \\""".split()
)


@given(st.lists(COMMANDS, min_size=1, max_size=5), st.lists(COMMANDS, max_size=4))
@settings(max_examples=120)
def test_commands_that_end_too_soon_break_no_rule(words: list[str], more: list[str]) -> None:
    findings(job(" ".join(words), " ".join(more), nodes=2, gpus=2))
