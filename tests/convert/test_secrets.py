"""A token of the command is in no script, and the script asks for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.convert.conversion import convert
from sbatchlint.convert.site import Site
from sbatchlint.report.convert_interactive import interactive_text
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import made, with_nodes
from tests.convert.simulated import Cluster

# Put together here, so that no tool takes this file for one that holds a token.
HF = "hf_" + "qWcJtYbNxKpLrZvMdFgHsQaXeTuIoPwRyB"
WANDB = "7e2a9f04c1d85b36" + "a0f7e912c4b83d65f1a09e7c"
PLACES = {
    "HF_TOKEN={} torchrun t.py": "HF_TOKEN",
    "export HF_TOKEN={}\ntorchrun t.py": "HF_TOKEN",
    "export HF_TOKEN='{}'\ntorchrun t.py": "HF_TOKEN",
    'export A=1 HF_TOKEN="{}"\ntorchrun t.py --x $A': "HF_TOKEN",
    "env HF_TOKEN={} torchrun t.py": "HF_TOKEN",
    "torchrun t.py --token {}": "HF_TOKEN",
    "torchrun t.py --token='{}'": "HF_TOKEN",
    'torchrun t.py "https://me:{}@host/x"': "HF_TOKEN",
    "T={}\ntorchrun t.py $T": "HF_TOKEN",
    "bash -c 'HF_TOKEN={} torchrun t.py'": "HF_TOKEN",
    'bash -c "torchrun t.py --token {}"': "HF_TOKEN",
    "# {}\ntorchrun t.py": "",
    "PYTHONPATH={} torchrun t.py": "",
}


@pytest.mark.parametrize("text", PLACES)
def test_no_token_is_written(text: str) -> None:
    done = convert(Source.from_text(text.format(HF)), with_nodes(2))
    for written in (
        script_text(done),
        interactive_text(done),
        *(f"{n.subject} {n.message}" for n in done.notes),
    ):
        assert HF not in written
    if PLACES[text]:
        assert f': "${{{PLACES[text]}:?export {PLACES[text]} in ' in script_text(done)
    assert any("is left out of the script" in note.message for note in done.notes)


@pytest.mark.parametrize("text", [one for one, name in PLACES.items() if name])
def test_the_token_of_the_shell_arrives_in_its_place(text: str, cluster: Cluster) -> None:
    script = made(text.format(HF), with_nodes(2, 2)).encode()
    missing = cluster.run(script)
    assert missing.status != 0 and "export HF_TOKEN" in missing.errors and missing.ranks == []
    done = cluster.run(script, {"HF_TOKEN": HF})
    assert (done.status, done.errors) == (0, "")
    assert len(done.ranks) == 4
    words = [word for call in done.ranks for word in call.words]
    assert all(call.environment["HF_TOKEN"] == HF for call in done.ranks)
    if not ("HF_TOKEN=" in text or "HF_TOKEN'" in text):
        assert sum(HF in word for word in words) == 4


def test_what_a_variable_is_called_is_enough() -> None:
    script = made("export WANDB_API_KEY=mine\ntorchrun t.py", with_nodes(2))
    assert "mine" not in script
    assert ': "${WANDB_API_KEY:?' in script


def test_two_values_have_two_names() -> None:
    script = made(f"torchrun t.py --token {HF} --token {HF[:-1]}x", with_nodes(2))
    assert '"${HF_TOKEN}"' in script and '"${HF_TOKEN_2}"' in script


@given(st.lists(st.sampled_from([HF, WANDB, "--wandb-key", "--token", "a", "x y", "$H"]), max_size=5))
def test_nothing_of_a_token_in_random_commands(words: list[str]) -> None:
    quoted = " ".join(f"'{word}'" for word in words)
    text = f"WANDB_API_KEY={WANDB} torchrun t.py {quoted}"
    done = script_text(convert(Source.from_text(text), Site(nodes=2)))
    assert HF not in done
    assert WANDB not in done or WANDB in words
