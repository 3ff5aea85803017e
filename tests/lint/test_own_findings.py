"""What the engine's own rules say, to the letter, and which part of the script they mark."""

from __future__ import annotations

import pytest

from sbatchlint.api import Finding, Severity, Source
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.registry import Registry

HEAD = "#!/bin/bash\n"

Said = tuple[str, str, str, str, str | None]
"""The marked text, message, label, help, and the fix's title."""


def found(registry: Registry, code: str, body: str) -> list[Finding]:
    result = lint_source(Source.from_text(HEAD + body, "f"), registry.select())
    return [one for one in result.findings if one.code == code]


def said(body: str, finding: Finding) -> Said:
    text = (HEAD + body)[finding.span.start : finding.span.end]
    title = None if finding.fix is None else finding.fix.title
    return text, finding.message, finding.label, finding.help, title


UNREAD = "this part of the script could not be read, so it was not checked"
BASH_N = "see what `bash -n` says of the script"
BLANK = "{} is still to be filled in: the shell takes < and > for redirections"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('echo "a\n', [('echo "a\n', UNREAD, 'unterminated " opened on line 2', BASH_N, None)]),
        (
            "srun python <b.py>\n",
            [("<b.py>", BLANK.format("<b.py>"), "a placeholder", "write the value", None)],
        ),
    ],
)
def test_what_was_not_read(registry: Registry, body: str, expected: list[Said]) -> None:
    findings = found(registry, "SB001", body)
    assert [said(body, one) for one in findings] == expected
    assert [(one.name, one.severity) for one in findings] == [("unreadable-statement", Severity.WARNING)]


IDLE = "the suppression of {} answers no finding"
NOTHING = ("nothing to suppress here", "remove it", "remove the unused suppression")


@pytest.mark.parametrize(
    ("body", "marked", "keys"),
    [
        ("x # sbatchlint: ignore[SB301] why\n", "# sbatchlint: ignore[SB301] why", "SB301"),
        ("x # sbatchlint: ignore[SB301, SB401]\n", "# sbatchlint: ignore[SB301, SB401]", "SB301 and SB401"),
        ("old # sbatchlint: ignore[SB301, SB401]\n", "SB401", "SB401"),
        ("old # sbatchlint: ignore[SB4, SB301, SB401]\n", "SB4", "SB4 and SB401"),
    ],
)
def test_what_is_idle(registry: Registry, body: str, marked: str, keys: str) -> None:
    (one,) = found(registry, "SB002", body)
    assert said(body, one) == (marked, IDLE.format(keys), *NOTHING)


HOW = (
    "write `# sbatchlint: {}[CODE]`, with one or more codes, names, prefixes or families separated by commas"
)
ANY = "give the code or the name of a rule, a prefix or a family"


@pytest.mark.parametrize(
    ("comment", "marked", "message", "help"),
    [
        ("# sbatchlint: ignore", None, "suppression 'ignore' names no rule", HOW.format("ignore")),
        ("# sbatchlint: off[ ]", None, "suppression 'off' names no rule", HOW.format("off")),
        ("# sbatchlint: of[SB301]", None, "unknown suppression 'of'", HOW.format("off")),
        ("# sbatchlint: xyzzy[SB301]", None, "unknown suppression 'xyzzy'", HOW.format("ignore")),
        (
            "# sbatchlint: ignore[old-progam]",
            "old-progam",
            "there is no rule 'old-progam' to suppress",
            "did you mean 'old-program'?",
        ),
        ("# sbatchlint: off[WRONG]", "WRONG", "there is no rule 'WRONG' to suppress", ANY),
        (
            "# sbatchlint: on[SB301]",
            "SB301",
            "SB301 is switched on here but was not off",
            "write `# sbatchlint: off[SB301]` where the block begins",
        ),
    ],
)
def test_what_cannot_be_understood(
    registry: Registry, comment: str, marked: str | None, message: str, help: str
) -> None:
    body = f"x {comment}\n"
    (one,) = found(registry, "SB003", body)
    assert said(body, one) == (marked or comment, message, "", help, None)


@pytest.mark.parametrize("code", ["ACME001", "SBU301", "XY999"])
def test_the_code_of_a_package_that_is_not_loaded_stands_before_one_that_is_wrong(
    registry: Registry, code: str
) -> None:
    body = f"x # sbatchlint: ignore[{code}, nonsense]\n"
    (one,) = found(registry, "SB003", body)
    assert said(body, one)[0] == "nonsense"
