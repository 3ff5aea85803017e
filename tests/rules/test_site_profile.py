"""What the cluster's profile says of its file systems and containers, and what rules make of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job

TWO = {"nodes": 2, "ntasks_per_node": 8}
SRUN = "srun --container-image=/i.sqsh --no-container-mount-home"
LOCAL = {"file_systems": [{"path": "/scratch", "shared": False}]}
SHARED = {"file_systems": [{"path": "/pool", "shared": True}]}
CLIENTS = {"containers": {"mounts": ["/opt/slurm:/opt/slurm"]}}
DATA = {"containers": {"mounts": ["/lustre/b"]}}
NAMED = "srun --container-image=/i.sqsh --no-container-mount-home --container-name=rl python t.py"
CACHE = "export UV_CACHE_DIR=/tmp/uv"
PRIVATE = {"settings": {"private_tmp": True}}
HOME = "srun --container-image=/i.sqsh --container-mounts=/data python /data/t.py"


def _count(code: str, text: str, profile: Mapping[str, object]) -> int:
    options = LintOptions(cluster=Profile.model_validate(profile))
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), options)
    assert not result.internal_errors
    return sum(found.code == code for found in result.findings)


@pytest.mark.parametrize(
    ("code", "body", "without", "profile", "with_it"),
    [
        ("SB603", ["export TRITON_CACHE_DIR=/scratch/t", "srun python t.py"], 1, LOCAL, 0),
        ("SB603", ["export TRITON_CACHE_DIR=/pool/t", "srun python t.py"], 0, SHARED, 1),
        ("SB508", [f"{SRUN} --container-mounts=/pool/a python /pool/b/t.py"], 0, SHARED, 1),
        ("SB508", [f"{SRUN} --container-mounts=/lustre/a python /lustre/b/t.py"], 1, DATA, 0),
        ("SB502", [f"{SRUN} --container-mounts=/d scontrol show hostnames"], 1, CLIENTS, 0),
        ("SB504", [NAMED], 1, {"containers": {"container_scope": "job"}}, 0),
        ("SB504", [NAMED], 1, {"containers": {"container_scope": "global"}}, 1),
        ("SB511", [HOME], 1, {"containers": {"mounts_home": False}}, 0),
        ("SB511", [HOME], 1, {"containers": {"mounts_home": True}}, 1),
        ("SB604", ["export TRITON_CACHE_DIR=/tmp/t", "srun python t.py"], 1, PRIVATE, 0),
        ("SB604", ["export TRITON_CACHE_DIR=/dev/shm/t", "srun python t.py"], 1, PRIVATE, 0),
        ("SB604", ["export TRITON_CACHE_DIR=/var/tmp/t", "srun python t.py"], 1, PRIVATE, 1),
    ],
)
def test_the_profile_decides(
    code: str, body: list[str], without: int, profile: dict[str, object], with_it: int
) -> None:
    text = job(*body, **TWO)
    assert _count(code, text, {}) == without
    assert _count(code, text, profile) == with_it


def test_the_profile_brings_srun_into_the_batch_scripts_image() -> None:
    text = job("srun python t.py", container_image="/i.sqsh")
    assert _count("SB503", text, {}) == 1
    assert _count("SB503", text, CLIENTS) == 0


@pytest.mark.parametrize(
    ("code", "body", "profile", "message", "confidence"),
    [
        ("SB504", NAMED, {"containers": {"container_scope": "global"}}, "may be used again", "medium"),
        ("SB511", HOME, {"containers": {"mounts_home": True}}, "this cluster mounts the home", "medium"),
        ("SB511", HOME, {}, "the site's choice", "low"),
        ("SB604", CACHE, {"settings": {"private_tmp": False}}, "same /tmp/uv", "high"),
        ("SB604", CACHE, {}, "same /tmp/uv", "medium"),
    ],
)
def test_the_profile_makes_it_surer(
    code: str, body: str, profile: dict[str, object], message: str, confidence: str
) -> None:
    text = job(body, "srun python t.py", nodes=1, ntasks=1)
    options = LintOptions(cluster=Profile.model_validate(profile))
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), options)
    (found,) = [found for found in result.findings if found.code == code]
    assert message in found.message
    assert found.confidence.value == confidence
    assert bool(found.notes) == (code == "SB504" and not profile)
