"""``printf %q``: text quoted for another shell must be quoted as bash does it, to the letter."""

from __future__ import annotations

import random
import string
import subprocess

from sbatchlint.launch.transforms import quoted_if_needed
from sbatchlint.launch.values import text_value

_CHARACTERS = string.ascii_letters[:4] + string.digits[:2] + string.punctuation + " "


def test_like_bash() -> None:
    chooser = random.Random(20261130)
    texts = ["", *("".join(chooser.choices(_CHARACTERS, k=chooser.randint(1, 6))) for _ in range(2000))]
    command = ["bash", "-c", "printf '%q\\n' \"$@\"", "_", *texts]
    real = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    for text, expected in zip(texts, real, strict=False):
        ours = quoted_if_needed(text_value(text))
        assert ours is not None
        assert ours.text == expected
