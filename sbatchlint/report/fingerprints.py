"""Names for findings that stay the same while lines move, by which a server knows a finding again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from sbatchlint.lint.finding import Finding
from sbatchlint.report.model import FileReport


def fingerprints(file: FileReport, findings: Sequence[Finding], *more: str) -> list[str]:
    """Return a fingerprint for each of *findings*, no two of them alike.

    It is made of the rule, of the line and the part of it that the finding is about (with secrets hidden,
    lest it give one away) and of *more*, such as the path.  Line numbers and blanks do not count; of findings
    alike in all that, the second has another fingerprint than the first.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    made = []
    for finding in findings:
        key = (*more, finding.code, *_text(file, finding))
        made.append(_hash((*key, str(seen[key]))))
        seen[key] += 1
    return made


def _text(file: FileReport, finding: Finding) -> tuple[str, str]:
    source = file.mask.source
    line = source.line(source.position(finding.span.start).line)
    return " ".join(line.split()), " ".join(source.slice(finding.span).split())


def _hash(parts: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
