"""The logs of a job."""

from __future__ import annotations

import io
from collections.abc import Iterable

from sbatchlint.diagnose.collecting import Collector
from sbatchlint.diagnose.judging import judge
from sbatchlint.diagnose.logs import PackedError, read_pieces
from sbatchlint.report.diagnose_json import diagnose_json
from sbatchlint.report.diagnose_model import DiagnosisReport, report_of
from sbatchlint.report.diagnose_text import diagnose_text
from sbatchlint.report.style import PLAIN

_SIZES = (7, 1000, 1 << 20)


def log(data: bytes) -> None:
    """A log gives the same diagnosis however it is cut into pieces; gzip is unpacked."""
    try:
        reports = [_report(_pieces(data, size)) for size in _SIZES]
    except PackedError as error:
        assert str(error)
        return
    texts = {(diagnose_text(report, PLAIN), diagnose_json(report)) for report in reports}
    assert len(texts) == 1


def _pieces(data: bytes, size: int) -> Iterable[bytes]:
    return read_pieces(io.BytesIO(data), "job.out", lambda path, text: None, size=size)


def _report(pieces: Iterable[bytes]) -> DiagnosisReport:
    collector = Collector()
    collector.read(0, pieces, None)
    return report_of(judge(collector.finish(), None), ["job.out"], {})
