"""Questions about the script's own commands, put directly, with the answer in full."""

from __future__ import annotations

import pytest

from sbatchlint.api import Job, Source
from sbatchlint.lint.ask.background import unawaited_steps
from sbatchlint.lint.ask.endings import EndingKind, hiding_end
from sbatchlint.lint.ask.environment import mentions
from sbatchlint.lint.ask.gpus import gpu_need
from sbatchlint.lint.ask.host_paths import missing_paths
from sbatchlint.lint.ask.job_ids import job_id_filters
from sbatchlint.lint.ask.line_options import option_mistakes
from sbatchlint.lint.ask.meeting import meeting_ports
from sbatchlint.lint.ask.pipes import hiding_pipes
from sbatchlint.lint.ask.script_folder import script_folders
from sbatchlint.lint.ask.signals import traps_of
from sbatchlint.lint.ask.sleeps import sleeping_barriers
from sbatchlint.lint.ask.slurm_variables import slurm_mentions
from sbatchlint.lint.ask.submit_options import bad_submit_options
from sbatchlint.lint.ask.usage import is_given_when_submitted
from sbatchlint.slurm.options import parse_release
from tests.rules.checking import findings, job


def asked(*body: str, **options: object) -> Job:
    return Job(Source.from_text(job(*body, **{"nodes": 2, **options}), "job.sh"))


FLAGS = ("plain", "defaulted", "bare", "arithmetic", "tested", "printed", "deferred", "quoted")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo $((SLURM_X * 2))", ["SLURM_X plain bare arithmetic"]),
        ("A=$((SLURM_X))", ["SLURM_X plain bare arithmetic"]),
        ("((SLURM_X > 1))", ["SLURM_X plain bare arithmetic"]),
        (
            "for ((i=0;i<SLURM_X;i++)); do echo $SLURM_Y; done",
            ["SLURM_X plain bare arithmetic", "$SLURM_Y plain printed"],
        ),
        ("for ((i=0;i<$SLURM_X;i++)); do :; done", ["$SLURM_X plain arithmetic"]),
        ("echo $SLURM_X", ["$SLURM_X plain printed"]),
        ("echo $SLURM_X > f", ["$SLURM_X plain"]),
        ("hostname $SLURM_X", ["$SLURM_X plain"]),
        ("echo $(hostname $SLURM_X)", ["$SLURM_X plain"]),
        ("echo '$SLURM_X' $SLURM_Y", ["$SLURM_X plain deferred", "$SLURM_Y plain printed"]),
        ('echo "\\$SLURM_X" $SLURM_Y', ["\\$SLURM_X plain deferred quoted", "$SLURM_Y plain printed"]),
        (
            "bash -c 'a ${SLURM_X:-1}' ; b '$SLURM_Y'",
            ["${SLURM_X:-1} defaulted deferred", "$SLURM_Y plain deferred"],
        ),
        ("cat <<'E'\n$SLURM_X\nE\necho $SLURM_Y", ["$SLURM_X plain deferred", "$SLURM_Y plain printed"]),
        ("[ $SLURM_X -gt 1 ]", ["$SLURM_X plain tested"]),
        ("test $SLURM_X", ["$SLURM_X plain tested"]),
        ("[[ $SLURM_X == 1 ]]", ["$SLURM_X plain tested"]),
        ("echo ${SLURM_X:-1}", ["${SLURM_X:-1} defaulted printed"]),
        ("echo ${SLURM_X#a}", ["${SLURM_X#a} printed"]),
        ("echo ${#SLURM_X}", ["${#SLURM_X} printed"]),
        ('echo "$SLURM_X"', ["$SLURM_X plain printed quoted"]),
        ("# $SLURM_X", []),
    ],
)
def test_where_a_variable_of_slurm_is_read(line: str, expected: list[str]) -> None:
    one = asked(line)
    found = [
        " ".join([one.source.slice(mention.span), *(flag for flag in FLAGS if getattr(mention, flag))])
        for mention in slurm_mentions(one)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("export FOO=1", {"FOO", "export"}),
        ("start-the-daemon -d", {"start-the-daemon", "start-the", "the-daemon"}),
        ("./start-the-daemon.sh", {"start-the-daemon", "start-the", "the-daemon"}),
        ("restart-the-daemons", set()),
        ("srun hostname # FOO start-the-daemon", set()),
    ],
)
def test_which_names_a_script_mentions(line: str, names: set[str]) -> None:
    asked_for = ("FOO", "export", "FO", "start-the-daemon", "start-the", "the-daemon")
    assert {name for name in asked_for if mentions(asked(line), name)} == names


