"""Where keys and values stand in a TOML text."""

from __future__ import annotations

from sbatchlint.toml.places import places


def test_places() -> None:
    text = (
        'a.b = """x\n]"""\n[t]\n"k k" = [1, {c = \'#\'}, # d = 1\n 3]\n[[t.u]]\nv = 2020-01-01 # x\n[[t.u]]\n'
    )
    found = places(text)

    def value(*path: str | int) -> str:
        span = found[path].value
        return text[span.start : span.end]

    assert value("a", "b") == '"""x\n]"""'
    assert value("t", "k k", 1, "c") == "'#'" and value("t", "k k", 2) == "3"
    assert value("t", "u", 0, "v") == "2020-01-01" and value("t", "u", 1) == "[[t.u]]"
