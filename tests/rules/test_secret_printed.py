"""SB808: secrets that the script prints itself."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB808"


@pytest.mark.parametrize(
    "body",
    [
        'echo "HF_TOKEN=$HF_TOKEN"',
        "echo ${WANDB_API_KEY}",
        "echo $HF_TOKEN >&2",
        'echo "key ${MY_SECRET:-none}" 2>/dev/null',
        "printf '%s\\n' \"$GH_TOKEN\"",
        "echo $HF_TOKEN | tee -a log",
        "if true; then echo $HF_TOKEN; fi",
        "show() { echo $HF_TOKEN; }; show",
        "show() { echo $HF_TOKEN; }; X=$(show); show",
        "show() { echo $HF_TOKEN >&2; }; X=$(show)",
        "show() { echo $HF_TOKEN; }; outer() { show; }; outer",
        "show() { echo $HF_TOKEN; }; export -f show",
        "show() { echo $HF_TOKEN; again; }; again() { show; }; show",
    ],
)
def test_printed_into_the_log(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        'echo "${HF_TOKEN:+is set}"',
        'echo "${HF_TOKEN:0:4}..."',
        'echo "${#HF_TOKEN}"',
        "echo 'HF_TOKEN=$HF_TOKEN'",
        "echo $HF_TOKEN > ~/.token",
        "echo $HF_TOKEN | docker login --password-stdin",
        'X=$(echo "$HF_TOKEN")',
        "give() { echo $HF_TOKEN; }; X=$(give)",
        "give() { echo $HF_TOKEN; }; if X=$(give 2>/dev/null); then python t.py; fi",
        "give() { echo $HF_TOKEN; }; give | docker login --password-stdin",
        "give() { echo $HF_TOKEN; }; outer() { give; }; X=$(outer)",
        "printf -v X %s $HF_TOKEN",
        'echo "$TOKENIZER $MAX_TOKENS $HF_TOKEN_FILE"',
        '[ -n "$HF_TOKEN" ] || echo "HF_TOKEN is not set"',
    ],
)
def test_kept(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == []
