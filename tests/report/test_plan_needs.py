"""What a job needs, as ``plan`` shows it."""

from __future__ import annotations

import random

from sbatchlint.lint.job import LintOptions
from sbatchlint.secrets.fake import fake_token
from tests.report.test_plan_json import document
from tests.report.test_plan_reading import block
from tests.report.test_plan_text import job, text


def shown(body: str, *directives: str, options: LintOptions | None = None) -> list[str]:
    return block(text(job(body, *directives), options=options), "needs")


def test_nothing_is_written_where_nothing_is_needed() -> None:
    assert "  needs" not in text(job("srun hostname"))


def test_credentials() -> None:
    body = ': "${HF_TOKEN:?}"\nsrun --container-image=/i.sqsh --container-env=HF_TOKEN hostname'
    assert shown(body)[0] == "credentials HF_TOKEN: must be set and handed on, line 2"


def test_services_and_their_switches() -> None:
    body = (
        "pip install a\npip install b\nexport HF_HUB_OFFLINE=1 WANDB_MODE=$MODE\n"
        "srun python -m t --model org/name --use_wandb\nif [ $A ]; then git clone https://example.org/a; fi\n"
        "conda install c"
    )
    assert " ".join(shown(body)) == (
        "credentials WANDB_API_KEY: asked for by what is started, line 5 "
        "services PyPI, package index: pip install, line 2; pip install, line 3; "
        "PIP_INDEX_URL can name a mirror "
        "huggingface.co, model hub: --model org/name, line 5; "
        "not called with HF_HUB_OFFLINE as it is set, line 4 "
        "api.wandb.ai, experiment tracker: --use_wandb, line 5; WANDB_MODE decides "
        "example.org, git host: git clone, line 6 [may not be called] "
        "conda channels, package index: conda install, line 7; CONDA_OFFLINE=1 would do without it"
    )


def test_images_and_files() -> None:
    body = (
        "srun --container-image=${I:-/i.sqsh} --container-mounts=/lustre/repo:/code python /code/a.py\n"
        "source /lustre/env.sh || true\nsrun --container-image=$J hostname"
    )
    assert shown(body) == [
        "images /i.sqsh: a file, line 2 [rests on a default]",
        "$J: not known, line 4",
        "files /lustre/repo: mount source, line 2",
        "/code/a.py: program, line 2, in the container, /lustre/repo/a.py on the host",
        "/lustre/env.sh: perhaps sourced file, line 3",
    ]


def test_what_is_missing_is_marked() -> None:
    options = LintOptions(look=lambda path: path != "/i.sqsh")
    rows = shown("srun --container-image=/i.sqsh python -m t /lustre/a.yaml", options=options)
    assert rows[0] == "images /i.sqsh: a file, line 2 [missing]" and "[missing]" not in "".join(rows[1:])


def test_a_loop_does_not_fill_the_screen() -> None:
    rows = shown("for i in a b c d e; do\ncd /lustre/$i\ndone")
    assert rows[:2] == ["files /lustre/a: working folder, line 3", "/lustre/b: working folder, line 3"]
    assert rows[2] == "and 3 more of these, line 3"


def test_the_document() -> None:
    script = job(
        ': "${HF_TOKEN:?}"\nexport HF_HUB_OFFLINE=1\n'
        "srun --container-image=nvcr.io/a/b --container-mounts=/lustre:/l python /l/a.py --model org/name"
    )
    needs = document(script)["files"][0]["needs"]
    assert needs["credentials"] == [
        {"name": "HF_TOKEN", "how": ["guarded"], "certainty": "known", "place": {"line": 2, "column": 4}}
    ]
    registry, hub = needs["services"]
    assert (registry["kind"], registry["host"], registry["switches"]) == ("container registry", "nvcr.io", [])
    assert hub["independent"] is True and hub["per_task"] is True and hub["certainty"] == "assumed"
    assert hub["switches"][0] == {
        "name": "HF_HUB_OFFLINE",
        "value": "1",
        "set": True,
        "place": {"line": 3, "column": 8},
    }
    assert [one["kind"] for one in needs["images"]] == ["registry"]
    assert {one["path"]: (one["side"], one["host"], one["exists"]) for one in needs["paths"]} == {
        "/lustre": ("host", "/lustre", None),
        "/l/a.py": ("container", "/lustre/a.py", None),
    }


def test_no_secret_is_told() -> None:
    token = fake_token("github", random.Random(7))
    body = f"git clone https://me:{token}@example.org/a\npython /lustre/{token}/a.py\nsource /x/{token}.sh"
    script = job(body)
    assert token not in text(script) and token not in str(document(script))
