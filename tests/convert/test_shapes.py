"""How the program is started: by what the command, the script's name or its text tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sbatchlint.convert.conversion import Conversion, convert
from sbatchlint.convert.shape import Shape
from sbatchlint.report.convert_interactive import interactive_text
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import with_nodes
from tests.convert.simulated import Cluster

NATIVE, LAUNCHER, SINGLE = Shape.NATIVE, Shape.LAUNCHER, Shape.SINGLE
FILES = {
    "import os\nrank = int(os.environ['SLURM_PROCID'])\n": (NATIVE, "reads SLURM_PROCID (line 2)"),
    "from os import environ, getenv\nworld = getenv('SLURM_NTASKS', '1')\n": (
        NATIVE,
        "SLURM_NTASKS (line 2)",
    ),
    "import os as o\nr = o.environ.get('RANK') or o.environ['SLURM_PROCID']\nw = o.environ['WORLD_SIZE']\n": (
        LAUNCHER,
        "reads WORLD_SIZE (line 3), whatever it makes of SLURM_PROCID (line 2)",
    ),
    "import os\nos.environ['SLURM_LOCALID']\n": (SINGLE, "nothing tells"),
    "import os, torch.distributed as d\nos.environ['SLURM_NTASKS']\nd.init_process_group()\n": (
        LAUNCHER,
        "init_process_group()",
    ),
    "import os\nif 'SLURM_PROCID' in os.environ:\n    pass\n": (NATIVE, "reads SLURM_PROCID"),
    "from megatron.bridge.training.pretrain import pretrain\npretrain(1)\n": (NATIVE, "pretrain() (line 2)"),
    "from megatron.bridge.training import finetune as go\ngo(1)\n": (NATIVE, "calls finetune()"),
    "import lightning as L\nL.Trainer(devices=8)\n": (NATIVE, "calls Trainer() (line 2) of Lightning"),
    "from pytorch_lightning import Trainer\nTrainer()\n": (NATIVE, "of Lightning"),
    "import torch.distributed as dist\ndist.init_process_group('nccl')\n": (LAUNCHER, "init_process_group()"),
    "import os\nlocal = os.environ['LOCAL_RANK']\n": (LAUNCHER, "reads LOCAL_RANK"),
    "from accelerate import Accelerator\na = Accelerator()\n": (LAUNCHER, "of accelerate"),
    "import deepspeed\ndeepspeed.initialize(model=1)\n": (LAUNCHER, "of deepspeed"),
    "from transformers import Trainer\nTrainer()\n": (LAUNCHER, "of transformers"),
    "print('hello')\n": (SINGLE, "nothing tells"),
    "import os\nos.environ['SLURM_JOB_ID']\n": (SINGLE, "nothing tells"),
    "# SLURM_PROCID\n'SLURM_PROCID'\n": (SINGLE, "nothing tells"),
    "def pretrain(): ...\npretrain()\n": (SINGLE, "nothing tells"),
    "class Trainer: ...\nTrainer()\n": (SINGLE, "nothing tells"),
    "no python at all (\n": (SINGLE, "nothing tells"),
    "\0": (SINGLE, "nothing tells"),
    "import os\nraise SystemExit(os.system('touch was-run'))\n": (SINGLE, "nothing tells"),
}
COMMANDS = {
    "torchrun train.py": (LAUNCHER, "nothing is known of train.py"),
    "accelerate launch scripts/training/run_recipe.py": (LAUNCHER, "accelerate starts"),
    "ft_launcher train.py": (LAUNCHER, "ft_launcher starts"),
    "torchrun scripts/training/run_recipe.py": (NATIVE, "is a script of Megatron-Bridge"),
    "python scripts/training/run_recipe.py": (NATIVE, "is a script of Megatron-Bridge"),
    "torchrun pretrain_gpt.py": (LAUNCHER, "it needs RANK"),
    "python pretrain_gpt.py": (LAUNCHER, "it needs RANK"),
    "torchrun examples/quantization/quantize.py": (LAUNCHER, "torchrun only"),
    "python examples/train.py trainer.devices=8": (NATIVE, "Lightning reads Slurm's variables"),
    "python x.py --pipeline-model-parallel-size 4": (LAUNCHER, "a layout for several ranks"),
    "python x.py": (SINGLE, "nothing tells"),
    "python scripts/training/run_recipe.py --dry-run": (SINGLE, "is one process"),
}


def of(command: str, folder: object = ".", mode: str = "auto", nodes: int | None = None) -> Conversion:
    site = replace(with_nodes(2), nodes=nodes)
    return convert(Source.from_text(command), site, folder=str(folder), mode=mode)


@pytest.mark.parametrize("text", FILES)
def test_the_text_of_the_script_tells(text: str, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    shape, why = FILES[text]
    for place, command in (("train.py", "python train.py"), ("pkg/train.py", "python -m pkg.train")):
        (tmp_path / place).write_text(text)
        made = of(command, tmp_path)
        assert made.choice.shape is shape and why in made.choice.why
    assert not (tmp_path / "was-run").exists()
    under = of("torchrun train.py", tmp_path).choice.shape
    assert under is (LAUNCHER if shape is SINGLE else shape)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_tells(command: str, tmp_path: Path) -> None:
    shape, why = COMMANDS[command]
    made = of(command, tmp_path)
    assert made.choice.shape is shape and why in made.choice.why


@pytest.mark.parametrize("command", ["torchrun --nproc_per_node=4 train.py", "python -u train.py"])
def test_a_mode_overrules(command: str) -> None:
    native, launched = of(command, mode="native", nodes=2), of(command, mode="torchrun", nodes=2)
    assert native.choice.shape is NATIVE and native.size.tasks == native.size.gpus
    assert launched.choice.shape is LAUNCHER and launched.size.tasks == 1
    assert "torch" not in script_text(native).partition("PROGRAM")[2]
    assert "--node_rank" in script_text(launched)


@pytest.mark.parametrize(
    ("command", "start"),
    [
        ("/v/bin/torchrun --nproc_per_node=2 t.py", "/v/bin/python"),
        (".venv/bin/python3 -X dev -m torch.distributed.run t.py", ".venv/bin/python3 -X dev"),
        ("torchrun -m pkg.t", "python -m"),
        ("python -mpkg.t", "python -m"),
        ("python -u t.py", "python -u"),
        ("torchrun --no-python ./run.sh", ""),
        ("nice -n 5 numactl -N 0 torchrun t.py", "nice -n 5 numactl -N 0 python"),
        ("nohup torchrun t.py", "python"),
        ("poetry run torchrun t.py", "poetry run python"),
    ],
)
def test_the_interpreter_is_that_of_the_command(command: str, start: str) -> None:
    text = script_text(of(command, mode="native", nodes=2))
    words = " ".join(filter(None, [start, '"${PROGRAM[@]}"']))
    assert text.endswith(f"srun --kill-on-bad-exit=1 {words}\n")


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (
            "uv run --extra cu12 --with 'a b' t.py",
            ["uv sync --extra cu12", "uv run --no-sync --extra cu12 --with"],
        ),
        ("uv run --no-sync t.py", ["exec uv run --no-sync python -m"]),
        (
            "uv run --frozen python -u t.py",
            ["uv sync --frozen", "uv run --no-sync --frozen python -u -m torch"],
        ),
        ("uv run -m pkg.t", ["uv run --no-sync python -m torch.distributed.run", "-m pkg.t"]),
    ],
)
def test_uv_keeps_its_options(command: str, lines: list[str]) -> None:
    text = script_text(of(command, mode="torchrun", nodes=2))
    for line in lines:
        assert line in text
    assert ("uv sync" in text) is ("--no-sync t.py" not in command)


@pytest.mark.parametrize("nodes", [1, 2, 3])
@pytest.mark.parametrize("gpus", [1, 2, 3])
@pytest.mark.parametrize("mode", ["native", "torchrun"])
def test_each_rank_is_there_once(nodes: int, gpus: int, mode: str, cluster: Cluster) -> None:
    site = with_nodes(nodes, gpus)
    made = convert(Source.from_text("torchrun t.py --x"), site, mode=mode)
    done = cluster.run(script_text(made).encode())
    assert (done.status, done.errors) == (0, "")
    assert [call.rank for call in done.ranks] == list(range(nodes * gpus))
    assert {call.world for call in done.ranks} == {nodes * gpus}


@pytest.mark.parametrize("command", ["torchrun --nproc_per_node=2 t.py 'a b'", "uv run t.py 'a b'"])
def test_the_lines_to_type_do_the_same(command: str, cluster: Cluster) -> None:
    made = convert(
        Source.from_text(command), with_nodes(2, 2), mode="auto" if "torch" in command else "native"
    )
    script = script_text(made)
    head = "".join(line + "\n" for line in script.splitlines() if line.startswith("#"))
    _, mark, lines = interactive_text(made).partition("# In the shell that salloc opens:\n")
    assert mark
    typed, run = cluster.run((head + lines).encode()), cluster.run(script.encode())
    assert typed.status == run.status == 0
    assert [(call.rank, call.words) for call in typed.ranks] == [
        (call.rank, call.words) for call in run.ranks
    ]
    assert len(run.ranks) == 4


def test_ranks_that_srun_starts_are_told_where_they_meet(tmp_path: Path, cluster: Cluster) -> None:
    (tmp_path / "t.py").write_text("import os\nos.environ['SLURM_PROCID']\n")
    for made in (of("torchrun t.py", tmp_path, nodes=2), of("torchrun x.py", mode="native", nodes=2)):
        done = cluster.run(script_text(made).encode())
        assert {call.environment["MASTER_ADDR"] for call in done.ranks} == {"node1"}
        assert {call.environment["MASTER_PORT"] for call in done.ranks} == {"19242"}
    known = of("torchrun scripts/training/run_recipe.py", nodes=2)  # Megatron-Bridge finds the place itself
    assert "MASTER" not in script_text(known)
