"""Nothing that stands in a file is ever taken for a Python object or for code."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest

import sbatchlint
from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import plain_environment, process

ROOT = Path(sbatchlint.__file__).parents[1]
_MODULES = frozenset(
    {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "code", "codeop"}
)
_CALLS = frozenset({"eval", "exec", "compile", "__import__"})
_KNOWN = {
    ("sbatchlint/cli/jobs.py", "pickle"),  # between processes of one run, through a pipe
    ("sbatchlint/records.py", "exec"),  # of text that it has written itself
}


def _risky(path: Path) -> set[tuple[str, str]]:
    inside = path.relative_to(ROOT).as_posix()
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {(inside, one.name.partition(".")[0]) for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((inside, (node.module or "").partition(".")[0]))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            found.add((inside, node.func.id))
    return {(place, name) for place, name in found if name in _MODULES | _CALLS}


def test_no_module_reads_objects() -> None:
    files = [*(ROOT / "sbatchlint").rglob("*.py"), *(ROOT / "rules").rglob("*.py")]
    assert {one for path in files for one in _risky(path)} == _KNOWN


class _Evil:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return open, (str(self.mark), "w")


@pytest.mark.parametrize("kind", ["pickle", "text", "code", "device"])
def test_a_cache_that_somebody_else_has_written(folder: Path, kind: str) -> None:
    cache, mark = folder.parent / "cache", folder.parent / "EVIL"
    env = plain_environment(SBATCHLINT_CACHE_DIR=str(cache))
    put(folder / "job.sh", HEAD + WRONG)
    right = process(folder, "check", "job.sh", env=env)
    kept = [path for path in cache.rglob("*") if path.is_file()]
    for path in kept:
        path.unlink()
        if kind == "device":
            path.symlink_to("/dev/zero")
        else:
            path.write_bytes(
                {
                    "pickle": pickle.dumps(_Evil(mark)),
                    "text": b"\x1b[5;7m" * 1000,
                    "code": f"open({str(mark)!r}, 'w')".encode(),
                }[kind]
            )
    again = process(folder, "check", "job.sh", env=env)
    assert (again.returncode, again.stdout, again.stderr) == (right.returncode, right.stdout, right.stderr)
    assert not mark.exists()