@pytest.mark.parametrize(
    ("line", "numbers", "of_exit", "ignores", "handler"),
    [
        ("trap 'x' USR1", {10}, False, False, "x"),
        ("trap -- 'x' USR1", {10}, False, False, "x"),
        ("trap 'x' SIGUSR1 EXIT", {10}, True, False, "x"),
        ("trap '' TERM", {15}, False, True, ""),
        ("trap - TERM", {15}, False, False, "-"),
    ],
)
def test_traps(line: str, numbers: set[int], of_exit: bool, ignores: bool, handler: str) -> None:
    (trap,) = traps_of(asked(line))
    assert ({*trap.numbers}, trap.of_exit, trap.ignores, trap.handler) == (numbers, of_exit, ignores, handler)


@pytest.mark.parametrize("line", ["trap", "trap -p", "trap x", "trapped 'x' USR1"])
def test_what_sets_no_trap(line: str) -> None:
    assert list(traps_of(asked(line))) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["sleep 5", "srun python a.py"], []),
        (["srun python a.py", "sleep 5"], []),
        (["sleep 5"], []),
        (["srun ray start --head &", "sleep 10s", "srun python t.py"], [("10", "ray start")]),
        (["sleep 1", "srun ray start &", "sleep 10", "srun python t.py", "sleep 4"], [("10", "ray start")]),
        (["srun ray start --head &", "sleep $X", "srun python t.py"], []),
        (["srun ray start --head &", "sleep 10 &", "srun python t.py"], []),
        (["srun ray start --head &", "sleep 10", "hostname"], []),
        (["srun ray start --head", "sleep 10", "srun python t.py"], []),
    ],
)
def test_sleeps_between_steps(lines: list[str], expected: list[tuple[str, str]]) -> None:
    assert [(one.seconds, one.name) for one in sleeping_barriers(asked(*lines))] == expected


@pytest.mark.parametrize(
    ("name", "needs"), [("TPU_X", False), ("NEURON_X", False), ("HABANA_X", False), ("XTPU_X", True)]
)
def test_other_devices_need_no_gpu(name: str, needs: bool) -> None:
    ((step, program),) = asked(f"export {name}=1", "srun pretrain_gpt.py").plan.programs()
    assert (gpu_need(program, step) is not None) is needs


@pytest.mark.parametrize(
    ("lines", "place", "of_launcher"),
    [
        (["srun torchrun --master-port=29500 --nnodes=2 a.py"], "--master-port=29500", True),
        (["deepspeed --master_port 29500 a.py"], "--master_port", False),
        (["export MASTER_PORT=29500", "srun python a.py"], "MASTER_PORT=29500", False),
        (["srun accelerate launch --main_process_port 29500 a.py"], "--main_process_port", True),
    ],
)
def test_where_a_port_is_told(lines: list[str], place: str, of_launcher: bool) -> None:
    one = asked(*lines)
    (point,) = meeting_ports(one.plan)
    assert point.place is not None
    assert one.source.slice(point.place) == place
    assert (point.value.text, point.certain, point.doubtful) == ("29500", True, False)
    assert (point.agent is not None) is of_launcher


