"""Who reads the lines of a loop: the rule's answer against what bash does with the same script."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.checking import findings, job

SRUN = "srun cat >/dev/null"

INSIDE = st.sampled_from(
    [
        "{}",
        "A=$(\n{}\n)",
        'A="x$(\n{}\n)"',
        "for x in a; do\n{}\ndone",
        "for x in a; do\n{}\ndone < other",
        "for ((i = 0; i < 1; i++)); do\n{}\ndone < other",
        "for ((i = 0; i < 1; i++)); do\n{}\ndone",
        "if true; then\n{}\nfi",
        "if true; then\n{}\nfi < other",
        "case x in\nx)\n{}\n;;\nesac",
        "case x in\nx)\n{}\n;;\nesac < other",
        "{{\n{}\n}}",
        "{{\n{}\n}} < other",
        "(\n{}\n)",
        "(\n{}\n) < other",
        "{{\n{}\n}} 3< other",
        "{{\n{}\n}} > out",
    ]
)


@given(
    st.lists(INSIDE, max_size=3), st.sampled_from(["done < lines", "done 0< lines", "done <<E\n1\n2\n3\nE"])
)
@settings(max_examples=40)
def test_as_bash_hands_the_lines_on(
    tmp_path_factory: pytest.TempPathFactory, inside: list[str], end: str
) -> None:
    body = SRUN
    for around in inside:
        body = around.replace("{}", body).replace("{{", "{").replace("}}", "}")
    text = job(f"while read line; do\n{body}\necho round >> rounds\n{end}", nodes=1)
    starved = rounds(tmp_path_factory.mktemp("loop"), text) == 1
    assert bool(findings(text, "SB363")) is starved


def rounds(folder: Path, text: str) -> int:
    """Run *text* with a stand-in for srun and tell how many rounds its loop made."""
    (folder / "lines").write_text("1\n2\n3\n")
    (folder / "other").write_text("x\n")
    stand_in = 'srun() { "$@"; }\n'
    subprocess.run(["bash", "-c", stand_in + text], cwd=folder, check=True, timeout=60)
    return (folder / "rounds").read_text().count("round")
