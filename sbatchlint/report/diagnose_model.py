"""What the reports of a diagnosis are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sbatchlint.diagnose.blame import Blame
from sbatchlint.diagnose.diagnosis import Diagnosis
from sbatchlint.diagnose.facts import Seen
from sbatchlint.records import dataclass
from sbatchlint.report.mask import Mask
from sbatchlint.source import Source


@dataclass(frozen=True, slots=True)
class DiagnosisReport:
    """A diagnosis with what is needed to show it."""

    diagnosis: Diagnosis
    logs: Sequence[str]
    """The paths, by the numbers of the places; ``-`` for standard input."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of the rules that the cause speaks of, by their codes."""
    blame: Blame | None = None
    masks: tuple[Mask, ...] = ()

    def path(self, seen: Seen) -> str:
        """Return the log that *seen* stands in."""
        return self.logs[seen.place.file]

    def hidden(self, text: str) -> str:
        """Return *text*, which may quote a log or the script, without secrets."""
        for mask in self.masks:
            text = mask.text(text)
        return text


def report_of(
    diagnosis: Diagnosis, logs: Sequence[str], names: Mapping[str, str], blame: Blame | None = None
) -> DiagnosisReport:
    """Return what shows *diagnosis*, with the secrets found in the lines that it quotes."""
    quoted = "\n".join(line.text for line in _quoted(diagnosis))
    masks = [Mask.found_in(Source.from_text(quoted, "log"))]
    if blame is not None:
        masks.append(Mask.found_in(blame.source, *(blame.result.beside if blame.result is not None else ())))
    return DiagnosisReport(diagnosis, logs, names, blame, tuple(masks))


def _quoted(diagnosis: Diagnosis) -> Iterator[Seen]:
    if diagnosis.cause is not None and diagnosis.cause.seen is not None:
        yield diagnosis.cause.seen
    for groups in (diagnosis.cascade, diagnosis.others, diagnosis.noise):
        yield from (group.seen for group in groups if group.seen is not None)
    yield from diagnosis.suspects
