"""Lints the named kinds of :mod:`tests.lint.budget_kinds`, each in a process with little of everything.

A program of its own, so that the limits hold for the linter and not for what runs the tests; it writes what
became of each kind as a line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from typing import Any

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source
from tests.lint.budget_kinds import HEAD, kinds

MEMORY = 1 << 30
"""Bytes of address space."""
SECONDS = 30
"""Of the processor, after which the process is killed."""
_WARM = f"{HEAD}srun torchrun a.py\nif x; then case $a in b) c;; esac; fi\n"


def main() -> None:
    """Load everything once; then fork for each kind."""
    rules = Registry.load().select()
    lint_source(Source.from_text(_WARM, "warm.sbatch"), rules)
    for name, text, _ in kinds():
        if name not in sys.argv[1:]:
            continue
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            _lint(name, Source.from_text(HEAD + text, "job.sbatch"), rules)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status:
            print(json.dumps({"name": name, "status": status}))


def _lint(name: str, source: Source, rules: Any) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    begun = time.process_time()
    result = lint_source(source, rules)
    told = {
        "name": name,
        "status": 0,
        "seconds": time.process_time() - begun,
        "codes": [finding.code for finding in result.findings],
        "errors": [f"{error.code} {error.kind} {error.message}" for error in result.internal_errors],
    }
    print(json.dumps(told))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