@pytest.mark.parametrize("line", ["srun python a.py --master-port 1", "srun mpirun --master-port 1 a.py"])
def test_ports_of_other_programs(line: str) -> None:
    assert list(meeting_ports(asked(line).plan)) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('cd $(dirname "$0")', "$0"),
        ('cd "$(dirname "${BASH_SOURCE[0]}")"', "BASH_SOURCE"),
        ("cd ${BASH_SOURCE%/*}", "BASH_SOURCE"),
        ("cd ${0%/*}", "$0"),
    ],
)
def test_how_the_folder_is_asked_for(line: str, name: str) -> None:
    assert [one.name for one in script_folders(asked(line))] == [name]


@pytest.mark.parametrize(
    ("comments", "given"),
    [
        (["# sbatch -N4 a.sh"], True),
        (["# sbatch --nodes=4 a.sh"], True),
        (["# first", "# sbatch a.sh", "# -N4"], False),
        (["# run: sbatch \\", "#   -N4 a.sh"], True),
        (["# run: sbatch \\", "#   -t 4 \\", "#  -N4 a.sh"], True),
        (["# first", "# sbatch -N4 a.sh", "# last"], True),
        (["# sbatch -t 4 a.sh"], False),
        (["# -N4"], False),
        ([], False),
    ],
)
def test_options_of_a_command_line_in_a_comment(comments: list[str], given: bool) -> None:
    text = "\n".join(["#!/bin/bash", "#SBATCH -N1", *comments, "hostname", ""])
    one = Job(Source.from_text(text))
    (use,) = one.request.uses
    assert is_given_when_submitted(one, use) is given


@pytest.mark.parametrize(
    ("line", "replaceable"),
    [
        ("ID=$(sbatch a.sh | awk '{print $4}')", [True]),
        ("ID=$(sbatch a.sh | cut -d' ' -f4)", [True]),
        ("ID=$(sbatch -W a.sh | awk '{print $NF}')", [True]),
        ("ID=$(sbatch a.sh 2>&1 | awk '{print $4}')", [False]),
        ("ID=$(sbatch a.sh 2>err | awk '{print $4}')", [False]),
        ("ID=$(sbatch a.sh | grep x | awk '{print $4}')", [False]),
        ("ID=$(sbatch a.sh | awk '{print $3}')", [False]),
        ("ID=$(sbatch a.sh | X=1 awk '{print $4}')", [False]),
        ('ID=$(sbatch a.sh | awk "$P")', [False]),
        ("ID=$(sbatch a.sh | awk '{print $4}' > f)", [False]),
        ("ID=$(sbatch -Q a.sh | awk '{print $4}')", [False]),
        ("ID=$(sbatch --parsable a.sh | cut -d';' -f1)", []),
        ("sbatch a.sh | awk '{print $4}'", []),
    ],
)
def test_how_a_job_id_is_cut_out(line: str, replaceable: list[bool]) -> None:
    assert [one.replaceable for one in job_id_filters(asked(line))] == replaceable


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (
            ["for x in a; do", "srun python t.py | tee log", "[ $? -eq 0 ] || exit 1", "done", "hostname"],
            ["tee"],
        ),
        (["srun python a.py | tee l", "echo x", "srun python b.py | sort"], ["sort"]),
        (["cat x | srun python t.py", "srun python b.py | tee m"], ["tee"]),
        (["! srun python t.py | tee l", "[ $? = 0 ]", "srun python b.py | tee m"], ["tee"]),
        (["srun python t.py | tee log", "X=$?", "hostname"], ["tee"]),
        (["srun python t.py | tee log", "hostname"], []),
        (["srun python t.py | tee log || exit 1", "hostname"], ["tee"]),
        (["srun python t.py | tee log || true", "hostname"], []),
        (["set -e", "srun python t.py | tee log", "srun python b.py | sort", "hostname"], ["tee", "sort"]),
    ],
)
def test_pipes_whose_status_counts(lines: list[str], names: list[str]) -> None:
    assert [pipe.name for pipe in hiding_pipes(asked(*lines))] == names


