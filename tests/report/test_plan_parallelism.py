"""The layout of a program in the plan: for people a row, for programs an object."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sbatchlint.report.style import Style
from tests.report.test_plan_json import document
from tests.report.test_plan_text import job, text

ONE = ("--nodes=2", "--ntasks-per-node=1", "--gpus-per-node=8")
RUN = "srun torchrun --nnodes=2 --nproc_per_node=8 pretrain_gpt.py"
TP, PP, EP = (f"--{name}-model-parallel-size" for name in ("tensor", "pipeline", "expert"))


def rows(body: str, *directives: str) -> list[str]:
    """The lines of all layout rows, without their label."""
    shown = text(job(body, *(directives or ONE)))
    found = re.findall(r"^    layout       (.*(?:\n {17}.*)*)$", shown, re.MULTILINE)
    return [" ".join(one.split()) for one in found]


def layout(body: str, *directives: str) -> dict[str, Any] | None:
    """The layout of the only program."""
    file = document(job(body, *(directives or ONE)))["files"][0]
    programs = [program for step in file["steps"] for program in step["programs"]] + file["host_programs"]
    (only,) = programs
    found: dict[str, Any] | None = only["layout"]
    return found


def by_name(found: dict[str, Any] | None) -> dict[str, Any]:
    assert found is not None
    return {one["name"]: one for one in found["quantities"]}


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (f"{TP} 4", "TP 4 x PP 1 x CP 1 x DP 4"),
        (f"{TP} 4 {PP} $PP", "TP 4 x PP ? x CP 1 x DP ?"),
        (f"{TP} ${{TP:-4}} {PP} 2", "TP 4 x PP 2 x CP 1 x DP 2 (assumed: TP)"),
        (f"{TP} 3", "world size 16 is not divisible by TP 3 x PP 1 x CP 1 = 3"),
        ("--global-batch-size 64", "TP 1 x PP 1 x CP 1 x DP 16; GBS 64"),
        (
            "--micro-batch-size 4 --global-batch-size 64",
            "TP 1 x PP 1 x CP 1 x DP 16; GBS 64 = MBS 4 x DP 16 x 1 microbatch",
        ),
        ("--micro-batch-size 3 --global-batch-size 64", "TP 1 x PP 1 x CP 1 x DP 16; GBS 64; MBS 3"),
        (f"{EP} 8", "TP 1 x PP 1 x CP 1 x DP 16; experts: ETP 1 x EP 8 x EDP 2"),
        (f"{TP} 2 {PP} 2 {EP} 4", "TP 2 x PP 2 x CP 1 x DP 4; experts: ETP 2 x EP 4 x PP 2 x EDP 1"),
        (
            f"{PP} 2 --num-virtual-stages-per-pipeline-rank 4 --seq-length 4096",
            "TP 1 x PP 2 x CP 1 x DP 8; VPP 4; sequence 4096",
        ),
    ],
)
def test_what_is_told(options: str, shown: str) -> None:
    assert rows(f"{RUN} {options}") == [shown]


@pytest.mark.parametrize(
    "line",
    ["srun python train.py --tp 4", "srun -n16 python pretrain_gpt.py", f"{RUN} --bf16", "srun nvidia-smi"],
)
def test_a_program_that_is_told_nothing_has_none(line: str) -> None:
    assert rows(line) == []
    assert layout(line) is None


def test_what_a_recipe_says_is_marked_so() -> None:
    name = "glm_45v_sft_128gpu_h100_bf16_config"
    line = f"srun python scripts/training/run_recipe.py --recipe {name} -pp 4"
    directives = ("--nodes=16", "--ntasks-per-node=8")
    (shown,) = rows(line, *directives)
    assert shown.startswith("TP 1 x PP 4 x CP 1 x DP 32; experts: ETP 1 x EP 16 x PP 4 x EDP 2; ")
    assert shown.endswith(f"(assumed, from the recipe {name}: TP, CP, ETP, EP, sequence)")
    found = by_name(layout(line, *directives))
    assert (found["ep"]["values"], found["ep"]["certainty"]) == ([16], "assumed")
    assert (found["ep"]["recipe"], found["ep"]["option"]) == (name, None)
    assert found["ep"]["place"] == {"line": 4, "column": line.index(name) + 1}
    assert (found["pp"]["recipe"], found["pp"]["option"]) == (None, "-pp")


def test_branches_leave_alternatives() -> None:
    body = f"if [ -e x ]; then T=2; else T=4; fi\n{RUN} {TP} $T"
    assert rows(body) == ["TP {2|4} x PP 1 x CP 1 x DP ?"]
    found = by_name(layout(body))
    assert (found["tp"]["values"], found["dp"]["values"]) == ([2, 4], [])


def test_what_is_assumed_is_set_apart_on_a_terminal() -> None:
    shown = text(job(f"{RUN} {TP} ${{TP:-4}} {PP} $P", *ONE), style=Style(colour=True))
    assert "TP \x1b[3m4\x1b[0m x PP \x1b[2;3m?\x1b[0m" in shown


def test_ranks_that_are_assumed() -> None:
    assert rows(f"if [ -e x ]; then {RUN} {TP} 2; fi") == ["TP 2 x PP 1 x CP 1 x DP 8 (assumed: the ranks)"]


def test_the_inner_step_alone_tells_the_layout_of_its_program() -> None:
    body = f"srun -N2 -n2 bash -c 'srun --overlap -n4 python pretrain_gpt.py {TP} 2'"
    assert rows(body) == ["TP 2 x PP 1 x CP 1 x DP 2"]


def test_steps_that_may_run_again_are_still_put_together() -> None:
    loop = f"{RUN} {TP} 2\n"
    shown = text(job("f() { " + loop + "}\nf\nif [ -e x ]; then f; fi\n", *ONE))
    assert shown.count("layout ") == 1 and "[perhaps again]" in shown


def test_a_step_like_another_one_tells_its_own_layout() -> None:
    body = f"for tp in 1 2; do {RUN} {TP} $tp; done"
    assert rows(body) == ["TP 1 x PP 1 x CP 1 x DP 16", "TP 2 x PP 1 x CP 1 x DP 8"]


def test_a_program_of_the_batch_host() -> None:
    assert rows(f"torchrun --nproc_per_node=8 pretrain_gpt.py {TP} 2") == ["TP 2 x PP 1 x CP 1 x DP 4"]
    assert rows(f"python x.py {TP} 2") == ["TP 2 x PP 1 x CP 1 x DP ?"]


def test_the_numbers_and_their_places() -> None:
    body = f"TP=4\n{RUN} {TP} $TP --micro-batch-size=1 --global-batch-size 64"
    found = layout(body)
    assert found is not None
    assert found["framework"] == "megatron-lm"
    assert found["microbatches"] == {"value": 16, "certainty": "known"}
    numbers = by_name(found)
    column = body.splitlines()[1].index(TP) + 1
    assert numbers["tp"] == {
        "name": "tp",
        "values": [4],
        "certainty": "known",
        "option": TP,
        "recipe": None,
        "place": {"line": 6, "column": column},
        "value_place": {"line": 5, "column": 4},
    }
    derived = {name: numbers[name]["values"] for name in ("world_size", "dp", "edp", "pp", "etp")}
    assert derived == {"world_size": [16], "dp": [4], "edp": [4], "pp": [1], "etp": [4]}
    assert (numbers["pp"]["option"], numbers["pp"]["place"]) == (None, None)


def test_the_layout_of_a_job_that_is_submitted() -> None:
    inner = f"#!/bin/bash\n#SBATCH -N2 --ntasks-per-node=8\nsrun python pretrain_gpt.py {TP} 4"
    file = document(f"#!/bin/bash\nsbatch <<'EOF'\n{inner}\nEOF\n")["files"][0]
    (program,) = file["submissions"][0]["steps"][0]["programs"]
    assert by_name(program["layout"])["dp"]["values"] == [4]
