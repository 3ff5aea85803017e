"""Runs scripts under the real bash, with stand-ins for what they start, and notes what happened."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.launch.standins import write_stand_ins

_PRELUDE = r"""
unset BASH_ENV
__dump() {
  builtin set +eux
  builtin local IFS=$' \t\n' __name __key
  for __name in $(builtin compgen -v); do
    case $__name in BASH*|__*|_|DIRSTACK|GROUPS|FUNCNAME|PIPESTATUS) builtin continue ;; esac
    builtin local -n __held=$__name
    case ${__held@a} in
      *a*|*A*)
        builtin printf '%s\0' "$__name" array "${#__held[@]}"
        for __key in "${!__held[@]}"; do builtin printf '%s\0' "$__key" "${__held[$__key]}"; done ;;
      *) [[ ! -v $__name ]] || builtin printf '%s\0' "$__name" plain "$__held" ;;
    esac
    builtin unset -n __held
  done > "$STANDIN_CALLS/variables"
}
trap __dump EXIT
"""
_FILES = {"alpha.txt": "alpha\n", "beta.txt": "beta\n", "conf.yaml": "lr: 1\n"}
_REACHED = '\n: "${__reached:=yes}" > "$STANDIN_CALLS/reached"\n'


@dataclass(frozen=True)
class Call:
    """One program that bash started."""

    step: str
    """The call of srun that it runs under; empty on the batch host."""
    key: str
    words: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """What one script did."""

    calls: tuple[Call, ...]
    variables: Mapping[str, str | dict[str, str]] | None
    """The shell's variables when it ended, arrays by key; None where the script replaced the shell."""
    reached_end: bool
    errors: str = field(compare=False, default="")


class Bench:
    """A folder with the stand-ins, to run scripts in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._tools = folder / "tools"
        self._tools.mkdir(parents=True)
        write_stand_ins(self._tools)
        (folder / "prelude").write_text(_PRELUDE)

    def run(self, scripts: Sequence[str], environment: Mapping[str, str] | None = None) -> list[Run]:
        """Run every script in a folder of its own, with *environment* added to a bare one."""
        places: list[Path] = []
        lines: list[str] = []
        for text in scripts:
            self._count += 1
            place = self._folder / f"run{self._count}"
            self._lay_out(place, text)
            places.append(place)
            job = " ".join(f"{name}={value}" for name, value in slurm_environment(text).items())
            calls = shlex.quote(str(place / "calls"))
            lines.append(
                f"cd {shlex.quote(str(place / 'work'))}; export STANDIN_CALLS={calls}\n"
                f"env {job} timeout 20 bash job.sh < /dev/null > {calls}/output 2> {calls}/errors\n"
            )
        bare = {
            "PATH": f"{self._tools}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self._folder),
            "LC_ALL": "C.UTF-8",
            "BASH_ENV": str(self._folder / "prelude"),
            "STANDIN_STEP": "",
        }
        everything = {**bare, **(environment or {})}
        batch = self._folder / "batch.sh"  # one argument may not be longer than 128 KiB
        batch.write_text("".join(lines))
        subprocess.run(["sh", str(batch)], env=everything, check=False, capture_output=True)
        return [_read(place / "calls") for place in places]

    def _lay_out(self, place: Path, text: str) -> None:
        work = place / "work"
        work.mkdir(parents=True)
        (place / "calls").mkdir()
        for name, content in _FILES.items():
            (work / name).write_text(content)
        (work / "job.sh").write_text(text + _REACHED)


def slurm_environment(text: str) -> dict[str, str]:
    """What sbatch would set for *text*, whose only directives are ``--nodes`` and ``--ntasks-per-node``."""
    given = dict(re.findall(r"^#SBATCH --([a-z-]+)=(\d+)$", text, re.M))
    nodes = given.get("nodes", "1")
    found = {
        "SLURM_JOB_ID": "4242",
        "SLURM_JOB_NODELIST": "node1",
        "SLURM_SUBMIT_DIR": "/submit",
        "SLURM_NNODES": nodes,
        "SLURM_JOB_NUM_NODES": nodes,
        "SLURM_NODEID": "0",
        "SLURM_PROCID": "0",
        "SLURM_LOCALID": "0",
    }
    if "ntasks-per-node" in given:
        found["SLURM_NTASKS_PER_NODE"] = given["ntasks-per-node"]
    return found


def _read(calls: Path) -> Run:
    order = calls / "order"
    names = order.read_text().split() if order.exists() else []
    held = calls / "variables"
    return Run(
        tuple(_call(calls / name) for name in names),
        _variables(held.read_bytes()) if held.exists() else None,
        (calls / "reached").exists(),
        (calls / "errors").read_text(errors="replace"),
    )


def _fields(data: bytes) -> list[str]:
    return data.decode(errors="surrogateescape").split("\0")[:-1]


def _call(path: Path) -> Call:
    step, count, *rest = _fields(path.read_bytes())
    words, settings = rest[: int(count)], rest[int(count) :]
    environment = dict(setting.split("=", 1) for setting in settings if "=" in setting)
    return Call(step, path.name, tuple(words), environment)


def _variables(data: bytes) -> dict[str, str | dict[str, str]]:
    found: dict[str, str | dict[str, str]] = {}
    fields = iter(_fields(data))
    for name in fields:
        if next(fields) == "plain":
            found[name] = next(fields)
        else:
            found[name] = {next(fields): next(fields) for _ in range(int(next(fields)))}
    return found
