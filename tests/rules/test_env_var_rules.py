"""SB609, SB610, SB611: names and values of environment variables."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from tests.rules.checking import findings, fixed, job, lines

TWO = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
RUN = "srun python train.py"


@pytest.mark.parametrize(
    "body",
    [
        f"export NCCL_SOCKET_IFNANE=bond0\n{RUN}",
        f"NCCL_SOCKET_IFNANE=bond0 {RUN}",
        f"set -a; NCCL_SOCKET_IFNANE=bond0\n{RUN}",
        f"declare -x NCCL_SOCKET_IFNANE=bond0\n{RUN}",
        f"IF=bond0; export NCCL_SOCKET_IFNANE=$IF\n{RUN}",
        "srun --export=ALL,NCCL_SOCKET_IFNANE=bond0 python train.py",
        "srun env NCCL_SOCKET_IFNANE=bond0 python train.py",
        "srun bash -c 'export NCCL_SOCKET_IFNANE=bond0; python train.py'",
        'CMD="NCCL_SOCKET_IFNANE=bond0 torchrun train.py"; srun bash -c "$CMD"',
    ],
)
def test_a_misspelt_name_is_told_and_mended_however_it_is_set(body: str) -> None:
    text = job(body, **TWO)
    (found,) = findings(text, "SB609")
    assert (found.severity.value, found.confidence) == ("error", Confidence.HIGH)
    assert fixed(text, code="SB609").converged.source.text == text.replace("IFNANE", "IFNAME")


def test_a_name_that_is_handed_on_is_mended_in_both_places() -> None:
    text = job("NCCL_DEBGU=INFO", "export NCCL_DEBGU", RUN, **TWO)
    assert fixed(text, code="SB609").converged.source.text == text.replace("DEBGU", "DEBUG")


@pytest.mark.parametrize(
    "body",
    [
        f'export HF_DATASET_CACHE=/x; export HF_DATASETS_CACHE="$HF_DATASET_CACHE"\n{RUN}',
        f"export HF_DATASET_CACHE=/x\n{RUN} --cache $HF_DATASET_CACHE",
        "export HF_DATASET_CACHE=/x\nsrun bash -c 'python train.py --cache ${HF_DATASET_CACHE}'",
        "export HF_DATASET_CACHE=/x\nsrun python -c 'import os; print(os.environ[\"HF_DATASET_CACHE\"])'",
        f"HF_DATASET_CACHE=/x\n{RUN}",  # not exported
        f"# export NCCL_DEBGU=INFO\n{RUN}",
        f"export NCCL_OFI_PROTOCOL=RDMA OFI_NCCL_PROTOCOL=RDMA NCCL_IBEXT_DISABLE=1\n{RUN}",
        f"export NCCL_AVOID_RECORD_STREAMS=1 TORCH_NCCL_AVOID_RECORD_STREAMS=1\n{RUN}",
        f"export HF_MODEL=a MODEL_NAMES=b HF_TOKEN_2=c WANDB_EXP_NAME=d\n{RUN}",
    ],
)
def test_names_of_ones_own_are_left_in_peace(body: str) -> None:
    assert lines(job(body, **TWO), "SB609") == []


def test_no_fix_where_the_right_name_is_set_as_well() -> None:
    text = job("export NCCL_DEBGU=INFO", "export NCCL_DEBUG=WARN", RUN, **TWO)
    (found,) = findings(text, "SB609")
    assert (found.severity.value, found.fix) == ("warning", None)


def test_a_setting_in_a_branch_is_less_sure() -> None:
    text = job('if [ -n "$DEBUG" ]; then export NCCL_DEBGU=INFO; fi', RUN, **TWO)
    (found,) = findings(text, "SB609")
    assert (found.severity.value, found.confidence) == ("warning", Confidence.MEDIUM)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("NCCL_BLOCKING_WAIT=0", "is called TORCH_NCCL_BLOCKING_WAIT since PyTorch 2.2"),
        ("TORCH_NCCL_AVOID_RECORD_STREAMS=1", "has no effect any more"),
        ("TRANSFORMERS_CACHE=/lustre/hf", "is not read any more since transformers 5"),
        ("NCCL_MIN_NCHANNELS=4", "is deprecated since NCCL 2.17 in favour of NCCL_MIN_CTAS"),
    ],
)
def test_a_name_of_the_past_is_an_info(setting: str, message: str) -> None:
    (found,) = findings(job(f"export {setting}", RUN, **TWO), "SB610")
    assert found.severity.value == "info"
    assert found.message.endswith(message)


def test_nothing_is_said_where_the_new_name_is_set_as_well() -> None:
    text = job("export TRANSFORMERS_CACHE=/a/hub HF_HOME=/a", RUN, **TWO)
    assert lines(text, "SB610") == []


def test_the_old_name_is_changed_on_request_only() -> None:
    text = job("export NCCL_BLOCKING_WAIT=0", RUN, **TWO)
    assert fixed(text, code="SB610").converged.source.text == text
    after = fixed(text, code="SB610", unsafe=True).converged.source.text
    assert after == text.replace("NCCL_BLOCK", "TORCH_NCCL_BLOCK")


@pytest.mark.parametrize(
    "sign",
    [
        "pip show torch==2.4.1",
        "IMAGE=nvcr.io/nvidia/pytorch:25.04-py3",
        "export TORCH_NCCL_ENABLE_MONITORING=1",
    ],
)
def test_it_is_changed_at_once_where_the_script_shows_a_new_pytorch(sign: str) -> None:
    text = job(sign, "export NCCL_BLOCKING_WAIT=0", RUN, **TWO)
    after = fixed(text, code="SB610").converged.source.text
    assert "export TORCH_NCCL_BLOCKING_WAIT=0" in after


def test_an_older_image_is_no_such_sign() -> None:
    text = job("IMAGE=nvcr.io/nvidia/pytorch:23.04-py3", "export NCCL_BLOCKING_WAIT=0", RUN, **TWO)
    assert fixed(text, code="SB610").converged.source.text == text


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        (f"export NCCL_P2P_DISABLE=true\n{RUN}", "error"),
        (f"NCCL_P2P_DISABLE=on {RUN}", "error"),
        (f"V=yes; export NCCL_NVLS_ENABLE=$V\n{RUN}", "error"),
        ("srun bash -c 'NCCL_BUFFSIZE=8M python train.py'", "error"),
        (f"export TORCH_NCCL_BLOCKING_WAIT=on\n{RUN}", "error"),
        (f"export NCCL_DEBUG=verbose\n{RUN}", "warning"),
        (f"export NCCL_P2P_DISABLE=${{P2P:-true}}\n{RUN}", "warning"),
        (f"export NCCL_IB_DISABLE=false\n{RUN}", "info"),
    ],
)
def test_a_value_that_its_reader_does_not_take(body: str, severity: str) -> None:
    assert [found.severity.value for found in findings(job(body, **TWO), "SB611")] == [severity]


@pytest.mark.parametrize(
    "setting",
    [
        "NCCL_DEBUG=$LEVEL",
        "NCCL_P2P_DISABLE=${P2P:-1}",
        "NCCL_DEBUG=info",
        "TORCH_CPP_LOG_LEVEL=error",
        "TORCH_CPP_LOG_LEVEL=1",
        "NCCL_NET='AWS Libfabric'",
        "NCCL_NET_PLUGIN=none",
        "NCCL_OFI_PROTOCOL=rdma",
        "TOKENIZERS_PARALLELISM=False",
        "WANDB_MODE=${WANDB_MODE:-disabled}",
    ],
)
def test_values_that_are_taken_or_not_known(setting: str) -> None:
    assert lines(job(f"export {setting}", RUN, **TWO), "SB611") == []


@pytest.mark.parametrize("directive", ["#SBATCH --nodes={{ nodes }}", "#SBATCH --account=@@ACCOUNT@@"])
def test_a_template_has_no_values_yet(directive: str) -> None:
    text = job(directive, "export NCCL_P2P_DISABLE=true NCCL_DEBUG=LEVEL", RUN)
    assert findings(text, "SB611") == []
    assert findings(text.replace(directive, "#SBATCH --nodes=2"), "SB611") != []
