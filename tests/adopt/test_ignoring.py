"""Comments that answer findings: they do, and change nothing else."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.adopt.ignoring import Answered, add_ignores
from sbatchlint.fix.guards import Guards
from sbatchlint.source import Source
from tests.adopt.linting import all_rules, lint, said

if TYPE_CHECKING:
    from sbatchlint.lint.engine import FileResult
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Again, Job

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n"
FAULT = 'srun bash -c "echo $SLURM_PROCID"'
REASON = "known of old"
GUARDS = Guards()
CASES = Path(__file__).parents[1] / "rules" / "cases" / "bad"


def answer(text: str | Source, reason: str = REASON) -> Answered:
    given = text if isinstance(text, Source) else Source.from_text(text, "job.sh")
    return add_ignores(lint(given), lint, all_rules().registry, reason, GUARDS)


def without_comments(after: Source) -> bytes:
    """Take out what ``add_ignores`` writes; the reason is nowhere else in the texts of these tests."""
    comment = rb"# sbatchlint: ignore(-file)?\[[^\]]*\] " + REASON.encode()
    data = re.sub(rb"(?m)^[ \t]*" + comment + rb"\r?\n", b"", after.to_bytes())
    return re.sub(rb"  " + comment + rb"(?=\r?\n|\Z)", b"", data)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{FAULT}\n", f"{FAULT}  # C R\n"),
        (f"{FAULT}", f"{FAULT}  # C R"),
        (f"  {FAULT} \n", f"  {FAULT}   # C R\n"),
        (f"{FAULT} # why\n", f"# C R\n{FAULT} # why\n"),
        ('srun bash \\\n  -c "$SLURM_PROCID"\n', '# C R\nsrun bash \\\n  -c "$SLURM_PROCID"\n'),
        (f"run() {{\n\t{FAULT}\n}}\nrun\n", f"run() {{\n\t{FAULT}  # C R\n}}\nrun\n"),
        (f"run() {{\n\t{FAULT} # why\n}}\nrun\n", f"run() {{\n\t# C R\n\t{FAULT} # why\n}}\nrun\n"),
        (f"# sbatchlint: ignore[SB101] old\n{FAULT}\n", f"# sbatchlint: ignore[SB101] old\n{FAULT}  # C R\n"),
        (f"{FAULT}; {FAULT}\n", f"{FAULT}; {FAULT}  # C R\n"),
        ('srun bash -c "\n  echo $SLURM_PROCID\n"\n', '# C R\nsrun bash -c "\n  echo $SLURM_PROCID\n"\n'),
        (
            "srun bash <<EOF\necho $SLURM_PROCID\nEOF\n",
            "# C R\nsrun bash <<EOF\necho $SLURM_PROCID\nEOF\n",
        ),
        (
            'for x in a; do srun bash -c "\n$SLURM_PROCID"\ndone\n',
            'for x in a; do srun bash -c "\n$SLURM_PROCID"  # C R\ndone\n',
        ),
    ],
)
def test_where_the_comment_stands(before: str, after: str) -> None:
    assert "SB401" in {code for code, _ in said(lint(HEAD + before))}
    done = answer(HEAD + before)
    wanted = after.replace("C R", f"sbatchlint: ignore[SB401] {REASON}")
    assert done.result.source.text == HEAD + wanted
    assert "SB401" not in {code for code, _ in said(done.result)}


def test_on_a_directive() -> None:
    run = "srun torchrun --nproc_per_node=8 --rdzv-endpoint=$H:1 train.py\n"
    text = HEAD + "#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8 # all\n" + run
    done = answer(text)
    assert f"#SBATCH --ntasks-per-node=8  # sbatchlint: ignore[SB301] {REASON}\n" in done.result.source.text
    assert done.left == ()
    assert without_comments(done.result.source) == text.encode()


def test_a_comment_on_a_directive_is_left_and_the_new_one_goes_above() -> None:
    run = "srun torchrun --nproc_per_node=8 train.py\n"
    text = HEAD + "#SBATCH --ntasks-per-node=8 # all\n#SBATCH --gpus-per-node=8\n" + run
    done = answer(text)
    wanted = f"# sbatchlint: ignore[SB301] {REASON}\n#SBATCH --ntasks-per-node=8 # all\n"
    assert wanted in done.result.source.text


def test_several_rules_share_a_comment_and_an_old_one_is_extended() -> None:
    line = 'export NCCL_DEBGU=INFO; srun bash -c "echo $SLURM_PROCID"'
    codes = sorted({code for code, _ in said(lint(f"{HEAD}{line}\n"))})
    assert len(codes) > 1
    done = answer(f"{HEAD}{line}\n")
    assert f"{line}  # sbatchlint: ignore[{', '.join(codes)}] {REASON}\n" in done.result.source.text
    first, *others = codes
    done = answer(f"{HEAD}{line} # sbatchlint: ignore[{first}] it is so\n")
    assert f"{line} # sbatchlint: ignore[{', '.join([first, *others])}] it is so\n" in done.result.source.text
    assert done.result.findings == ()


def test_the_whole_file_is_the_last_resort() -> None:
    done = answer("#!/bin/bash\n#SBATCH --nodes=2\n#sbatch --time=1:00\ndate\n")
    assert done.result.source.text.splitlines()[1] == f"# sbatchlint: ignore-file[SB103] {REASON}"
    again = answer("#!/bin/bash\n# sbatchlint: ignore-file[SB401] no\n#SBATCH -N2\n#sbatch -n1\n" + FAULT)
    assert "# sbatchlint: ignore-file[SB401, SB103] no\n" in again.result.source.text


def test_comments_are_not_answered_by_comments() -> None:
    text = f"{HEAD}date # sbatchlint: ignore[SB401]\n# sbatchlint: ignore\n"
    done = answer(text)
    assert done.count == 0
    assert {finding.code for finding in done.left} == {"SB002", "SB003"}
    assert done.result.source.text == text


def test_a_script_in_another_language_has_no_comments_of_ours() -> None:
    text = "#!/usr/bin/env python3\n#SBATCH --nodes=2\n#SBATCH --tim=1:00\nprint()\n"
    done = answer(text)
    assert done.left == lint(text).findings != ()
    assert done.result.source.text == text


PIECES = st.sampled_from(
    [
        FAULT,
        f"{FAULT} # why not",
        f"date; {FAULT}",
        'srun bash \\\n  -c "echo $SLURM_PROCID" \\\n  --more',
        'srun bash -c "\necho $SLURM_PROCID\n\n"',
        "srun bash <<EOF\n# no comment\necho $SLURM_PROCID\nEOF",
        'CMD="echo $SLURM_PROCID"\nsrun bash -c "$CMD"',
        'ARGS=(\n  bash\n  -c "echo $SLURM_PROCID"\n)\nsrun "${ARGS[@]}"',
        "cat > notes <<'EOF'\necho $SLURM_PROCID\nEOF",
        'srun bash -c "echo $SLURM_PROCID" |\n  tee log',
        'date &&\n  srun bash -c "echo $SLURM_PROCID" \\\n  || exit 1',
        'X=$(\n  srun bash -c "echo $SLURM_PROCID"\n)',
        "echo 'one\ntwo' # é",
        "date \\\n",
        "",
        "# a comment",
    ]
)
WRAPS = st.sampled_from(
    [
        "{}",
        "if true; then\n{}\nfi",
        "for x in a b; do {}\ndone",
        "run() {{\n{}\n}}\nrun",
        "(\n{}\n)",
        "case $X in\n  a) {}\n  ;;\nesac",
        "{{ {}\n}} > log",
    ]
)
SCRIPTS = st.lists(st.tuples(WRAPS, st.lists(PIECES, min_size=1, max_size=3)), min_size=1, max_size=4).map(
    lambda parts: "\n".join(wrap.format("\n".join(pieces)) for wrap, pieces in parts)
)


def accepts(source: Source) -> bool:
    return (
        subprocess.run(["bash", "-n"], input=source.to_bytes(), capture_output=True, check=False).returncode
        == 0
    )


@given(body=SCRIPTS, crlf=st.booleans(), end=st.booleans())
@settings(max_examples=15)
def test_every_finding_is_answered_and_nothing_else_changes(body: str, crlf: bool, end: bool) -> None:
    text = HEAD + body + ("\n" if end else "")
    before = Source.from_text(text.replace("\n", "\r\n") if crlf else text, "job.sh")
    found = lint(before)
    done = answer(before)
    after = done.result.source
    assert done.left == ()
    assert done.count == len(found.findings)
    assert lint(after).findings == ()
    assert without_comments(after) == before.to_bytes()
    assert accepts(after) or not accepts(before)
    assert answer(after).result.source == after


@pytest.mark.parametrize("path", sorted(CASES.glob("*.sh"))[::4], ids=lambda path: path.stem)
def test_scripts_from_bug_reports(path: Path) -> None:
    before = Source.from_bytes(path.read_bytes(), path.name)
    done = answer(before)
    after = done.result.source
    assert done.count == len(lint(before).findings)
    assert lint(after).findings == ()
    assert without_comments(after) == before.to_bytes()


def test_what_is_hidden_stays_so_when_its_line_changes() -> None:
    """With a sieve that goes by lines, a comment at the end of a line may bring up what else is in it."""
    text = f'{HEAD}export NCCL_DEBGU=INFO; srun bash -c "echo $SLURM_PROCID"\n'

    def sieved(source: Source) -> FileResult:
        def sieve(job: Job, findings: Sequence[Finding], again: Again) -> list[Finding]:
            lines = {source.line(source.position(one.span.start).line): one for one in findings}
            changed = {id(one) for line, one in lines.items() if line not in text.splitlines()}
            return [one for one in findings if one.code == "SB401" or changed]

        return lint(source, sieve)

    result = sieved(Source.from_text(text, "job.sh"))
    assert {one.code for one in result.findings} == {"SB401"}
    done = add_ignores(result, sieved, all_rules().registry, REASON, GUARDS)
    assert done.result.findings == ()
    assert done.result.source.text == text.replace("export", f"# sbatchlint: ignore[SB401] {REASON}\nexport")
