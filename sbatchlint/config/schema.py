"""The JSON Schema of the configuration file, for editors.

It is made from the models by ``python -m sbatchlint.config.schema`` and shipped, so that it can be printed
without pydantic and does not change with pydantic's release.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files

FILE = "schema.json"


def schema_text() -> str:
    """Return the schema as it is shipped."""
    return files("sbatchlint.config").joinpath(FILE).read_text("utf-8")


def made_from_models() -> str:
    """Return the schema that the models give."""
    from sbatchlint.config.models import ConfigFile

    schema = ConfigFile.model_json_schema(by_alias=True)
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "sbatchlint.toml"}
    text = json.dumps({**head, **{key: value for key, value in schema.items() if key != "title"}}, indent=2)
    return text.replace("#/$defs/", "#/definitions/").replace('"$defs"', '"definitions"') + "\n"


if __name__ == "__main__":
    sys.stdout.write(made_from_models())
