"""The made scripts: the same each time, different from each other, and like public ones."""

from __future__ import annotations

import random
import re
import statistics
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.draft import Draft
from benchmarks.figures import (
    FEATURES,
    LINES,
    SHORT_OPTIONS,
    SUMS,
    TESTS_IN_DOUBLE_BRACKETS,
    TRAINING_FEATURES,
)
from benchmarks.lengths import length_at
from benchmarks.scripts import drafts, scripts
from benchmarks.shapes import NOT_BASH, SHAPES

COUNT = 1000

STARTS = {"#SBATCH": "directive", "#": "comment", "": "code"}
"""The kinds of lines by how they begin; the first that fits."""


@pytest.fixture(scope="module")
def made() -> list[str]:
    return scripts(COUNT)


@pytest.fixture(scope="module")
def settled() -> list[Draft]:
    return drafts(COUNT, random.Random(1))


def test_they_are_the_same_each_time_and_others_with_another_seed(made: list[str]) -> None:
    assert scripts(COUNT) == made
    assert not set(scripts(20, seed=2)) & set(made)


def test_no_two_are_the_same(made: list[str]) -> None:
    assert len(set(made)) == COUNT


def test_they_are_as_long_as_public_scripts(made: list[str]) -> None:
    lengths = sorted(text.count("\n") for text in made)
    assert 55 <= statistics.median(lengths) <= 65
    assert lengths[int(0.95 * COUNT) - 1] < 290
    assert lengths[-1] == length_at(1) == 1164
    assert lengths[0] >= 5


def test_their_lines_are_of_the_kinds_that_public_ones_have(made: list[str]) -> None:
    kinds: Counter[str] = Counter()
    for line in (line for text in made for line in text.splitlines()):
        kinds[
            next(kind for start, kind in STARTS.items() if line.startswith(start)) if line else "blank"
        ] += 1
    for kind, share in LINES.items():
        assert kinds[kind] / kinds.total() == pytest.approx(share, abs=0.04), kind


def test_they_repeat_each_other_as_public_ones_do(made: list[str]) -> None:
    lines = [line.strip() for text in made for line in text.splitlines()]
    code = [line for line in lines if line and line[0] != "#"]
    assert 0.15 <= len(set(code)) / len(code) <= 0.25
    assert 0.25 <= sum(line.endswith("\\") for line in code) / len(code) <= 0.42


@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_has_its_share_of_all(feature: str, settled: list[Draft]) -> None:
    assert sum(draft.has(feature) for draft in settled) == round(FEATURES[feature] * COUNT)


@pytest.mark.parametrize("feature", TRAINING_FEATURES)
def test_each_feature_has_its_share_of_those_that_train(feature: str, settled: list[Draft]) -> None:
    training = [draft for draft in settled if draft.training]
    assert len(training) == 324
    assert sum(draft.has(feature) for draft in training) == round(TRAINING_FEATURES[feature] * len(training))


WRITTEN = {
    "hostnames": r"scontrol show hostnames",
    "pyxis": r"--container-image",
    "array": r"^MODEL_ARGS=\(",
    "here_document": r"<<EOT",
    "function": r"^log\(\) \{",
    "torchrun": r"\btorchrun\b",
    "torch.distributed.run": r"-m torch\.distributed\.run",
    "accelerate": r"accelerate launch",
    "srun_in_variable": r"^SRUN_CMD=",
    "switched_off_directive": r"^##SBATCH",
    "directive_in_here_document": r"^cat > next\.sbatch",
    "case": r"^case ",
    "tee_without_pipefail": r"\| tee ",
}


@pytest.mark.parametrize("feature", WRITTEN)
def test_what_a_script_has_is_written_in_it(feature: str, settled: list[Draft], made: list[str]) -> None:
    """The pattern is found in those that have the feature, and in no others."""
    have = {draft.number for draft in settled if draft.has(feature)}
    found = {number for number, text in enumerate(made) if re.search(WRITTEN[feature], text, re.MULTILINE)}
    assert have
    assert found <= have
    assert len(have - found) <= len(have) // 20  # a launcher of its own may leave no room for another


def test_double_brackets_sums_and_short_options_are_as_many(made: list[str]) -> None:
    whole = "".join(made)
    assert whole.count("[[ ") / COUNT == pytest.approx(TESTS_IN_DOUBLE_BRACKETS, rel=0.25)
    assert whole.count("$((") / COUNT == pytest.approx(SUMS, rel=0.5)
    directives = re.findall(r"^#SBATCH (-\S)", whole, re.MULTILINE)
    short = sum(word != "--" for word in directives)
    assert short / len(directives) == pytest.approx(SHORT_OPTIONS, abs=0.05)


def test_bash_accepts_them(made: list[str], tmp_path: Path) -> None:
    for number, text in enumerate(made[::5]):
        (tmp_path / f"{number}.sbatch").write_text(text, "utf-8")
    assert _refused(tmp_path) == set()


def test_bash_accepts_every_shape_but_those_that_are_meant_to_be_broken(tmp_path: Path) -> None:
    for name, make in SHAPES.items():
        for size in (1, 2, 7, 30):
            (tmp_path / f"{name}.{size}").write_text(make(size), "utf-8")
    assert {name.partition(".")[0] for name in _refused(tmp_path)} == set(NOT_BASH)


@pytest.mark.parametrize("size", [10, 11, 15, 16, 17, 60, 600])
def test_a_script_of_some_lines_has_as_many(size: int) -> None:
    assert SHAPES["lines"](size).count("\n") == size


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_grows_with_its_size(shape: str) -> None:
    small, middle, large = (len(SHAPES[shape](size)) for size in (200, 400, 800))
    assert middle - small > 0
    assert 1.7 <= (large - middle) / (middle - small) <= 2.4


def _refused(folder: Path) -> set[str]:
    """Return the names of the files of *folder* that bash refuses to read."""
    done = subprocess.run(
        ["bash", "-c", 'for file in *; do bash -n "$file" 2>/dev/null || printf "%s\\n" "$file"; done'],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())
