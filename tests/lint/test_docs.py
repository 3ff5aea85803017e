"""Reading a rule's page, and catching a page that is not true."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import pytest

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Rule, Severity
from sbatchlint.lint.docs import read_doc
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.rule_test import check_rule_docs

PAGE = """One line of summary.

    ## Why
    Because of this
    and that.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2 # two # finding here
    ## Why not a heading
    cat <<-EOF \\\t# finding here
    \ttab
    \tEOF
    ```
    In between.
    ```sbatch good
    #!/bin/bash
    ```
    ```sbatch bad
    two # finding here
    ```
    ```sbatch good
    one
    ```
    ```sbatch good
    more
    ```

    ## Fix
    Done by hand.

    ## What it can't know
    Much.

    ## References
    - The manual,
      section 2
    - https://slurm.schedmd.com/sbatch.html
    """


def test_all_parts_of_a_page() -> None:
    doc = read_doc(type("Documented", (Rule,), {"__doc__": PAGE}))
    assert doc.summary == "One line of summary."
    assert doc.why == "Because of this\nand that."
    assert doc.bad == (
        "#!/bin/bash\n#SBATCH --nodes=2 # two\n## Why not a heading\ncat <<-EOF \\\n\ttab\n\tEOF\n",
        "two\n",
    )
    assert doc.expected_lines == ((2, 4), (1,))
    assert doc.good == ("#!/bin/bash\n", "one\n", "more\n")
    assert doc.fix == "Done by hand."
    assert doc.cannot_know == "Much."
    assert doc.references == ("The manual, section 2", "https://slurm.schedmd.com/sbatch.html")
    assert doc.headings == ("Why", "Example", "Fix", "What it can't know", "References")
    assert doc.markdown.startswith("One line of summary.\n\n## Why\n")


def test_a_true_page(registry: Registry, old_program: type[Rule]) -> None:
    # The marked line of the first example is not the one with the program: a page may be wrong.
    (problem,) = check_rule_docs(old_program, registry)
    assert problem == "bad example 1: findings on lines 2, 4, marked are lines 3, 4"
    mended = _variant(old_program, ("\\\n      --again # finding here", "\\ # finding here\n      --again"))
    assert check_rule_docs(mended, registry) == []


def _variant(rule: type[Rule], *changes: tuple[str, str], **members: object) -> type[Rule]:
    doc = inspect.cleandoc(rule.__doc__ or "")  # Python 3.13 takes the indentation off itself
    for old, new in changes:
        old, new = (text.replace("\n    ", "\n") for text in (old, new))
        assert old in doc
        doc = doc.replace(old, new)
    return type(rule.__name__, (rule,), {"__doc__": doc, **members})


TRUE = ("\\\n      --again # finding here", "\\ # finding here\n      --again")


@pytest.mark.parametrize(
    ("changes", "members", "problem"),
    [
        ([("## Why\n    It is not installed any more.", "")], {}, "no `## Why`"),
        ([("The script starts the old program.", "")], {}, "no summary on the first line"),
        ([("```sbatch bad", "```sbatch")], {}, "no bad example"),
        ([("```sbatch good", "```sbatch")], {}, "fewer good examples"),
        ([("## Why", "## Reason")], {}, "unknown heading 'Reason'"),
        ([("--again\n    new", "--again\n    noisy")], {}, "good example 1: SB401 on line 4: too noisy"),
        ([("new é\n    ```", "newer é\n    ```")], {}, "fixing does not give the good example"),
        ([], {"fixable": Fixable.NEVER}, "a finding has a fix, yet the rule says `never`"),
        ([(" é # finding here", " é")], {}, "findings on lines 2, 4, marked are lines 2"),
        ([(" # finding here", "")], {}, "no line is marked"),
        ([], {"severity": Severity.INFO}, None),
    ],
)
def test_a_page_that_is_not_true(
    registry: Registry,
    old_program: type[Rule],
    changes: list[tuple[str, str]],
    members: dict[str, object],
    problem: str | None,
) -> None:
    rule = _variant(old_program, TRUE, *changes, **members)
    others = [other for other in registry.rules if other is not old_program]
    problems = check_rule_docs(rule, Registry([*others, rule]))
    if problem is None:
        assert problems == []
    else:
        assert any(problem in one for one in problems), problems


def test_a_fix_that_does_harm_is_told(
    make_registry: Callable[..., Registry], old_program: type[Rule], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = _variant(old_program, TRUE, code="SB399", name="older-program")

    def check(self: Rule, job: Job) -> Iterator[Finding]:
        for finding in old_program.check(self, job):
            yield self.finding(finding.span, "m", fix=Fix.safe("worse", Edit(finding.span, "(")))

    monkeypatch.setattr(rule, "check", check)
    problems = check_rule_docs(rule, make_registry(rule))
    assert any("fix 'worse' was refused: bash would no longer read the script" in one for one in problems)
