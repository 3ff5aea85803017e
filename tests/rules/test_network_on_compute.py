"""SB607: what is fetched while the job runs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import job, lines, rules_of

CODE = "SB607"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["pip install -U transformers"], 3),
        (["A=1", "git clone https://example.org/x.git"], 4),
        (["srun bash -c 'wget https://example.org/x.tar'"], 3),
        (["URL=https://example.org", 'curl -O "$URL/x"'], 4),
        (["huggingface-cli download me/model"], 3),
        (["apptainer pull a.sif docker://me/x:1"], 3),
        (["apptainer exec docker://me/x:1 python t.py"], 3),
    ],
)
def test_told_of(body: list[str], line: int) -> None:
    assert lines(job(*body, ntasks=1), CODE) == [(line, "info")]


def test_each_task_fetches_the_image() -> None:
    text = job("srun apptainer exec docker://me/x:1 python t.py", ntasks=8)
    assert lines(text, CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "pip install --no-index --find-links /wheels x",
        "pip install -e . --no-deps",
        "pip install /wheels/x.whl",
        "curl http://localhost:8000/health",
        'curl "http://$HEAD:8265/api"',
        "git clone /lustre/repo.git x",
        "pip install x || true",
        "uv sync",
        "apptainer exec a.sif python t.py",
        "pip list",
    ],
)
def test_quiet_on_what_stays_inside(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == []


# --- with a cluster profile ----------------------------------------------------------------------------

CUT_OFF: dict[str, object] = {"compute_internet": False}
FETCHES = ["pip install x", "git clone https://example.org/x.git", "curl -O https://example.org/x"]
IMAGE = "srun apptainer exec docker://me/x:1 python t.py"


def found(profile: Mapping[str, object], *body: str, ntasks: int = 1) -> list[tuple[int, str, str]]:
    """Line of the body, severity and confidence of each finding, with this cluster profile."""
    source = Source.from_text(job(*body, ntasks=ntasks), "job.sh")
    result = lint_source(source, rules_of(CODE), LintOptions(cluster=Profile.model_validate(profile)))
    assert not result.internal_errors
    return [
        (source.position(f.span.start).line - 2, f.severity.value, f.confidence.value)
        for f in result.findings
    ]


def test_each_call_is_a_warning_where_nodes_have_no_internet() -> None:
    body = [*FETCHES, IMAGE, "srun --container-image=nvcr.io#nvidia/pytorch:24.05-py3 python t.py"]
    assert found(CUT_OFF, *body) == [(line, "warning", "high") for line in range(1, 6)]


def test_quiet_where_nodes_have_internet() -> None:
    body = [*FETCHES, IMAGE, "srun --container-image=nvcr.io#nvidia/pytorch:24.05-py3 python t.py"]
    assert found({"compute_internet": True}, *body) == []


def test_an_info_where_the_profile_does_not_say() -> None:
    assert found({}, *FETCHES) == [(1, "info", "medium")]


def test_each_task_fetches_even_where_there_is_internet() -> None:
    assert found({"compute_internet": True}, IMAGE, ntasks=8) == [(1, "warning", "high")]
    cached: dict[str, object] = {"containers": {"image_cache": "/lustre/images"}}
    assert found({"compute_internet": True, **cached}, IMAGE, ntasks=8) == []
    assert found(cached, IMAGE, ntasks=8) == [(1, "info", "medium")]
    assert found({**CUT_OFF, **cached}, IMAGE, ntasks=8) == [(1, "info", "medium")]


@pytest.mark.parametrize(
    ("mirrors", "body"),
    [
        ({"pypi": "https://pypi.example.org/simple"}, "pip install x"),
        ({"pypi": "https://pypi.example.org/simple"}, "python -m pip install x"),
        ({"pypi": "https://pypi.example.org/simple"}, "uv pip install x"),
        (
            {"pypi": "https://pypi.example.org/simple"},
            "pip install --index-url https://me@pypi.example.org/other x",
        ),
        ({"conda": "https://conda.example.org"}, "conda install -y x"),
        ({"huggingface": "https://hub.example.org"}, "hf download me/model"),
        ({"docker": "registry.example.org:5000"}, "apptainer pull a.sif docker://me/x:1"),
        ({"docker": "registry.example.org:5000"}, IMAGE),
        ({"hosts": ["registry.example.org"]}, "apptainer pull a.sif docker://registry.example.org:5000/x:1"),
        ({"hosts": ["registry.example.org"]}, "srun --container-image=registry.example.org#x python t.py"),
        ({"hosts": [".example.org"]}, "git clone https://git.example.org/x.git"),
        ({"hosts": ["git.example.org"]}, "git clone git@git.example.org:me/x.git"),
        ({}, "curl -O http://login1:8000/x"),
        ({}, "wget http://files.cluster.local/x"),
    ],
)
def test_quiet_on_what_the_nodes_reach(mirrors: dict[str, object], body: str) -> None:
    served = found({**CUT_OFF, "mirrors": mirrors}, body)
    assert served == ([(1, "info", "medium")] if body == IMAGE else [])
    if mirrors:
        assert found(CUT_OFF, body) == [(1, "warning", "high")]


@pytest.mark.parametrize(
    "body",
    [
        "pip install git+https://github.com/me/x",
        "pip install x --index-url https://wheels.elsewhere.net/cu121",
        "apptainer pull a.sif docker://me/x:1",
        "git clone https://notexample.org/x.git",
    ],
)
def test_a_mirror_of_something_else_is_of_no_use(body: str) -> None:
    mirrors: dict[str, object] = {
        "pypi": "https://pypi.example.org/simple",
        "hosts": [".example.org", "example.org"],
    }
    assert found({**CUT_OFF, "mirrors": mirrors}, body) == [(1, "warning", "high")]


@pytest.mark.parametrize(
    "image", ["/images/a.sqsh", "./a.sqsh", "images/a.sqsh", "$IMAGE", "dockerd://me/x", "podman://me/x"]
)
def test_quiet_on_images_of_pyxis_that_are_there(image: str) -> None:
    assert found(CUT_OFF, f"srun --container-image={image} python t.py") == []


TRAIN = "srun python scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config"


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        (["git pull"], "high"),
        (["git -C /lustre/repo fetch origin"], "high"),
        (["git pull || true"], "medium"),
        ([f"{TRAIN} logger.wandb_project=x"], "medium"),
        (["docker pull nvcr.io/nvidia/pytorch:24.01-py3"], "high"),
    ],
)
def test_what_programs_call_besides_where_nodes_have_no_internet(body: list[str], confidence: str) -> None:
    assert found(CUT_OFF, *body) == [(1, "warning", confidence)]
    assert found({"compute_internet": True}, *body) == []


@pytest.mark.parametrize(
    ("profile", "body"),
    [
        (CUT_OFF, ["export WANDB_MODE=offline", f"{TRAIN} logger.wandb_project=x"]),
        (CUT_OFF, ["export WANDB_MODE=$MODE", f"{TRAIN} logger.wandb_project=x"]),
        (CUT_OFF, ["export HF_HUB_OFFLINE=1", "srun python t.py --hf-path meta-llama/Llama-3.1-8B"]),
        ({**CUT_OFF, "mirrors": {"hosts": ["api.wandb.ai"]}}, [f"{TRAIN} logger.wandb_project=x"]),
        ({**CUT_OFF, "mirrors": {"hosts": ["git.example.org"]}}, ["git pull"]),
        (
            {**CUT_OFF, "mirrors": {"docker": "https://nvcr.example.org"}},
            ["docker pull nvcr.io/nvidia/pytorch:24.01-py3"],
        ),
    ],
)
def test_what_a_switch_or_a_mirror_makes_needless(profile: Mapping[str, object], body: list[str]) -> None:
    assert found(profile, *body) == []
