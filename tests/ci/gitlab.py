"""As much of GitLab's runner as the jobs of docs/ci.md need."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.ci.documents import blocks, read_yaml
from tests.hook.repository import Repository

GITLAB: list[Any] = [
    read_yaml(block.text)["sbatchlint"] for block in blocks("ci.md", "yaml") if block.file == ".gitlab-ci.yml"
]


def run_job(job: Mapping[str, Any], repository: Repository, **variables: str) -> int:
    """Run a GitLab job as its runner does, in one shell that stops at a failure; return the status."""
    text = "\n".join(["set -eo pipefail", *job["before_script"], *job["script"]])
    return repository.run("bash", "-c", text, check=False, **job.get("variables", {}), **variables).returncode


def code_quality(repository: Repository) -> list[str]:
    """Return the rules in the code quality report of the last job."""
    report = json.loads((repository.folder / "gl-code-quality-report.json").read_text("utf-8"))
    return sorted(each["description"].partition(":")[0] for each in report)
