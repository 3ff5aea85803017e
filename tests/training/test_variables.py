"""The environment variables that are known, slips of the pen in their names, and what they take."""

from __future__ import annotations

import pytest

from sbatchlint.training.variables.slips import one_slip_apart
from sbatchlint.training.variables.table import is_known_variable, meant_variable, variable, variables
from sbatchlint.training.variables.values import refusal_of


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("NCCL_SOCKET_IFNANE", "NCCL_SOCKET_IFNAME"),
        ("NCLL_DEBUG", "NCCL_DEBUG"),
        ("NCCL_DEBGU", "NCCL_DEBUG"),
        ("NCCL_P2P_DISABLED", "NCCL_P2P_DISABLE"),
        ("NCCL_IB_GIDINDEX", "NCCL_IB_GID_INDEX"),
        ("NCCL_DISABLE_P2P", "NCCL_P2P_DISABLE"),
        ("CUDA_VISIBLE_DEVICE", "CUDA_VISIBLE_DEVICES"),
        ("CUDA_MAX_CONNECTIONS", "CUDA_DEVICE_MAX_CONNECTIONS"),
        ("TORCH_NCCL_ASYNC_ERROR_HANDLNG", "TORCH_NCCL_ASYNC_ERROR_HANDLING"),
        ("TORCH_NCCL_ASINC_ERROR_HANDLNG", "TORCH_NCCL_ASYNC_ERROR_HANDLING"),
        ("HF_DATASET_CACHE", "HF_DATASETS_CACHE"),
        ("WANDB_PROJET", "WANDB_PROJECT"),
        ("OMP_NUM_THREAD", "OMP_NUM_THREADS"),
        ("UV_CACHEDIR", "UV_CACHE_DIR"),
    ],
)
def test_a_slip_of_the_pen_is_seen(written: str, meant: str) -> None:
    found = meant_variable(written)
    assert found is not None
    assert found.name == meant


@pytest.mark.parametrize(
    "name",
    [
        "NCCL_OFI_PROTOCOL",  # plugins of NCCL
        "NCCL_GIN_TYPE",
        "OFI_NCCL_PROTOCOL",
        "NCCL_IBEXT_DISABLE",
        "RCCL_MSCCL_ENABLE",
        "NCCL_SHARP_DISABLE",
        "NCCL_TREE_THRESHOLD",  # no longer read
        "NVTE_FLASH_ATTN_V5",  # of a release to come
        "NVSHMEM_DISABLE_NCCL",
        "HF_MODEL_NAME",  # a script's own
        "HF_NAME",
        "CUDA_HOMES2",
        "MODEL_NAME",
        "NCCL_TEST_PATH",
        "NCCL_MIN_CTAS",
        "WANDB_X_SERVICE_WAIT",
    ],
)
def test_other_names_are_left_in_peace(name: str) -> None:
    assert meant_variable(name) is None


def test_no_variable_that_is_known_is_called_a_slip_of_another() -> None:
    assert [one.name for one in variables() if meant_variable(one.name) is not None] == []
    assert all(is_known_variable(one.name) for one in variables())


@pytest.mark.parametrize(
    ("one", "other"),
    [("A_MIN_LONG_NAME", "A_MAX_LONG_NAME"), ("NCCL_IB_TC", "NCCL_IB_TS"), ("SOME_V2_NAME", "SOME_V3_NAME")],
)
def test_short_words_and_digits_are_no_slips(one: str, other: str) -> None:
    assert not one_slip_apart(one, other)


def test_each_replacement_is_known() -> None:
    replaced = [one.replacement for one in variables() if one.replacement]
    assert len(replaced) > 15
    assert [name for name in replaced if not is_known_variable(name)] == []


@pytest.mark.parametrize(
    ("name", "value", "better"),
    [
        ("NCCL_P2P_DISABLE", "true", "1"),
        ("NCCL_IB_DISABLE", "false", "0"),
        ("NCCL_BUFFSIZE", "8M", ""),
        ("NCCL_IB_TIMEOUT", "08", ""),
        ("NCCL_DEBUG", "verbose", ""),
        ("NCCL_P2P_LEVEL", "nvl", "NVL"),
        ("NCCL_PROTO", "Simple,LL64", ""),
        ("TORCH_NCCL_BLOCKING_WAIT", "on", ""),
        ("TORCH_NCCL_ASYNC_ERROR_HANDLING", "true", "1"),
        ("TORCH_DISTRIBUTED_DEBUG", "DEBUG", ""),
        ("NVTE_FUSED_ATTN", "False", "0"),
        ("HF_HUB_OFFLINE", "y", "1"),
        ("WANDB_MODE", "Offline", "offline"),
        ("UV_LINK_MODE", "link", ""),
        ("CUDA_DEVICE_MAX_CONNECTIONS", "64", ""),
    ],
)
def test_a_value_that_is_not_taken(name: str, value: str, better: str) -> None:
    known = variable(name)
    assert known is not None
    refusal = refusal_of(known, value)
    assert refusal is not None
    assert refusal.better == better


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NCCL_P2P_DISABLE", "1"),
        ("NCCL_IB_TIMEOUT", "0x16"),
        ("NCCL_CROSS_NIC", "-1"),
        ("NCCL_DEBUG", "info"),
        ("NCCL_DEBUG", ""),
        ("NCCL_P2P_LEVEL", "5"),
        ("NCCL_NET_GDR_LEVEL", "SYS"),
        ("NCCL_PROTO", "^LL128"),
        ("NCCL_PROTO", "simple"),
        ("NCCL_ALGO", "allreduce:ring;broadcast:tree"),
        ("TORCH_NCCL_BLOCKING_WAIT", "True"),
        ("TORCH_DISTRIBUTED_DEBUG", "detail"),
        ("HF_HUB_OFFLINE", "true"),
        ("HF_HUB_OFFLINE", "0"),
        ("WANDB_MODE", "disabled"),
        ("CUDA_DEVICE_MAX_CONNECTIONS", "32"),
    ],
)
def test_a_value_that_is_taken(name: str, value: str) -> None:
    known = variable(name)
    assert known is not None and known.values is not None
    assert refusal_of(known, value) is None


def test_nothing_is_said_of_a_variable_whose_values_are_not_known() -> None:
    known = variable("NCCL_SOCKET_IFNAME")
    assert known is not None and known.values is None
    assert refusal_of(known, "^lo,docker") is None
