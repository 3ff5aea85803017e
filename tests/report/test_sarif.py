"""What a SARIF log says beside the findings themselves."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.builtin import UnreadableStatement
from sbatchlint.lint.finding import Severity
from sbatchlint.report.model import RunReport, Trouble
from sbatchlint.report.places import Home
from sbatchlint.report.sarif import sarif
from sbatchlint.source import Source, Span
from tests.report.builders import JOB, find, finding, report, torchrun_finding
from tests.report.read_back import address, read_sarif


def log(run: RunReport) -> dict[str, Any]:
    """Return the one run of the log, after the schema has seen it."""
    text = sarif(run)
    read_sarif(text)
    (only,) = json.loads(text)["runs"]
    return dict(only)


def fix_of(source: Source, fix: Fix, **more: Any) -> dict[str, Any] | None:
    (result,) = log(report(source, [finding(Span(0, 0), fix=fix)], **more))["results"]
    return dict(result["fixes"][0]) if "fixes" in result else None


def test_places_that_explain() -> None:
    source = Source.from_text(JOB, "job.sh")
    (result,) = log(report(source, [torchrun_finding(source)]))["results"]
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    assert related["message"] == {"text": "Slurm starts the step's command 8 times per node"}
    region = {"startLine": 3, "startColumn": 27, "endLine": 3, "endColumn": 28}
    assert related["physicalLocation"]["region"] == region
    assert result["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "1"}}
    ]


def test_a_silenced_finding_says_by_what_and_why() -> None:
    run = log(report(Source.from_text(JOB, "job.sh"), [], suppressed=1))
    (result,) = run["results"]
    (suppression,) = result["suppressions"]
    assert suppression["kind"] == "inSource" and suppression["justification"] == "known"
    assert suppression["location"]["physicalLocation"]["region"]["startLine"] == 1
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "SB301"


def test_a_rule_is_told_with_its_page() -> None:
    found = finding(Span(0, 1), code="SB001", name=UnreadableStatement.name, severity=Severity.WARNING)
    run = report(Source.from_text(JOB, "job.sh"), [found], rules=(UnreadableStatement(),))
    (rule,) = log(run)["tool"]["driver"]["rules"]
    assert rule["name"] == UnreadableStatement.name
    assert rule["shortDescription"]["text"] == (UnreadableStatement.__doc__ or "").split("\n")[0]
    assert rule["help"]["markdown"].startswith(f"# {UnreadableStatement.name} (SB001)\n")
    assert rule["properties"] == {"tags": ["reading"]}
    assert "helpUri" not in rule


def test_what_could_not_be_checked_is_said() -> None:
    assert log(RunReport(()))["invocations"] == [{"executionSuccessful": True}]
    (invocation,) = log(RunReport((), troubles=(Trouble("a\x1b.sh", "no such file"),)))["invocations"]
    assert not invocation["executionSuccessful"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification == {"level": "error", "message": {"text": "a\\x1b.sh: no such file"}}


def test_addresses() -> None:
    home = Home("/home/me/my repo")
    paths = {
        "/home/me/my repo/jobs/a b%.sh": "jobs/a%20b%25.sh",
        "/home/me/my repo/模:1.sh": "%E6%A8%A1%3A1.sh",
        "/home/me/my repo/caf\udce9.sh": "caf%E9.sh",
        "/home/me/other/c.sh": "file:///home/me/other/c.sh",
        "/home/me/my repo2/c.sh": "file:///home/me/my%20repo2/c.sh",
    }
    files = tuple(report(Source.from_text(JOB, path), []).files[0] for path in paths)
    run = log(RunReport(files, home=home))
    assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///home/me/my%20repo/"}}
    locations = [artifact["location"] for artifact in run["artifacts"]]
    assert [location["uri"] for location in locations] == list(paths.values())
    assert [address(run, location) for location in locations] == list(paths)


def test_standard_input_is_called_so() -> None:
    (artifact,) = log(report(Source.from_text(JOB), []))["artifacts"]
    assert artifact["location"]["description"] == {"text": "standard input"}
    assert artifact["roles"] == ["standardStream"]


def test_a_byte_order_mark_has_no_column() -> None:
    source = Source.from_text("\ufeff#!/bin/bash\n", "job.sh")
    (result,) = log(report(source, [finding(Span(1, 12))]))["results"]
    region = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 12}
    assert result["locations"][0]["physicalLocation"]["region"] == region
    assert fix_of(source, Fix.safe("remove it", Edit(Span(0, 1), ""))) is None


def test_a_fix_that_would_write_asterisks_or_half_characters_is_left_out() -> None:
    source = Source.from_text(JOB, "job.sh")
    assert fix_of(source, Fix.safe("x", Edit(Span(0, 1), "hunter2secret")), secrets=["hunter2secret"]) is None
    assert fix_of(source, Fix.safe("x", Edit(Span(0, 1), "\udcff"))) is None
    assert fix_of(source, Fix.safe("x", Edit(Span(0, 1), "y"))) is not None


def applied(text: str, fix: dict[str, Any]) -> str:
    """Carry *fix* out as the standard says, on the text of the unmodified file without its mark."""
    body = text.removeprefix("\ufeff")
    starts = [0, *(match.end() for match in re.finditer("\r\n|\n", body))]
    (change,) = fix["artifactChanges"]
    done = []
    last = 0
    for one in change["replacements"]:
        region = one["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        assert last <= start <= end <= len(body)
        done += [body[last:start], one.get("insertedContent", {"text": ""})["text"]]
        last = end
    return text[: len(text) - len(body)] + "".join([*done, body[last:]])


PIECES = st.sampled_from(["a", "b c", "\n", "\r\n", "\r", "模", "\U0001f600", "\t", ""])
TEXTS = st.lists(PIECES, min_size=1, max_size=12).map("".join)


@given(text=st.builds(str.__add__, st.sampled_from(["", "\ufeff"]), TEXTS), data=st.data())
def test_a_fix_carried_out_from_the_log_gives_what_fixing_gives(text: str, data: st.DataObject) -> None:
    source = Source.from_text(text, "job.sh")
    first = int(text.startswith("\ufeff"))
    offsets = st.integers(first, len(source.text))
    cuts = sorted(data.draw(st.lists(offsets, min_size=2, max_size=6)))
    spans = [Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    inserted = TEXTS.map(lambda part: part.replace("\r", ""))
    edits = [Edit(span, data.draw(inserted)) for span in spans]
    whole = Fix.safe("x", *edits)
    fix = fix_of(source, whole)
    assert fix is not None
    fixed = source.edited((edit.span, edit.text) for edit in whole.edits)
    assert applied(text, fix) == fixed.to_bytes().decode()


@given(text=TEXTS)
def test_line_ends_are_mended_from_the_log(text: str) -> None:
    source = Source.from_text(text, "job.sh")
    fix = fix_of(source, Fix.line_ends("x"))
    unix = source.with_unix_line_ends().text
    assert (text if fix is None else applied(text, fix)) == unix
    assert (fix is None) == (text == unix)


def test_a_fix_in_the_log_is_the_one_of_the_finding() -> None:
    source = Source.from_text(JOB, "job.sh")
    fix = fix_of(source, Fix.unsafe("set it", Edit(find(source, "8", "--ntasks"), "1")))
    assert fix is not None
    assert (fix["description"], fix["properties"]) == ({"text": "set it"}, {"safety": "unsafe"})
    assert applied(JOB, fix) == JOB.replace("--ntasks-per-node=8", "--ntasks-per-node=1")
