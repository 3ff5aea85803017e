"""The job scripts of ``jobs/``, and how each is submitted.

A comment in a script says what is typed: ``# submitted as: LR=0.1 sbatch --nodes=3 job.sh one "two words"``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_FOLDER = Path(__file__).with_name("jobs")
_LINE = re.compile(r"^# submitted as: (.*)$", re.M)


@dataclass(frozen=True)
class JobScript:
    """One script, and what stands around its name on the line that submits it."""

    name: str
    text: str
    environment: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


def job_scripts() -> dict[str, JobScript]:
    """Every script by its name."""
    return {path.stem: _read(path) for path in sorted(_FOLDER.glob("*.sh"))}


def _read(path: Path) -> JobScript:
    text = path.read_text("utf-8")
    found = _LINE.search(text)
    words = shlex.split(found[1]) if found else ["sbatch", "job.sh"]
    command, script = words.index("sbatch"), words.index("job.sh")
    environment = dict(word.split("=", 1) for word in words[:command])
    return JobScript(
        path.stem, text, environment, tuple(words[command + 1 : script]), tuple(words[script + 1 :])
    )
