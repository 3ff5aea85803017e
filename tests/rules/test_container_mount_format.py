"""SB509: lists of mounts that Pyxis refuses, on srun lines."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB509"
SRUN = "srun --container-image=/i.sqsh"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ([f"{SRUN} --container-mounts=data:/data python t.py"], "error"),
        ([f"{SRUN} --container-mounts=/a:b python t.py"], "error"),
        ([f"{SRUN} --container-mounts=/a:/b, python t.py"], "error"),
        (["M=/a:/b,,/c:/d", f"{SRUN} --container-mounts=$M python t.py"], "error"),
        (["O=(--container-mounts '~/x:/y')", f'{SRUN} "${{O[@]}}" python t.py'], "error"),
        ([f"{SRUN} --container-name=:create python t.py"], "error"),
        ([f"{SRUN} --container-mounts=/a:/x,/b:/x python t.py"], "warning"),
        ([f"{SRUN} --container-mounts=/a:/x --container-mounts=/b:/x python t.py"], "warning"),
    ],
)
def test_reported(body: list[str], severity: str) -> None:
    assert [found for _, found in lines(job(*body, nodes=1), CODE)] == [severity]


def test_a_blank_behind_a_comma_goes() -> None:
    text = job(f"{SRUN} --container-mounts=/a:/b, /c:/d python t.py", nodes=1)
    assert lines(text, CODE) == [(3, "error")]
    assert "--container-mounts=/a:/b,/c:/d python" in fixed(text).converged.source.text


@pytest.mark.parametrize(
    "mounts",
    [
        "/a:/b:ro+rprivate,/c",
        "tmpfs:/scratch,umount:/x",
        "./a:/b",
        "/a:/x,/a:/x",
        '"$DATA:/data"',
        "$M",
        "$M,$N",
        "'<your folder>:/data'",
        '"${DATA}:/data,${OUT}:/out"',
    ],
)
def test_quiet_on_what_pyxis_reads_and_what_is_not_known(mounts: str) -> None:
    assert lines(job(f"{SRUN} --container-mounts={mounts} python t.py", nodes=1), CODE) == []


def test_a_form_that_is_to_be_filled_in() -> None:
    body = ['DATA=""', f'{SRUN} --container-mounts="$DATA:/data" python t.py']
    assert lines(job(*body, nodes=1), CODE) == []


@pytest.mark.parametrize(
    ("mounts", "label"),
    [
        ("/a:/b,~/x:/y", "the shell expands ~ only at the start of a word"),
        ("~/x:/y", "the shell expands ~ only at the start of a word"),
        ("data:/data", "a path begins with / or ."),
    ],
)
def test_the_label_says_why(mounts: str, label: str) -> None:
    (found,) = findings(job(f"{SRUN} --container-mounts={mounts} python t.py", nodes=1), CODE)
    assert found.label == label
