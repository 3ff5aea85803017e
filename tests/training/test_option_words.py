"""Options by name: those that are given, those that may be, and their values."""

from __future__ import annotations

from sbatchlint.training.clashes.option_words import GivenOptions
from tests.training.building import run


def options(line: str) -> GivenOptions:
    return GivenOptions(run(f"srun python pretrain_gpt.py {line}").program.arguments)


def test_an_option_has_the_words_behind_it() -> None:
    given = options("--cp-comm-type p2p a2a --seq-length=5 --bf16 --lr -1e-4 model.x=3 ++model.y=$Y")
    found = given.get("--cp-comm-type")
    assert found is not None
    assert [word.text for word in found.values] == ["p2p", "a2a"]
    assert found.shown == "--cp-comm-type p2p a2a"
    values = {
        name: one.value for name in ("--seq-length", "--bf16", "--lr", "model.x") if (one := given.get(name))
    }
    assert values == {"--seq-length": "5", "--bf16": None, "--lr": "-1e-4", "model.x": "3"}
    unknown = given.get("model.y")
    assert unknown is not None
    assert unknown.value is None
    assert given.get("--fp16") is None


def test_the_last_one_counts() -> None:
    found = options("--lr 1 --lr 2").get("--lr")
    assert found is not None
    assert found.value == "2"


def test_an_option_of_one_way_through_the_script_may_be_given() -> None:
    given = GivenOptions(
        run(
            "if [ -n $X ]; then P=--fp16; else P=--bf16; fi\nsrun python pretrain_gpt.py --a 1 $P"
        ).program.arguments
    )
    assert given.get("--fp16") is None
    assert given.may_have(["--fp16"])
    assert given.may_have(["--bf16", "--c"])
    assert not given.may_have(["--c"])
