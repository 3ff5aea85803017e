"""The options of a step as they count: the line's own over the script's variables, by release."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import Step
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.source import Source
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=2 --cpus-per-task=4\n"


def step_of(text: str, release: str | None = None, arguments: tuple[str, ...] | None = ()) -> Step:
    source = Source.from_text(HEAD + text, "job.sh")
    (step,) = Job(source, LintOptions(release=release, arguments=arguments)).plan.steps
    return step


def shown(step: Step, name: str) -> str | None:
    option = step.effective(name)
    if option is None or option.value is None:
        return None
    return option.value.show() + ("" if option.certain else "?")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("export SLURM_MPI_TYPE=pmix\nsrun train", "mpi", "pmix"),
        ("SLURM_MPI_TYPE=pmix srun train", "mpi", "pmix"),
        ("SLURM_MPI_TYPE=pmix\nsrun train", "mpi", None),
        ("export SLURM_MPI_TYPE=pmix\nsrun --mpi=none train", "mpi", "none"),
        ("export SLURM_KILL_BAD_EXIT=1\nsrun train", "kill-on-bad-exit", "1"),
        ("export SLURM_NTASKS=3 SLURM_NPROCS=2\nsrun train", "ntasks", "3"),
        ("unset SLURM_NTASKS\nsrun train", "ntasks", None),
    ],
)
def test_effective(text: str, name: str, value: str | None) -> None:
    assert shown(step_of(text + "\n"), name) == value


@pytest.mark.parametrize(
    ("release", "value"), [("22.05", "4"), ("23.02", "4"), ("23.11", None), ("21.08", None), (None, "4?")]
)
def test_cpus_per_task(release: str | None, value: str | None) -> None:
    step = step_of("export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\nsrun train\n", release)
    assert shown(step, "cpus-per-task") == value


def test_variables_change_the_size() -> None:
    step = step_of("export SLURM_NTASKS=2 SLURM_NTASKS_PER_NODE=1\nsrun train\n")
    assert step.geometry.tasks is not None
    assert step.geometry.tasks.value == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("if [ $A = 1 ]; then F=--label; else F=--unbuffered; fi\nsrun $F train", ["label", "unbuffered"]),
        ("if [ $A = 1 ]; then F=--label; else F=; fi\nsrun $F train", ["label"]),
    ],
)
def test_options_of_a_choice(text: str, names: list[str]) -> None:
    step = step_of(text + "\n")
    assert [(option.name, option.certain) for option in step.options] == [(name, False) for name in names]
    assert step.options_complete
    assert step.geometry.tasks is not None
    assert [program.target.show() for program in step.programs] == ["train"]


@pytest.mark.parametrize("choice", ["F=-n1; else F=-n2", "F=-n1; else F='-N 1 -n 2'", "F=-n1; else F="])
def test_a_size_that_is_a_choice_is_not_known(choice: str) -> None:
    step = step_of(f"if [ $A = 1 ]; then {choice}; fi\nsrun $F train\n")
    assert step.geometry.tasks is None
    assert [program.target.show() for program in step.programs] == ["train"]


@pytest.mark.parametrize(
    ("choice", "programs"),
    [
        ("L=python; else L='torchrun --nproc_per_node 8'", [("python",), ("torchrun",)]),
        ("L=python; else L=torchrun", [("python",), ("torchrun",)]),
        ("L='numactl -N 0 python'; else L=python", [("numactl", "python")]),
        ("L='uv run python'; else L='python -u'", [("uv", "python"), ("python",)]),
        ("L=python; else L=python3", [("python",)]),
    ],
)
def test_a_command_that_is_a_choice(choice: str, programs: list[tuple[str, ...]]) -> None:
    step = step_of(f"if [ $A = 1 ]; then {choice}; fi\nsrun $L t.py --x\n")
    found = [tuple(layer.name for layer in program.layers) for program in step.programs]
    assert found == programs
    assert all(program.target.show() == "t.py" for program in step.programs)
    assert all(program.conditional == (len(programs) > 1) for program in step.programs)


_GETOPTS = "while getopts i:n: o; do case $o in i) image=$OPTARG ;; n) N=$OPTARG ;; esac; done\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            _GETOPTS + "srun --container-image $image -n $N --label train",
            [("container-image", "{$image|$OPTARG}"), ("ntasks", "{$N|$OPTARG}"), ("label", None)],
        ),
        ("N=4\n" + _GETOPTS + "srun -n $N train", [("ntasks", "{4|$N|$OPTARG}")]),
        (_GETOPTS + "srun -n ${N:-1} train", [("ntasks", "{1|{$N|$OPTARG}}")]),
    ],
)
def test_a_value_that_is_one_word_on_each_way(text: str, options: list[tuple[str, str | None]]) -> None:
    step = step_of(text + "\n", arguments=None)
    assert step.options_complete
    found = [(option.name, None if option.value is None else option.value.show()) for option in step.options]
    assert found == options
    assert [program.name for program in step.programs] == ["train"]


def test_what_sizes_of_a_choice_agree_in() -> None:
    step = step_of("if [ $A = 1 ]; then N=1; else N=2; fi\nsrun -n $N --ntasks-per-node=1 train\n")
    assert (step.geometry.nodes, step.geometry.tasks) == (None, None)
    assert step.geometry.tasks_per_node is not None
    assert step.geometry.tasks_per_node.value == 1


def test_operands_of_a_wrapper() -> None:
    step = step_of("srun timeout -k 5 10m python train.py\n")
    wrapper = step.programs[0].layers[0]
    assert [(option.name, option.value and option.value.text) for option in wrapper.options] == [("k", "5")]
    assert [operand.text for operand in wrapper.operands] == ["10m"]


@pytest.mark.parametrize(
    ("text", "nodes", "complete"),
    [
        ('A=(--output $LOG --nodes=1)\nsrun "${A[@]}" train', None, False),
        ('A=(--output "$LOG" --nodes=1)\nsrun "${A[@]}" train', "1", True),
        ('A=(--output $SLURM_JOB_ID.log --nodes=1)\nsrun "${A[@]}" train', "1", True),
        ('A=(--output x$RANDOM --nodes=1)\nsrun "${A[@]}" train', "1", True),
    ],
)
def test_a_word_that_may_be_many_hides_the_rest_of_an_array(
    text: str, nodes: str | None, complete: bool
) -> None:
    step = step_of(text + "\n")
    assert (step.options_complete, shown(step, "nodes")) == (complete, nodes)


_TWO = "#!/bin/bash\n#SBATCH -N2 --ntasks-per-node=1\n#SBATCH hetjob\n#SBATCH -N3 --ntasks-per-node=2\n"


@pytest.mark.parametrize(
    ("options", "nodes", "tasks"),
    [
        ("--het-group=0", 2, 2),
        ("--het-group=1", 3, 6),
        ("--het-group=0,1", 5, 8),
        ("--het-group=0-1", 5, 8),
        ("--het-group=0,1 -n1", 2, 2),
        ("--het-group=0,2", None, None),
        ("--het-group=$G", None, None),
    ],
)
def test_a_step_in_several_components(options: str, nodes: int | None, tasks: int | None) -> None:
    (step,) = plan_of(f"{_TWO}srun {options} ./a\n").steps
    found = (step.geometry.nodes, step.geometry.tasks)
    assert [None if count is None else count.value for count in found] == [nodes, tasks]


@pytest.mark.parametrize(
    ("options", "nodes"),
    [
        ("-n1", 1),
        ("--ntasks=1", 1),
        ("-n1 -w $(scontrol show hostnames | head -n1)", 1),
        ("-n4", None),
        ("-n1 -w a,b", None),
        ("-n1 -N $N", None),
        ("-n $N", None),
    ],
)
def test_one_task_needs_one_node(options: str, nodes: int | None) -> None:
    (step,) = plan_of(f"#!/bin/bash\n#SBATCH --nodes=2-4\nsrun {options} ./a\n").steps
    assert (None if step.geometry.nodes is None else step.geometry.nodes.value) == nodes
