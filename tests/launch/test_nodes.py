"""The job's first node is one thing in the plan, however a script asks for it."""

from __future__ import annotations

import pytest

from sbatchlint.launch.nodes import ADDRESS_OF_FIRST, FIRST_NODE, NODES
from sbatchlint.launch.values import Unknown
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=4\n"
LIST = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'


def shown(script: str, use: str = '"$X"') -> str:
    """The last word that the last program of *script* gets."""
    *_, program = plan_of(f"{HEAD}{script}\npython t.py {use}\n").host_programs
    return program.arguments[-1].value.show() if program.arguments else ""


@pytest.mark.parametrize(
    "script",
    [
        f"X=$({LIST} | head -n1)",
        f"X=$({LIST} | head -n 1)",
        f"X=$({LIST} | head -1)",
        f"X=$({LIST} 2>/dev/null | head --lines=1)",
        f"X=`{LIST} | head -n1`",
        "X=$(scontrol show hostname $SLURM_NODELIST | head -n 1)",
        "X=$(scontrol show hostnames | sed -n 1p)",
        f"X=$({LIST} | sed 1q)",
        f"X=$({LIST} | sed -n '1p;1q')",
        f"X=$({LIST} | awk 'NR==1')",
        f"X=$({LIST} | awk 'NR == 1 {{ print $1 }}')",
        f"X=$({LIST} | awk '{{print $1; exit}}')",
        'X=$(hostlist -e "$SLURM_JOB_NODELIST" | head -n1)',
        "X=$(hostlist --expand $SLURM_NODELIST | head -1)",
        f"nodes=( $({LIST}) ); X=${{nodes[0]}}",
        f"nodes=( $({LIST}) ); X=$nodes",
        f"mapfile -t nodes < <({LIST}); X=${{nodes[0]}}",
        f'readarray -t nodes <<< "$({LIST})"; X=${{nodes[0]}}',
        f'nodes=$({LIST}); array=($nodes); X="${{array[0]}}"',
        f"nodes=$({LIST}); X=$(echo $nodes | awk '{{print $1}}')",
        f'nodes=$({LIST}); X=$(echo "$nodes" | head -n1)',
        f'nodes=$({LIST}); X=$(head -n1 <<< "$nodes")',
        f"{LIST} > hosts.txt; X=$(head -n1 hosts.txt)",
        f"first() {{ {LIST} | head -n1; }}; X=$(first)",
        "L=$SLURM_JOB_NODELIST; X=$(scontrol show hostnames $L | head -n1)",
        "X=$(hostname)",
        f"H=$({LIST} | head -n1); X=$(srun -N1 -n1 -w $H hostname)",
    ],
)
def test_the_first_node(script: str) -> None:
    assert shown(script) == FIRST_NODE
    assert shown(script, "--addr=$X:29500") == f"--addr={FIRST_NODE}:29500"


@pytest.mark.parametrize(
    ("script", "name"),
    [
        (f"nodes=( $({LIST}) ); X=${{nodes[1]}}", "$(node 2 of the job)"),
        (f"nodes=( login $({LIST}) ); X=${{nodes[3]}}", "$(node 3 of the job)"),
        (f"mapfile -t nodes < <({LIST}); i=2; X=${{nodes[$i]}}", "$(node 3 of the job)"),
        (f"X=$({LIST} | sed -n 2p)", "$(node 2 of the job)"),
        (f"X=$({LIST})", NODES),
        (f"H=$({LIST} | head -1); X=$(srun -N1 -n1 -w $H hostname --ip-address)", ADDRESS_OF_FIRST),
        (f"n=( $({LIST}) ); X=$(srun --nodes=1 --ntasks=1 -w ${{n[0]}} hostname -I)", ADDRESS_OF_FIRST),
    ],
)
def test_other_nodes_and_addresses(script: str, name: str) -> None:
    assert shown(script) == name


@pytest.mark.parametrize(
    "script",
    [
        "X=$(hostname -s)",
        "X=$(hostname -I)",
        f"X=$({LIST} | tail -n1)",
        f"X=$({LIST} | head -n2)",
        f"X=$({LIST} | sort | head -n1)",
        f"X=$({LIST} | head -n1 | cut -d. -f1)",
        "X=$(scontrol show hostnames 'n[1-4]' | head -n1)",
        "X=$(scontrol show hostnames $OTHERS | head -n1)",
        "SLURM_JOB_NODELIST=$LIST; X=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n1)",
        "X=$(scontrol show job | head -n1)",
        f"H=$({LIST} | head -n1); X=${{H%%.*}}",
        f"H=$({LIST} | head -n1); X=$(srun -N1 -n2 -w $H hostname)",
        f"H=$({LIST} | head -n1); X=$(srun -l -N1 -n1 -w $H hostname)",
        f"n=( $({LIST}) ); X=$(srun -N1 -n1 -w ${{n[1]}} hostname -i)",
        f"X=$(apptainer exec i.sif {LIST} | head -n1)",
    ],
)
def test_what_is_left_unknown(script: str) -> None:
    found = shown(script)
    assert found
    assert FIRST_NODE not in found and ADDRESS_OF_FIRST not in found


def test_a_task_has_a_name_of_its_own() -> None:
    plan = plan_of(HEAD + "srun bash -c 'python t.py $(hostname)'\n")
    program = plan.steps[0].programs[-1]
    assert program.arguments[-1].value.show() == "$(hostname)"


def test_where_it_is_written() -> None:
    written = f"$({LIST} | head -n1)"
    text = f"{HEAD}X={written}\nexport Y=$X\npython t.py --addr=$Y\n"
    *_, program = plan_of(text).host_programs
    (leaf,) = program.arguments[-1].value.unknowns()
    assert isinstance(leaf, Unknown) and leaf.span is not None
    assert text[leaf.span.start : leaf.span.end] == written


def test_a_node_is_one_word() -> None:
    *_, program = plan_of(f"{HEAD}X=$({LIST} | head -n1)\npython t.py $X --lr 1\n").host_programs
    assert [word.open for word in program.words] == [False] * 5
