"""Values on the command lines of srun, sbatch and salloc."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules
from tests.rules.values.asking import directives, none, one


def test_an_option_that_the_command_line_gives_is_not_missing() -> None:
    text = directives("--gpus-per-task=1")
    assert one(text, "SB216").severity.value == "warning"
    assert one(text, "SB216", sbatch_args=("--time=5",)).severity.value == "error"
    assert none(text, "SB216", sbatch_args=("--ntasks=4",))


@pytest.mark.parametrize(
    ("lines", "prominent"),
    [
        (("--gpus-per-task=8", "--ntasks-per-node=1", "--gpus-per-node=8"), False),
        (("--gpus-per-task=1", "--cpus-per-task=32"), False),
        (("--gpus-per-task=1", "--nodes=2-4"), True),
        (("--mem-per-gpu=4G", "--ntasks=4"), True),
    ],
)
def test_a_script_that_counts_nothing_is_made_for_all_sizes(lines: tuple[str, ...], prominent: bool) -> None:
    assert one(directives(*lines), "SB216").prominent is prominent


@pytest.mark.parametrize(
    "line",
    [
        "--time=#TIMELIM#",
        "--nodes=#NODES#",
        "--account=#ACC# --nodes=1",
        "--output=#DIR#/%x.out",
        "--time={time_limit} --mem={slurm_mem}",
        "--nodes={nodes}\n#SBATCH --ntasks=$TASKS\n#SBATCH --output={log_dir}/%x.out",
        "--array=0-{array_limit}%{most}",
        "--nodes={n}\necho ${{SLURM_JOB_ID}}",
        "--account={account}\nrun() {{\n  srun hostname\n}}\nif true; then\n run\nfi",
        "--nodes=$NODES --account={{ account }}",
        "--nodes=[[TOTAL_NODES]]",
        "--time=[[ DURATION ]]",
        "--account=[[WHO]]",
        "--nodes=NUM_NODES_TAG",
        "--time WALL_CLOCK_LIMIT_TAG",
        "-p QUEUE_TAG",
    ],
)
def test_a_template_is_no_script_yet(line: str) -> None:
    result = lint_source(Source.from_text(directives(line), "job.sh"), all_rules(), LintOptions())
    silent = {"SB001", "SB105", "SB106", "SB114", "SB202", "SB207", "SB209"}
    assert not [finding for finding in result.findings if finding.code in silent]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("job.sh", "#!/bin/bash\n# THIS FILE IS A TEMPLATE!\n#SBATCH -J ${NAME}\n#SBATCH -p <which>\n"),
        ("job.sh", "#!/bin/bash\n# The job script is only a Slurm template.\n#SBATCH --nodes=$N\n"),
        ("job.sh", "#!/bin/bash\n#SBATCH --nodes=$N\n# Template filled in by launch.py\nsrun hostname\n"),
        ("utils/template_hpc.sh", "#SBATCH --nodes=<NODES>\n#SBATCH --time=01:00:00\n"),
        ("a-Template.sbatch", "#!/bin/bash\n#SBATCH -N <NODES>\n#SBATCH -t <TIME>\n#SBATCH -A $WHO\n"),
    ],
)
def test_a_file_that_is_called_a_template_is_no_script_yet(path: str, text: str) -> None:
    result = lint_source(Source.from_text(text, path), all_rules(), LintOptions())
    assert not {found.code for found in result.findings} & {"SB012", "SB106", "SB114", "SB209"}


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("job.sh", "#!/bin/bash\n# made from a template\n#SBATCH --nodes=$N\n", "SB106"),
        ("job.sh", "#!/bin/bash\n# uses the chat template\n#SBATCH --nodes=$N\n", "SB106"),
        ("job.sh", "#!/bin/bash\n#SBATCH --nodes=$N\nsrun a\n# this file is a template\n", "SB106"),
        ("job.sh", "#SBATCH -N <NODES>\n#SBATCH -t <TIME>\n", "SB114"),
        ("template.sh", "#!/bin/bash\n#SBATCH -N 2\n#SBATCH -A <ACCOUNT>\n", "SB114"),
        ("templates/a.sh", "#!/bin/bash\n#SBATCH -N <NODES>\n#SBATCH -A <ACCOUNT>\n", "SB114"),
    ],
)
def test_a_script_that_only_speaks_of_templates_is_one(path: str, text: str, code: str) -> None:
    result = lint_source(Source.from_text(text, path), all_rules(), LintOptions())
    assert code in {found.code for found in result.findings}


@pytest.mark.parametrize("value", ["<#sockets * s>", "<#nodes>", "gpu:<#gpus>", "< n >"])
def test_a_blank_that_begins_a_comment_is_one_to_fill_in(value: str) -> None:
    result = lint_source(
        Source.from_text(directives(f"--gres {value}"), "job.sh"), all_rules(), LintOptions()
    )
    found = {finding.code for finding in result.findings}
    assert "SB114" in found
    assert not found & {"SB105", "SB208", "SB209", "SB210"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--account={account}", "SB114"),
        ("--account={account}\ndocker ps --format '{{.ID}}'", "SB114"),
        ("--nodes={1..3}", "SB209"),
        ("--job-name=a#1", "SB105"),
        ("--nodes=${NODES} --ntasks=4", "SB106"),
        ("--nodes=4 #BEST# value\n#SBATCH --ntasks=x", "SB209"),
    ],
)
def test_what_only_looks_like_a_template_is_a_script(line: str, code: str) -> None:
    assert one(directives(line), code)


def test_placeholders_of_one_word_are_one_to_fill_in() -> None:
    finding = one(directives("--mail-user=<first>.<last>@example.org"), "SB114")
    assert finding.message.startswith("<first> ")
    text = directives("-A <account> -p <partition>")
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions())
    assert [found.code for found in result.findings].count("SB114") == 2


@pytest.mark.parametrize("line", ["--job-name=your_account-1", "--output=log_your_name.out", "-J your-name"])
def test_a_job_may_have_any_name(line: str) -> None:
    assert none(directives(line), "SB114")
    assert not none(directives(line.replace("your", "<your").replace("job-name", "account") + ">"), "SB114")


@pytest.mark.parametrize("line", ["--nodes=0", "-N 0"])
def test_a_zero_may_hold_the_place_of_a_number_on_the_command_line(line: str) -> None:
    assert one(directives(line), "SB209").severity.value == "warning"
    assert one(directives(line), "SB209", sbatch_args=("--time=5",)).severity.value == "error"
    assert none(directives(line), "SB209", sbatch_args=("--nodes=4",))
    assert one(directives("--nodes=0x"), "SB209").severity.value == "error"


def test_an_option_that_the_command_line_overrides_is_not_judged_with_it() -> None:
    text = directives("--nodes=4", "--ntasks=2")
    assert not none(text, "SB214")
    assert none(text, "SB214", sbatch_args=("--ntasks=4",))
