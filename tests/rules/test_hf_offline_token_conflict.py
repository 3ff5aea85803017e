"""SB620: commands that need the Hugging Face Hub where the script has switched it off."""

from __future__ import annotations

import pytest

from sbatchlint.api import Confidence
from tests.rules.checking import findings, job

CODE = "SB620"
OFF = "export HF_HUB_OFFLINE=1"


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        (f"{OFF}\nhuggingface-cli login --token $HF_TOKEN", Confidence.HIGH),
        (f"{OFF}\nhf auth login", Confidence.HIGH),
        (f"{OFF}\nsrun hf upload me/model out", Confidence.HIGH),
        ("HF_HUB_OFFLINE=true hf auth whoami", Confidence.HIGH),
        ("export TRANSFORMERS_OFFLINE=1\nsrun python t.py --push_to_hub", Confidence.HIGH),
        (f"{OFF}\nA=(--push_to_hub True)\nsrun accelerate launch t.py ${{A[@]}}", Confidence.HIGH),
        (f"{OFF}\nsrun bash -c 'python t.py --push-to-hub=true'", Confidence.HIGH),
        (f"{OFF}\nhf download me/model", Confidence.MEDIUM),
        (f'{OFF}\nif [ -n "$X" ]; then hf auth login; fi', Confidence.MEDIUM),
        ("srun --export=ALL,HF_HUB_OFFLINE=1 python t.py --push_to_hub", Confidence.HIGH),
    ],
)
def test_a_call_of_the_hub_is_told(body: str, confidence: Confidence) -> None:
    (found,) = findings(job(body, ntasks=1), CODE)
    assert (found.severity.value, found.confidence) == ("warning", confidence)


@pytest.mark.parametrize(
    "body",
    [
        f"hf auth login\n{OFF}\nsrun python t.py",
        f"hf download me/model\n{OFF}\nsrun python t.py",
        f"{OFF}\nHF_HUB_OFFLINE=0 hf download me/model",
        f"{OFF}\nunset HF_HUB_OFFLINE\nhf auth login",
        "HF_HUB_OFFLINE=1\nhf auth login",
        "export HF_HUB_OFFLINE=0 TRANSFORMERS_OFFLINE=1\nhf auth login",
        "export HF_HUB_OFFLINE=$OFFLINE\nhf auth login",
        "export HF_DATASETS_OFFLINE=1\nhf auth login",
        f"{OFF}\nsrun python t.py --push_to_hub False",
        f"{OFF}\nsrun python t.py --push_to_hub=false",
        f"{OFF}\nsrun python t.py --token $HF_TOKEN",
        f"{OFF}\nhf cache scan\nhf auth logout\nhf version",
        f"{OFF}\ndocker run img hf auth login",
        f"{OFF}\necho hf auth login",
    ],
)
def test_what_is_not_switched_off_or_needs_no_hub_is_left_in_peace(body: str) -> None:
    assert findings(job(body, ntasks=1), CODE) == []
