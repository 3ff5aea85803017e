"""Scripts made at random from a grammar over what the evaluation follows.

They never loop for ever, divide by nothing or compute with text: what stops bash half-way would hide
whatever comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
_NAMES = ("A", "B", "C")
_GIVEN = ("E", "F")
"""Names that scripts use and only sometimes set: the environment may have them."""
_ARRAYS = ("L", "M")
_NUMBERS = ("I", "J")
_FUNCTIONS = ("fun", "gun")
_BARE = (
    "a",
    "b1",
    "-x",
    "--k=v",
    "/p/q.tar.gz",
    "a.b.c",
    "x=y",
    "n-1",
    "0",
    "7",
    "aXb",
    "é",
    "%",
    "@",
    "+",
    ",",
)
_QUOTED = ("a b", " ", "x  y ", "", "p:q", "a,b", "*", "it", "#no", "$", "\\", "a/b c/d", "~")
_PATTERNS = ("a", "*", "?", "a*", "*.", ".*", "*/", "/*", "[a-c]", "[!a]*", "*b", "x", "'*'", "-", " *")
_FILTERS = (
    "cut -d. -f1",
    "cut -d/ -f2-",
    "cut -c1-3",
    "tr a x",
    "tr -d ' '",
    "wc -w",
    "wc -l",
    "head -n1",
    "tail -n1",
    "sed 's/a/b/g'",
    "awk '{print $1}'",
    "awk -F: '{print $2}'",
    "cat",
)
_SEPARATORS = (",", ":", "-", "'/ '", "' '", "$' \\t\\n'")


class _Writer:
    """Draws one script."""

    def __init__(self, draw: Callable[[st.SearchStrategy[object]], object]) -> None:
        self._draw = draw
        self._counter = 0
        self._inside_function = False
        self._loops = 0

    def _number(self, low: int, high: int) -> int:
        value = self._draw(st.integers(low, high))
        assert isinstance(value, int)
        return value

    def _one(self, options: Sequence[T]) -> T:
        return options[self._number(0, len(options) - 1)]

    def _some(self, make: Callable[[], str], low: int, high: int, glue: str = " ") -> str:
        return glue.join(make() for _ in range(self._number(low, high)))

    # --- words -------------------------------------------------------------------------------------

    def word(self, depth: int = 2) -> str:
        """A word: one to three pieces."""
        return self._some(lambda: self._piece(depth), 1, 3, "")

    def _piece(self, depth: int) -> str:
        kind = self._number(0, 9 if depth else 5)
        if kind <= 1:
            return self._one(_BARE)
        if kind == 2:
            return "'" + self._one(_QUOTED) + "'"
        if kind == 3:
            return self._variable()
        if kind == 4:
            return '"' + self._some(lambda: self._inside(depth), 1, 2, "") + '"'
        if kind == 5:
            return self._one(("\\ ", "\\$", "{a,b}", "{1..3}", "x{,y}", "\\'", '""'))
        return self._expansion(depth - 1)

    def _inside(self, depth: int) -> str:
        """A piece between double quotes."""
        kind = self._number(0, 4)
        if kind == 0:
            return self._one([text for text in _QUOTED if text != "\\"])
        if kind == 1:
            return self._one(("\\$", '\\"', "\\\\", "'", "~"))
        if kind == 2 or not depth:
            return self._variable()
        return self._expansion(depth - 1)

    def _variable(self) -> str:
        name = self._one((*_NAMES, *_NAMES, *_GIVEN, *_NUMBERS, "1", "2", "#"))
        return f"${name}" if self._number(0, 1) and name == "#" else "${" + name + "}"

    def _expansion(self, depth: int) -> str:
        makers: tuple[Callable[[int], str], ...] = (
            self._default,
            self._default,
            self._trim,
            self._replace,
            self._case,
            self._substring,
            self._array,
            self._array,
            lambda _: f"$(({self._sum()}))",
            lambda depth: f"$(echo {self._some(lambda: self.word(depth), 0, 2)})",
            lambda depth: f'$(echo "{self._inside(depth)}" | {self._one(_FILTERS)})'.replace("~", "t"),
            lambda depth: f"$(printf {self._one(('%s', '%s-', '_%s_', '%s%s'))} {self.word(depth)})",
            lambda _: f"${{#{self._one(_NAMES)}}}",
            lambda _: self._one(("$*", "$@", '"$*"', '"$@"', "${@:1}", "${*:2}")).strip('"'),
            lambda depth: f"$(basename /{self.word(depth)}z)" if self._number(0, 3) == 0 else "$(echo)",
        )
        return self._one(makers)(depth)

    def _default(self, depth: int) -> str:
        name = self._one((*_NAMES, *_GIVEN, "L[@]", "1", "L[0]"))
        operators = (":-", "-", ":+", "+") if "[" in name or name == "1" else (":-", "-", ":+", "+", ":=")
        return f"${{{name}{self._one(operators)}{self._argument(depth)}}}"

    def _argument(self, depth: int) -> str:
        pieces = ("a", "x y", "'q r'", "", self._variable(), f'"{self._inside(depth)}"')
        return self._one(pieces)

    def _trim(self, _: int) -> str:
        pattern = self._one((*_PATTERNS, "$B", '"$B"'))
        return f"${{{self._one(_NAMES)}{self._one(('#', '##', '%', '%%'))}{pattern}}}"

    def _replace(self, _: int) -> str:
        pattern = self._one(_PATTERNS).replace("/", "\\/")
        replacement = self._one(("", "/z", "/$C", "/", "/'a b'"))
        return f"${{{self._one(_NAMES)}{self._one(('/', '//', '/#', '/%'))}{pattern}{replacement}}}"

    def _case(self, _: int) -> str:
        return f"${{{self._one(_NAMES)}{self._one(('^', '^^', ',', ',,'))}}}"

    def _substring(self, _: int) -> str:
        bounds = self._one((":1", ":0:2", ": -2", ":I", ":1:J", ":9"))
        return f"${{{self._one(_NAMES)}{bounds}}}"

    def _array(self, _: int) -> str:
        name = self._one(_ARRAYS)
        forms = (
            "${N[@]}",
            "${N[*]}",
            "${#N[@]}",
            "${N[0]}",
            "${N[1]}",
            "${N[@]:1}",
            "${N[@]:0:1}",
            "${!N[@]}",
        )
        more = ("${N[@]#a}", "${N[@]/b/c}", "${N}", "${N[I]:-u}", "${N[*]^^}")
        return self._one(forms + more).replace("N", name)

    def _sum(self, depth: int = 2) -> str:
        if not depth or self._number(0, 2) == 0:
            return self._one((*_NUMBERS, "1", "2", "10", "$I", "${J}", "$#", "${#L[@]}"))
        if self._number(0, 5) == 0:
            return f"({self._sum(depth - 1)} ? {self._sum(depth - 1)} : {self._sum(depth - 1)})"
        operator = self._one(("+", "-", "*", "<", "==", "&&", "||", "&", "%7+", "/3-", "<<1|"))
        return f"{self._sum(depth - 1)} {operator} ({self._sum(depth - 1)})"

    # --- commands ----------------------------------------------------------------------------------

    def body(self, depth: int, most: int = 3) -> str:
        """One to *most* commands, a line each."""
        return self._some(lambda: self.command(depth), 1, most, "\n")

    def command(self, depth: int) -> str:
        """Any command; compound ones only where *depth* is left."""
        simple = (
            self._start,
            self._start,
            self._start,
            self._assign,
            self._assign,
            self._assign_array,
            self._assign_number,
            self._builtin,
            self._fixed,
        )
        compound = (
            self._if,
            self._case_command,
            self._for,
            self._while,
            self._call,
            self._group,
            self._nested,
            self._list,
        )
        chosen = self._one(simple + (compound if depth else ()))
        return chosen(max(depth - 1, 0))

    def _start(self, _: int) -> str:
        words = self._some(self.word, 0, 3)
        return self._one(("python {}", "python {}", "srun -n1 python {}", "A=t python {}")).format(words)

    def _assign(self, _: int) -> str:
        name = self._one((*_NAMES, *_NAMES, *_GIVEN))
        prefix = self._one(("", "", "", "export ", "declare "))
        return f"{prefix}{name}{self._one(('=', '=', '+='))}{self._value()}"

    def _value(self) -> str:
        return self.word().replace("{a,b}", "w").replace("{1..3}", "v").replace("x{,y}", "u")

    def _assign_array(self, _: int) -> str:
        name = self._one(_ARRAYS)
        kind = self._number(0, 3)
        if kind == 0:
            return f"{name}[{self._one(('0', '1', '4', 'I', '$J'))}]={self._value()}"
        return f"{name}{self._one(('=', '+='))}({self._some(self.word, 0, 3)})"

    def _assign_number(self, _: int) -> str:
        name = self._one(_NUMBERS)
        forms = ("{n}=$(({s}))", "(({n}={s}))", "(({n}+={s}))", "let '{n}={s}'", "(({n}++))", "{n}=2")
        return self._one(forms).format(n=name, s=self._sum()) + " || :"

    def _builtin(self, _: int) -> str:
        makers: tuple[Callable[[], str], ...] = (
            lambda: f"set -- {self._some(self.word, 0, 3)}",
            lambda: "shift || :",
            lambda: f"unset {self._one((*_NAMES, *_GIVEN, *_ARRAYS))}",
            lambda: f'read -r A B <<< "{self._some(lambda: self._inside(1), 1, 2, " ")}"',
            lambda: f"printf -v {self._one(_NAMES)} '%s.' {self._some(self.word, 0, 2)}",
            lambda: f"IFS={self._one(_SEPARATORS)}",
            lambda: "unset IFS",
            # quoted: eval of text that is not known (a glob) is counted on to set nothing that is
            lambda: f"eval 'C=$A'{self._one(('', chr(34) + '$B' + chr(34), chr(39) + 'x' + chr(39)))}",
            lambda: f"mapfile -t L < <(printf '%s\\n' {self._some(self.word, 1, 2)})",
            lambda: f"export {self._one(_NAMES)}",
            lambda: f"read -ra M <<< {self._variable()}",
            lambda: f"local {self._one(_NAMES)}={self._value()}" if self._inside_function else ":",
        )
        return self._one(makers)()

    def _fixed(self, _: int) -> str:
        leave: tuple[str, ...] = (
            ("break", "continue") if self._loops else ("return", "return 1") if self._inside_function else ()
        )
        return self._one((":", "true", "false || :", "I=1", "J=3", *leave, *leave))

    def _test(self) -> str:
        makers: tuple[Callable[[], str], ...] = (
            lambda: f'[ "{self._inside(1)}" {self._one(("=", "!="))} {self._one(("a", "b1", "x"))} ]',
            lambda: f'[ {self._one(("-z", "-n"))} "{self._inside(1)}" ]',
            lambda: f"[[ {self._variable()} == {self._one(_PATTERNS[:-1])} ]]",
            lambda: f"[ $I {self._one(('-eq', '-lt', '-ge'))} {self._number(0, 4)} ]",
            lambda: f"(( {self._sum()} ))",
            lambda: f"[[ -n {self._variable()} && {self._variable()} != a ]]",
            lambda: "true",
            lambda: "! false",
            lambda: "[[ -v E ]]",
        )
        return self._one(makers)()

    # --- compound commands ---------------------------------------------------------------------------

    def _if(self, depth: int) -> str:
        text = f"if {self._test()}; then\n{self.body(depth)}\n"
        if self._number(0, 2) == 0:
            text += f"elif {self._test()}; then\n{self.body(depth)}\n"
        if self._number(0, 1):
            text += f"else\n{self.body(depth)}\n"
        return text + "fi"

    def _case_command(self, depth: int) -> str:
        items = [
            f"{self._one(_PATTERNS[:-1])}) {self.body(depth, 1)}\n{self._one((';;', ';;', ';&', ';;&'))}"
            for _ in range(self._number(1, 3))
        ]
        return f"case {self._piece(1)} in\n" + "\n".join(items) + "\nesac"

    def _for(self, depth: int) -> str:
        self._loops += 1
        over = self._one(("in " + self._some(self.word, 0, 3), 'in "${L[@]}"', "", "in 1 2 3"))
        text = f"for {self._one(_NAMES)} {over}; do\n{self.body(depth)}\ndone"
        self._loops -= 1
        return text

    def _while(self, depth: int) -> str:
        self._counter += 1
        name = f"n{self._counter}"
        self._loops += 1
        text = f"{name}=0\nwhile [ ${name} -lt {self._number(0, 3)} ]; do\n{name}=$(({name}+1))\n"
        text += f"{self.body(depth)}\ndone"
        self._loops -= 1
        return text

    def _call(self, depth: int) -> str:
        """Define a function and call it; functions call no functions."""
        if self._inside_function:
            return "python"
        loops, self._loops, self._inside_function = self._loops, 0, True
        name = self._one(_FUNCTIONS)
        text = f"{name}() {{\n{self.body(depth)}\n}}"
        self._loops, self._inside_function = loops, False
        words = self._some(self.word, 0, 2)
        return text + self._one((f"\n{name} {words}", f"\n{name} {words}", f"\npython $({name} {words})"))

    def _group(self, depth: int) -> str:
        loops, self._loops = self._loops, 0
        inside, self._inside_function = self._inside_function, False
        text = self.body(depth)
        self._loops, self._inside_function = loops, inside
        forms = ("(\n{}\n)", "{{\n{}\n}} < alpha.txt", "( {}\n) || :", "C=$(\n{}\necho z)")
        return self._one(forms).format(text)

    def _nested(self, depth: int) -> str:
        loops, self._loops = self._loops, 0
        inside, self._inside_function = self._inside_function, False
        quiet, text = self._counter, self.body(depth, 2)
        self._loops, self._inside_function = loops, inside
        name = f"EOF{quiet}"
        forms = (
            f"bash <<'{name}'\n{text}\n{name}",
            f"cat > s{quiet}.sh <<'{name}'\n{text}\n{name}\nbash s{quiet}.sh {self.word(1)}",
            f"bash -c \"python {self._variable()} \\${self._one(_NAMES)} '{self._variable()}'\"",
            "export A B\nbash -c 'python \"$A\" $B'",
        )
        self._counter += 1
        return self._one(forms)

    def _list(self, depth: int) -> str:
        command = self.command(0)
        operator = self._one(("&&", "||"))
        return f"{self._test()} {operator} {{ {command}\n}}"


@st.composite
def scripts(draw: Callable[[st.SearchStrategy[object]], object]) -> str:
    """A script of a few commands."""
    writer = _Writer(draw)
    return f"export I=1 J=2\n{writer.body(2, 8)}\npython end"
