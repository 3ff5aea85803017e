"""Making logs and diagnosing them, for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sbatchlint.diagnose.accounting import Accounting
from sbatchlint.diagnose.collecting import Collector
from sbatchlint.diagnose.diagnosis import Diagnosis
from sbatchlint.diagnose.judging import judge
from sbatchlint.diagnose.labels import Label

LOGS = Path(__file__).parent / "logs"
EXPECTED: Mapping[str, Mapping[str, Any]] = json.loads((LOGS / "expected.json").read_text("utf-8"))


def pieces(data: bytes, size: int) -> Iterable[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def diagnose(
    *logs: str | bytes | Iterable[bytes],
    labels: Sequence[Label] = (),
    accounting: Accounting | None = None,
) -> Diagnosis:
    """Return the diagnosis of *logs*; the text of one, or its pieces."""
    collector = Collector()
    for number, log in enumerate(logs):
        data = log.encode() if isinstance(log, str) else log
        given = [data] if isinstance(data, bytes) else data
        collector.read(number, given, labels[number] if labels else None)
    return judge(collector.finish(), accounting)


def verdict(found: Diagnosis) -> tuple[object, ...]:
    """Return what of a diagnosis may not depend on the order in which lines of processes were mixed."""
    line = found.cause.seen.text if found.cause is not None and found.cause.seen is not None else None
    return (
        found.state,
        found.confidence,
        found.cause.id if found.cause else None,
        line,
        found.where,
        found.exit,
        found.missing,
        found.behind,
    )
