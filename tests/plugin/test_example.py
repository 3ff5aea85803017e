"""The example of a third party's package: its pages hold, and it works as it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source
from tests.packaging import PROJECT

EXAMPLE = PROJECT / "examples" / "plugin"
FOLDER = str(EXAMPLE / "acme_rules")
ALL_IS_WELL = "Tested 2 rules by 4 examples: all is as the pages say.\n"
HEAD = "#!/bin/bash\n#SBATCH --job-name=llm-x\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load([FOLDER])


def found(registry: Registry, text: str) -> list[tuple[str, int]]:
    source = Source.from_text(text, "job.sh")
    result = lint_source(source, registry.select(["ACME"]))
    assert not result.internal_errors
    return [(one.code, source.position(one.span.start).line) for one in result.findings]


def test_its_pages_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--test", "--plugin", FOLDER]) == 0
    assert capsys.readouterr() == (ALL_IS_WELL, "")


@pytest.mark.parametrize("name", ["llm", "vision-a_b", "speech-%j"])
def test_names_that_begin_with_a_project(registry: Registry, name: str) -> None:
    assert found(registry, f"#!/bin/bash\n#SBATCH -J {name}\n") == []


@pytest.mark.parametrize("name", ["llmx", "train-llm", "LLM-x"])
def test_names_that_do_not(registry: Registry, name: str) -> None:
    assert found(registry, f"#!/bin/bash\n#SBATCH -J {name}\n") == [("ACME001", 2)]


@pytest.mark.parametrize(
    "body",
    [
        "srun python train.py",
        "module load cuda; srun torchrun train.py",
        "env |\nsrun python train.py",
        "foo \\\n  && bar\nsrun python train.py",
    ],
)
def test_steps_without_the_module(registry: Registry, body: str) -> None:
    assert [code for code, _ in found(registry, HEAD + body + "\n")] == ["ACME002"]


@pytest.mark.parametrize(
    "body",
    [
        "module load cuda acme-fabric/2\nsrun python train.py",
        "ml acme-fabric\nsrun python train.py",
        'module load "$MODULES"\nsrun python train.py',
        "source site.sh\nsrun python train.py",
        "srun --container-image=nemo python train.py",
        "srun --nodes=1 python train.py",
        "[ -e x ] && srun python train.py",
        "python train.py",
    ],
)
def test_steps_that_need_no_module_or_may_have_it(registry: Registry, body: str) -> None:
    assert found(registry, HEAD + body + "\n") == []


@pytest.mark.slow
def test_it_is_installed_and_runs(tmp_path: Path) -> None:
    """Without its dependency, which is what runs the test."""
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    place = str(tmp_path / "installed")
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", place, str(copy)]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    work = tmp_path / "work"
    work.mkdir()
    (work / "job.sh").write_text("#!/bin/bash\n#SBATCH --job-name=test\n#SBATCH --time=10\nhostname\n")
    (work / "site.toml").write_text('plugins = ["acme_rules"]\n')

    def sbatchlint(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "sbatchlint", *arguments],
            cwd=work,
            env={**os.environ, "PYTHONPATH": place},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    assert sbatchlint("rule", "--test", "--plugin", "acme_rules") == (0, ALL_IS_WELL, "")
    assert sbatchlint("rule", "--test", "acme_rules") == (0, ALL_IS_WELL, "")
    status, out, _ = sbatchlint("rule", "--plugin", "acme_rules", "ACME001")
    assert (status, out.splitlines()[0]) == (0, "# job-name-without-project (ACME001)")
    concise = ("--output-format", "concise", "job.sh")
    found = "job.sh:2:20: ACME001 the hours of test will be counted for no project\n"
    assert sbatchlint("--config", "site.toml", *concise)[:2] == (1, found)
    assert sbatchlint(*concise)[:2] == (0, ""), "nothing is found by being installed"
    (work / "site.toml").rename(work / "sbatchlint.toml")
    assert sbatchlint(*concise)[0] == 2
    assert sbatchlint("--allow-plugins", *concise)[:2] == (1, found)
    assert sbatchlint("rule", "--test", "--allow-plugins") == (0, ALL_IS_WELL, "")
