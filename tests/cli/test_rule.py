"""The rules' pages."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import Run

PAGE = """\
# bad-word (TST101)

A bad word is used.

error; its findings can be fixed

## Why
It is bad.

## Example
```sbatch bad
#!/bin/bash
echo BAD  # finding here
```

```sbatch good
#!/bin/bash
echo FINE
```

## References
- a dictionary
"""


@pytest.mark.parametrize("key", ["TST101", "bad-word", "tst101", "Bad-Word"])
def test_one(run: Run, key: str) -> None:
    assert run("rule", key) == (0, PAGE, "")


def test_all(run: Run) -> None:
    done = run("rule", "--all")
    titles = re.findall(r"^# [a-z-]+ \([A-Z]+\d+\)$", done.out, re.MULTILINE)
    assert done.status == 0
    assert "# unused-suppression (SB002)" in titles and "# bad-word (TST101)" in titles
    assert titles == sorted(titles, key=lambda line: line.split("(")[1])


def test_json(run: Run) -> None:
    assert json.loads(run("rule", "TST101", "--output-format", "json").out) == {
        "code": "TST101",
        "name": "bad-word",
        "family": None,
        "severity": "error",
        "fixable": "always",
        "summary": "A bad word is used.",
        "why": "It is bad.",
        "bad": [{"script": "#!/bin/bash\necho BAD\n", "lines": [2]}],
        "good": ["#!/bin/bash\necho FINE\n"],
        "fix": "",
        "cannot_know": "",
        "references": ["a dictionary"],
    }
    every = json.loads(run("rule", "--all", "--output-format", "json").out)
    assert {"SB001", "TST101"} <= {rule["code"] for rule in every}
    assert next(rule["family"] for rule in every if rule["code"] == "SB001") == "reading"


def test_an_unknown_rule(run: Run) -> None:
    done = run("rule", "bad-wrod")
    assert done == (2, "", "sbatchlint: bad-wrod: no rule has this code or name; did you mean 'bad-word'?\n")


def test_wrong_use(run: Run) -> None:
    assert run("rule").status == 2
    assert run("rule", "--all", "TST101").status == 2
