"""What the rules about values say, in which releases, and of which cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sbatchlint.cluster.load import load_profile, read_profile
from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job

PROFILE = Path(__file__).parent / "cases" / "cluster.toml"
CLUSTER = load_profile(str(PROFILE))


def one(text: str, code: str, **options: Any) -> Finding:
    """The only finding of *code* in *text*."""
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(**options))
    assert not result.internal_errors
    (finding,) = [finding for finding in result.findings if finding.code == code]
    return finding


def none(text: str, code: str, **options: Any) -> bool:
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(**options))
    return code not in [finding.code for finding in result.findings]


def directives(*lines: str) -> str:
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in lines), "srun hostname", ""])


# --- Slurm's own words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "code", "note"),
    [
        ("--bogus", "SB108", "sbatch: unrecognized option '--bogus'"),
        ("-nodes=2", "SB109", 'sbatch: error: Invalid numeric value "odes=2" for --ntasks.'),
        ("--hold=no", "SB111", "sbatch: option '--hold' doesn't allow an argument"),
        ("--time=2h", "SB202", "sbatch: error: Invalid --time specification"),
        (
            "--mem=1G --mem-per-cpu=1G",
            "SB206",
            "sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.",
        ),
        (
            "--array=5-1",
            "SB207",
            "sbatch: error: Batch job submission failed: Invalid job array specification",
        ),
        (
            "--nodes=0",
            "SB209",
            "sbatch: error: Batch job submission failed: Node count specification invalid",
        ),
        ("-N4 -n2", "SB214", "sbatch: warning: can't run 2 processes on 4 nodes, setting nnodes to 2"),
    ],
)
def test_the_note_is_what_sbatch_prints(option: str, code: str, note: str) -> None:
    assert one(directives(option), code).notes == (note,)


# --- releases --------------------------------------------------------------------------------------


def test_what_only_some_releases_refuse_is_no_error() -> None:
    both = directives("--nodes=1", "--gpus-per-node=2", "--gres=gpu:2")
    assert one(both, "SB206").severity.value == "info"
    assert "since 26.05" in one(both, "SB206").message
    assert one(both, "SB206", release="26.05").severity.value == "error"
    assert none(both, "SB206", release="22.05")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("logs/%j/run.out", True),
        ("logs/%A/%a.out", True),
        ("%8J/x", True),
        ("logs/run-%j.out", False),
        ("%x/run-%j.out", False),
        ("%u/run.out", False),
        ("/tmp/logs/run.out", False),
        (r"\\logs/%j/run.out", False),
    ],
)
def test_a_folder_that_has_the_jobs_number_cant_be_there_in_time(output: str, told: bool) -> None:
    text = directives("--nodes=1", f"--output={output}")
    assert none(text, "SB219", release="22.05") is not told
    assert none(text, "SB219")
    assert none(text, "SB219", release="24.05")


# --- values that look like something else ------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("48:00", True),
        ("24:00", True),
        ("86400", True),
        ("60:00", False),
        ("90:00", False),
        ("1440", False),
        ("48:30", False),
        ("UNLIMITED", False),
    ],
)
def test_a_time_that_looks_like_another(time: str, told: bool) -> None:
    assert none(directives(f"--time={time}"), "SB203") is not told


@pytest.mark.parametrize(("memory", "told"), [("100", True), ("999", True), ("1000", False), ("100M", False)])
def test_memory_without_a_unit(memory: str, told: bool) -> None:
    assert none(directives("-c 16", f"--mem={memory}"), "SB205") is not told
    assert none(directives("-c 1", f"--mem={memory}"), "SB205")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1 day, 4:00:00", "1-04:00:00"),
        ("01:00:00:00", "1-00:00:00"),
        ("2hours", "02:00:00"),
        ("1.5h", "01:30:00"),
        ("30s", "00:00:30"),
    ],
)
def test_what_time_was_meant(written: str, meant: str) -> None:
    finding = one(directives(f'--time="{written}"'), "SB202")
    assert finding.fix is not None
    assert finding.fix.edits[0].text == meant


@pytest.mark.parametrize("written", ["3600.0", "soon", "1:2:3:4:5", "2x", "00:99:00:00"])
def test_where_no_time_is_clear_none_is_proposed(written: str) -> None:
    assert one(directives(f"--time={written}"), "SB202").fix is None


@pytest.mark.parametrize(
    "name",
    [
        "--parttion=x",
        "--ntask-pernode=4",
        "--nodse=2",
        "--Gpus=2",
        "--cpu-per-tasks=2",
        "--gpu-type=a100",
        "--walltime=1:00",
        "--queue=x",
        "--node=2",
        "--mail-users=x",
        "--exlcusive",
    ],
)
def test_a_slip_in_a_name_is_an_error(name: str) -> None:
    assert one(directives(name), "SB108").severity.value == "error"


@pytest.mark.parametrize("name", ["--bogus", "--beegfs-create=size", "--gpu_cmode=shared", "--workspace=x"])
def test_a_name_like_no_other_may_be_one_of_a_plugin(name: str) -> None:
    assert one(directives(name), "SB108").severity.value == "warning"
    assert one(directives(name), "SB108", release="24.05").severity.value == "error"


@pytest.mark.parametrize(
    ("name", "prominent"),
    [
        ("--argos=no", False),
        ("--monitor_all=YES", False),
        ("--turbo=on", False),
        ("--turbo=off", False),
        ("--frobnicate=/x", True),
        ("--exclusiv3=yes", True),
        ("--requeues=no", True),
    ],
)
def test_a_switch_of_a_site_is_shown_to_the_pedantic(name: str, prominent: bool) -> None:
    assert one(directives(name), "SB108").prominent is prominent
    assert one(directives(name), "SB108", release="24.05").prominent


@pytest.mark.parametrize("name", ["--quotatype=reserved", "--uenv=x", "--container-image=x"])
def test_an_option_of_a_known_plugin_is_in_order(name: str) -> None:
    assert none(directives(name), "SB108")


@pytest.mark.parametrize("name", ["--cpus-per-node=8", "--ntasks-per-cpu=1", "--cpus-per-socket=1"])
def test_cpus_are_never_taken_for_gpus(name: str) -> None:
    finding = one(directives(name), "SB108")
    assert finding.fix is None
    assert "gpu" not in finding.help


@pytest.mark.parametrize(
    "line",
    [
        "--account=project_2001736# Project for billing",
        "--output=test.out# the name of the log",
        "--job-name=fit# of, and for, the group",
        "--partition=gpu#",
        "--job-name=a##  remark",
    ],
)
def test_a_remark_glued_to_a_value_does_no_harm(line: str) -> None:
    assert none(directives(line), "SB105")


@pytest.mark.parametrize(
    "line",
    [
        "--job-name=a#1",
        "--job-name=fit# of the group --nodes=2",
        "--container-image=nvcr.io#nvidia/pytorch:25.01-py3 --nodes=2",
        "--output=run#2 of a series",
        "--container-image=nvcr.io#nvidia/pytorch:25.01-py3 of May",
    ],
)
def test_a_value_that_is_cut_short_does(line: str) -> None:
    assert one(directives(line), "SB105")


@pytest.mark.parametrize("comment", ["", "# copy one of these", "# TASK=a\n#\n"])
def test_a_list_of_blocks_to_copy_from_overrides_nothing(comment: str) -> None:
    text = f"#!/bin/bash\n#SBATCH --time=1:00\n{comment}\n#SBATCH --time=2:00\n"
    assert none(text, "SB113")
    assert not none(text + "srun hostname\n", "SB113")


def test_what_has_no_effect_is_not_called_needless() -> None:
    found = one(directives("--nodes=1", "--ntasks-per-core=1", "--hint=nomultithread"), "SB215")
    assert found.label == "without effect"
    assert "of the two" in (found.help or "")


# --- the command line --------------------------------------------------------------------------------


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


# --- the cluster -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        ("-p gpuu", "SB901", "the cluster refuses the job: there is no partition gpuu"),
        ("-C a100", "SB901", "the cluster refuses the job: no node has the feature a100"),
        ("--gres=foo:1", "SB901", "the cluster refuses the job: it has no resource called foo"),
        (
            "-t 3-00:00:00",
            "SB902",
            "the cluster refuses the job: partition batch allows a time of 2-00:00:00, not 3-00:00:00",
        ),
        (
            "-p interactive -N 2",
            "SB902",
            "the cluster refuses the job: partition interactive gives a job at most 1 node, not 2",
        ),
        ("-p down", "SB903", "the job waits for ever: partition down is DOWN and starts no jobs"),
        ("-p batch -w cpu01", "SB903", "the cluster refuses the job: cpu01 is not in partition batch"),
        (
            "--gpus-per-node=h200:8",
            "SB904",
            "the cluster refuses the job: no node of partition batch has GPUs of the type h200",
        ),
        (
            "--gpus-per-node=9",
            "SB904",
            "the cluster refuses the job: 9 GPUs on a node, where partition batch has 8",
        ),
        (
            "-p cpu --mem=1 --gpus-per-node=1",
            "SB904",
            "the cluster refuses the job: 1 GPU on a node, where partition cpu has none",
        ),
        (
            "--mem=3000G",
            "SB904",
            "the cluster refuses the job: 3000G of memory on a node, where partition batch has 2000000M",
        ),
        (
            "--gpus-per-task=5 -n 20",
            "SB904",
            "the cluster refuses the job: 20 tasks with 5 GPUs each, where partition batch has room for 16",
        ),
    ],
)
def test_what_the_cluster_has_against_a_job_is_a_sentence(option: str, code: str, message: str) -> None:
    finding = one(directives(option), code, cluster=CLUSTER)
    assert finding.message == message
    assert finding.severity.value == "error"


def test_an_unknown_resource_is_told_of_once() -> None:
    assert none(directives("--gres=foo:1"), "SB904", cluster=CLUSTER)


def _lenient() -> Profile:
    text = PROFILE.read_text("utf-8").replace('"ALL"', '"NO"')
    return read_profile(Source.from_text(text, "cluster.toml"))


def test_of_a_job_that_waits_no_refusal_is_quoted() -> None:
    long = directives("-t 3-00:00:00")
    assert one(long, "SB902", cluster=CLUSTER).notes[0].startswith("sbatch: error: Requested time limit")
    waiting = one(long, "SB902", cluster=_lenient())
    assert waiting.message.startswith("the job waits for ever")
    assert waiting.notes == ("squeue gives the reason PartitionTimeLimit",)


def test_a_job_that_fits_is_left_in_peace() -> None:
    text = job("srun hostname", nodes=2, ntasks_per_node=8, gpus_per_node="h100:8", time="1-00:00:00")
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=CLUSTER))
    assert result.findings == ()
