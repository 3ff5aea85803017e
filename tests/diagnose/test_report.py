from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.diagnose.signatures import signatures
from sbatchlint.report.diagnose_json import diagnose_json, schema_text
from sbatchlint.report.diagnose_model import DiagnosisReport, report_of
from sbatchlint.report.diagnose_text import diagnose_text
from tests.diagnose.scenes import EXPECTED, LOGS, diagnose

TOKEN = "hf_" + "QzkVnTbRwLyXcMdHsGfJpKuAeIoBtYmWxN"
SCHEMA = json.loads(schema_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def shown(*logs: str | bytes) -> DiagnosisReport:
    return report_of(diagnose(*logs), [f"log{number}" for number in range(len(logs))], {})


def test_the_whole_text() -> None:
    log = (
        "1: [default5]:[rank13]: torch.OutOfMemoryError: CUDA out of memory\n"
        "srun: error: n2: task 1: Exited with exit code 1\n"
        "srun: error: n1: task 0: Terminated\n"
    )
    assert diagnose_text(report_of(diagnose(log), ["a.log"], {"SB721": "gpu-memory-exceeded"})) == (
        "failure: the memory of a GPU ran out  (cuda-oom)\n"
        " --> a.log:1\n"
        "  |\n"
        "1 | 1: [default5]:[rank13]: torch.OutOfMemoryError: CUDA out of memory\n"
        "  |\n"
        "  = first: rank 13 (local rank 5) of task 1 on n2\n"
        "  = cause: the weights, optimizer and activations of this rank are larger than its GPU\n"
        "  = exit:  1: an error of its own: an uncaught Python exception, a launcher, a plugin of Slurm; "
        "torchrun always ends with 1, whatever ended its worker\n"
        "  = exits: 1 of 1 task, SIGTERM (143, -15) of 1 task\n"
        "  = note:  this is the memory of the GPU; that of the node shows as SIGKILL and an oom_kill line\n"
        "  = help:  use more parallelism, a smaller batch or recomputation; for experts a larger EP "
        "(`sbatchlint size` does the sums)\n"
        "  = rule:  SB721 gpu-memory-exceeded sees it in a script (--script JOB.sh)\n"
        "\n"
        "what follows from it\n"
        "  2 x srun tells how a task ended, first in line 2  (srun-exit)\n"
        "\n"
        "Read 3 lines of 1 log.\n"
    )


def test_a_healthy_log() -> None:
    assert diagnose_text(shown("fine\n")) == "no failure found\n\nRead 1 line of 1 log.\n"


@pytest.mark.parametrize("name", EXPECTED)
def test_json_keeps_to_its_schema(name: str) -> None:
    VALIDATOR.validate(json.loads(diagnose_json(shown((LOGS / name).read_bytes()))))


@given(
    st.lists(
        st.sampled_from([one.positive for one in signatures().values()]) | st.text(max_size=40), max_size=6
    )
)
def test_any_lines_give_documents_that_keep_to_the_schema(lines: list[str]) -> None:
    report = shown("\n".join(lines).encode("utf-8", "surrogatepass"))
    VALIDATOR.validate(json.loads(diagnose_json(report)))
    text = diagnose_text(report)
    assert "\x1b" not in text
    assert all(char.isprintable() or char == "\n" for char in text if char.isascii())


@pytest.mark.parametrize(
    "line",
    [
        f"1: [rank3]: OSError: No space left on device for token={TOKEN}",
        f"1: ERROR cannot log in with {TOKEN}",
        f"srun: error: n1: task 1: Exited with exit code 1 {TOKEN}",
        f"Traceback (most recent call last):\nmylib.Odd: HF_TOKEN={TOKEN}",
    ],
)
def test_secrets_are_never_shown(line: str) -> None:
    report = shown(f"{line}\nsrun: error: n1: task 1: Exited with exit code 1\n")
    for text in (diagnose_text(report), diagnose_json(report)):
        assert TOKEN not in text
        assert TOKEN[6:20] not in text


def test_escapes_of_a_terminal_are_never_sent() -> None:
    log = "1: ValueErrör: \x1b]0;title\x07 \x07 \u202e OSError: No space left on device\x9b31m\n"
    text = diagnose_text(shown(log))
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(text)


def test_long_lines_are_cut_in_text() -> None:
    text = diagnose_text(shown("OSError: No space left on device " + "x" * 5000))
    assert max(map(len, text.splitlines())) < 300


def test_places_name_the_log_where_there_are_several() -> None:
    text = diagnose_text(shown("fine\n", "OSError: No space left on device\n"))
    assert " --> log1:1\n" in text
    assert "of 2 logs" in text


def test_the_schema_is_shipped() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert files("sbatchlint.report").joinpath("schema/diagnose.schema.json").is_file()
