"""A program is recognised by its path, its name or its options, and otherwise not at all."""

from __future__ import annotations

import pytest

from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import FrameworkName, recognise
from tests.training.building import plan, program

BRIDGE, MEGATRON, NEMO, UNKNOWN = (
    FrameworkName.MEGATRON_BRIDGE,
    FrameworkName.MEGATRON_LM,
    FrameworkName.NEMO,
    FrameworkName.UNKNOWN,
)


@pytest.mark.parametrize(
    ("line", "name", "launch"),
    [
        ("python scripts/training/run_recipe.py", BRIDGE, LaunchClass.NATIVE),
        ("uv run --no-sync python $REPO/scripts/training/run_recipe.py", BRIDGE, LaunchClass.NATIVE),
        ("bash -lc 'cd /x && python scripts/performance/run_script.py'", BRIDGE, LaunchClass.NATIVE),
        ("python run_recipe.py --recipe llama32_1b_pretrain_config", BRIDGE, LaunchClass.NATIVE),
        ("python run_recipe.py --recipe=llama32_1b_pretrain_config", BRIDGE, LaunchClass.NATIVE),
        ("python /opt/megatron-bridge/my/run_recipe.py", BRIDGE, LaunchClass.NATIVE),
        ("python run_recipe.py --recipe cake", UNKNOWN, LaunchClass.UNKNOWN),
        ("python run_recipe.py", UNKNOWN, LaunchClass.UNKNOWN),
        ("python train.py model.tensor_model_parallel_size=2", UNKNOWN, LaunchClass.UNKNOWN),
        ("python scripts/training/run_recipe.py --dry-run", BRIDGE, LaunchClass.SINGLE_PROCESS),
        ("python scripts/conversion/run_conversion.py import --tp 2", BRIDGE, LaunchClass.SINGLE_PROCESS),
        ("python scripts/conversion/run_conversion.py import --device gpu", BRIDGE, LaunchClass.NATIVE),
        ("python scripts/conversion/run_conversion.py import --device=gpu", BRIDGE, LaunchClass.NATIVE),
        ("python scripts/conversion/run_conversion.py roundtrip", BRIDGE, LaunchClass.NATIVE),
        ("python examples/conversion/hf_to_megatron_generate_text.py", BRIDGE, LaunchClass.ENV_REQUIRED),
        ("python examples/quantization/quantize.py", BRIDGE, LaunchClass.TORCHRUN_ONLY),
        ("python pretrain_gpt.py", MEGATRON, LaunchClass.ENV_REQUIRED),
        ("torchrun $HERE/pretrain_gpt.py", MEGATRON, LaunchClass.ENV_REQUIRED),
        ("python finetune.py --tensor-model-parallel-size=8", MEGATRON, LaunchClass.UNKNOWN),
        ("bash train.sh --tensor-model-parallel-size 8", UNKNOWN, LaunchClass.UNKNOWN),
        ("./train.sh --tensor-model-parallel-size 8", UNKNOWN, LaunchClass.UNKNOWN),
        ("$CMD --tensor-model-parallel-size 8", UNKNOWN, LaunchClass.UNKNOWN),
        ("python my_pretrain_gpt.py", UNKNOWN, LaunchClass.UNKNOWN),
        ("python serve.py --tensor-parallel-size 8", UNKNOWN, LaunchClass.UNKNOWN),
        ("python gpt.py trainer.num_nodes=2 ++trainer.devices=8", NEMO, LaunchClass.UNKNOWN),
        ("hostname", UNKNOWN, LaunchClass.UNKNOWN),
    ],
)
def test_recognised(line: str, name: FrameworkName, launch: LaunchClass) -> None:
    (step,) = plan(f"srun {line}", nodes=2, ntasks_per_node=8).steps
    framework = recognise(step.programs[-1])
    assert (framework.name, framework.launch) == (name, launch)


def test_only_a_script_that_is_known_counts_as_known_by_script() -> None:
    assert recognise(program("pretrain_gpt.py")).by_script
    assert not recognise(program("other.py", "--tensor-model-parallel-size", "2")).by_script
