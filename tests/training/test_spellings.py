"""Every known spelling of what shapes a launch is read, from the command line on, and a new one is data.

``spellings.json`` was put together from the sources of the programs and launchers themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.launch.command_table import bare
from sbatchlint.launch.counts import machines_option, processes_option, world_option
from sbatchlint.launch.plan import Layer, LayerOption
from sbatchlint.training import dialects
from sbatchlint.training.clashes.rows import BRIDGE, MEGATRON_LM
from sbatchlint.training.dialects import Quantity, Style, dialect, dialect_names
from sbatchlint.training.entrypoints import LaunchClass, entry_points
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.quantities import read_quantities
from tests.rules.checking import findings
from tests.training.building import plan, program, run

ROWS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("spellings.json").read_text(encoding="utf-8")
)["rows"]
_NEMO = {"nemo1", "nemo1-inference", "nemo2"}
_COUNTED = {"nproc_per_node": processes_option, "nnodes": machines_option, "world_size": world_option}
_SWITCHES = ("standalone", "no_ssh")


def spelled(reader: str | None) -> list[Any]:
    return [
        pytest.param(row, text, id=f"{row['dialect']} {text}")
        for row in ROWS
        if row["read_by"] == reader
        for text in row["spellings"]
    ]


def command_of(name: str) -> str:
    """A command line whose program reads the dialect *name*."""
    if name == "megatron-lm":
        return "python pretrain_gpt.py"
    if name in _NEMO:
        return "python gpt.py +trainer.devices=1"
    return f"python {next(point.path for point in entry_points() if name in point.dialects)}"


@pytest.mark.parametrize(("row", "text"), spelled("quantity"))
def test_a_quantity_is_read(row: dict[str, Any], text: str) -> None:
    table, quantity = dialect((row["dialect"],)), Quantity(row["quantity"])
    spelling = table.flags.get(text) or table.overrides[text]
    words = {Style.FLAG: f"{text} 4", Style.SWITCH: text, Style.OVERRIDE: f"{text}=4"}[spelling.style]
    reading = run(f"srun -n8 {command_of(row['dialect'])} {words}").quantities[quantity]
    assert (reading.given, reading.value) == (True, 1 if spelling.style is Style.SWITCH else 4)


def launcher(row: dict[str, Any], before: str, words: str) -> Layer:
    subcommand = " launch" if row["dialect"] == "accelerate" else ""
    (step,) = plan(f"{before}srun {row['dialect']}{subcommand} {words} train.py --more").steps
    (started,) = step.programs
    assert started.target.text == "train.py", "the value is no program"
    return started.launchers[0]


def option_of(row: dict[str, Any], text: str, layer: Layer) -> LayerOption | None:
    count = _COUNTED.get(row["quantity"])
    return count(layer) if count is not None else layer.get(*bare(frozenset((text.replace("_", "-"),))))


@pytest.mark.parametrize(("row", "text"), spelled("launcher"))
def test_an_option_of_a_launcher_is_read(row: dict[str, Any], text: str) -> None:
    ways = [text] if row["quantity"] in _SWITCHES else [f"{text} 7", f"{text}=7"]
    for words in ways:
        option = option_of(row, text, launcher(row, "", words))
        assert option is not None
        assert row["quantity"] in _SWITCHES or (option.value is not None and option.value.text == "7")


@pytest.mark.parametrize(("row", "text"), [one for one in spelled("launcher") if "variable" in one.values[0]])
def test_so_is_its_variable(row: dict[str, Any], text: str) -> None:
    option = option_of(row, text, launcher(row, f"{row['variable']}=1 ", ""))
    assert option is not None
    assert row["quantity"] in _SWITCHES or (option.value is not None and option.value.text == "1")


@pytest.mark.parametrize(("row", "text"), spelled("dead-option"))
def test_a_dead_option_is_reported(row: dict[str, Any], text: str) -> None:
    line = f"srun -n8 python pretrain_gpt.py --tensor-model-parallel-size 1 --ckpt-format torch {text} 4"
    (found,) = findings(f"#!/bin/bash\n{line}\n", "SB711")
    assert text in found.message


@pytest.mark.parametrize(("row", "text"), spelled("clash"))
def test_an_option_that_may_clash_is_known(row: dict[str, Any], text: str) -> None:
    rows = MEGATRON_LM if row["dialect"] == "megatron-lm" else BRIDGE
    named = {one.option for one in rows} | {getattr(one, "other", "") for one in rows}
    assert text in {name.partition("=")[0] for name in named}


def test_a_recipe_is_found() -> None:
    line = "python scripts/training/run_recipe.py --recipe=glm_45v_sft_128gpu_h100_bf16_config"
    assert run(f"srun -n128 {line}").quantities[Quantity.EP].value == 16


@pytest.mark.parametrize(
    ("device", "launch"), [("gpu", LaunchClass.NATIVE), ("cpu", LaunchClass.SINGLE_PROCESS)]
)
def test_the_device_of_a_conversion_says_how_it_starts(device: str, launch: LaunchClass) -> None:
    line = f"python scripts/conversion/run_conversion.py import --device {device} --tp 2"
    assert run(f"srun -n8 {line}").framework.launch is launch


def test_what_is_not_read_has_a_reason_and_stands_in_no_table() -> None:
    for row in ROWS:
        if row["read_by"] is None:
            assert row["why"]
            known = dialect((row["dialect"],)) if row["dialect"] in dialect_names() else None
            assert known is None or not (known.flags.keys() | known.overrides.keys()) & set(row["spellings"])


def test_no_table_has_a_dialect_that_the_list_lacks() -> None:
    assert {row["dialect"] for row in ROWS} >= set(dialect_names()) - {"unmistakable"}


@pytest.fixture
def new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of dialects in place of the shipped one."""
    cached = (dialects.dialect_names, dialects._options, dialects.dialect)
    monkeypatch.setattr(dialects, "_FOLDER", tmp_path)
    for function in cached:
        function.cache_clear()
    yield tmp_path
    for function in cached:
        function.cache_clear()


def test_a_new_dialect_is_one_data_file(new_folder: Path) -> None:
    rows = [
        {"quantity": "tp", "style": "flag", "spellings": ["--shards"], "default": 1},
        {"quantity": "pp", "style": "flag", "spellings": ["--stages"], "default": 1},
        {"quantity": "etp", "style": "flag", "spellings": ["--expert-shards"], "default_of": "tp"},
        {"quantity": "gbs", "style": "key=value", "spellings": ["batch.all"]},
        {"quantity": "sp", "style": "switch", "spellings": ["--split-sequence"], "default": None},
    ]
    text = json.dumps({"source": "acme/trainer@0123abc", "options": rows})
    (new_folder / "acme.json").write_text(text, encoding="utf-8")
    assert dialect_names() == ("acme",)
    words = ("--shards", "4", "batch.all=64", "--split-sequence", "--tensor-model-parallel-size", "8")
    acme = Framework(FrameworkName.UNKNOWN, dialects=("acme",))
    found = read_quantities(program("train.py", *words), acme)
    values = {name: found[Quantity(name)].value for name in ("tp", "pp", "etp", "gbs", "sp")}
    assert values == {"tp": 4, "pp": 1, "etp": 4, "gbs": 64, "sp": 1}
