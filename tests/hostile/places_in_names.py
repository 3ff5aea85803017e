"""Texts as names of files, and as words of our own command line."""

from __future__ import annotations

import os
from pathlib import Path

from sbatchlint.report.formats import FORMATS
from tests.hostile.places import HEAD, WRONG, Words, job, name_of_file, scene

# --- names ---


def _commands_on_names(text: str) -> list[Words]:
    name = f"jobs{name_of_file(text)}/job{name_of_file(text)}.sh"
    place = os.path.dirname(name)
    return [
        *(("check", "--output-format", form, name) for form in FORMATS),
        *(("check", "--output-format", form, place) for form in FORMATS),
        ("check", "--diff", name),
        ("check", "--config", name, name),
        ("check", "--baseline", name, name),
        ("check", "--cluster", name, name),
        ("check", "--diff-against", name, name),
        ("check", "--output-format", "json", "--output-file", f"{name}/x", name),
        ("check", f"{name}.not-there"),
        ("plan", name),
        ("plan", "--output-format", "json", name),
        ("plan", f"--grid={place}/grid.svg", name),
        ("config", name),
        ("config", "--output-format", "json", name),
        ("config", "--files", place),
        ("submit", "--lint-only", name),
        ("diagnose", name),
        ("diagnose", place),
        ("diagnose", "--script", name, name),
        ("diagnose", "--sacct", name),
        ("convert", "--from-file", name),
        ("convert", "-o", name, "--", "torchrun", "x.py"),
        ("cluster", "show", name),
        ("cluster", "import", "--from-conf", name),
        ("cluster", "import", "--from-dump", place),
        ("policy", "test", name),
        ("policy", "list", name),
        ("rule", "--list", "--plugin", f"./{place}"),
        ("rule", "--test", f"./{place}"),
        ("rule", name),
    ]


@scene("names of files and folders", _commands_on_names)
def _names(folder: Path, text: str) -> None:
    place = os.path.join(os.fsencode(folder), os.fsencode(f"jobs{name_of_file(text)}"))
    os.mkdir(place)
    for ending in (b".sh", b".log"):
        with open(os.path.join(place, os.fsencode(f"job{name_of_file(text)}") + ending), "wb") as file:
            file.write((HEAD + WRONG).encode())


# --- command lines ---


_OF_CHECK = (
    "select extend-select ignore fail-on sbatch-args arg env known-option slurm-version cluster config "
    "exclude extend-exclude output-format color jobs diff-against baseline stdin-filename add-ignore nodse"
)
_OF_OTHERS = {
    "plan": "output-format grid stdin-filename env arg nodse",
    "size": "mode gpus tp gpu gpu-memory layers output-format nodse",
    "config": "select config output-format nodse",
    "diagnose": "script sacct job output-format nodse",
    "convert": "nodes mode time account partition qos job-name directive cluster image shared workdir fresh "
    "mount nodse",
    "rule": "plugin output-format nodse",
    "option": "output-format nodse",
}


def _words(text: str) -> list[Words]:
    found: list[Words] = []
    for option in _OF_CHECK.split():
        found += [("check", f"--{option}={text}", "job.sh"), ("check", f"--{option}", f"A={text}", "job.sh")]
    for command, options in _OF_OTHERS.items():
        found += [(command, f"--{option}={text}") for option in options.split()]
        found += [(command, text), (command, text, f"x{text}"), (command, f"-{text}")]
    convert = ("torchrun", "--nproc-per-node=8", f"{text}.py", f"--a={text}", text)
    return [
        *found,
        ("convert", "--", *convert),
        ("convert", "--interactive", "--", *convert),
        ("convert", "--", f"A={text}", *convert),
        ("cluster", text),
        ("policy", text),
        ("cluster", "import", text),
        ("cluster", "show", f"--{text}"),
        ("policy", "list", f"--{text}"),
        ("submit", "--lint-only", f"--{text}", "job.sh"),
        ("submit", "--lint-only", f"--partition={text}", "job.sh", text),
        ("submit", "--lint-only", "--wrap", f"srun --nodse={text} {text}"),
    ]


@scene("command line of ours", _words)
def _own_words(folder: Path, text: str) -> None:
    job(folder)
