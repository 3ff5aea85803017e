"""From commands to batch scripts."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace

from sbatchlint.convert.conversion import convert as converted
from sbatchlint.convert.python_file import told_by_file
from sbatchlint.convert.refusal import Refused
from sbatchlint.convert.site import Site
from sbatchlint.lint.engine import lint_source
from sbatchlint.report.convert_interactive import interactive_text
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.fuzz.targets.linting import RULES, sound

_SITE = Site(time="01:00:00", account="acme", partition="gpu")


def convert(data: bytes) -> None:
    """A command is refused with a reason, or a script is made of it that the rules can be asked about."""
    for site in (_SITE, replace(_SITE, nodes=2, image="/images/x.sqsh", shared="/shared")):
        made = _made(data, site)
        assert made == _made(data, site)
        if made:
            sound(lint_source(Source.from_text(made, "job.sbatch"), RULES))


def notebook(data: bytes) -> None:
    """The same for a cell of a notebook."""
    made = _made(b"!python train.py && " + data, _SITE)
    assert made == _made(b"!python train.py && " + data, _SITE)


def _made(data: bytes, site: Site) -> str:
    try:
        made = converted(Source.from_bytes(data, "the command"), site, folder="/nowhere")
    except Refused as refused:
        assert refused.subject and refused.message
        return ""
    assert interactive_text(made)
    return script_text(made)


def python_file(data: bytes) -> None:
    """A Python file tells how it wants to be started, or nothing."""
    with tempfile.NamedTemporaryFile(suffix=".py", delete=False) as file:
        file.write(data)
    try:
        assert told_by_file(file.name) == told_by_file(file.name)
    finally:
        os.unlink(file.name)
