"""SB410: characters in commands that look like ASCII."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job

CODE = "SB410"
NBSP, ZERO_WIDTH = "\u00a0", "\u200b"


@pytest.mark.parametrize(
    "body",
    [
        "echo “hello” — done",
        f"echo a{NBSP}b",
        'python t.py --name "naïve – “x”"',
        "python t.py --name 'a – b'",
        "# srun –n 4 “x”",
        "cat <<E\nsrun –n 4 “x”\nE",
        "python t.py --name=Größe_模型",
        "python t.py don’t",
        "python t.py a–b",
        "python t.py — x",
        "python t.py 10–20",
        "A='“x”'",
        'git commit -m "x" –amend',
        "for f in données/*.txt; do cp $f .; done",
        "[ $a = é ] && x",
        "cp /data/训练\u3000集 .",
    ],
)
def test_prose_and_letters_are_left_in_peace(body: str) -> None:
    assert findings(job(body, ntasks=1), CODE) == []


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("srun –n 4 x", "srun -n 4 x"),
        ("srun –n4 x", "srun -n4 x"),
        ("srun —ntasks=4 x", "srun --ntasks=4 x"),
        ("srun –-ntasks=4 x", "srun --ntasks=4 x"),
        (f"srun{NBSP}x", "srun x"),
        (f"{NBSP}{NBSP}srun x", "  srun x"),
        (f"A=1{NBSP}", f"A=1{NBSP}"),
        (f"srun{ZERO_WIDTH} x", "srun x"),
        ("x --name=“foo”", 'x --name="foo"'),
        ("x --name ‘foo’", "x --name 'foo'"),
        ("A=“foo”", 'A="foo"'),
        ("A=$(x —verbose)", "A=$(x --verbose)"),
    ],
)
def test_it_becomes_what_it_looks_like(body: str, after: str) -> None:
    text = job(body, ntasks=1)
    (found,) = findings(text, CODE)
    assert (found.fix is None) == (body == after)
    assert fixed(text).converged.source.text == job(after, ntasks=1)


def test_a_short_name_may_have_one_dash_or_two() -> None:
    (found,) = findings(job("mpirun –np 4 x", ntasks=1), CODE)
    assert (found.severity.value, found.fix) == ("error", None)


def test_quotes_around_several_words_are_an_unsafe_fix() -> None:
    text = job("x --name “foo bar” y", ntasks=1)
    (found,) = findings(text, CODE)
    assert found.severity.value == "error"
    assert fixed(text).converged.source.text == text
    assert fixed(text, unsafe=True).converged.source.text == job('x --name "foo bar" y', ntasks=1)


def test_quotes_around_one_word_are_a_warning() -> None:
    (found,) = findings(job("x --name “foo”", ntasks=1), CODE)
    assert found.severity.value == "warning"


def test_directives_are_another_rule() -> None:
    assert findings("#!/bin/bash\n#SBATCH –N 2\nsrun x\n", CODE) == []


@pytest.mark.parametrize("line", [ZERO_WIDTH, f"  {ZERO_WIDTH}{ZERO_WIDTH} ", NBSP, f"{NBSP} {NBSP}"])
@pytest.mark.parametrize(
    ("before", "behind", "severity"),
    [("", "srun x", "warning"), ("set -e", "srun x", "error"), ("", "", "error")],
)
def test_a_line_that_only_seems_to_be_empty(line: str, before: str, behind: str, severity: str) -> None:
    text = job(before, "srun y", line, behind, ntasks=1)
    (found,) = findings(text, CODE)
    assert found.message.startswith("this line is not empty")
    assert found.severity.value == severity
    assert fixed(text, code=CODE).converged.source.text.isascii()


def test_an_unseen_character_behind_a_continued_line_is_an_argument() -> None:
    (found,) = findings(job("srun x \\", ZERO_WIDTH, "date", ntasks=1), CODE)
    assert (found.message, found.severity.value) == ("an invisible character is part of this word", "error")
