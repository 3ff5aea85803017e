"""What people write beside their scripts: configuration, cluster profiles, policies, baselines."""

from __future__ import annotations

import os
import tempfile

from sbatchlint.adopt.baseline_file import BadBaseline, baseline_text, parse_baseline
from sbatchlint.certainty import Certainty
from sbatchlint.cluster.load import read_profile
from sbatchlint.config.discovery import Discovery
from sbatchlint.config.errors import ConfigError
from sbatchlint.config.resolve import Resolver
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import Job
from sbatchlint.policy.check import Checked
from sbatchlint.policy.check import check as checked
from sbatchlint.policy.context import variables_of
from sbatchlint.policy.evaluate import evaluate
from sbatchlint.policy.message import filled_in, message_faults, message_roots
from sbatchlint.source import Source
from sbatchlint.toml.read import TomlError
from tests.fuzz.targets.linting import sound

_SCRIPT = """\
#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=8 --time=1-0 --account=acme --comment="a b" --qos=high
export NCCL_DEBUG=INFO TOKEN=$X
srun --ntasks-per-node=1 torchrun --nproc-per-node=8 train.py &
srun -n1 bash -c "$UNKNOWN"
wait
"""


def config(data: bytes) -> None:
    """A file of settings holds for a script, or is refused with the place of each mistake."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "sbatchlint.toml"), "wb") as file:
            file.write(data)
        path = os.path.join(folder, "job.sh")
        try:
            found = Resolver(Discovery({})).settings(path)
        except TomlError as error:
            _has_places(error)
            return
        except ConfigError as error:
            assert error.subject and error.message
            return
        sound(lint_source(Source.from_text(_SCRIPT, path), found.rules, found.options))


def cluster_profile(data: bytes) -> None:
    """A cluster profile, and what it has against a job."""
    source = Source.from_bytes(data, "cluster.toml")
    try:
        profile = read_profile(source)
    except TomlError as error:
        _has_places(error)
        return
    from sbatchlint.lint.job import LintOptions

    job = Job(Source.from_text(_SCRIPT, "job.sh"), LintOptions(cluster=profile))
    assert repr(job.misfits) == repr(Job(job.source, job.options).misfits)


def _has_places(error: TomlError) -> None:
    assert error.mistakes
    for mistake in error.mistakes:
        assert mistake.message
        assert 0 <= mistake.span.start <= mistake.span.end <= len(error.source.text)


def policy(data: bytes) -> None:
    """An expression is refused at a place of its own, or worked out; so is a message."""
    text = data.decode("utf-8", "surrogateescape")
    found = checked(text)
    if isinstance(found, Checked):
        job = Job(Source.from_text(_SCRIPT, "job.sh"))
        variables = variables_of(job, found.roots, 0, Certainty.KNOWN)
        assert repr(evaluate(found, variables)) == repr(evaluate(found, variables))
    else:
        assert found
        for fault in found:
            assert fault.message and 0 <= fault.start <= fault.end <= len(text)
    if not list(message_faults(text)):
        roots = message_roots(text)
        filled_in(text, variables_of(Job(Source.from_text(_SCRIPT, "job.sh")), roots, 0, Certainty.KNOWN))


def baseline(data: bytes) -> None:
    """A baseline is refused at a line, or comes back as it was when it is written and read."""
    text = data.decode("utf-8-sig", "surrogateescape")
    try:
        found = parse_baseline("baseline.json", text)
    except BadBaseline as error:
        assert str(error) and error.place
        return
    again = parse_baseline("baseline.json", baseline_text(found.counts))
    assert again.counts == found.counts
