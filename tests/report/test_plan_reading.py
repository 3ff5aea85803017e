"""What ``plan`` shows of things that real scripts do, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbatchlint.lint.job import LintOptions
from sbatchlint.report.style import Style
from tests.report.test_plan_text import job, row, text

UNDECIDED = 'if [ "$A" = 1 ]; then X="--lr 1"; Y=a; Z=--z; else X="--wd 2 --mu"; Y=b; Z=; fi\n'


def block(shown: str, title: str) -> list[str]:
    """Return the rows of the step or the block that begins with *title*, without indents."""
    lines = shown.split(f"\n  {title}", 1)[1].split("\n\n")[0].splitlines()[1:]
    return [" ".join(line.split()) for line in lines]


def test_words_of_one_choice_stand_together() -> None:
    shown = text(job(UNDECIDED + 'srun python t.py $X "$Y" $Z --end'))
    assert row(shown, "command") == "python t.py {--lr 1|--wd 2 --mu} {a|b} [--z] --end"


def test_a_choice_between_the_same_is_none() -> None:
    shown = text(job('case $A in 1) N=eth0;; 2) N=eth0;; *) N=eth1;; esac\nsrun python t.py "$N"'))
    assert row(shown, "command") == "python t.py {eth0|eth1}"


def test_unknown_text_inside_known_text_stands_in_double_quotes() -> None:
    shown = text(job("""srun python -c "f('in_$ID'); g(\\"\\$x\\")" --opt="a b $B" "${ID}_c d" 'h=1; x'"""))
    command = row(shown, "command")
    assert command == """python -c "f('in_$ID'); g(\\"\\$x\\")" --opt="a b $B" "${ID}_c d" 'h=1; x'"""


def test_a_step_of_a_loop_is_shown_by_its_difference() -> None:
    shown = text(job("for n in 1 2; do\nsrun --label python t.py --size $n --seed 7 run_$n\ndone"))
    assert block(shown, "step 2") == ["command as step 1, but --size 2 run_2"]


def test_a_step_of_another_size_is_shown_in_full() -> None:
    shown = text(job("for n in 1 2; do\nsrun --nodes=1 --ntasks=$n python t.py\ndone", "--nodes=1"))
    assert block(shown, "step 2")[0].startswith("size 1 node x 2 tasks")


def test_commands_of_a_loop_inside_a_step_are_counted() -> None:
    shown = text(job("srun bash -c 'for n in 1 2 3 4 5; do ./bench $n; sleep 1; done'"))
    rows = block(shown, "step 1")
    assert "command ./bench 1" in rows and "command ./bench 2" in rows and "command ./bench 3" not in rows
    assert rows[-2:] == ["3 more such commands of line 2, with other words", "besides sleep"]


def test_what_a_sourced_file_says_is_not_called_a_default(tmp_path: Path) -> None:
    (tmp_path / "common.sh").write_text("TP=4\nIMAGE=/images/x.sqsh\n")
    script = job('source common.sh\nsrun --container-image="$IMAGE" python t.py --tp "$TP" --pp "${PP:-2}"')
    rows = block(text(script, options=LintOptions(folder=str(tmp_path))), "step 1")
    assert rows.count("(taken from the file sourced at line 2)") == 2
    assert rows.count("(rests on defaults at line 3)") == 1


def test_no_step_is_not_said_of_code_that_is_not_known() -> None:
    assert "no step: the script itself starts nothing with srun" in text(job("python t.py"))
    shown = text(job('RUN=$(cat run.txt)\neval "$RUN"'))
    assert "no step is known, but not every command is known either: line 2" in shown


def test_a_component_without_gpus_has_none() -> None:
    script = job(
        "export SLURM_UNBUFFEREDIO=1\nsrun --het-group=1 hostname\nsrun python a.py : python b.py",
        "--nodes=1 --ntasks-per-node=8 --gpus-per-node=8",
        "hetjob",
        "--nodes=2 --ntasks-per-node=1",
    )
    shown = text(script)
    assert block(shown, "step 1")[0] == "size 2 nodes x 1 task per node = 2 tasks"
    assert "step 2  job.sh:7 [component 0]" in shown and "step 3  job.sh:7 [component 1]" in shown


def test_the_batch_host_shows_what_tells_its_programs_apart() -> None:
    shown = text(job('export A=1\nGPUS="1 2" bash ./sweep.sh\nGPUS="4 8" bash ./sweep.sh\nbash ./end.sh'))
    assert block(shown, "on the batch host") == [
        "line 3 bash ./sweep.sh",
        "environment A=1 GPUS='1 2'",
        "line 4 bash ./sweep.sh",
        "environment as above, and GPUS='4 8'",
        "line 5 bash ./end.sh",
    ]


def test_a_container_of_the_batch_host_is_shown_once() -> None:
    shown = text(job("apptainer exec x.sif bash -c 'python a.py; python b.py'"))
    assert sum(line.startswith("container x.sif") for line in block(shown, "on the batch host")) == 1


def test_small_programs_of_one_launcher_share_a_line() -> None:
    shown = text(job("mpirun -N 1 bash -c 'hostname; date; uptime; python t.py'"))
    assert block(shown, "on the batch host") == [
        "line 2 mpirun -N 1 -> bash -c -> hostname, date, uptime",
        "line 2 mpirun -N 1 -> bash -c -> python t.py",
    ]


def test_options_of_two_words_are_shown_whole() -> None:
    shown = text(job('mpirun --mca btl tcp -np 2 python t.py\nsrun bash -euo pipefail -c "python t.py"'))
    assert block(shown, "on the batch host") == ["line 2 mpirun --mca btl tcp -np 2 -> python t.py"]
    assert row(shown, "through") == "bash -euo pipefail -c"


def test_what_a_container_command_sets_is_shown() -> None:
    shown = text(job("srun apptainer exec --env A=1,B=$X --pwd /w i.sif python t.py"))
    assert row(shown, "sets") == "A=1 B=$X"


def test_small_programs_of_a_step_share_a_row() -> None:
    shown = text(job("srun bash -c 'hostname; nvidia-smi; date'"))
    assert block(shown, "step 1")[1:] == ["command bash -c -> hostname, nvidia-smi, date"]


def test_a_shell_without_programs_is_shown() -> None:
    rows = block(text(job('srun bash -c "echo hello"')), "step 1")
    assert rows[1:] == ["command bash -c 'echo hello'", "[which starts no other program]"]


def test_what_is_only_a_name_is_told_by_name() -> None:
    shown = text(job("export A=1 B=2\nread A < config\nsrun ./t"))
    assert row(shown, "environment") == "B=2 with values that are not known: A"


def test_a_long_command_with_an_ending_that_may_be_left_out() -> None:
    words = " ".join(f"--o{number} $V{number}" for number in range(300))
    shown = text(job(f'T="python t.py {words}"\nif [ -n "$W" ]; then T="$T --w 1"; fi\nsrun $T'))
    assert row(shown, "command").startswith("python t.py --o0 $V0")


def test_a_loop_without_a_known_end() -> None:
    shown = text(job("while ! srun ./ready; do sleep 1; done"))
    assert "step 1  job.sh:2 [perhaps again]" in shown and "step 2" not in shown


def test_a_file_of_a_known_name_hides_no_step() -> None:
    assert "no step: the script itself" in text(job('"$SCRATCH/tools/sync.py" --all'))


def test_a_loop_that_writes_a_file_leaves_the_environment_known() -> None:
    shown = text(job("export A=1\nfor i in $X; do srun ./a $i | tee log; done"))
    assert row(shown, "environment") == "A=1"


def test_a_loop_counts_its_programs_once() -> None:
    shown = text(job("for n in 1 2 3; do mkdir $n; done\nmkdir d\ndate"))
    assert row(shown, "besides") == "mkdir (2), date"


def test_a_name_may_stand_for_one_mount() -> None:
    command = "srun --container-image=x.sqsh --container-mounts={} python t.py"
    assert "perhaps more" not in text(job(command.format('"$HOME/code:/code"')))
    assert "perhaps more" in text(job(command.format('"$HOME/code:/code,$MORE"')))
    assert "perhaps more" in text(job(command.format('"$MOUNTS"')))


def test_a_job_knows_that_it_is_one() -> None:
    shown = text(job('if [ -z "$SLURM_JOB_ID" ]; then\n  sbatch "$0"\n  exit\nfi\nsrun python t.py'))
    assert "sbatch $0" not in shown and "may stop" not in shown


def test_nodes_of_a_list_are_told_apart() -> None:
    nodes = "nodes=($(scontrol show hostnames $SLURM_JOB_NODELIST))\n"
    shown = text(job(nodes + 'srun -w "${nodes[1]}" python t.py "${nodes[0]}"'))
    assert row(shown, "options") == "-w {node 2 of the job}"
    assert row(shown, "command") == "python t.py {first node}"


def test_a_decision_by_default_is_noted() -> None:
    shown = text(job('if [ "${FAST:-0}" = 1 ]; then srun ./fast; else srun ./slow; fi'))
    assert "a condition is decided by a default" in shown


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("width", [60, 80])
def test_narrow_terminals(width: int, colour: bool) -> None:
    exports = "".join(f"export NAME_{number}='{'value ' * 30}'\n" for number in range(3))
    script = job(
        f"{exports}: ${{A:?}}\nsrun torchrun --nproc_per_node=8 t.py\nmkdir a; cp b c; mv d e; date; whoami",
        "--nodes=4 --ntasks-per-node=1 --gpus-per-node=8",
        "--comment='a long comment of many words that says a lot about the job' --exclusive",
    )
    shown = re.sub(r"\x1b\[[0-9;]*m", "", text(script, width=width, style=Style(colour=colour)))
    assert max(map(len, shown.splitlines())) <= width
    assert "value" in shown and "4 groups of 8" in " ".join(shown.split())


@pytest.mark.parametrize("amount", ["0", "0G", "0M"])
def test_no_memory_is_all_of_a_node(amount: str) -> None:
    assert (
        row(text(job("srun python t.py", f"--mem={amount}")), "memory")
        == f"{amount} (all that each node has)"
    )


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (
            "ray job submit --address=http://h:8265 -- python t.py",
            "ray job submit --address=http://h:8265 ->",
        ),
        ("ray symmetric-run --address h:6379 -- python t.py", "ray symmetric-run --address h:6379 ->"),
        ("nsys profile -o x python t.py", "nsys profile -o x ->"),
        ("uv tool run --offline torchrun t.py", "uv tool run --offline"),
    ],
)
def test_what_a_launcher_is_told_to_do(line: str, command: str) -> None:
    assert command in text(job(line))