@pytest.mark.parametrize(
    ("lines", "kind", "name", "saved", "asks"),
    [
        (["echo done"], EndingKind.COMMAND, "echo", True, False),
        (["exit 0"], EndingKind.ZERO, "exit 0", True, False),
        (["rm -f x"], EndingKind.COMMAND, "rm", True, False),
        (["rm -rf $X"], EndingKind.COMMAND, "rm", True, False),
        (["[ -f x ] && echo y"], EndingKind.TEST, "echo", True, False),
        (["[[ -f x ]] && echo y"], EndingKind.TEST, "echo", True, False),
        (["[ $? -eq 0 ] && echo y"], EndingKind.TEST, "echo", True, True),
        (["grep loss log"], EndingKind.SEARCH, "grep", True, False),
    ],
)
def test_what_hides_the_end(lines: list[str], kind: EndingKind, name: str, saved: bool, asks: bool) -> None:
    end = hiding_end(asked("srun python t.py", *lines))
    assert end is not None
    assert (end.kind, end.name, end.save_at is not None, end.asks_status) == (kind, name, saved, asks)


@pytest.mark.parametrize(
    "lines",
    [
        ["srun python t.py", "rm x"],
        ["srun python t.py", "{ true; } && echo y"],
        ["srun python t.py", "f x && echo y"],
        ["srun python t.py", "[ -f x ] || echo y"],
        ["srun python t.py"],
        ["echo done"],
        ["set -e", "srun python t.py", "echo done"],
    ],
)
def test_what_hides_nothing(lines: list[str]) -> None:
    assert hiding_end(asked(*lines)) is None


@pytest.mark.parametrize(
    "line",
    [
        "srun python t.py; echo done",
        "srun python t.py <<E\nx\nE\necho done",
        "srun t.py | grep x <<E\ny\nE\necho a",
    ],
)
def test_a_status_that_cannot_be_kept_on_its_line(line: str) -> None:
    end = hiding_end(asked(line))
    assert end is not None
    assert end.save_at is None


@pytest.mark.parametrize(
    ("lines", "steps"),
    [
        (["srun python a.py &"], 1),
        (["srun python a.py &", "srun python b.py &"], 2),
        (["srun python a.py &", "echo x"], 1),
        (["srun python a.py &", "wait"], 0),
        (["srun python a.py &", "srun python b.py"], 0),
        (["srun python b.py"], 0),
    ],
)
def test_steps_that_nobody_waits_for(lines: list[str], steps: int) -> None:
    found = unawaited_steps(asked(*lines))
    assert (0 if found is None else len(found.steps)) == steps
    assert found is None or found.end is not None


