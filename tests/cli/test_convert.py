"""``sbatchlint convert`` on the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from tests.cli.conftest import Outcome

HF = "hf_" + "qWcJtYbNxKpLrZvMdFgHsQaXeTuIoPwRyB"
MEGATRON = (
    "torchrun --nproc_per_node=8 pretrain_gpt.py --num-layers 32 --tensor-model-parallel-size 8".split()
)


@pytest.fixture
def convert(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Return a function that runs the command in an empty folder, with the project's own rules."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        return Outcome(main(("convert", *arguments)), *capsys.readouterr())

    return call


def test_a_command_becomes_a_script(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert("--nodes", "2", "--", "torchrun", "--nproc_per_node=4", "t.py", "--x", "a $b")
    assert done.status == 0
    assert done.out.startswith("#!/bin/bash\n#SBATCH --job-name=t\n#SBATCH --nodes=2\n")
    assert "  --x 'a $b'\n" in done.out
    assert done.err == (
        "sbatchlint: --nproc_per_node=4: replaced: the job says how many processes a node has\n"
    )


def test_the_ways_to_give_a_command_are_alike(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "train.sh").write_text("torchrun --nproc_per_node=2 t.py 'a b'\n")
    text = "torchrun --nproc_per_node=2 t.py 'a b'"
    outs = {
        convert("-q", "--", "torchrun", "--nproc_per_node=2", "t.py", "a b").out,
        convert("-q", "torchrun", "--nproc_per_node=2", "t.py", "a b").out,
        convert("-q", "--", text).out,
        convert("-q", "--from-file", "train.sh").out,
        convert("-q", "--from-file", "-", stdin=text.encode()).out,
        convert("-q", "-", stdin=text.encode()).out,
        convert("-q", stdin=text.encode()).out,
    }
    assert len(outs) == 1 and "  'a b'\n" in outs.pop()


def test_a_mark_in_the_command_is_a_word_of_it(convert) -> None:  # type: ignore[no-untyped-def]
    assert "PROGRAM=(\n  t.py\n  -- x\n)" in convert("torchrun", "t.py", "--", "x").out
    assert "PROGRAM=(\n  t.py\n  -- x\n)" in convert("--", "torchrun", "t.py", "--", "x").out


def test_what_nobody_tells_is_reported_until_it_is_filled_in(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = convert("-o", "job.sbatch", "--", "torchrun", "--nproc_per_node=4", "t.py")
    assert (done.status, done.out) == (0, "")
    text = (tmp_path / "job.sbatch").read_text()
    assert [line.partition("=")[0] for line in text.splitlines() if "CHANGE_ME" in line] == [
        f"#SBATCH --{name}" for name in ("nodes", "time", "account", "partition")
    ]
    assert main(["job.sbatch"]) == 1
    filled = text.replace("nodes=CHANGE_ME", "nodes=2").replace("time=CHANGE_ME", "time=60")
    (tmp_path / "job.sbatch").write_text(filled.replace("CHANGE_ME", "acme"))
    assert main(["job.sbatch"]) == 0


def test_no_file_is_overwritten_unasked(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "job.sbatch").write_text("mine\n")
    done = convert("-q", "-o", "job.sbatch", "--", "torchrun", "t.py")
    assert (done.status, done.out) == (2, "")
    assert "job.sbatch: is there already" in done.err
    assert (tmp_path / "job.sbatch").read_text() == "mine\n"
    assert convert("-q", "--force", "-o", "job.sbatch", "--", "torchrun", "t.py").status == 0
    assert (tmp_path / "job.sbatch").read_text().startswith("#!/bin/bash")
    assert convert("-q", "-o", "no/such/job.sbatch", "--", "torchrun", "t.py").status == 2


def test_a_number_of_nodes_that_can_not_be_right(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    options = ("--nodes", "3", "-o", "job.sbatch")
    done = convert(*options, "--", *MEGATRON, "--pipeline-model-parallel-size", "2")
    assert (done.status, done.out) == (2, "")
    assert "sbatchlint: --nodes=3: world size 24 is not divisible by" in done.err
    assert "take --nodes=2 (16 ranks) or 4 (32 ranks)" in done.err
    assert not (tmp_path / "job.sbatch").exists()


def test_what_the_linter_says_of_the_command_is_told(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert("--nodes", "2", "--", *MEGATRON, "--num-attention-heads", "30")
    assert done.status == 0
    assert "sbatchlint: SB703 line 22: 30 attention heads can't be shared out to TP 8\n" in done.err
    assert "CHANGE_ME is still" not in done.err


def test_a_token_is_shown_nowhere(convert) -> None:  # type: ignore[no-untyped-def]
    for words in (("torchrun", "t.py", "--token", HF), ("srun", HF), ("cat", HF, "|", "x")):
        done = convert("--", *words)
        assert HF not in done.out + done.err
    done = convert("--", f"cat {HF} | torchrun t.py {HF} < {HF}")
    assert done.status == 2 and HF not in done.err


def test_escapes_never_reach_the_terminal(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert("--", "torchrun", "--nproc_per_node=\x1b[31m", "t.py", "\x1b[0m", "\u202e")
    assert done.status == 0
    assert all(char == "\n" or char.isprintable() for char in done.out + done.err)


def test_the_lines_to_type(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert("--interactive", "--nodes=2", "--time=60", "--", "torchrun", "--nproc_per_node=4", "t.py")
    assert done.out.startswith("salloc \\\n  --job-name=t \\\n  --nodes=2 \\\n  --ntasks-per-node=1 \\\n")
    assert "  --exclusive\n\n# In the shell that salloc opens:\n" in done.out
    assert "--output" not in done.out and "#SBATCH" not in done.out and "set -" not in done.out
    assert "\nsrun --kill-on-bad-exit=1" in done.out


def test_a_container_and_its_folders(convert) -> None:  # type: ignore[no-untyped-def]
    options = (
        "--image=/i.sqsh",
        "--mount=/src:/repo",
        "--mount=/d:/d:ro",
        "--workdir=/repo",
        "--shared=/lus/",
    )
    done = convert(*options, "--", "uv", "run", "t.py", "--x")
    assert "#SBATCH --output=/lus/logs/%x_%j.log\n" in done.out
    assert '  --container-mounts="$SHARED:$SHARED,/src:/repo,/d:/d:ro"\n' in done.out
    assert "mkdir -p /lus/logs" in done.err
    open_ = convert("--image=/i.sqsh", "--", "torchrun", "t.py")
    assert "SHARED=/CHANGE_ME\n" in open_.out and "#SBATCH --output=/CHANGE_ME/logs/" in open_.out


@pytest.mark.parametrize("options", [("--container",), ("--mount=/data:/data",)])
def test_a_container_without_its_image_is_reported(convert, tmp_path: Path, options: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    given = ("--nodes=2", "--time=60", "--account=", "--partition=", "-o", "job.sbatch")
    done = convert(*given, *options, "--", "torchrun", "--nproc_per_node=4", "t.py")
    assert done.status == 0 and "SB114" not in done.err
    for option in ("--image", "--shared", "--workdir"):
        assert f"{option}: left to be filled in (CHANGE_ME)" in done.err
    assert main(["--isolated", "--output-format", "concise", "job.sbatch"]) == 1
    text = (tmp_path / "job.sbatch").read_text()
    assert "  --container-image=CHANGE_ME\n" in text
    (tmp_path / "job.sbatch").write_text(text.replace("CHANGE_ME", "acme"))
    assert main(["--isolated", "job.sbatch"]) == 0


PYXIS = '[containers]\nruntime = "pyxis"\nimage_folder = "/images"\n'


@pytest.mark.parametrize(
    ("command", "image"),
    [
        ("torchrun t.py", "/images/CHANGE_ME"),
        ("uv run t.py", "/images/CHANGE_ME"),
        (".venv/bin/torchrun t.py", ""),
        ("conda run -n x torchrun t.py", ""),
        ("source .venv/bin/activate; torchrun t.py", ""),
        ("module load cuda\ntorchrun t.py", ""),
    ],
)
def test_where_the_cluster_has_pyxis(convert, tmp_path: Path, command: str, image: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "big.toml").write_text(PYXIS)
    options = ("--cluster=big.toml", "--mode=native")
    done = convert(*options, "--", command)
    assert done.status == 0
    assert ("--container-image" in done.out) is bool(image)
    assert f"  --container-image={image}\n" in done.out or not image
    assert "--container" not in convert(*options, "--image", "", "--", command).out
    assert "--container-image=/images/CHANGE_ME" in convert(*options, "--container", "--", command).out


def test_what_is_set_in_front_of_the_command(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert("--", "A=b c", "B=", "torchrun", "t.py", "C=d e")
    assert "export A='b c'\n" in done.out and "export B=" in done.out
    assert "  'C=d e'\n" in done.out


def test_lines_of_a_notebook(convert) -> None:  # type: ignore[no-untyped-def]
    plain = convert("-q", "--", "cd /r && torchrun t.py '!x'").out
    assert convert("-q", "--", "!cd /r && torchrun t.py '!x'").out == plain
    assert convert("-q", stdin=b"# a\n!pip install x\n!cd /r && torchrun t.py '!x'\n").out == plain
    assert convert("-q", stdin=b"%%bash\ncd /r && torchrun t.py '!x'\n").out == plain


def test_a_cluster_profile_fills_in(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "big.toml").write_text(
        'name = "big"\nrelease = "24.05"\naccounts = ["acme"]\n'
        '[[partitions]]\nname = "gpu"\ndefault = true\nnode_types = ["n"]\n'
        '[[node_types]]\nname = "n"\ncount = 4\ncpus = 64\ngpus = { h100 = 4 }\n'
        '[[file_systems]]\npath = "/lus"\nshared = true\npurpose = "scratch"\n'
    )
    done = convert("--cluster", "big.toml", "--nodes=2", "--time=60", "--", "torchrun", "t.py")
    assert "CHANGE_ME" not in done.out
    for line in ("account=acme", "partition=gpu", "gpus-per-node=4", "output=/lus/logs/%x_%j.log"):
        assert f"#SBATCH --{line}\n" in done.out
    assert "mkdir" not in done.err and "the only account of big" in done.err
    assert convert("--cluster", "none.toml", "--", "torchrun", "t.py").status == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nodes", "0", "--", "torchrun", "t.py"),
        ("--nodes", "two", "--", "torchrun", "t.py"),
        ("--account", "a\nb", "--", "torchrun", "t.py"),
        ("--job-name", 'a"b', "--", "torchrun", "t.py"),
        ("--mode", "legacy", "--", "torchrun", "t.py"),
        ("--directive", "mem=0", "--", "torchrun", "t.py"),
        ("--from-file", "x.sh", "--", "torchrun", "t.py"),
        ("--from-file", "nothing.sh"),
        ("--fresh", "/", "--", "torchrun", "t.py"),
        ("--fresh", "x/..", "--", "torchrun", "t.py"),
        ("--fresh", "/lus", "--shared", "/lus", "--", "torchrun", "t.py"),
        ("--shared", "here", "--", "torchrun", "t.py"),
        ("--shared=~/x", "--", "torchrun", "t.py"),
        ("--workdir", "$SCRATCH/x", "--", "torchrun", "t.py"),
        ("--", ""),
        ("--", "srun", "hostname"),
        (),
    ],
)
def test_wrong_use(convert, arguments: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    done = convert(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "sbatchlint" in done.err and "Traceback" not in done.err


def test_more_directives(convert) -> None:  # type: ignore[no-untyped-def]
    done = convert(
        "--directive=--mem=0", "--directive=--comment=a b", "--qos=hi", "--account=", "--", "torchrun", "t.py"
    )
    assert '#SBATCH --comment="a b"\n' in done.out
    assert "#SBATCH --mem=0\n" in done.out and "#SBATCH --qos=hi\n" in done.out
    assert "--account" not in done.out


def test_nothing_is_run(convert, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "t.py").write_text("open('was-run', 'w')\n")
    convert("--", "touch was-run; torchrun t.py $(touch was-run) `touch was-run` <(touch was-run)")
    assert os.listdir(tmp_path) == ["t.py"]
