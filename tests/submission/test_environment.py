"""What of the environment is counted in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.submission.environment import job_environment, submit_environment


def test_variables_for_sbatch() -> None:
    environment = {"SLURM_CLUSTERS": "a", "SBATCH_PARTITION": "gpu", "PATH": "/bin", "MY_SBATCH_X": "1"}
    assert submit_environment(environment) == (("SBATCH_PARTITION", "gpu"), ("SLURM_CLUSTERS", "a"))


@pytest.mark.parametrize(
    ("name", "value"), [("TP", "4"), ("CUDA_DEVICE_MAX_CONNECTIONS", "1"), ("HF_HUB_OFFLINE", "True")]
)
def test_counted(name: str, value: str) -> None:
    assert job_environment({name: value}) == ((name, value),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOME", "/root"),
        ("MODEL", "llama"),
        ("MY_PIN", "1234"),
        ("DB_PASSWORD", "123456"),
        ("ACCOUNT_NUMBER", "12345678"),
        ("SLURM_NTASKS", "4"),
        ("CUDA_VISIBLE_DEVICES", "0"),
        ("SHLVL", "1"),
        ("BASH_FUNC_x%%", "1"),
        ("EMPTY", ""),
        ("N", "1\n2"),
    ],
)
def test_not_counted(name: str, value: str) -> None:
    assert job_environment({name: value}) == ()


@given(st.sampled_from("abcdefghijklmnop"), st.text(min_size=7))
def test_no_long_value_is_counted(name: str, value: str) -> None:
    assert job_environment({name: value}) == ()