IMAGE = "srun --container-image=/i.sqsh"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [f"{IMAGE} --container-mounts=/lustre/a:/lustre/a python /lustre/b/t.py"],
            [("/lustre/b/t.py", "/lustre/b/t.py", None, "/lustre/a:/lustre/a", True)],
        ),
        (
            [f"{IMAGE} --container-mounts=/data:/d python /data/t.py"],
            [("/data/t.py", "/data/t.py", "/d/t.py", "/data:/d", False)],
        ),
        (
            [f"{IMAGE} --container-mounts=/data/x:/d python /data/x/t.py"],
            [("/data/x/t.py", "/data/x/t.py", "/d/t.py", "/data/x:/d", True)],
        ),
        (
            ["mkdir -p /data/z", f"{IMAGE} --container-mounts=/data/x:/d python /data/z/t.py"],
            [("/data/z/t.py", "/data/z/t.py", None, None, True)],
        ),
        (
            [f"{IMAGE} --container-mounts=/lustre:/l bash -c 'cd /lustre/q; python t.py'"],
            [("/lustre/q", "/lustre/q", "/l/q", "/lustre:/l", True)],
        ),
        (
            [f"{IMAGE} --container-mounts=/lustre:/l --container-workdir=/lustre/w python t.py"],
            [("/lustre/w", "/lustre/w", "/l/w", "/lustre:/l", True)],
        ),
        (
            ["export PYTHONPATH=/lustre/p:/lustre/p/", f"{IMAGE} --container-mounts=/lustre:/l python t.py"],
            [("/lustre/p", "PYTHONPATH=/lustre/p:/lustre/p/", "/l/p", "/lustre:/l", False)],
        ),
        (
            ["export PYTHONPATH=/lustre/p", f"{IMAGE} --container-mounts=/lustre:/l ./t"],
            [],
        ),
        ([f"{IMAGE} python /lustre/t.py /lustre/u"], [("/lustre/t.py", "/lustre/t.py", None, None, False)]),
        ([f"{IMAGE} --container-mounts=/lustre:/lustre python /lustre/t.py"], []),
        ([f"{IMAGE} --container-mounts=/lustre:/lustre/x python /lustre"], []),
    ],
)
def test_paths_that_a_container_lacks(lines: list[str], expected: list[tuple[object, ...]]) -> None:
    one = asked(*lines)
    (step,) = one.plan.steps
    assert step.container is not None
    found = [
        (
            path.path,
            one.source.slice(path.span).strip("'"),
            path.mounted_at,
            None if path.mount is None else one.source.slice(path.mount).rpartition("=")[2],
            path.known,
        )
        for path in missing_paths(one, step, step.container)
    ]
    assert [(path, place.rpartition("workdir=")[2], *more) for path, place, *more in found] == expected


@pytest.mark.parametrize(
    ("line", "option", "fault"),
    [
        ("sbatch -tfoo a.sh", "--time=foo", "a duration is"),
        ("sbatch --time=foo a.sh", "--time=foo", "a duration is"),
        ("sbatch -ntasks=4 a.sh", "--ntasks=tasks=4", "it takes a whole number above zero, without a unit"),
        ("salloc -n0 x", "--ntasks=0", "it takes"),
    ],
)
def test_options_of_a_submission_inside(line: str, option: str, fault: str) -> None:
    (one,) = bad_submit_options(asked(line))
    assert one.command == line.split()[0]
    assert one.written == option
    assert one.fault.startswith(fault)
    assert one.possibilities == ()


@pytest.mark.parametrize(("whole", "missing"), [(True, 1), (False, 0)])
def test_a_value_that_may_follow_is_not_missed(whole: bool, missing: int) -> None:
    release = parse_release("24.05")
    assert release is not None
    found = option_mistakes(["-N", "2", "--time"], "srun", [release], whole=whole)
    assert [one.name for one in found] == ["--time"] * missing
    assert len(option_mistakes(["-tfoo", "--time"], "srun", [release], whole=whole)) == 1 + missing


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["while read -u 3 x; do", "srun python t.py $x", "done 3< f"], 0),
        (["while read x; do", "srun python t.py $x", "done 3< f"], 0),
        (["while read x; do", "srun python t.py $x", "done | tee log"], 0),
        (["cat f | while read x; do", "srun python t.py $x", "done"], 1),
        (["cat f | while read x; do", "srun python t.py $x", "done | tee log"], 1),
        (["while read x; do", "srun python t.py $x &", "done < f", "wait"], 0),
        (["while read x; do", "cat g | srun python t.py $x", "done < f"], 0),
        (["while read x; do", "srun python t.py $x | tee log", "done < f"], 1),
        (["while read x; do", "srun --pty python t.py $x", "done < f"], 0),
        (["while read x; do", "srun --input=none python t.py $x", "done < f"], 0),
    ],
)
def test_loops_whose_lines_srun_takes(lines: list[str], found: int) -> None:
    assert len(findings(job(*lines, nodes=1), "SB363")) == found
