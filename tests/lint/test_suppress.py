"""Suppressions of every form, and what is none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.api import Finding, Source
from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.suppress import Malformed, Suppression, Verb, read_comment

HEAD = "#!/bin/bash\n"


def lint(registry: Registry, text: str, *select: str) -> FileResult:
    return lint_source(Source.from_text(HEAD + text, "f"), registry.select(select or None))


def said(result: FileResult) -> list[tuple[str, int]]:
    """Give code and line of each finding, lines counted without the first."""
    return [(one.code, line_of(result, one)) for one in result.findings]


def line_of(result: FileResult, finding: Finding) -> int:
    return result.source.position(finding.span.start).line - 1


def hushed(result: FileResult) -> list[tuple[str, int]]:
    return [(one.finding.code, line_of(result, one.finding)) for one in result.suppressed]


# --- one comment ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "verb", "keys", "reason"),
    [
        ("# sbatchlint: ignore[SB301]", Verb.IGNORE, ["SB301"], ""),
        ("# sbatchlint: ignore[SB301] not here", Verb.IGNORE, ["SB301"], "not here"),
        ("#sbatchlint:ignore[old-program,SB401]", Verb.IGNORE, ["old-program", "SB401"], ""),
        ("## sbatchlint: ignore [ SB301 , SB401 ]  a [b] c ", Verb.IGNORE, ["SB301", "SB401"], "a [b] c"),
        ("# sbatchlint: ignore-file[SB301]", Verb.IGNORE_FILE, ["SB301"], ""),
        ("# sbatchlint: off[SB301]", Verb.OFF, ["SB301"], ""),
        ("# sbatchlint: on[SB301]", Verb.ON, ["SB301"], ""),
        ("# sbatchlint: ignore[SB301,]", Verb.IGNORE, ["SB301"], ""),
        ("# sbatchlint: ignore[two words]", Verb.IGNORE, ["two words"], ""),
    ],
)
def test_well_formed(text: str, verb: Verb, keys: list[str], reason: str) -> None:
    read = read_comment(text, 100)
    assert isinstance(read, Suppression)
    assert read.verb is verb
    assert [entry.key for entry in read.entries] == keys
    assert [text[entry.span.start - 100 : entry.span.end - 100] for entry in read.entries] == keys
    assert read.reason == reason
    assert (read.span.start, read.span.end) == (100, 100 + len(text.rstrip()))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# sbatchlint: ignore", "'ignore' names no rule"),
        ("# sbatchlint: ignore SB301", "'ignore' names no rule"),
        ("# sbatchlint: ignore[]", "'ignore' names no rule"),
        ("# sbatchlint: ignore[ , ]", "'ignore' names no rule"),
        ("# sbatchlint: ignore[SB301", "'ignore' names no rule"),
        ("# sbatchlint: ignore=SB301", "'ignore' names no rule"),
        ("# sbatchlint: ignore-file", "'ignore-file' names no rule"),
        ("# sbatchlint: off", "'off' names no rule"),
        ("# sbatchlint: ignor[SB301]", "unknown suppression 'ignor'"),
        ("# sbatchlint: disable=SB301", "unknown suppression 'disable'"),
        ("# sbatchlint: ignore-next-line[SB301]", "unknown suppression 'ignore-next-line'"),
    ],
)
def test_malformed(text: str, problem: str) -> None:
    read = read_comment(text, 0)
    assert isinstance(read, Malformed)
    assert problem in read.problem
    assert "[CODE]" in read.help


@pytest.mark.parametrize(
    "text",
    [
        "# this is checked by sbatchlint: ignore[SB301] would silence it",
        "# sbatchlint is happy with this",
        "# sbatchlint: on the big cluster only",
        "# sbatchlint: we run it in CI",
        "# sbatchlint",
        "# sbatchlint:",
        "# see `# sbatchlint: ignore[SB301]` in the guide",
        "# mysbatchlint: ignore[SB301]",
        "# SBATCHLINT: ignore[SB301]",
    ],
)
def test_prose_is_no_suppression(text: str) -> None:
    assert read_comment(text, 0) is None


@given(st.text(st.sampled_from("# sbatchlint:ignorefl-[],SB301 é\t"), max_size=60))
def test_any_comment_can_be_read(text: str) -> None:
    read = read_comment("# sbatchlint: ignore" + text, 7)
    assert read is None or read.span.start == 7


# --- what is covered -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "old # sbatchlint: ignore[SB301] reason\n",
        "\told é # sbatchlint: ignore[SB301]\n",
        "old\t# sbatchlint: ignore[old-program] by name\n",
        "# sbatchlint: ignore[SB301]\nold\n",
        "  # sbatchlint: ignore[SB301]\n  old\n",
        "# sbatchlint: ignore[SB301]\n# more to say\n\told; old\n",
        "# sbatchlint: ignore[SB401]\n# sbatchlint: ignore[SB301]\nold noisy\n",
        "# sbatchlint: ignore[SB401,SB301]\nold noisy\n",
        "# sbatchlint: ignore[SB301]\nsrun \\\n  --x \\\n  old\n",
        "srun \\\n  old \\\n  --x # sbatchlint: ignore[SB301]\n",
        "srun a &&\n  old ||\n  x # sbatchlint: ignore[SB301]\n",
        "# sbatchlint: ignore[SB301]\nfor x in a; do\n  old\ndone\n",
        "# sbatchlint: ignore[SB301]\nrun() {\n  old\n}\n",
        "for x in a; do\n  # sbatchlint: ignore[SB301]\n  old\ndone\n",
        "for x in a; do\n  old # sbatchlint: ignore[SB301]\ndone\n",
        "if old; then # sbatchlint: ignore[SB301]\n  x\nfi\n",
        "A=(\n  x\n  old # sbatchlint: ignore[SB301]\n)\n",
        "A=( # sbatchlint: ignore[SB301]\n  x\n  old\n)\n",
        "A=(\n  x\n  # sbatchlint: ignore[SB301]\n  old\n)\n",
        "# sbatchlint: ignore[SB301]\nA=(\n  x\n  old\n)\n",
        "# sbatchlint: ignore[SB301]\ncat > f <<EOF\nold\nEOF\n",
        "cat > f <<EOF # sbatchlint: ignore[SB301]\n\nold\nEOF\n",
        "# sbatchlint: ignore[SB301]\nwhile read x; do\n  y\ndone <<EOF\nold\nEOF\n",
        "# sbatchlint: ignore[SB301]\nsrun bash -c '\nold\n'\n",
        "old\n# sbatchlint: ignore-file[SB301]\nold\n",
        "# sbatchlint: off[SB301]\nold\nold\n# sbatchlint: on[SB301]\n",
        "old # sbatchlint: off[SB301]\nold\n",
        "# sbatchlint: off[SB401]\n# sbatchlint: off[SB301]\nold noisy\n# sbatchlint: on[SB301,SB401]\n",
        "#SBATCH --comment=old # sbatchlint: ignore[SB301] it is\n",
        "#SBATCH hetjob # sbatchlint: ignore[SB301] old\n",
        "#SBATCH -N2\n# sbatchlint: ignore[SB301] it is\n#SBATCH --comment=old\n",
        "#SBATCH --comment='#old' # sbatchlint: ignore[SB301] it is\n",
        "old # sbatchlint: ignore[SB301]",
        "# sbatchlint: ignore[SB301]\r\nold\r\n",
    ],
)
def test_covered(registry: Registry, text: str) -> None:
    result = lint(registry, text)
    assert said(result) == []
    assert len(result.suppressed) == len(re.findall(r"\bold\b(?!-)|noisy", text))


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("old # sbatchlint: ignore[SB401]\n", [("SB301", 1), ("SB002", 1)]),
        ("# sbatchlint: ignore[SB301]\n\nold\n", [("SB002", 1), ("SB301", 3)]),
        ("# sbatchlint: ignore[SB301]\n#SBATCH -N2\nold\n", [("SB002", 1), ("SB301", 3)]),
        ("# sbatchlint: ignore[SB301]\nx; y\nold\n", [("SB002", 1), ("SB301", 3)]),
        ("old\nold # sbatchlint: ignore[SB301]\nold\n", [("SB301", 1), ("SB301", 3)]),
        ("for x in a; do # sbatchlint: ignore[SB301]\n  old\ndone\n", [("SB002", 1), ("SB301", 2)]),
        ("if x; then\n  old\nfi # sbatchlint: ignore[SB301]\n", [("SB301", 2), ("SB002", 3)]),
        (
            "old\n# sbatchlint: off[SB301]\nold\n# sbatchlint: on[SB301]\nold\n",
            [("SB301", 1), ("SB301", 5)],
        ),
        ("echo '# sbatchlint: ignore[SB301]' old\n", [("SB301", 1)]),
        ("cat <<EOF\nold # sbatchlint: ignore[SB301]\nEOF\n", [("SB301", 2)]),
        ("#SBATCH --comment='old # sbatchlint: ignore[SB301]'\n", [("SB301", 1)]),
        ("#SBATCH --comment=old\\# sbatchlint: ignore[SB301]\n", [("SB301", 1)]),
        ("old # see # sbatchlint: ignore[SB301]\n", [("SB301", 1)]),
        ("# sbatchlint: ignore[SB301]", [("SB002", 1)]),
    ],
)
def test_not_covered(registry: Registry, text: str, standing: list[tuple[str, int]]) -> None:
    assert said(lint(registry, text)) == standing


def test_suppressed_findings_keep_their_reason(registry: Registry) -> None:
    result = lint(registry, "old # sbatchlint: ignore[SB301] the new one is slow\n")
    (one,) = result.suppressed
    assert one.finding.code == "SB301"
    assert one.by is not None and one.reason == one.by.reason == "the new one is slow"


def test_the_nearest_suppression_is_credited(registry: Registry) -> None:
    text = "# sbatchlint: ignore-file[SB301]\nold # sbatchlint: ignore[SB301] here\n"
    result = lint(registry, text)
    assert [one.reason for one in result.suppressed] == ["here"]
    assert said(result) == [("SB002", 1)]


# --- unused and invalid ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x  # sbatchlint: ignore[SB301] reason\ny\n", "x\ny\n"),
        ("x  # sbatchlint: ignore[SB301] reason", "x"),
        ("# sbatchlint: ignore[SB301] reason\nx\n", "x\n"),
        ("x\n  # sbatchlint: ignore[SB301]", "x\n"),
        ("x\r\n# sbatchlint: ignore[SB301]\r\ny\n", "x\r\ny\n"),
        ("\tx é # sbatchlint: ignore[SB301] é\r\ny\r\n", "\tx é\r\ny\r\n"),
        ("old # sbatchlint: ignore[SB301, SB401] why\n", "old # sbatchlint: ignore[SB301] why\n"),
        ("old # sbatchlint: ignore[SB401,SB301] why\n", "old # sbatchlint: ignore[SB301] why\n"),
        ("old # sbatchlint: ignore[SB301,SB301]\n", "old # sbatchlint: ignore[SB301]\n"),
        ("x # sbatchlint: ignore[SB401,SB301]\n", "x\n"),
        ("#SBATCH -N2 # sbatchlint: ignore[SB301] why\nx\n", "#SBATCH -N2\nx\n"),
        ("# sbatchlint: off[SB301]\nx\n# sbatchlint: on[SB301]\ny\n", "x\ny\n"),
        (
            "# sbatchlint: off[SB301,SB401]\nold\n# sbatchlint: on[SB301]\nx\n# sbatchlint: on[SB401]\n",
            "# sbatchlint: off[SB301]\nold\n# sbatchlint: on[SB301]\nx\n",
        ),
        (
            "# sbatchlint: off[SB301]\n# sbatchlint: off[SB401]\nx\n# sbatchlint: on[SB301,SB401]\ny\n",
            "x\ny\n",
        ),
        ("# sbatchlint: ignore-file[SB301]\nx\n", "x\n"),
        ("A=(\n  x # sbatchlint: ignore[SB301]\n  y\n)\n", "A=(\n  x\n  y\n)\n"),
        ("# kept # sbatchlint\n# sbatchlint: ignore[SB301]\n# kept\nx\n", "# kept # sbatchlint\n# kept\nx\n"),
    ],
)
def test_unused_suppression_is_removed_and_nothing_else(registry: Registry, before: str, after: str) -> None:
    rules = registry.select()
    result = fix_source(Source.from_bytes((HEAD + before).encode(), "f"), rules)
    assert {finding.code for finding in result.before.findings} == {"SB002"}
    assert result.converged.dropped == ()
    assert result.converged.source.to_bytes() == (HEAD + after).encode()
    assert result.after.findings == ()


def test_only_rules_that_ran_can_be_unused(registry: Registry) -> None:
    text = "x # sbatchlint: ignore[SB301]\n"
    assert said(lint(registry, text)) == [("SB002", 1)]
    assert said(lint(registry, text, "SB0", "SB401")) == []
    assert said(lint(registry, text, "SB3")) == []


def test_unused_suppression_can_be_suppressed(registry: Registry) -> None:
    text = "# sbatchlint: ignore-file[SB002] generated\nx # sbatchlint: ignore[SB301]\n"
    result = lint(registry, text)
    assert said(result) == []
    assert hushed(result) == [("SB002", 2)]
    assert said(lint(registry, "# sbatchlint: ignore-file[SB002] none is unused\nx\n")) == []


@pytest.mark.parametrize(
    ("text", "place", "help"),
    [
        ("x # sbatchlint: ignore[old-progam]\n", "old-progam", "did you mean 'old-program'?"),
        ("x # sbatchlint: ignore[WRONG]\n", "WRONG", "give the code or the name of a rule"),
        ("x # sbatchlint: ignore[SB9]\n", "SB9", "give the code or the name of a rule"),
        ("x # sbatchlint: ignore[cluster]\n", "cluster", "give the code or the name of a rule"),
        ("x # sbatchlint: ignore[lanch]\n", "lanch", "did you mean 'launch'?"),
        ("x # sbatchlint: ignore[ALL]\n", "ALL", "give the code or the name of a rule"),
        ("x # sbatchlint: on[SB3]\n", "SB3", "off[SB3]"),
        ("x # sbatchlint: ignore\n", "# sbatchlint: ignore", "[CODE]"),
        ("x # sbatchlint: on[SB301]\n", "SB301", "off[SB301]"),
    ],
)
def test_invalid_suppression(registry: Registry, text: str, place: str, help: str) -> None:
    result = lint(registry, text)
    (finding,) = result.findings
    assert finding.code == "SB003"
    assert result.source.slice(finding.span) == place
    assert help in finding.help


def test_a_valid_entry_beside_an_unknown_one_works(registry: Registry) -> None:
    result = lint(registry, "old # sbatchlint: ignore[nonsense, SB301]\n")
    assert said(result) == [("SB003", 1)]
    assert hushed(result) == [("SB301", 1)]


# --- prefixes and families -----------------------------------------------------------------------


@pytest.mark.parametrize("key", ["SB301", "SB30", "SB3", "SB", "launch", "old-program"])
@pytest.mark.parametrize(
    "text",
    [
        "old # sbatchlint: ignore[{}] reason\n",
        "# sbatchlint: ignore[{}]\nold\n",
        "x\nold\n# sbatchlint: ignore-file[{}]\n",
        "# sbatchlint: off[{}]\nold\n# sbatchlint: on[{}]\n",
    ],
)
def test_a_prefix_covers_its_rules(registry: Registry, text: str, key: str) -> None:
    result = lint(registry, text.replace("{}", key))
    assert said(result) == []
    assert [one.finding.code for one in result.suppressed] == ["SB301"]


@pytest.mark.parametrize("key", ["SB301", "SB30", "SB3", "launch"])
def test_a_prefix_covers_no_other_rule(registry: Registry, key: str) -> None:
    text = f"old # sbatchlint: ignore[{key}]\nnoisy # sbatchlint: ignore[{key}]\n"
    assert said(lint(registry, text)) == [("SB401", 2), ("SB002", 2)]


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("# sbatchlint: off[SB]\nold\n# sbatchlint: on[SB4]\nnoisy old\n", [("SB401", 4)]),
        ("# sbatchlint: off[SB301,SB401]\nold noisy\n# sbatchlint: on[SB]\nold\n", [("SB301", 4)]),
        ("# sbatchlint: off[SB4]\nnoisy\n# sbatchlint: on[expansion]\nnoisy\n", [("SB401", 4)]),
    ],
)
def test_off_and_on_need_not_name_the_same(
    registry: Registry, text: str, standing: list[tuple[str, int]]
) -> None:
    assert said(lint(registry, text)) == standing


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x  # sbatchlint: ignore[SB3] reason\ny\n", "x\ny\n"),
        ("x  # sbatchlint: ignore[launch]\n", "x\n"),
        ("# sbatchlint: off[SB3]\nx\n# sbatchlint: on[SB3]\n", "x\n"),
        ("old # sbatchlint: ignore[SB3, SB4] why\n", "old # sbatchlint: ignore[SB3] why\n"),
        ("old # sbatchlint: ignore[SB, SB301] why\n", "old # sbatchlint: ignore[SB301] why\n"),
        (
            "# sbatchlint: off[SB3]\n# sbatchlint: off[SB401]\nold\n# sbatchlint: on[SB]\n",
            "# sbatchlint: off[SB3]\nold\n# sbatchlint: on[SB]\n",
        ),
        (
            "# sbatchlint: off[SB3]\n# sbatchlint: off[SB401]\nx\n# sbatchlint: on[SB]\n",
            "x\n",
        ),
    ],
)
def test_an_unused_prefix_is_removed(registry: Registry, before: str, after: str) -> None:
    result = fix_source(Source.from_text(HEAD + before, "f"), registry.select())
    assert {finding.code for finding in result.before.findings} == {"SB002"}
    assert result.converged.source.text == HEAD + after
    assert result.after.findings == ()


def test_a_prefix_is_unused_only_where_all_its_rules_ran(registry: Registry) -> None:
    text = "x # sbatchlint: ignore[SB]\n"
    assert said(lint(registry, text)) == [("SB002", 1)]
    assert said(lint(registry, text, "SB0", "SB3")) == []


def test_a_prefix_does_not_hide_what_is_said_of_suppressions(registry: Registry) -> None:
    text = "# sbatchlint: ignore-file[SB]\nx # sbatchlint: ignore[SB301]\ny # sbatchlint: ignore[nonsense]\n"
    assert said(lint(registry, text)) == [("SB002", 1), ("SB002", 2), ("SB003", 3)]
