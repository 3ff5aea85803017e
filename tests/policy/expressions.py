"""Random expressions, and random values of which a part is hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from sbatchlint.policy.values import UNKNOWN, Entries, Items, Object, cel

Draw = Callable[[st.SearchStrategy[Any]], Any]
KINDS = ("bool", "int", "string", "duration", "texts")

_LEAVES = {
    "bool": ("true", "false", "job.exclusive", "job.array"),
    "int": ("0", "1", "2", "3", "job.nodes", "job.gpus"),
    "string": ("''", "'a'", "'ab'", "'b'", "job.account", "job.partition"),
    "duration": ("duration('1h')", "duration('90m')", "job.time", "job.time_min"),
    "texts": ("job.partitions", "job.licenses", "['a', 'b']", "[]"),
}
_STEP_LEAVES = {"bool": "s.background", "int": "s.tasks"}


@st.composite
def expressions(draw: Draw, *, wild: bool = False) -> str:
    """An expression that is true or false; with *wild* its parts may be of any type."""
    return _Writer(draw, wild).write("bool", draw(st.integers(1, 4)), frozenset())


@dataclass(frozen=True)
class _Writer:
    draw: Draw
    wild: bool

    def write(self, kind: str, depth: int, names: frozenset[str]) -> str:
        if self.wild and self.draw(st.integers(0, 9)) == 0:
            kind = self.draw(st.sampled_from(KINDS))
        leaves = list(_LEAVES[kind])
        if kind == "string" and "x" in names:
            leaves += ["x", "x"]
        if "s" in names and kind in _STEP_LEAVES:
            leaves += [_STEP_LEAVES[kind]] * 3
        if depth <= 0:
            return str(self.draw(st.sampled_from(leaves)))
        templates = _TEMPLATES[kind]
        template = self.draw(st.sampled_from([*templates, *templates, *leaves]))
        inner = names | {"x"} if "(x, " in template else names | {"s"} if "(s, " in template else names
        if ("(x, " in template and "x" in names) or ("(s, " in template and "s" in names):
            return str(self.draw(st.sampled_from(leaves)))
        return self._filled(template, depth, names, inner)

    def _filled(self, template: str, depth: int, names: frozenset[str], inner: frozenset[str]) -> str:
        head, macro, body = (
            template.partition(", ") if "(x, " in template or "(s, " in template else (template, "", "")
        )
        return self._replaced(head, depth, names) + macro + self._replaced(body, depth, inner)

    def _replaced(self, text: str, depth: int, names: frozenset[str]) -> str:
        for kind in KINDS:
            while f"<{kind}>" in text:
                text = text.replace(f"<{kind}>", f"({self.write(kind, depth - 1, names)})", 1)
        return text


_TEMPLATES = {
    "bool": (
        "<bool> && <bool>", "<bool> || <bool>", "!<bool>", "<bool> ? <bool> : <bool>",
        "<int> < <int>", "<int> == <int>", "<int> >= <int>", "<string> == <string>", "<string> != <string>",
        "<duration> <= <duration>", "<duration> == <duration>", "<string> in <texts>", "<texts> == <texts>",
        "<texts>.all(x, <bool>)", "<texts>.exists(x, <bool>)", "<texts>.exists_one(x, <bool>)",
        "steps.all(s, <bool>)", "steps.exists(s, <bool>)", "steps.exists_one(s, <bool>)",
        "<string>.startsWith(<string>)", "<string>.contains(<string>)", "<string> in env",
        "job.options['qos'] == <string>", "<bool> == <bool>", "env.exists(x, <bool>)", "env.all(x, <bool>)",
        "<string>.matches('^a')", "<texts>[<int>] == <string>",
    ),
    "int": (
        "<int> + <int>", "<int> - <int>", "<int> * <int>", "<int> / <int>", "<int> % <int>", "-<int>",
        "size(<texts>)", "size(steps)", "<string>.size()", "<bool> ? <int> : <int>", "<duration>.getHours()",
        "{'a': 1, 'b': 2}[<string>]", "size(env)", "steps.filter(s, <bool>).size()",
        "9223372036854775807 + <int>",
    ),
    "string": (
        "<bool> ? <string> : <string>", "<string> + <string>", "<texts>[<int>]", "env[<string>]",
        "string(<int>)",
    ),
    "duration": ("<duration> + <duration>", "<duration> - <duration>", "<bool> ? <duration> : <duration>"),
    "texts": (
        "[<string>, <string>]", "<texts>.filter(x, <bool>)", "<texts>.map(x, <string>)",
        "<bool> ? <texts> : <texts>",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """One value as it is in truth, and what is known of it."""

    truth: Any
    known: Any


_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "exclusive": st.booleans(),
    "array": st.booleans(),
    "nodes": st.integers(0, 3),
    "gpus": st.integers(0, 3),
    "account": st.sampled_from(["", "a", "ab", "b"]),
    "partition": st.sampled_from(["", "a", "b"]),
    "time": st.sampled_from([timedelta(hours=1), timedelta(hours=2), timedelta(0)]),
    "time_min": st.sampled_from([timedelta(hours=1), timedelta(hours=3)]),
}
_TEXTS = st.sampled_from(["", "a", "ab", "b"])


@st.composite
def variables(draw: Draw, *, hide: bool = True) -> Pair:
    """The variables job and steps; with *hide*, some of their values are not known."""
    job = {name: _scalar(draw, strategy, hide) for name, strategy in _SCALARS.items()}
    job |= {name: _texts(draw, hide) for name in ("partitions", "licenses")}
    job["options"] = Pair(Entries({"qos": cel("a")}), Entries({"qos": UNKNOWN if hide else cel("a")}))
    steps = _list(draw, hide, lambda: _step(draw, hide))
    env = _map(draw, hide)
    truth, known = ({name: getattr(pair, side) for name, pair in job.items()} for side in ("truth", "known"))
    return Pair(
        {"job": Object(truth), "steps": steps.truth, "env": env.truth},
        {"job": Object(known), "steps": steps.known, "env": env.known},
    )


def _hidden(draw: Draw, hide: bool) -> bool:
    return hide and bool(draw(st.integers(0, 2)) == 0)


def _scalar(draw: Draw, strategy: st.SearchStrategy[Any], hide: bool) -> Pair:
    value = cel(draw(strategy))
    return Pair(value, UNKNOWN if _hidden(draw, hide) else value)


def _step(draw: Draw, hide: bool) -> Pair:
    tasks, background = _scalar(draw, st.integers(0, 3), hide), _scalar(draw, st.booleans(), hide)
    return Pair(
        Object({"tasks": tasks.truth, "background": background.truth}),
        Object({"tasks": tasks.known, "background": background.known}),
    )


def _texts(draw: Draw, hide: bool) -> Pair:
    if _hidden(draw, hide):
        return Pair(Items(map(cel, draw(st.lists(_TEXTS, max_size=3)))), UNKNOWN)
    return _list(draw, hide, lambda: _scalar(draw, _TEXTS, hide))


def _list(draw: Draw, hide: bool, element: Callable[[], Pair]) -> Pair:
    """A list of which elements may be doubtful (there in truth or not), and which may lack others."""
    truth, known, doubts = [], [], []
    more = False
    for _ in range(draw(st.integers(0, 3))):
        one = element()
        state = draw(st.sampled_from(["sure", "sure", "there", "missing", "unseen"])) if hide else "sure"
        more = more or state == "unseen"
        if state != "missing":
            truth.append(one.truth)
        if state != "unseen":
            known.append(one.known)
            doubts.append(state != "sure")
    return Pair(Items(truth), Items(known, doubts, more=more))


def _map(draw: Draw, hide: bool) -> Pair:
    truth, known, doubts = {}, {}, []
    more = False
    for name in ("qos", "a", "ab", ""):
        state = draw(
            st.sampled_from(["sure", "absent", "there", "missing", "unseen"] if hide else ["sure", "absent"])
        )
        value = _scalar(draw, _TEXTS, hide)
        more = more or state == "unseen"
        if state in ("sure", "there", "unseen"):
            truth[name] = value.truth
        if state in ("sure", "there", "missing"):
            known[name] = value.known
        if state in ("there", "missing"):
            doubts.append(name)
    return Pair(Entries(truth), Entries(known, doubts, more=more))
