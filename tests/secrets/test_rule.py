"""SB801: what is said of a secret, and that its value is never among it."""

from __future__ import annotations

import random
import string

from sbatchlint_rules.secrets.secret_literal import SecretLiteral

from sbatchlint.lint.finding import Confidence, Finding, Severity
from sbatchlint.lint.job import Job
from sbatchlint.secrets.fake import fake_token
from sbatchlint.source import Source

HF = fake_token("huggingface", random.Random(1))
OPAQUE = "".join(random.Random(2).choices(string.ascii_letters + string.digits, k=32))


def findings(text: str) -> list[Finding]:
    return list(SecretLiteral().check(Job(Source.from_text(text, "job.sh"))))


def texts(finding: Finding) -> str:
    return "\n".join((finding.message, finding.label, finding.help, *finding.notes, repr(finding)))


def test_a_known_format_is_an_error_that_names_provider_and_variable() -> None:
    text = f"#!/bin/bash\nexport HF_TOKEN={HF}\n"
    (finding,) = findings(text)
    assert (finding.severity, finding.confidence) == (Severity.ERROR, Confidence.HIGH)
    assert "Hugging Face token in HF_TOKEN" in finding.message
    assert "${HF_TOKEN:?}" in finding.help
    assert "revoke" in finding.help
    assert finding.fix is None
    assert text[finding.span.start : finding.span.end] == HF


def test_a_name_and_a_random_value_are_a_warning() -> None:
    (finding,) = findings(f"python x.py --service-api-key {OPAQUE}\n")
    assert (finding.severity, finding.confidence) == (Severity.WARNING, Confidence.MEDIUM)
    assert "service-api-key" in finding.message
    assert ":?}" not in finding.help


def test_no_text_of_a_finding_holds_the_value() -> None:
    for finding in findings(f"HF_TOKEN={HF}\nDB_PASSWORD='{OPAQUE}'\n{OPAQUE}_KEY={HF}\necho {HF}\n"):
        assert HF[3:] not in texts(finding)
        assert OPAQUE not in texts(finding)


def test_the_same_token_twice_is_two_findings() -> None:
    assert len(findings(f"export HF_TOKEN={HF}\n# export HF_TOKEN={HF}\n")) == 2


def test_a_private_key_is_marked_on_its_first_line() -> None:
    lines = ["".join(random.Random(n).choices(string.ascii_letters + string.digits, k=64)) for n in range(3)]
    head = "-----BEGIN OPENSSH PRIVATE KEY-----"
    text = "\n".join(["cat > key <<EOF", head, *lines, head.replace("BEGIN", "END"), "EOF"])
    (finding,) = findings(text)
    assert text[finding.span.start : finding.span.end] == head


def test_an_unreadable_script_is_searched_all_the_same() -> None:
    assert len(findings(f"if then ((( '\nexport HF_TOKEN={HF}\n")) == 1
