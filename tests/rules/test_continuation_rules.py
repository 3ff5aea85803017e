"""SB411, SB412 and SB413: commands that end too early."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

THREE = ("SB411", "SB412", "SB413")


def told(text: str) -> list[tuple[str, int]]:
    """Code and line of each finding of the three."""
    return [(code, line) for code in THREE for line, _ in lines(text, code)]


# --- SB411 backslash-broken --------------------------------------------------------------------------


@pytest.mark.parametrize("blank", [" ", "\t", "   ", " \t "])
@pytest.mark.parametrize("head", ["srun python t.py", "python t.py --a 1", "RUN=1 srun --label python"])
def test_a_blank_behind_the_backslash(head: str, blank: str) -> None:
    text = job(f"{head} \\{blank}", "  --b 2", ntasks=1)
    assert told(text) == [("SB411", 3)]
    assert fixed(text).converged.source.text == job(f"{head} \\", "  --b 2", ntasks=1)


@pytest.mark.parametrize("comment", ["\\ # more", "\\  # more", "\\\t# more"])
def test_a_comment_behind_the_backslash(comment: str) -> None:
    text = job(f"srun python t.py {comment}", "  --b 2", ntasks=1)
    assert told(text) == [("SB411", 3)]
    assert findings(text, "SB411")[0].fix is None


@pytest.mark.parametrize(
    ("tail", "label"),
    [
        ("\\ ", "the blank becomes an argument"),
        ("\\   # more", "the blank becomes an argument"),
        ("\\ \t# more", "the blank becomes an argument"),
        ("\\   # it's <b> (one) of", "the blank becomes an argument"),
        ("\\ # more", "the blank and the words of the comment become arguments"),
        ("\\\t# more", "the blank and the words of the comment become arguments"),
    ],
)
@pytest.mark.parametrize("head", ["srun python t.py", "ARGS=( --a"])
def test_what_becomes_of_the_comment_is_what_bash_makes_of_it(head: str, tail: str, label: str) -> None:
    end = " )" * head.endswith("( --a")
    (found,) = findings(job(f"{head} {tail}", f"  --b 2{end}", 'srun x "${ARGS[@]}"', ntasks=1), "SB411")
    assert found.label == label


@pytest.mark.parametrize("comment", ["\\ # the (first) one", "\\ # it's one"])
def test_a_comment_that_bash_stops_at_cannot_be_read(comment: str) -> None:
    assert "SB001" in {found.code for found in findings(job(f"srun x {comment}", "  --b 2", ntasks=1))}


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'python t.py \\ ", "  --b 2'"],
        ['CMD="python t.py \\ ', '  --b 2"', 'srun bash -c "$CMD"'],
        ["srun bash <<'EOF'", "python t.py \\ ", "  --b 2", "EOF"],
        ["go() {", "  srun python t.py \\ ", "    --b 2", "}", "go"],
    ],
)
def test_in_code_that_is_written_elsewhere(body: list[str]) -> None:
    assert [code for code, _ in told(job(*body, ntasks=1))] == ["SB411"]


def test_a_warning_at_the_end_of_the_command() -> None:
    assert lines(job("srun python t.py \\ ", "", "date", ntasks=1), "SB411") == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        ["grep 'loss \\ ' old.log"],
        ['echo "a \\ ', 'b"'],
        ["cat > note <<'EOF'", "srun python t.py \\ ", "  --b", "EOF"],
        ["# srun python t.py \\ ", "srun python t.py"],
        ["srun python t.py \\", "  --b 2"],
        ["srun python t.py a\\ b"],
        ["srun python my\\ file.py \\", "  --b 2"],
    ],
)
def test_quiet_where_it_is_text_or_right(body: list[str]) -> None:
    assert told(job(*body, ntasks=1)) == []


# --- SB412 continuation-missing ----------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--b 2", "-b 2", "--b=$X", "--no-b", "++trainer.b=2", "model.b=2", "-x"])
def test_a_line_that_begins_with_an_argument(option: str) -> None:
    text = job("srun python t.py \\", "  --a 1", f"  {option}", ntasks=1)
    assert told(text) == [("SB412", 5)]
    assert fixed(text).converged.source.text == job(
        "srun python t.py \\", "  --a 1 \\", f"  {option}", ntasks=1
    )


def test_each_line_that_lacks_one() -> None:
    text = job("srun python t.py", "  --a 1", "  --b 2", ntasks=1)
    assert told(text) == [("SB412", 4), ("SB412", 5)]
    assert told(fixed(text).converged.source.text) == []


@pytest.mark.parametrize("between", ["", "  # --a 1 \\", "  # a note"])
def test_no_fix_behind_a_blank_line_or_a_comment(between: str) -> None:
    text = job("srun python t.py \\", between, "  --b 2", ntasks=1)
    (found,) = findings(text, "SB412")
    assert found.fix is None


@pytest.mark.parametrize(
    "body",
    [
        ["args=(", "  --a 1", "  # --c", "  --b 2", ")", 'srun python t.py "${args[@]}"'],
        ["case $1 in", "  --a) echo a;;", "  -b|--b) echo b;;", "esac"],
        ["cat <<EOF", "--a 1", "EOF"],
        ['OPTIONS="', "  --a 1", '  --b 2"', "srun python t.py $OPTIONS"],
        ["model=7", "srun python t.py"],
        ["srun python t.py --a 1 &&", "  echo done"],
    ],
)
def test_quiet_in_lists_and_patterns(body: list[str]) -> None:
    assert told(job(*body, ntasks=1)) == []


# --- SB413 newline-in-command-string -----------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        ['CMD="python t.py', '  --b 2"', 'srun bash -c "$CMD"'],
        ["srun bash -c 'python t.py", "  --b 2'"],
        ['srun bash -c "python t.py', '  --b $X"'],
        ["srun bash <<EOF", "python t.py", "  --b 2", "EOF"],
        ['CMD="python t.py', '  --b 2"', 'eval "$CMD"'],
        ['ARGS="', '  --b 2"', 'srun bash -c "python t.py $ARGS"'],
    ],
)
def test_a_line_break_in_code(body: list[str]) -> None:
    text = job(*body, ntasks=1)
    assert [code for code, _ in told(text)] == ["SB413"]
    assert told(fixed(text).converged.source.text) == []


@pytest.mark.parametrize(
    "body",
    [
        ['CMD="python t.py', '  --b 2"', "srun $CMD"],
        ['CMD="python t.py', '  --b 2"', 'srun bash -c "$(echo $CMD)"'],
        ['CMD="python t.py \\', '  --b 2"', 'srun bash -c "$CMD"'],
        ["srun bash -c 'cd /d", "python t.py --b 2'"],
        ['echo "python t.py', '  --b 2"'],
    ],
)
def test_quiet_where_it_is_a_blank_or_meant(body: list[str]) -> None:
    assert told(job(*body, ntasks=1)) == []
