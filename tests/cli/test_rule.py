"""The rules' pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Write

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


RULE = '''
from sbatchlint.api import Rule, Severity, Span

class Greeting(Rule):
    """{title}

    ## Why
    It is rude.

    ## Example
    ```sbatch bad
    #!/bin/bash
    echo hello  {marker}
    ```

    ```sbatch good
    #!/bin/bash
    echo goodbye
    ```
    """

    code = "{code}"
    name = "{name}"
    severity = Severity.INFO

    def check(self, job):
        start = job.source.text.find("hello")
        if start >= 0:
            yield self.finding(Span(start, start + 5), "a greeting")
'''
WELL = "Tested 1 rule by 2 examples: all is as the pages say.\n"
ILL = """\
SITE001 greeting
  bad example 1: no line is marked with `# finding here`
  bad example 1: findings on lines 2, marked are lines none
Tested 1 rule by 2 examples: problems with 1 rule.
"""


@pytest.fixture
def site(write: Write) -> Callable[..., None]:
    """Return a function that writes a local folder with one rule, which holds unless it is not marked."""

    def make(
        folder: str, code: str = "SITE001", name: str = "greeting", marker: str = "# finding here"
    ) -> None:
        write(f"{folder}/one.py", whole=RULE.format(title="One greets.", code=code, name=name, marker=marker))

    return make


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plugin", "./site"],
        ["--plugin", "site/"],
        ["./site"],
        ["--plugin", "./site", "./site"],
        ["--plugin", "./site", "SITE001"],
        ["--plugin", "./site", "greeting", "SITE"],
        ["SITE001", "./site"],
    ],
)
def test_the_pages_of_a_folder(run: Run, site: Callable[..., None], arguments: list[str]) -> None:
    site("site")
    assert run("rule", "--test", *arguments) == (0, WELL, "")
    site("site2", marker="")
    moved = [word.replace("site", "site2") for word in arguments]
    assert run("rule", "--test", *moved) == (1, ILL, "")


def test_the_built_in_pages(run: Run) -> None:
    assert run("rule", "--test", "bad-word") == (0, WELL, "")
    done = run("rule", "--test")
    assert done.status == 1
    assert "TST102 risky-word\n  no `## Why`\n" in done.out
    assert "SB001" not in done.out, "the engine's own rules hold"
    assert run("rule", "--test", "--all") == done


def test_each_package_is_tried_without_the_others(run: Run, site: Callable[..., None]) -> None:
    """Of two folders with rules on the same thing neither is to blame for the other's findings."""
    site("site")
    site("other", "OTHER001", "salute")
    done = run("rule", "--test", "--plugin", "./site", "--plugin", "./other")
    assert done == (0, "Tested 2 rules by 4 examples: all is as the pages say.\n", "")


def test_tests_as_json(run: Run, site: Callable[..., None]) -> None:
    site("site", marker="")
    done = run("rule", "--test", "./site", "--output-format", "json")
    assert done.status == 1
    (rule,) = json.loads(done.out)
    assert (rule["code"], rule["name"], len(rule["problems"])) == ("SITE001", "greeting", 2)


def test_plugins_are_shown_too(run: Run, site: Callable[..., None]) -> None:
    site("site")
    assert run("rule", "SITE001", "--plugin", "./site").out.startswith(
        "# greeting (SITE001)\n\nOne greets.\n"
    )
    listed = run("rule", "--list", "--plugin", "./site").out
    assert "\n## ./site (SITE)\n" in f"\n{listed}"
    assert "| SITE001 | `greeting` | info |  | One greets. |" in listed
    assert run("rule", "SITE001").status == 2


def test_what_breaks_in_a_check_is_told_with_its_line(run: Run, site: Callable[..., None]) -> None:
    site("site")
    path = Path("site/one.py")
    path.write_text(path.read_text().replace("job.source.text", "job.sauce"))
    done = run("rule", "--test", "./site")
    assert done.status == 1
    message = r"example 1: SITE001 broke: AttributeError: .*'sauce' \(at \S+/site/one\.py:27\)\n"
    assert re.search(f"bad {message}", done.out) and re.search(f"good {message}", done.out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--test", "house"], "house: no rule has this code or name; write ./house for the folder"),
        (["--test", "./absent"], "rules: rule folder ./absent: there is no such folder"),
        (
            ["--test", "json"],
            "rules: json: no rule is in it; a rule is a class made from sbatchlint.api.Rule",
        ),
        (["--list", "--plugin", "acme_absent"], "rules: no rule package named 'acme_absent' is installed"),
        (["--test", "grating", "--plugin", "./house"], "grating: no rule has .*; did you mean 'greeting'"),
        (["policy"], "policy: there is no rule of this kind"),
    ],
)
def test_what_cannot_be_tested(
    run: Run, site: Callable[..., None], arguments: list[str], message: str
) -> None:
    site("house")
    done = run("rule", *arguments)
    assert (done.status, done.out) == (2, "")
    assert re.match(f"sbatchlint: {message}", done.err)


@pytest.mark.parametrize(
    "arguments", [[], ["--all", "SB001"], ["--list", "--all"], ["--list", "--test"], ["--plugin", "./site"]]
)
def test_words_that_do_not_go_together(run: Run, arguments: list[str]) -> None:
    assert run("rule", *arguments).status == 2


POLICY = """\
plugins = ["./site"]

[[policy]]
name = "require-account"
require = "job.account != ''"
message = "there is no account"
"""


def test_the_plugins_and_policies_of_the_configuration(
    run: Run, site: Callable[..., None], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SBATCHLINT_ALLOW_PLUGINS", raising=False)
    site("site")
    write("sbatchlint.toml", whole=POLICY)
    write("sub/keep", whole="")
    monkeypatch.chdir("sub")
    for words in (["--list"], ["--test"], ["SITE001"], ["--all"], ["policy"]):
        done = run("rule", *words)
        assert (done.status, done.out) == (2, "")
        assert "--allow-plugins" in done.err
    assert run("rule", "--test", "--allow-plugins") == (0, WELL, "")
    assert run("rule", "--test", "--config", "../sbatchlint.toml") == (0, WELL, "")
    assert run("rule", "SITE001", "--allow-plugins").out.startswith("# greeting (SITE001)\n")
    assert run("rule", "require-account", "--allow-plugins").out.startswith("# require-account\n")
    assert "## Policies (policy)\n" in run("rule", "--list", "--allow-plugins").out
    assert run("rule", "bad-word") == (0, PAGE, ""), "what is known without the file needs no leave"
    assert run("rule", "--test", "../site") == (0, WELL, ""), "and neither does what is named"
    assert "SITE001" not in run("rule", "--list", "--isolated").out
