"""The JSON Schema that editors use, held against the models that read the file."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import ValidationError

from sbatchlint.config.models import ConfigFile, Format, Level
from sbatchlint.config.schema import made_from_models, schema_text

SCHEMA = json.loads(schema_text())
VALIDATOR = Draft7Validator(SCHEMA)

TEXT = st.text(min_size=1, max_size=5)
TEXTS = st.lists(TEXT, max_size=2)
LEVEL = st.sampled_from(Level.__args__)  # type: ignore[attr-defined]
NAME = st.sampled_from(["require-account", "short"])
ANYWHERE: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("ignore", "extend-select", "extend-ignore", "known-options"), TEXTS),
    **dict.fromkeys(("cluster", "slurm-version"), TEXT),
    **dict.fromkeys(("pedantic", "check-paths"), st.booleans()),
    "fail-on": LEVEL,
    "sbatch-args": TEXT | TEXTS,
    "env": st.dictionaries(TEXT, st.text(max_size=3), max_size=2),
}
POLICY = st.fixed_dictionaries(
    {"name": NAME, "require": TEXT, "message": TEXT},
    optional={
        "when": TEXT,
        "severity": LEVEL,
        "help": st.text(max_size=3),
        "docs": st.just("https://example.org"),
        "examples": st.fixed_dictionaries({}, optional={"good": TEXT | TEXTS, "bad": TEXT | TEXTS}),
    },
)
EXCEPTION = st.fixed_dictionaries(
    {
        "policy": NAME,
        "paths": TEXT | st.lists(TEXT, min_size=1, max_size=2),
        "owner": TEXT,
        "reason": TEXT,
        "expires": st.dates(date(2026, 1, 1), date(2030, 1, 1)),
    }
)
KEYS: dict[str, st.SearchStrategy[Any]] = {
    **ANYWHERE,
    **dict.fromkeys(("extend", "required-version", "baseline"), TEXT),
    **dict.fromkeys(
        ("select", "include", "exclude", "extend-exclude", "shared-file-systems", "plugins"), TEXTS
    ),
    **dict.fromkeys(
        ("unsafe-fixes", "force-exclude", "respect-gitignore", "include-markdown", "follow"), st.booleans()
    ),
    "output-format": st.sampled_from(Format.__args__),  # type: ignore[attr-defined]
    "severity": st.dictionaries(TEXT, LEVEL, max_size=2),
    "per-file-ignores": st.dictionaries(TEXT, TEXTS, max_size=2),
    "clusters": st.dictionaries(TEXT, TEXT, max_size=2),
    "per-path": st.dictionaries(TEXT, st.fixed_dictionaries({}, optional=ANYWHERE), max_size=2),
    "policy": st.lists(POLICY, max_size=2),
    "exception": st.lists(EXCEPTION, max_size=2),
}
DOCUMENTS = st.fixed_dictionaries({}, optional=KEYS)
ANYTHING = st.recursive(
    st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.text(max_size=3) | st.dates(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(list(KEYS)) | TEXT, inner),
    max_leaves=4,
)


def model_takes(document: Any) -> bool:
    try:
        ConfigFile.model_validate(document)
    except ValidationError:
        return False
    return True


def schema_takes(document: Any) -> bool:
    """Ask the schema as editors do, which see dates as texts."""
    return bool(VALIDATOR.is_valid(json.loads(json.dumps(document, default=str))))


def test_every_key_is_generated() -> None:
    fields = {field.alias for field in ConfigFile.model_fields.values()}
    assert fields == set(KEYS) == set(SCHEMA["properties"])


@given(DOCUMENTS)
def test_right_documents_are_taken_by_both(document: dict[str, Any]) -> None:
    assert model_takes(document) and schema_takes(document)


@given(st.data())
def test_what_the_schema_refuses_the_models_refuse(data: st.DataObject) -> None:
    """A document with one value put in, anywhere, that may be right or wrong."""
    document = data.draw(DOCUMENTS)
    table = document
    deeper: list[bool] = data.draw(st.lists(st.just(True), max_size=3))
    for _ in deeper:
        table = data.draw(st.sampled_from([one for one in _tables(table) if one] or [table]))
    key = data.draw(st.sampled_from([*table, *KEYS, "fail_on", "name"]))
    table[key] = data.draw(ANYTHING)
    assert schema_takes(document) or not model_takes(document)


@given(
    st.from_regex(r"[a-zA-Z0-9é-]{0,6}", fullmatch=True),
    st.sampled_from(["", "https://a.org", "http://a.org", "a.org", "ftp://a.org", " https://a.org"]),
    st.sampled_from(["*.sh", ["*.sh"], [], "", [""]]),
)
def test_names_addresses_and_paths_of_policies(name: str, docs: str, paths: Any) -> None:
    """Of these the schema says all that the models do, so that an editor marks them too."""
    policy = {"require": "true", "message": "m"}
    exception = {"policy": "p", "owner": "o", "reason": "r", "expires": date(2026, 1, 1)}
    for document in (
        {"policy": [{**policy, "name": name}]},
        {"policy": [{**policy, "name": "p", "docs": docs}]},
        {"exception": [{**exception, "paths": paths}]},
    ):
        assert schema_takes(document) == model_takes(document)


def _tables(table: dict[str, Any]) -> list[dict[str, Any]]:
    values = [*table.values(), *(one for value in table.values() if isinstance(value, list) for one in value)]
    return [value for value in values if isinstance(value, dict)]


def test_the_shipped_schema_is_that_of_the_models() -> None:
    """Not to the letter, for how a type is written differs with the release of pydantic."""
    assert _tables_of(SCHEMA) == _tables_of(json.loads(made_from_models()))


def _tables_of(schema: dict[str, Any]) -> dict[str, tuple[set[str], set[str]]]:
    """Return the keys of each table, and those that it must have."""
    tables = {"": schema, **schema["definitions"]}
    return {
        name: (set(table["properties"]), set(table.get("required", ()))) for name, table in tables.items()
    }
