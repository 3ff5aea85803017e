"""SB607: what is fetched while the job runs."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

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
