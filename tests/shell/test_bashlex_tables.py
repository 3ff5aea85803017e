"""The kept tables of bashlex are those that it builds, and whatever differs brings back the slow way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sbatchlint.shell import bashlex_tables
from sbatchlint.shell.bashlex_tables import FILE, built_here, packed, unpacked

CODES = [
    "echo a b",
    "if a; then b; else c; fi",
    "a | b && c &",
    "for x in y; do z; done; { w; } < f",
    "for x",
]


def parser_of(load: str) -> object:
    """Let a process of its own load bashlex by the statement *load*; give the tables and some readings."""
    code = f"""
import json
{load}
import bashlex
from bashlex.parser import yaccparser
both = (yaccparser.action, yaccparser.goto)
tables = [{{state: dict(row) for state, row in table.items()}} for table in both]
calls = [production.callable.__name__ for production in yaccparser.productions[1:]]
readings = []
for code in {CODES!r}:
    try:
        readings.append([part.dump() for part in bashlex.parse(code)])
    except Exception as error:
        readings.append(repr(error))
print(json.dumps([tables, yaccparser.defaulted_states, calls, readings], sort_keys=True))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


LOAD = "from sbatchlint.shell import bashlex_tables as tables"
LOADED = f"{LOAD}\ntables.load_bashlex()"


def test_kept_tables_are_those_that_bashlex_builds() -> None:
    key, table = built_here()
    assert json.loads(FILE.read_text("ascii"))[key] == table


def test_a_bashlex_with_kept_tables_is_the_plain_one() -> None:
    assert parser_of(LOADED) == parser_of("")


def test_nothing_is_built_where_the_tables_are_known() -> None:
    spy = """
import sys
built = []
def look(frame, event, argument):
    if frame.f_code.co_name == 'lr_parse_table':
        built.append(1)
sys.setprofile(look)
"""
    assert parser_of(f"{spy}{LOADED}\nsys.setprofile(None)\nassert not built, built")
    with pytest.raises(subprocess.CalledProcessError):  # the spy does see it
        parser_of(f"{spy}import bashlex\nsys.setprofile(None)\nassert not built, built")


@pytest.mark.parametrize(
    "content",
    [None, "", "{}", "[]", "null", '{"KEY": null}', '{"KEY": {}}', '{"KEY": {"action": 1, "goto": []}}'],
)
def test_a_file_that_does_not_fit_brings_back_the_slow_way(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "tables.json"
    if content is not None:
        path.write_text(content.replace("KEY", built_here()[0]))
    other = f"from pathlib import Path\n{LOAD}\ntables.FILE = Path({str(path)!r})\ntables.load_bashlex()"
    assert parser_of(other) == parser_of("")


def test_a_bashlex_that_is_made_otherwise_is_imported_plainly() -> None:
    other = f"{LOAD}\ntables.key_of = lambda generator, grammar: 1 / 0\ntables.load_bashlex()"
    assert parser_of(other) == parser_of("")


def test_the_key_follows_the_grammar_and_the_code(tmp_path: Path) -> None:
    generator = bashlex_tables.load_bashlex().parser.yacc
    keys = set()
    for productions in (["a : WORD"], ["a : WORD WORD"], ["a : WORD", "a : a WORD"]):
        grammar = generator.Grammar(["WORD"])
        for production in productions:
            name, _, symbols = production.partition(" : ")
            grammar.add_production(name, symbols.split(), "p_a")
        grammar.set_start("a")
        keys.add(bashlex_tables.key_of(generator, grammar))
        changed = tmp_path / "yacc.py"
        changed.write_text("# another generator\n")
        keys.add(bashlex_tables.key_of(type("Module", (), {"__file__": str(changed)}), grammar))
    assert len(keys) == 6


def test_packing_loses_nothing() -> None:
    table = {0: {"A": 1, "B": -2}, 1: {}, 2: {"A": 1, "B": -2}}
    again = unpacked(json.loads(json.dumps(packed(table))))
    assert again == table
    assert again[0] is not again[2]
