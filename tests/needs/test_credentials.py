"""Credentials that a job expects in its environment."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.needs.need import How
from tests.needs.needing import needs


def expected(*body: str, **directives: object) -> dict[str, tuple[How, ...]]:
    return {one.name: one.how for one in needs(*body, **directives).credentials}


@pytest.mark.parametrize(
    ("line", "how"),
    [
        (': "${HF_TOKEN:?set it}"', How.GUARDED),
        ('if [ -z "${HF_TOKEN:-}" ]; then exit 1; fi', How.GUARDED),
        ("[[ -z $HF_TOKEN ]] && exit 1", How.GUARDED),
        ('export HF_TOKEN="$HF_TOKEN"', How.READ),
        ("export HF_TOKEN=${HF_TOKEN:-}", How.READ),
        ("srun bash -c 'curl -H \"Bearer $HF_TOKEN\" https://example.org'", How.READ),
        ("srun --container-image=/i.sqsh --container-env=HF_TOKEN python t.py", How.PASSED),
        ("srun --export=ALL,HF_TOKEN python t.py", How.PASSED),
        ("docker run -e HF_TOKEN image python t.py", How.PASSED),
        ("huggingface-cli login", How.CALLED),
        ("python t.py --model meta-llama/Llama-3.1-8B", How.CALLED),
    ],
)
def test_how_a_token_is_expected(line: str, how: How) -> None:
    assert how in expected(line)["HF_TOKEN"]


def test_a_directive_hands_one_on() -> None:
    assert expected("srun hostname", export="ALL,WANDB_API_KEY") == {"WANDB_API_KEY": (How.PASSED,)}


@pytest.mark.parametrize(
    "line",
    [
        "export HF_TOKEN=$(cat ~/.hf_token)",
        "export HF_TOKEN='filled in'; python t.py $HF_TOKEN",
        'read -rs HF_TOKEN; echo "$HF_TOKEN"',
        "# uses $HF_TOKEN",
        "echo $HF_TOKEN_PATH $MAX_TOKENS $TOKENIZER $PAD_TOKEN",
        "srun --export=ALL,HF_HOME python t.py",
    ],
)
def test_what_is_not_expected(line: str) -> None:
    assert expected(line) == {}


def test_another_variable_may_give_it() -> None:
    assert set(expected("export HUGGING_FACE_HUB_TOKEN=$MY_HF_TOKEN")) == {"MY_HF_TOKEN"}


def test_wandb_asks_for_its_key_unless_it_is_offline() -> None:
    assert expected("python t.py --use_wandb") == {"WANDB_API_KEY": (How.CALLED,)}
    assert expected("export WANDB_MODE=offline", "python t.py --use_wandb") == {}


def test_an_option_that_hands_the_key_over() -> None:
    assert expected("python t.py --use_wandb --wandb_key $1") == {}


def test_a_guard_is_sure_and_comes_first() -> None:
    (one,) = needs('echo "$API_TOKEN"', ': "${API_TOKEN:?}"').credentials
    assert (one.how, one.certainty) == ((How.GUARDED, How.READ), Certainty.KNOWN)


def test_nothing_is_read_in_another_language() -> None:
    from sbatchlint.lint.job import Job
    from sbatchlint.source import Source

    text = "#!/usr/bin/env python3\n#SBATCH -N1\nprint('$HF_TOKEN')\n"
    assert not Job(Source.from_text(text)).needs
