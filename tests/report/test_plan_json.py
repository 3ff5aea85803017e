"""The JSON form of the plan: its schema, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import sbatchlint.report
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.report.plan_json import plan_json
from sbatchlint.report.plan_model import planned
from sbatchlint.source import Source

SCHEMA = Path(sbatchlint.report.__file__).parent / "schema" / "plan.schema.json"
CASES = sorted((Path(__file__).parent / "cases" / "plan").glob("*.sh"))


def document(*scripts: str, options: LintOptions | None = None) -> dict[str, Any]:
    files = [planned(Job(Source.from_text(script, "job.sh"), options)) for script in scripts]
    read: dict[str, Any] = json.loads(plan_json(files))
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(read)
    return read


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_is_valid(path: Path) -> None:
    assert document(path.read_text("utf-8"))["version"] == 1


def test_no_object_may_hold_what_the_schema_does_not_name() -> None:
    def check(node: object) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object" and "properties" in node:
                assert node["additionalProperties"] is False
                assert sorted(node["required"]) == sorted(node["properties"])
            for inner in node.values():
                check(inner)
        elif isinstance(node, list):
            for inner in node:
                check(inner)

    check(json.loads(SCHEMA.read_text("utf-8")))


def test_a_step() -> None:
    script = (
        "#!/bin/bash\n#SBATCH --nodes=2 --gpus-per-node=8\n#SBATCH --ntasks-per-node=1\n"
        "export A=1\n"
        'CMD="torchrun --nnodes=2 --nproc_per_node=8 t.py ${TP:-2} $X"\n'
        'srun --label --container-image=i bash -c "$CMD" &\n'
    )
    step = document(script)["files"][0]["steps"][0]
    known = "known"
    assert step["place"] == {"line": 6, "column": 1}
    assert step["background"] is True and step["conditional"] is False and step["times"] == 1
    assert step["geometry"]["nodes"] == {"value": 2, "certainty": known}
    assert [option["name"] for option in step["options"]] == ["label", "container-image"]
    assert step["container"]["image"] == {"text": "i", "shown": "i", "certainty": known}
    program = step["programs"][0]
    assert [layer["name"] for layer in program["layers"]] == ["bash", "torchrun"]
    assert program["processes_per_task"] == {"value": 8, "certainty": known}
    assert program["processes"]["value"] == program["world_size"]["value"] == 16
    assert [variable["name"] for variable in program["environment"]] == ["A"]
    *_, target, assumed, unknown = program["words"]
    assert (target["text"], target["certainty"]) == ("t.py", known)
    assert (assumed["text"], assumed["certainty"]) == ("2", "assumed")
    assert (unknown["text"], unknown["shown"], unknown["open"]) == (None, "$X", True)


def test_the_job_and_what_was_assumed() -> None:
    options = LintOptions(sbatch_args=("--nodes=3",), arguments=("a",), environment=(("E", "v"),))
    file = document("#!/bin/bash\n#SBATCH --gres=gpu:h100:4\npython t.py $1 $E\n", options=options)["files"][
        0
    ]
    component = file["job"]["components"][0]
    assert component["nodes"]["value"] == 3 and component["gpu_type"] == "h100"
    assert [(use["name"], use["origin"]) for use in component["options"]] == [
        ("gres", "directive"),
        ("nodes", "command line"),
    ]
    assert component["options"][0]["place"] == {"line": 2, "column": 9}
    assert file["assumed"] == {"sbatch_args": ["--nodes=3"], "arguments": ["a"], "environment": {"E": "v"}}
    assert [word["text"] for word in file["host_programs"][0]["words"]] == ["python", "t.py", "a", "v"]


@pytest.mark.parametrize(
    ("command", "processes", "certainty"),
    [
        ("python t.py", 1, "known"),
        ("mpirun -np 16 python t.py", 16, "known"),
        ("mpirun --npernode 4 python t.py", None, "unknown"),
        ("mpirun python t.py", None, "unknown"),
        ("mpirun -np 2 torchrun --nproc_per_node=4 t.py", 8, "known"),
        ("horovodrun -np 4 python t.py", 4, "known"),
        ("deepspeed --num_gpus=8 --num_nodes=2 t.py", 16, "known"),
        ("deepspeed --num_gpus=8 t.py", 8, "assumed"),
        ("deepspeed t.py", None, "unknown"),
        ("composer -n 8 --world_size 16 t.py", 8, "known"),
        ("srun -N2 -n2 mpirun -np 3 python t.py", 6, "known"),
    ],
)
def test_a_launcher_that_starts_its_processes_itself(
    command: str, processes: int | None, certainty: str
) -> None:
    read = document(f"#!/bin/bash\n#SBATCH --nodes=2\n{command}\n")["files"][0]
    programs = [program for step in read["steps"] for program in step["programs"]] + read["host_programs"]
    assert [program["processes"] for program in programs] == [{"value": processes, "certainty": certainty}]


def test_what_a_loop_repeats_is_counted() -> None:
    steps = document("#!/bin/bash\nfor i in 1 2 3; do srun python t.py; done\n")["files"][0]["steps"]
    assert [step["times"] for step in steps] == [3]


def test_a_file_for_another_interpreter() -> None:
    file = document("#!/usr/bin/env python3\n#SBATCH --nodes=2\nprint()\n")["files"][0]
    assert file["interpreter"] == "python3" and file["steps"] == []
    assert file["job"]["components"][0]["nodes"]["value"] == 2


@pytest.mark.parametrize(
    ("line", "translated", "unsure"),
    [("#SBATCH -N2", False, False), ("#PBS -Z", True, True), ("#SBATCH stray -N2", False, True)],
)
def test_whether_it_is_known_what_the_job_asks_for(line: str, translated: bool, unsure: bool) -> None:
    job = document(f"#!/bin/bash\n{line}\nsrun true\n")["files"][0]["job"]
    assert (job["translated"], job["unsure"]) == (translated, unsure)


def test_bytes_that_are_no_text() -> None:
    source = Source.from_bytes(b"#!/bin/bash\nsrun python '\xff'\n", "job.sh")
    read = json.loads(plan_json([planned(Job(source))]))
    assert read["files"][0]["steps"][0]["programs"][0]["words"][1]["text"] == "\ufffd"


def test_components_of_a_line() -> None:
    script = "#!/bin/bash\n#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N2\nsrun python a.py : python b.py\nsrun c\n"
    steps = document(script)["files"][0]["steps"]
    assert [step["component"] for step in steps] == [0, 1, None]


def test_submissions() -> None:
    script = (
        "#!/bin/bash\nfor i in 1 2; do sbatch <<'EOF'\n#!/bin/bash\n#SBATCH -N2 -n4\nsrun python y.py\nEOF\n"
        'done\nsbatch next.sh\nsbatch "$0"\n'
    )
    file = document(script)["files"][0]
    first, second, third = file["submissions"]
    assert (first["times"], first["text"], first["place"]) == (2, "input", {"line": 2, "column": 18})
    assert first["components"][0]["tasks"] == {"value": 4, "certainty": "known"}
    assert first["steps"][0]["place"]["line"] == 5
    assert first["steps"][0]["geometry"]["tasks"]["value"] == 4
    assert (second["file"]["text"], second["components"], second["steps"]) == ("next.sh", None, None)
    assert (third["text"], third["steps"]) == ("itself", None)
    assert not file["steps"]
