"""bashlex, ready to read: its parser tables come from a file instead of being built at each start.

``data/bashlex_tables.json`` holds what bashlex builds from its grammar, for the releases known when this was
written.  The key of a table is a checksum of all that it follows from: the productions, the precedence, and
the code that builds it.  For any other bashlex there is no table, and it builds its own, in some 0.1 s.

``python -m sbatchlint.shell.bashlex_tables`` adds the table of the bashlex that is installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

try:  # hashlib loads OpenSSL as well, which takes longer than the sum
    _sha256 = importlib.import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
except ImportError:
    from hashlib import sha256 as _sha256

FILE = Path(__file__).parent / "data" / "bashlex_tables.json"

Table = dict[int, dict[str, int]]
"""What to do in a state at a symbol: a state to go to, or the number of a production, negative."""


@cache
def load_bashlex() -> ModuleType:
    """Import bashlex, or raise what its import raises.  This alone imports it."""
    if "bashlex" not in sys.modules:
        try:
            _import_with_tables()
        except Exception:  # a bashlex of another make may lack anything that is touched here
            _forget()
        except BaseException:
            _forget()
            raise
    import bashlex

    module: ModuleType = bashlex
    return module


def _import_with_tables() -> None:
    """Import bashlex as ``import`` does, but stop where its generator is loaded and its parser is not."""
    spec = importlib.util.find_spec("bashlex")
    if spec is None or spec.loader is None:
        return
    package = importlib.util.module_from_spec(spec)
    sys.modules["bashlex"] = package
    generator: Any = importlib.import_module("bashlex.yacc")
    built, asked = generator.LRTable, generator.inspect
    generator.inspect = _Sources
    generator.LRTable = lambda grammar, log=None: _Known.of(generator, grammar) or built(grammar, log)
    try:
        spec.loader.exec_module(package)
    finally:
        generator.LRTable, generator.inspect = built, asked


def _forget() -> None:
    """Take out what was imported of bashlex, so that it can be imported from the beginning."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "bashlex"]:
        del sys.modules[name]


class _Sources:
    """Stands in for ``inspect``, which looks through all modules for each function that it is asked about."""

    @staticmethod
    def getmodule(function: Any) -> ModuleType:
        return sys.modules[function.__module__]

    @staticmethod
    def getsourcefile(module: ModuleType) -> str | None:
        return module.__file__

    @staticmethod
    def getsourcelines(module: ModuleType) -> NoReturn:
        """Refuse: what is said of functions that are there twice is nobody's business here."""
        raise OSError


class _Known:
    """Stands in for bashlex's ``LRTable``: as much of it as its parser asks for."""

    def __init__(self, productions: list[Any], action: Table, goto: Table) -> None:
        self.lr_productions = productions
        self.lr_action = action
        self.lr_goto = goto
        self.sr_conflicts: list[Any] = []
        self.rr_conflicts: list[Any] = []

    @classmethod
    def of(cls, generator: Any, grammar: Any) -> _Known | None:
        """Give the table of *grammar*, or None where the file has none."""
        try:
            found = json.loads(FILE.read_text(encoding="ascii")).get(key_of(generator, grammar))
            if found is None:
                return None
            action, goto = unpacked(found["action"]), unpacked(found["goto"])
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None
        return cls(grammar.Productions, action, goto)

    def bind_callables(self, names: Mapping[str, Any]) -> None:
        """Give each production the function that is called when it is reduced."""
        for production in self.lr_productions:
            production.bind(names)


def key_of(generator: Any, grammar: Any) -> str:
    """Give the checksum of what the table of *grammar*, made by the module *generator*, follows from."""
    productions = [(str(found), found.prec, found.func) for found in grammar.Productions]
    facts = (list(grammar.Terminals), grammar.Start, sorted(grammar.Precedence.items()), productions)
    code = Path(generator.__file__).read_bytes().replace(b"\r\n", b"\n")
    found: str = _sha256(code + json.dumps(facts).encode()).hexdigest()
    return found


def packed(table: Mapping[int, Mapping[str, int]]) -> dict[str, list[Any]]:
    """Give *table* in short: symbols by number, and rows that several states share once."""
    symbols = sorted({symbol for row in table.values() for symbol in row})
    number = {symbol: index for index, symbol in enumerate(symbols)}
    rows: dict[tuple[int, ...], int] = {}
    states = []
    for state in range(len(table)):
        pairs = sorted((number[symbol], does) for symbol, does in table[state].items())
        states.append(rows.setdefault(tuple(part for pair in pairs for part in pair), len(rows)))
    return {"symbols": symbols, "rows": [list(row) for row in rows], "states": states}


def unpacked(short: Mapping[str, list[Any]]) -> Table:
    """Give the table that *short* was made of; no two states share a row, for bashlex changes some."""
    symbols = short["symbols"]
    rows = [
        dict(zip([symbols[index] for index in row[::2]], row[1::2], strict=True)) for row in short["rows"]
    ]
    return {state: dict(rows[row]) for state, row in enumerate(short["states"])}


def built_here() -> tuple[str, dict[str, Any]]:
    """Let the bashlex that is installed build its table; give its key and the table in short."""
    package: Any = load_bashlex()
    generator = package.parser.yacc
    reflected = generator.ParserReflect(dict(vars(package.parser)))
    reflected.get_all()
    reflected.validate_all()
    grammar = generator.Grammar(reflected.tokens)
    for term, side, level in reflected.preclist:
        grammar.set_precedence(term, side, level)
    for function, (file, line, name, symbols) in reflected.grammar:
        grammar.add_production(name, symbols, function, file, line)
    grammar.set_start(reflected.start)
    table = generator.LRTable(grammar)
    return key_of(generator, grammar), {"action": packed(table.lr_action), "goto": packed(table.lr_goto)}


def main() -> None:
    """Write the table of the bashlex that is installed beside those that are there."""
    known = json.loads(FILE.read_text(encoding="ascii")) if FILE.exists() else {}
    key, table = built_here()
    known[key] = table
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(known, separators=(",", ":")) + "\n", encoding="ascii")
    print(f"{FILE}: {key}")


if __name__ == "__main__":
    main()
