"""How many nodes: what the recipe or the layout needs, and what can't be right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sbatchlint.cluster.profile import NodeType, Partition, Profile
from sbatchlint.cluster.site import FileSystem
from sbatchlint.convert.conversion import Conversion, convert
from sbatchlint.convert.fitting import misfits
from sbatchlint.convert.refusal import Refused
from sbatchlint.convert.site import Site, with_profile
from sbatchlint.lint.job import Job
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import FILLED

RECIPE = "torchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe "
MEGATRON = "torchrun --nproc_per_node=8 pretrain_gpt.py --num-layers 32 --tensor-model-parallel-size 8 "


def of(command: str, **site: object) -> Conversion:
    return convert(Source.from_text(command), replace(FILLED, **site))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "nodes", "gpus"),
    [
        (RECIPE + "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config", 2, 8),
        (RECIPE + "deepseek_v3_pretrain_64gpu_h100_bf16_config", 8, 8),
        (MEGATRON + "--pipeline-model-parallel-size 4", 4, 8),
        (MEGATRON, None, 8),
        ("torchrun --nproc_per_node=4 t.py", None, 4),
        ("torchrun --nproc_per_node=gpu t.py", None, 8),
        ("torchrun t.py", None, 8),
        ("accelerate launch --num_processes 4 t.py", None, 4),
        ("deepspeed --num_gpus 4 t.py", None, 4),
        ("deepspeed --include localhost:0,1,3 t.py", None, 3),
        ("python t.py trainer.devices=4 trainer.num_nodes=3", 3, 4),
        ("python t.py", 1, 1),
        ("CUDA_VISIBLE_DEVICES=0,1,2 torchrun t.py", None, 3),
        ("export CUDA_VISIBLE_DEVICES=0,1; torchrun --nproc_per_node=gpu t.py", None, 2),
        ("CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=4 t.py", None, 4),
        ("torchrun --nnodes=4 --node_rank=0 --nproc_per_node=8 t.py", 4, 8),
        ("torchrun --nnodes=1:2 --nproc_per_node=8 t.py", 2, 8),
        ("torchrun --nnodes=$N --nproc_per_node=8 t.py", None, 8),
        ("accelerate launch --num_machines 4 --num_processes 32 t.py", 4, 8),
        ("deepspeed --num_nodes 2 --num_gpus 4 t.py", 2, 4),
    ],
)
def test_size_without_a_word(command: str, nodes: int | None, gpus: int) -> None:
    made = of(command)
    assert (made.size.nodes, made.size.gpus) == (nodes, gpus)
    assert f"--nodes={nodes or 'CHANGE_ME'}\n" in script_text(made)


def checked(command: str, nodes: int) -> list[str]:
    script = script_text(of(command, nodes=nodes))
    return [f"{note.subject} {note.message}" for note in misfits(Job(Source.from_text(script, "job.sbatch")))]


def test_ranks_that_do_not_fit_the_grid_are_refused() -> None:
    command = MEGATRON + "--pipeline-model-parallel-size 2"
    assert checked(command, 2) == checked(command, 4) == []
    with pytest.raises(Refused) as refused:
        checked(command, 3)
    assert refused.value.subject == "--nodes=3"
    assert refused.value.message == (
        "world size 24 is not divisible by TP 8 x PP 2 x CP 1 = 16; take --nodes=2 (16 ranks) or 4 (32 ranks)"
    )


def test_a_recipe_on_other_gpus_is_told() -> None:
    command = RECIPE + "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config"
    assert checked(command, 2) == checked(command, 4) == []
    (said,) = checked(command, 3)
    assert "--nodes=3" in said and "--nodes=2" in said


def test_one_process_has_no_use_for_nodes() -> None:
    with pytest.raises(Refused, match="as many times, each alone"):
        of("python t.py", nodes=2)


def test_lightning_must_be_told_the_same() -> None:
    made = of("python t.py trainer.devices=4 trainer.num_nodes=1", nodes=2)
    assert (
        "trainer.num_nodes=1",
        "Lightning refuses to start, for the job has 2; change it in the command",
    ) in [(note.subject, note.message) for note in made.notes]


PROFILE = Profile(
    name="big",
    release="24.05",
    accounts=("acme",),
    partitions=(
        Partition(name="cpu", node_types=("c",), default=True),
        Partition(name="gpu", node_types=("g",)),
    ),
    node_types=(NodeType(name="c", gpus=0), NodeType(name="g", gpus={"h100": 4})),
    file_systems=(
        FileSystem(path="/home", shared=True, purpose="home"),
        FileSystem(path="/lus", shared=True),
    ),
)


def test_the_profile_fills_in_what_is_not_said() -> None:
    site, notes = with_profile(Site(), PROFILE)
    assert (site.account, site.partition, site.gpus_per_node) == ("acme", "gpu", 4)
    assert site.makes_log_folder
    assert len(notes) == 3
    given, none = with_profile(Site(account="a", partition="b", gpus_per_node=2, shared="/s"), PROFILE)
    assert (given.account, given.partition, given.gpus_per_node, given.shared) == ("a", "b", 2, "/s")
    assert none == ()


def test_what_is_ambiguous_stays_open() -> None:
    many = Profile(accounts=("a", "b"), partitions=(Partition(name="x"), Partition(name="y")))
    site, notes = with_profile(Site(), many)
    assert (site.account, site.partition, site.gpus_per_node, site.shared) == (
        "CHANGE_ME",
        "CHANGE_ME",
        None,
        "",
    )
    assert notes == ()


@pytest.mark.parametrize(
    ("text", "options", "nodes", "gpus", "told"),
    [
        ("distributed_type: MULTI_GPU\nnum_machines: 1\nnum_processes: 4\n", "", None, 4, ""),
        ("num_processes: '16'\nnum_machines: 2\n", "", 2, 8, ""),
        ("num_processes: 4\n", "--num_processes 2", None, 2, ""),
        ("distributed_type: 'NO'\nnum_processes: 1\n", "", None, 1, "--multi_gpu"),
        ("distributed_type: DEEPSPEED\nnum_processes: 8\n", "", None, 8, "multinode_launcher=standard"),
        ("distributed_type: DEEPSPEED\n", "--use_fsdp", None, 8, ""),
        ("{", "", None, 8, ""),
    ],
)
def test_the_file_of_accelerate_tells(
    text: str, options: str, nodes: int | None, gpus: int, told: str, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text(text)
    command = f"accelerate launch --config_file a.yaml {options} t.py"
    made = convert(Source.from_text(command), FILLED, folder=str(tmp_path))
    script = script_text(made)
    assert (made.size.nodes, made.size.gpus) == (nodes, gpus)
    assert (told in script) and ("--multi_gpu" in script or "multinode" in script) is bool(told)
