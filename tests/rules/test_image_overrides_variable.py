"""SB614: variables that do not reach the container."""

from __future__ import annotations

import pytest

from sbatchlint.training.variables.table import variables
from tests.rules.checking import findings, fixed, job, lines

CODE = "SB614"
ONE = {"nodes": 1, "ntasks_per_node": 8, "gpus_per_node": 8}
NEMO = "srun --container-image=nvcr.io/nvidia/nemo:26.04"
RUN = "uv run --no-sync python train.py"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        (f"export UV_PROJECT_ENVIRONMENT=/lustre/venv\n{NEMO} {RUN}", "warning"),
        (f"VENV=/lustre/venv; export UV_PROJECT_ENVIRONMENT=$VENV\n{NEMO} bash -c '{RUN}'", "warning"),
        (f"export UV_CACHE_DIR=/lustre/uv\n{NEMO} {RUN}", "warning"),
        (f"export UV_CACHE_DIR=/lustre/uv\nsrun --container-image=/img/nemo-25.09.sqsh {RUN}", "info"),
        (f"export ENROOT_MAX_CONNECTIONS=4\n{NEMO} {RUN}", "info"),
    ],
)
def test_what_is_lost_is_told(body: str, severity: str) -> None:
    assert [found for _, found in lines(job(body, **ONE), CODE)] == [severity]


@pytest.mark.parametrize(
    "body",
    [
        f"export UV_CACHE_DIR=/lustre/uv\n{NEMO} --container-env=UV_CACHE_DIR {RUN}",
        f"export UV_CACHE_DIR=/opt/uv_cache\n{NEMO} {RUN}",
        f"{NEMO} bash -c 'export UV_CACHE_DIR=/lustre/uv; {RUN}'",
        f"{NEMO} env UV_CACHE_DIR=/lustre/uv {RUN}",
        f"export UV_CACHE_DIR=/lustre/uv\nsrun --container-image=nvcr.io/nvidia/pytorch:26.04-py3 {RUN}",
        f"export UV_CACHE_DIR=/lustre/uv\nsrun {RUN}",
        f"export ENROOT_MAX_CONNECTIONS=4\nenroot import docker://a\n{NEMO} {RUN}",
        f"export HF_HOME=/lustre/hf\n{NEMO} {RUN}",
    ],
)
def test_what_reaches_the_container_is_left_in_peace(body: str) -> None:
    assert lines(job(body, **ONE), CODE) == []


def test_the_variable_is_named_to_srun_on_request() -> None:
    text = job("export UV_LINK_MODE=symlink", f"{NEMO} {RUN}", **ONE)
    assert fixed(text, code=CODE).converged.source.text == text
    after = fixed(text, code=CODE, unsafe=True).converged.source.text
    assert "srun --container-env=UV_LINK_MODE --container-image" in after


@pytest.mark.parametrize("name", [one.name for one in variables() if one.pyxis_ignores])
def test_what_pyxis_does_not_hand_on_is_told_once(name: str) -> None:
    """By this rule, or by the one that knows what to set instead."""
    script = job(f"export {name}=/scratch/e", "srun --container-image=i.sqsh python t.py")
    told = [found.code for found in findings(script) if name in found.message]
    assert told in (["SB513"], ["SB614"])
