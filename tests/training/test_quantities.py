"""Every spelling is read, and nothing is read that the arguments do not say."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.training.dialects import Quantity, Spelling, Style, dialect, dialect_names
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.quantities import Reading, read_quantities
from tests.training.building import program, run

SPELLINGS = [
    pytest.param(name, spelling, id=f"{name} {spelling.text}")
    for name in dialect_names()
    for spelling in (*dialect((name,)).flags.values(), *dialect((name,)).overrides.values())
]
KNOWN, ASSUMED, UNKNOWN = Certainty.KNOWN, Certainty.ASSUMED, Certainty.UNKNOWN


def read(dialect_name: str, spelling: Spelling, *words: str) -> Reading:
    framework = Framework(FrameworkName.UNKNOWN, dialects=(dialect_name,))
    return read_quantities(program("x.py", *words), framework)[spelling.quantity]


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_every_spelling_is_read(name: str, spelling: Spelling) -> None:
    ways: dict[Style, list[tuple[str, ...]]] = {
        Style.FLAG: [(spelling.text, "4"), (f"{spelling.text}=4",)],
        Style.SWITCH: [(spelling.text,)],
        Style.OVERRIDE: [(f"{prefix}{spelling.text}=4",) for prefix in ("", "+", "++")],
    }
    for words in ways[spelling.style]:
        reading = read(name, spelling, "--other", "1", *words, "--more")
        assert reading.value == (1 if spelling.style is Style.SWITCH else 4)
        assert (reading.given, reading.certainty) == (True, KNOWN)


@pytest.mark.parametrize(("name", "spelling"), SPELLINGS)
def test_no_longer_or_shorter_word_is_taken_for_it(name: str, spelling: Spelling) -> None:
    for text in (spelling.text + "x", "x" + spelling.text, spelling.text + "-x"):
        assert not read(name, spelling, text, "4", f"{text}=4").given


def readings(line: str, *before: str, **options: object) -> dict[Quantity, Reading]:
    found = run(*before, f"srun {line}", nodes=2, ntasks_per_node=8, **options).quantities
    return {quantity: found[quantity] for quantity in Quantity}


def test_the_last_one_wins() -> None:
    flags = "--tensor-model-parallel-size 2 --tensor-model-parallel-size=8"
    assert readings(f"python pretrain_gpt.py {flags}")[Quantity.TP].value == 8


def test_an_override_beats_the_flag_of_bridge_wherever_it_stands() -> None:
    line = "python scripts/training/run_recipe.py model.tensor_model_parallel_size=4 -tp 2"
    assert readings(line)[Quantity.TP].value == 4


def test_what_is_not_given_has_the_default_of_the_program() -> None:
    found = readings("python pretrain_gpt.py --tensor-model-parallel-size 4")
    assert (found[Quantity.PP].value, found[Quantity.PP].given) == (1, False)
    assert (found[Quantity.ETP].value, found[Quantity.ETP].given) == (4, False)
    assert not found[Quantity.GBS].known


def test_a_recipe_decides_what_is_not_given() -> None:
    found = readings("python scripts/training/run_recipe.py --recipe a_config -tp 2")
    assert found[Quantity.TP].value == 2
    assert not found[Quantity.PP].known


@pytest.mark.parametrize("extra", ["$EXTRA_ARGS", '"$@"', "${ARGS[@]}", "$1"])
def test_unknown_words_behind_may_override_and_take_the_defaults_away(extra: str) -> None:
    found = readings(f"python pretrain_gpt.py --tensor-model-parallel-size 4 --bf16=x {extra}")
    assert (found[Quantity.TP].value, found[Quantity.TP].certainty) == (4, ASSUMED)
    assert not found[Quantity.PP].known


def test_unknown_words_before_override_nothing() -> None:
    found = readings("python pretrain_gpt.py $EXTRA_ARGS --tensor-model-parallel-size 4")
    assert found[Quantity.TP].certainty is KNOWN
    assert not found[Quantity.PP].known


@pytest.mark.parametrize(
    "value", ["--data-path $DATA_PATH", "--save /ckpt/$NAME", "--lr $1", "--id $(uuidgen)"]
)
def test_the_unknown_value_of_an_option_is_no_option(value: str) -> None:
    found = readings(f"python pretrain_gpt.py --tensor-model-parallel-size 4 {value}")
    assert found[Quantity.TP].certainty is KNOWN
    assert found[Quantity.PP].value == 1


@pytest.mark.parametrize(
    "option", ["--use-checkpoint-args", "--yaml-cfg x.yaml", "--use-mp-args-from-checkpoint-args"]
)
def test_where_a_checkpoint_or_a_file_decides_nothing_is_known(option: str) -> None:
    found = readings(f"python pretrain_gpt.py --tensor-model-parallel-size 4 {option}")
    assert not any(reading.known for reading in found.values())


def test_an_encoder_with_ranks_of_its_own_leaves_nothing_known() -> None:
    line = "python pretrain_gpt.py --tensor-model-parallel-size 4 --encoder-tensor-model-parallel-size 2"
    assert not readings(line)[Quantity.TP].known


def test_a_configuration_file_may_set_what_is_not_given() -> None:
    found = readings("python pretrain_gpt.py --tensor-model-parallel-size 4 --config x.yaml")
    assert found[Quantity.TP].certainty is KNOWN
    assert not found[Quantity.PP].known


def test_a_default_of_the_shell_is_assumed() -> None:
    found = readings("python pretrain_gpt.py --tensor-model-parallel-size $TP", "TP=${TP:-4}")
    assert (found[Quantity.TP].value, found[Quantity.TP].certainty) == (4, ASSUMED)


def test_branches_leave_candidates() -> None:
    branches = ("if [ -e x ]; then TP=2; else TP=4; fi",)
    found = readings('python pretrain_gpt.py --tensor-model-parallel-size "$TP"', *branches)
    assert set(found[Quantity.TP].values) == {2, 4}
    assert found[Quantity.TP].value is None


@pytest.mark.parametrize("value", ["$TP", "0", "-1", "four", "2.0", "null", "<TP>", "99999999999999"])
def test_what_is_no_number_of_use_is_unknown(value: str) -> None:
    found = readings(f"python pretrain_gpt.py --tensor-model-parallel-size '{value}'")
    assert (found[Quantity.TP].values, found[Quantity.TP].certainty) == ((), UNKNOWN)


def test_switches_that_take_no_value() -> None:
    assert readings("python pretrain_gpt.py --sequence-parallel")[Quantity.SP].value == 1
    overridden = "python scripts/training/run_recipe.py model.sequence_parallel=True"
    assert readings(overridden)[Quantity.SP].value == 1
