"""SB601 and SB603 agree with the table of variables about who may share a cache."""

from __future__ import annotations

import pytest

from sbatchlint.training.variables.table import variable, variables
from tests.rules.checking import job, lines

TWO = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
COMPILED = ("TRITON_CACHE_DIR", "TRITON_HOME", "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR")
DOWNLOADED = [one.name for one in variables() if one.kind == "cache" and one.scope == "shared"]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_belongs_on_the_node(name: str) -> None:
    known = variable(name)
    assert known is not None
    assert known.scope == "node-local"
    text = job(f"export {name}=/lustre/me/cache", "srun python train.py", **TWO)
    assert lines(text, "SB603") == [(5, "warning")]


@pytest.mark.parametrize("name", DOWNLOADED)
def test_what_all_nodes_read_may_be_shared(name: str) -> None:
    text = job(f"export {name}=/lustre/me/cache", "srun python train.py", **TWO)
    assert lines(text, "SB603") == []
    assert lines(text, "SB601") == []


def test_the_home_of_triton_does_not_matter_where_its_cache_is_elsewhere() -> None:
    text = job("export TRITON_HOME=/lustre/me TRITON_CACHE_DIR=/tmp/t_$USER", "srun python train.py", **TWO)
    assert lines(text, "SB603") == []
