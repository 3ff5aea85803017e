"""SB613: CUDA_DEVICE_MAX_CONNECTIONS by framework and GPU."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from tests.rules.checking import findings, fixed, job, lines

CODE = "SB613"
H100 = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": "h100:8"}
ANY = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": 8}
B200 = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": "b200:8"}
RUN = "srun torchrun --nproc_per_node=8 pretrain_gpt.py"
SPLIT = "--tensor-model-parallel-size 8 --sequence-parallel"


@pytest.mark.parametrize(
    "body",
    [
        f"{RUN} {SPLIT}",
        f"TP=8; {RUN} --tensor-model-parallel-size $TP --sequence-parallel",
        f'ARGS=({SPLIT}); {RUN} "${{ARGS[@]}}"',
        f"go() {{ {RUN} {SPLIT}; }}; go",
        f"srun bash -c 'torchrun --nproc_per_node=8 pretrain_gpt.py {SPLIT}'",
        f"{RUN} --context-parallel-size 2",
        f"export CUDA_DEVICE_MAX_CONNECTIONS=32\n{RUN} {SPLIT}",
    ],
)
def test_it_has_to_be_one_before_blackwell(body: str) -> None:
    (found,) = findings(job(body, **H100), CODE)
    assert (found.severity.value, found.confidence) == ("error", Confidence.HIGH)


def test_an_old_megatron_may_not_insist() -> None:
    assert lines(job(f"{RUN} --tensor-model-parallel-size 8", **H100), CODE) == [(5, "info")]


def test_unknown_gpus_make_it_less_sure() -> None:
    (found,) = findings(job(f"{RUN} {SPLIT}", **ANY), CODE)
    assert (found.severity.value, found.confidence) == ("error", Confidence.MEDIUM)


def test_a_script_that_speaks_of_blackwell_is_warned_and_not_changed() -> None:
    (found,) = findings(job("# tuned for GB200", f"{RUN} {SPLIT}", **ANY), CODE)
    assert (found.severity.value, found.fix) == ("warning", None)


@pytest.mark.parametrize(
    "body",
    [
        f"export CUDA_DEVICE_MAX_CONNECTIONS=1\n{RUN} {SPLIT}",
        f"CUDA_DEVICE_MAX_CONNECTIONS=1 {RUN} {SPLIT}",
        f"export CUDA_DEVICE_MAX_CONNECTIONS=${{CUDA_DEVICE_MAX_CONNECTIONS:-1}}\n{RUN} {SPLIT}",
        f"srun bash -c 'export CUDA_DEVICE_MAX_CONNECTIONS=1; torchrun pretrain_gpt.py {SPLIT}'",
        f"source env.sh\n{RUN} {SPLIT}",
        f"export CUDA_MAX_CONNECTIONS=1\n{RUN} {SPLIT}",  # SB609 tells of the cause
        f"{RUN} --tensor-model-parallel-size 1",
        f"{RUN} {SPLIT} --overlap-moe-expert-parallel-comm",
        f"{RUN} {SPLIT} --use-megatron-fsdp",
        f"{RUN} {SPLIT} --deepspeed --deepspeed_config ds.json",
        f"srun torchrun --nproc_per_node=8 my_train.py {SPLIT}",
        "srun python Megatron-Bridge/scripts/training/run_recipe.py model.tensor_model_parallel_size=8",
    ],
)
def test_what_starts_is_left_in_peace(body: str) -> None:
    assert lines(job(body, **H100), CODE) == []


def test_blackwell_asks_for_nothing() -> None:
    assert lines(job(f"{RUN} {SPLIT}", **B200), CODE) == []


@pytest.mark.parametrize(
    "program",
    [
        "pretrain_gpt.py --use-torch-fsdp2",
        "pretrain_gpt.py --use-megatron-fsdp --ckpt-format fsdp_dtensor",
        "/opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe a_config ddp.use_megatron_fsdp=true",
    ],
)
def test_fsdp_must_not_have_one(program: str) -> None:
    text = job("export CUDA_DEVICE_MAX_CONNECTIONS=1", f"srun python {program}", **B200)
    assert lines(text, CODE) == [(5, "error")]
    for other in ("32", "$N"):
        assert lines(text.replace("S=1", f"S={other}"), CODE) == []


def test_the_export_is_put_before_the_command_on_its_own_line() -> None:
    text = job("if true; then", f"    {RUN} {SPLIT}", "fi", **H100)
    after = fixed(text, code=CODE).converged.source.text
    assert f"then\n    export CUDA_DEVICE_MAX_CONNECTIONS=1\n    {RUN}" in after
