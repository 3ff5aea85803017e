"""``sbatchlint plan --grid``: which rank sits where, on a terminal and as a picture."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from sbatchlint.secrets.fake import fake_token
from tests.cli.conftest import Run, Write

JOB = """\
#!/bin/bash
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node=4
srun {srun} python {name} --tensor-model-parallel-size {tp} --pipeline-model-parallel-size 2
"""
SVG = "{http://www.w3.org/2000/svg}"


def job(nodes: int = 2, tp: int | str = 2, name: str = "pretrain_gpt.py", srun: str = "") -> str:
    return JOB.format(nodes=nodes, tp=tp, name=name, srun=srun)


def test_on_the_terminal(run: Run, write: Write) -> None:
    write("job.sh", whole=job())
    done = run("plan", "--grid", "job.sh")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith(
        """
  ranks  job.sh:4 pretrain_gpt.py
    TP 2 x CP 1 x DP 2 x PP 2 = 8 ranks

    node 0  rank  0  1  2  3
            TP    0  1  0  1
            DP    0  0  1  1
            PP    0  0  0  0

    node 1  rank  4  5  6  7
            TP    0  1  0  1
            DP    0  0  1  1
            PP    1  1  1  1
"""
    )


def test_colours_tell_the_members_of_a_group_apart(run: Run, write: Write) -> None:
    write("job.sh", whole=job())
    done = run("plan", "--grid", "--color", "always", "job.sh")
    assert "\x1b[32m  0\x1b[0m\x1b[33m  1\x1b[0m\x1b[32m  0\x1b[0m" in done.out


def test_a_group_that_leaves_its_node_is_told(run: Run, write: Write) -> None:
    write("job.sh", whole=job(nodes=4, tp=8))
    assert "(2 of 2 TP groups leave their node: " in run("plan", "--grid", "job.sh").out


CYCLIC = "--distribution=cyclic"
DEALT = {
    "srun": (job(srun=CYCLIC), [0, 2, 4, 6]),
    "srun, short": (job(srun="-m cyclic:block"), [0, 2, 4, 6]),
    "the job": (job().replace("srun", f"#SBATCH {CYCLIC}\nsrun"), [0, 2, 4, 6]),
    "the environment": (job().replace("srun", "export SLURM_DISTRIBUTION=cyclic\nsrun"), [0, 2, 4, 6]),
    "planes": (job(srun="-m plane=2"), [0, 1, 4, 5]),
    "srun before the job": (job(srun="-m block").replace("srun", f"#SBATCH {CYCLIC}\nsrun"), [0, 1, 2, 3]),
    "cores alone": (job(srun="-m '*:cyclic'"), [0, 1, 2, 3]),
    "a launcher's ranks": (
        job().replace("node=4", f"node=1\n#SBATCH {CYCLIC}").replace(
            " python", " torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$H:29500"
        ),
        [0, 1, 2, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "first"), DEALT.values(), ids=DEALT.keys())
def test_the_ranks_are_where_slurm_puts_the_tasks(
    run: Run, write: Write, text: str, first: list[int]
) -> None:
    write("job.sh", whole=text)
    (line,) = (one for one in run("plan", "--grid", "job.sh").out.splitlines() if "node 0  rank" in one)
    assert [int(word) for word in line.split()[3:]] == first


def test_a_distribution_that_is_not_known_is_told(run: Run, write: Write) -> None:
    write("job.sh", whole=job(srun="-m $HOW"))
    assert "no grid: how the tasks are dealt to the nodes is not known" in run("plan", "--grid", "job.sh").out


def test_of_many_nodes_the_first_and_last_are_shown(run: Run, write: Write) -> None:
    write("job.sh", whole=job(nodes=64))
    out = run("plan", "--grid", "job.sh").out
    assert "\n    ... 54 more nodes (--grid=FILE.svg draws them all)\n\n    node 62 " in out


@pytest.mark.parametrize(
    ("tp", "said"),
    [("$TP", "no grid: TP is not told by the script"), (3, "no grid: world size 8 is not divisible by TP 3")],
)
def test_where_there_is_none_it_says_why(run: Run, write: Write, tp: int | str, said: str) -> None:
    write("job.sh", whole=job(tp=tp))
    assert said in run("plan", "--grid", "job.sh").out


def test_of_what_trains_nothing(run: Run, write: Write) -> None:
    write("job.sh", whole="#!/bin/bash\n#SBATCH -N2\nsrun hostname\n")
    assert "no training run whose layout the script tells" in run("plan", "--grid", "job.sh").out


def test_as_a_picture(run: Run, write: Write) -> None:
    home = write("job.sh", whole=job()).parent
    write("other.sh", whole=job(nodes=1, tp="$TP"))
    done = run("plan", "--grid=grid.svg", "job.sh", "other.sh")
    assert (done.status, done.err) == (0, "")
    root = ElementTree.parse(home / "grid.svg").getroot()
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "tp1 dp0 pp1" in texts and "TP 2 x CP 1 x DP 2 x PP 2 = 8 ranks" in texts
    assert any(text is not None and text.startswith("no grid: TP is not told") for text in texts)
    fills = [element.get("fill") for element in root.iter(f"{SVG}rect") if element.get("class") is None]
    assert len(fills) == 1 + 8 and len(set(fills)) == 1 + 2


def test_the_plan_as_json_stays_whole(run: Run, write: Write) -> None:
    write("job.sh", whole=job())
    assert run("plan", "--grid", "--output-format", "json", "job.sh").out.startswith("{")


def test_a_picture_that_cannot_be_written(run: Run, write: Write) -> None:
    write("job.sh", whole=job())
    done = run("plan", "--grid=missing/grid.svg", "job.sh")
    assert done.status == 2
    assert "missing/grid.svg: the picture can't be written: its folder is not there" in done.err
    assert "step 1" in done.out


def test_no_secret_gets_into_it(run: Run, write: Write) -> None:
    token = fake_token("huggingface", random.Random(0))
    home = write("job.sh", whole=job(name=f"{token}.py")).parent
    assert token not in run("plan", "--grid", "job.sh").out
    run("plan", "--grid=grid.svg", "job.sh")
    assert token not in (home / "grid.svg").read_text("utf-8")
