"""Where blocks begin and end: held against the expression that says it in one piece and slowly."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.lint.markdown import blocks
from sbatchlint.source import Source

_WHOLE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}(?!`)|~{3,}(?!~))[ \t]*(?P<language>[\w-]*)[^\n`]*\n"
    r"(?P<body>.*?)^[ \t]*(?P=fence)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_LINES = st.lists(
    st.sampled_from(
        ["```", "````", "~~~", "~~~~", "```bash", "  ```", "~~~sh x", "``` `", "#SBATCH -N2", "a", "", "``"]
    ),
    max_size=14,
)


@given(_LINES)
def test_blocks_of_any_fences(lines: list[str]) -> None:
    text = "\n".join(lines)
    wanted = [
        match.start("body")
        for match in _WHOLE.finditer(text)
        if match["language"] in ("", "bash", "sh") and re.search("^ *#SBATCH", match["body"], re.MULTILINE)
    ]
    assert [block.starts[0] for block in blocks(Source.from_text(text))] == wanted
