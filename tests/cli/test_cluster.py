"""``sbatchlint cluster`` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Write
from tests.cli.test_process import loaded

CONF = (
    "ClusterName=alps\nNodeName=gpu[1-2] CPUs=8 RealMemory=1000 Gres=gpu:h100:4\n"
    "PartitionName=all Nodes=ALL Default=YES MaxTime=60\n"
)
PROFILE = 'name = "alps\\u0007"\n[[partitions]]\nname = "all"\nnodes = "gpu[1-2]"\ndefault = true\n'


def test_import_and_show(run: Run, write: Write, tmp_path: Path) -> None:
    write("slurm.conf", whole=CONF)
    done = run("cluster", "import", "--from-conf", "slurm.conf", "--release", "24.05", "-o", "cluster.toml")
    assert (done.status, done.out, done.err) == (0, "", "")
    shown = run("cluster", "show")
    assert shown.status == 0 and shown.out.startswith("alps, Slurm 24.05\n")
    assert "all*  UP     01:00:00" in shown.out and "4 h100" in shown.out
    again = run("cluster", "import", "--from-conf", "slurm.conf", "--release", "24.05")
    assert again.out == (tmp_path / "cluster.toml").read_text("utf-8")


def test_no_file_is_replaced_unasked(run: Run, write: Write, tmp_path: Path) -> None:
    write("slurm.conf", whole=CONF)
    write("cluster.toml", whole="precious")
    done = run("cluster", "import", "--from-conf", "slurm.conf", "-o", "cluster.toml")
    assert done.status == 2 and "--force" in done.err
    assert (tmp_path / "cluster.toml").read_text("utf-8") == "precious"
    assert run("cluster", "import", "--from-conf", "slurm.conf", "-o", "cluster.toml", "--force").status == 0
    assert "alps" in (tmp_path / "cluster.toml").read_text("utf-8")


def test_a_dump(run: Run, write: Write) -> None:
    write("saved/nodes.txt", whole="NodeName=n1 CPUTot=4 RealMemory=100 State=IDLE\n")
    done = run("cluster", "import", "--from-dump", "saved", "--name", "mine")
    assert done.status == 0 and 'name = "mine"' in done.out and 'hosts = "n1"' in done.out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("import", "--from-conf", "none.conf"), "none.conf: cannot be read (no such file or directory)"),
        (("import", "--from-conf", "a", "b", "c"), "takes slurm.conf and perhaps gres.conf"),
        (("import", "--from-dump", "nowhere"), "nowhere: no such file or directory"),
        (("import", "--from-dump", "."), "nothing that tells of a cluster"),
        (("show", "none.toml"), "`sbatchlint cluster import` writes one"),
        (("import", "--from-conf", "a", "--from-dump", "b"), "not allowed with"),
        ((), "required"),
    ],
)
def test_wrong_use(run: Run, given: tuple[str, ...], said: str) -> None:
    done = run("cluster", *given)
    assert (done.status, done.out) == (2, "") and said in done.err


def test_without_slurm(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run("cluster", "import")
    assert done.status == 2 and "no scontrol on this machine" in done.err


def test_a_wrong_release(run: Run, write: Write) -> None:
    write("slurm.conf", whole=CONF)
    done = run("cluster", "import", "--from-conf", "slurm.conf", "--release", "new")
    assert done.status == 2 and "release" in done.err and 'write it as "24.05"' in done.err


def test_a_mistake_is_shown_at_its_place(run: Run, write: Write) -> None:
    write("cluster.toml", whole='name = "é"\nrelase = "24.05"\n')
    done = run("cluster", "show")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "error: unknown key 'relase'\n --> cluster.toml:2:1\n  |\n2 | relase = \"24.05\"\n  | ^^^^^^\n"
        "  = help: did you mean 'release'?\n"
    )
    assert "\x1b[" in run("cluster", "show", "--color", "always").err


def test_json(run: Run, write: Write) -> None:
    write("cluster.toml", whole=PROFILE)
    document = json.loads(run("cluster", "show", "--output-format", "json").out)
    assert document["version"] == 1
    assert document["profile"]["partitions"][0]["nodes"] == "gpu[1-2]"
    assert document["profile"]["partitions"][0]["max-time"] is None


def test_no_control_character_is_sent(run: Run, write: Write) -> None:
    write("cluster.toml", whole=PROFILE)
    done = run("cluster", "show")
    assert done.status == 0 and "alps\\x07" in done.out and "\x07" not in done.out


def test_pydantic_is_paid_for_by_this_command_alone() -> None:
    for command in (("--version",), ("plan", "--help"), ("cluster", "--help")):
        assert not {name for name in loaded(*command) if name.startswith("pydantic")}


@pytest.mark.parametrize(
    "text", ["#!/bin/bash\n#SBATCH --nodes=2\nexport LR=1\nBATCH=2 srun python t.py --x=1\n", "", "# only\n"]
)
def test_a_file_that_is_no_slurm_conf(run: Run, write: Write, text: str) -> None:
    write("job.sh", whole=text)
    done = run("cluster", "import", "--from-conf", "job.sh")
    assert (done.status, done.out) == (2, "") and "job.sh: is no slurm.conf" in done.err
