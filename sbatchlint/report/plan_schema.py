"""The JSON Schema of the launch plan, as it is shipped."""

from __future__ import annotations

from importlib.resources import files


def schema_text() -> str:
    """Return the schema that every document of ``plan --output-format json`` keeps to."""
    return files("sbatchlint.report").joinpath("schema/plan.schema.json").read_text("utf-8")
