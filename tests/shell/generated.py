"""Writes random valid shell together with the shape it must be read as."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tests.shell.shapes import Shape

T = TypeVar("T")

_NAMES = ("x", "name", "_a1", "in_", "done2")
_BARE = (
    "a",
    "b.c",
    "--lr=1",
    "if",
    "esac",
    "done",
    "}",
    "{}",
    "a#b",
    "é",
    "-",
    "x{a,b}",
    "*.py",
    "@",
    "=",
    "[a]",
)
_QUOTED = (
    "'it is; (a) # \"b'",
    "\"a 'b' ; | # )\"",
    '"$x ${x:-"d e"}"',
    "$'a\\'b'",
    '$"tr"',
    "\\;",
    "\\\\",
    '""',
    "\"${x:-'q'}\"",
    "'two\nlines'",
    '"$\'"',
)
_EXPANDED = (
    "$x",
    "${x}",
    "${x:-a b}",
    "${x#*/}",
    "${x//\\//_}",
    "${#a[@]}",
    "$((1 + (2)))",
    "$[1+1]",
    "`echo \\`date\\` # c`",
    "$#",
    "${!p@}",
    "$$",
    "${x/'}'/\"}\"}",
    "<(a)",
)
_TESTS = (
    ("-f", "$x"),
    ("$a", "<", "b"),
    ("$x", "=~", "^(a|b c)$"),
    ("!", "(", "a", "&&", '"b"', ")"),
    ("$x", "==", "@(a|b)*"),
)
_ASSIGNED = (
    "A=1",
    "B=",
    "c+=x",
    'D="a b"',
    "e[1 + 2]=y",
    "F=(a 'b c' # it's\n if)",
    "G=$(echo a)",
    "h[$i]+=z",
)
_OPERATORS = (">", "<", ">>", "2>", ">|", "<>", "&>", "&>>", ">&", "<&", "{fd}>", "10<", "<<<")
_BODIES = ("", "text\n", "$x ${y} it's \"\n", ")\n`\n", "a \\\nEND\n", "\tEND \n")


class Writer:
    """Writes one script; here-documents wait for the next newline, as they do in bash."""

    def __init__(self, random: Random, depth: int) -> None:
        self._random = random
        self._depth = depth
        self._outermost = -1
        self._pieces: list[str] = []
        self._pending: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def _put(self, *pieces: str) -> None:
        self._pieces.extend(pieces)

    def _one(self, choices: Sequence[T]) -> T:
        return self._random.choice(choices)

    def _number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def _chance(self) -> bool:
        return self._random.random() < 0.5

    # --- what separates ------------------------------------------------------------------------

    def _blank(self) -> None:
        self._put(self._one((" ", " ", "  ", "\t", " \\\n", " \\\n\\\n\t")))

    def _maybe_blank(self) -> None:
        self._put(self._one(("", " ", "\\\n")))

    def _newline(self) -> None:
        self._put(
            self._one(("\n", "\n", " # it's \"a (comment\n", "\n\n  \n", " \n# `whole line\n"))
            if not self._pending
            else self._one(("\n", " # it's <<END\n"))
        )
        self._put(*self._pending)
        self._pending.clear()

    def _end(self) -> None:
        """End a statement inside a compound, so that a reserved word can follow."""
        if self._chance():
            self._put(";")
            self._blank()
        else:
            self._newline()

    def _gap(self) -> None:
        """Write what may stand behind a reserved word."""
        if self._chance():
            self._blank()
        else:
            self._newline()

    # --- lists ---------------------------------------------------------------------------------

    def script(self) -> Shape:
        self._outermost = self._depth
        statements = self._statements(self._number(1, 3))
        self._newline()
        return statements

    def _statements(self, count: int) -> Shape:
        """Write *count* statements without the end of the last one."""
        found = []
        for index in range(count):
            command = self._and_or()
            last = index == count - 1
            background = not last and self._number(0, 5) == 0
            if background:
                self._put(self._one((" & ", "&", " &\\\n")))
            elif not last:
                self._end()
            found.append((command, background))
        return tuple(found)

    def _inner(self) -> Shape:
        """Write the statements of a compound and their end."""
        self._depth -= 1
        statements = self._statements(self._number(1, 2))
        self._depth += 1
        self._end()
        return statements

    def _and_or(self) -> Shape:
        commands, operators = [self._pipeline()], []
        while self._number(0, 3) == 0:
            operators.append(self._one(("&&", "||")))
            self._maybe_blank()
            self._put(operators[-1])
            self._gap()
            commands.append(self._pipeline())
        return commands[0] if len(commands) == 1 else ("AndOr", tuple(operators), tuple(commands))

    def _pipeline(self) -> Shape:
        negated = self._number(0, 6) == 0
        if negated:
            self._put("! ")
        commands, operators = [self._command()], []
        while self._number(0, 3) == 0:
            operators.append(self._one(("|", "|", "|&")))
            self._maybe_blank()
            self._put(operators[-1])
            self._gap()
            commands.append(self._command())
        if len(commands) == 1 and not negated:
            return commands[0]
        return ("Pipeline", negated, tuple(operators), tuple(commands))

    def _command(self) -> Shape:
        if self._depth <= 0 or self._number(0, 2):
            return self._simple()
        kinds = ("group", "subshell", "if", "while", "for", "case", "function", "test", "arithmetic", "c_for")
        kind = self._one(kinds)
        if kind == "function":
            return self._function()
        shape: Shape = getattr(self, f"_{kind}")()
        return (*shape, self._redirects())

    # --- simple commands and words ---------------------------------------------------------------

    def _simple(self) -> Shape:
        assigned = tuple(self._assignment() for _ in range(self._number(0, 3) // 2))
        if assigned and self._chance():
            return ("Simple", assigned, (), self._redirects(separated=False))
        self._put(name := self._one(("echo", "srun", "python", "./a.sh", "'q'", "$cmd")))
        words = [(name, ())]
        for _ in range(self._number(0, 3)):
            self._blank()
            words.append(self._word())
        return ("Simple", assigned, tuple(words), self._redirects())

    def _assignment(self) -> str:
        assigned = self._one(_ASSIGNED)
        if self._pending and "\n" in assigned:  # bash would read the here-document there
            assigned = "F=()"
        self._put(assigned)
        self._blank()
        return assigned

    def _word(self) -> Shape:
        word, inside = "", []
        for _ in range(self._number(1, 3)):
            if self._depth > 0 and self._number(0, 5) == 0:
                nested = Writer(self._random, self._depth - 1)
                statements = nested._statements(self._number(1, 2))
                if nested._pending or self._chance():
                    nested._newline()
                quote = self._one(("", '"'))
                gap = " " if nested.text.startswith("(") else self._one(("", " "))
                word += f"{quote}$({gap}{nested.text}){quote}"
                inside.append(statements)
            else:
                word += self._one(self._one((_BARE, _QUOTED, _EXPANDED)))
        self._put(word)
        return (word, tuple(inside))

    def _redirects(self, *, separated: bool = True) -> Shape:
        found = []
        for _ in range(max(0, self._number(0, 4) - 2)):
            if separated:
                self._blank()
            separated = True
            found.append(self._document() if self._number(0, 2) == 0 else self._redirect())
        return tuple(found)

    def _redirect(self) -> Shape:
        written = self._one(_OPERATORS)
        descriptor = written.rstrip("<>&|") if written[0] in "0123456789{" else ""
        self._put(written, self._one((" ", "")) if written[-1] not in "<>" else " ")
        target = self._one(("f", '"a b"', "$x", "1", "/dev/null"))
        self._put(target)
        return (descriptor, written[len(descriptor) :], (target, ()), None)

    def _document(self) -> Shape:
        operator = self._one(("<<", "<<-"))
        word = self._one(("END", "'END'", '"END"', "\\END", "E'N'D"))
        body = self._one(_BODIES)
        if operator == "<<-" and "\tEND" in body:
            body = "\ta\n"
        if word != "END" and "\\\n" in body:
            body = "a \\\\\n"
        closing = "\t\tEND\n" if operator == "<<-" and self._chance() else "END\n"
        self._put(operator, self._one(("", " ")), word)
        self._pending.append(body + closing)
        return ("", operator, (word, ()), body)

    # --- compounds ---------------------------------------------------------------------------------

    def _group(self) -> Shape:
        self._put("{")
        self._gap()
        body = self._inner()
        self._put("}")
        return ("Group", body)

    def _subshell(self) -> Shape:
        self._put("( ")
        body = self._inner()
        self._put(")")
        return ("Subshell", body)

    def _section(self, reserved: str) -> Shape:
        self._put(reserved)
        self._gap()
        return self._inner()

    def _if(self) -> Shape:
        branches = [(self._section("if"), self._section("then"))]
        while self._number(0, 2) == 0:
            branches.append((self._section("elif"), self._section("then")))
        otherwise = self._section("else") if self._chance() else ()
        self._put("fi")
        return ("If", tuple(branches), otherwise)

    def _while(self) -> Shape:
        until = self._chance()
        condition, body = self._section("until" if until else "while"), self._section("do")
        self._put("done")
        return ("While", until, condition, body)

    def _for(self) -> Shape:
        select = self._number(0, 3) == 0
        name = self._one(_NAMES)
        self._put("select " if select else "for ", name)
        words = None
        if self._chance():
            if self._depth == self._outermost:
                self._gap()
            else:  # inside `case` bash itself does not know an `in` on the next line
                self._blank()
            self._put("in")
            words = []
            for _ in range(self._number(0, 3)):
                self._blank()
                words.append(self._word())
            self._end()
        else:
            self._put(self._one((" ", "; ")))
        body = self._section("do")
        self._put("done")
        return ("For", select, name, None if words is None else tuple(words), body)

    def _c_for(self) -> Shape:
        header = self._one((";;", "i = 0; i < 3; i++", "i=0,j=(1+2);i<$n;i++"))
        self._put("for ((", header, "))", self._one((" ", "; ", "\n")))
        if self._pieces[-1] == "\n":
            self._put(*self._pending)
            self._pending.clear()
        body = self._section("do")
        self._put("done")
        return ("ArithmeticFor", header, body)

    def _case(self) -> Shape:
        self._put("case ")
        subject = self._word()
        self._gap()
        self._put("in")
        self._gap()
        items = [self._item() for _ in range(self._number(1, 3))]
        self._put("esac ")  # tree-sitter takes `esac|` for a pattern
        return ("Case", subject, tuple(items))

    def _item(self) -> Shape:
        self._put(self._one(("", "(", "( ")))
        patterns = [self._one(("a", "*.txt", '"b c"', "for", "$x", "[a-z]", "''", "x*)"[:2], "@(a|b)", "*"))]
        while self._number(0, 2) == 0:
            patterns.append(self._one(("b", "if", "*")))
        self._put(self._one(("|", " | ")).join(patterns), self._one(("", " ")), ")")
        body: Shape = ()
        if self._number(0, 3):
            self._put(self._one(("", " ", "\n")) if not self._pending else " ")
            self._depth -= 1
            body = self._statements(self._number(1, 2))
            self._depth += 1
            self._maybe_blank()
            if self._pending or self._chance():
                self._newline()
        terminator = self._one((";;", ";;", ";&", ";;&"))
        self._put(" ", terminator)
        self._gap()
        return (tuple((pattern, ()) for pattern in patterns), body, terminator)

    def _function(self) -> Shape:
        name = self._one(("f", "my-func", "ns::g"))
        self._put(self._one((f"{name}()", f"{name} ()", f"function {name}", f"function {name} ()")))
        self._gap()
        body = self._one((self._group, self._subshell))()
        return ("Function", name, (*body, self._redirects()))

    def _test(self) -> Shape:
        words = self._one(_TESTS)
        self._put(
            "[[ ", self._one((" ", "  ", "\t")).join(words) if "=~" not in words else " ".join(words), " ]]"
        )
        return ("Test", tuple((word, ()) for word in words))

    def _arithmetic(self) -> Shape:
        expression = self._one(("n++", " n > 3 && (a < b) ", "x = $(echo 1)", "a[1] = 2 # 3"))
        self._put("((", expression, "))")
        return ("ArithmeticCommand", expression)


def script(seed: int, depth: int = 3) -> tuple[str, Shape]:
    """Give the text and the shape of the script that *seed* stands for."""
    writer = Writer(Random(seed), depth)
    expected = writer.script()
    return writer.text, expected
