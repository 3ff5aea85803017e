"""Places where somebody else's text gets into sbatchlint, and the command lines that come across it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sbatchlint.report.formats import FORMATS

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\n"
WRONG = "srun torchrun --nproc-per-node=8 train.py\n"
"""With :data:`HEAD`, a finding with a fix, so that each format has something to show."""
Words = tuple[str, ...]
CHECKS: list[Words] = [("check", "--pedantic", "--output-format", name, "job.sh") for name in FORMATS]
PLANS: list[Words] = [("plan", "job.sh"), ("plan", "--output-format", "json", "job.sh")]
SUBMIT: Words = ("submit", "--lint-only", "job.sh")
DIFF: Words = ("check", "--diff", "--unsafe-fixes", "job.sh")
CONFIGS: list[Words] = [("config", "job.sh"), ("config", "--output-format", "json", "job.sh")]
EVERYTHING: list[Words] = [
    *CHECKS,
    *PLANS,
    *CONFIGS,
    SUBMIT,
    DIFF,
    ("check", "-v", "--statistics", "job.sh"),
    ("check", "--color", "always", "job.sh"),
    ("config", "--files", "."),
    ("policy", "list"),
    ("policy", "test"),
    ("rule", "--list"),
    ("diagnose", "--script", "job.sh", "job.log"),
    ("convert", "--", "torchrun", "--nproc-per-node=8", "train.py"),
]


@dataclass(frozen=True)
class Scene:
    """One place."""

    name: str
    make: Callable[[Path, str], None]
    """Puts a text there, in an empty folder."""
    commands: Callable[[str], Sequence[Words]]
    """The command lines that come across that text; it may stand in them."""


SCENES: dict[str, Scene] = {}
Maker = Callable[[Path, str], None]


def scene(
    name: str, commands: Sequence[Words] | Callable[[str], Sequence[Words]]
) -> Callable[[Maker], Maker]:
    def take(make: Maker) -> Maker:
        told = commands if callable(commands) else lambda text: commands
        SCENES[name] = Scene(name, make, told)
        return make

    return take


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def job(folder: Path, body: str = "", head: str = HEAD) -> None:
    put(folder / "job.sh", head + WRONG + body)
    put(folder / "job.log", "srun: error: node1: task 3: Out Of Memory\n")


def in_toml(text: str) -> str:
    """Return *text* as a string of TOML, of which only what UTF-8 can hold is kept."""
    plain = text.encode("utf-8", "ignore").decode()
    seen = (char.isascii() and char.isprintable() and char not in '\\"' for char in plain)
    return (
        '"'
        + "".join(char if ok else f"\\U{ord(char):08X}" for char, ok in zip(plain, seen, strict=True))
        + '"'
    )


def settings(folder: Path, toml: str) -> None:
    put(folder / "sbatchlint.toml", toml)
    job(folder)


def name_of_file(text: str) -> str:
    return text.replace("/", "").replace("\0", "")[:60]
