"""What bash's lexer does and a simpler one would not: one test for each kind of mistake once made here."""

from __future__ import annotations

import pytest

from sbatchlint.shell import syntax
from sbatchlint.shell.reader import read_text
from tests.shell.shapes import Shape, shape


def command(text: str) -> syntax.Command:
    (statement,) = read_text(text).body
    return statement.command


def words(text: str) -> list[str]:
    """Give the words of the only command, as written."""
    found = command(text)
    assert isinstance(found, syntax.Simple)
    return [text[word.span.start : word.span.end] for word in found.words]


def same(*texts: str) -> None:
    """Assert that all have the shape of the first."""
    first, *others = map(shape, texts)
    assert "Unparsed" not in repr(first)
    for other in others:
        assert other == first


WORDS = {
    "single quotes in a default pair": ["echo", "${x:-'a b'}", "\"${x:-'}'}\""],
    "double quotes in a default": ["echo", '"${X:-"de fault"}"', "b"],
    "case in a substitution": ["echo", "$(case x in a) echo;; esac)", "b"],
    "comment in a substitution": ["echo", "$(a # it's )\n)", "b"],
    "array words are not reserved": ["declare", "a=(case esac if # it's )\n)", "b"],
    "pattern words are not reserved": ["echo", "$(case x in if) ;; for) ;; esac)", "b"],
    "arithmetic base": ["echo", "$((10#$x))", "$[1+1]", "b"],
    "arithmetic that is subshells": ["echo", "$((a) | (b))", "b"],
    "hashes": ["echo", "a#b", "$#", "${#x}", "${x#y}", "${x##*/}", "\\#", "$((16#f))"],
    "quotes and slashes in replacements": ["echo", "${x//\\//_}", "${x/'/'/\"}\"}", "${x//\\}/}", "b"],
    "reserved words as arguments": [
        "echo",
        "if",
        "then",
        "esac",
        "}",
        "{",
        "[[",
        "]]",
        "!",
        "time",
        "in",
        "do",
    ],
    "braces": ["echo", "{a,b}", "{}", "a{b", "{1..3}"],
    "subscript is one word only in an assignment": ["echo", "a[1", "2]=x"],
    "extended patterns": ["ls", "!(a|b c)", "@(x|y)", "*(a)b"],
    "process substitution": ["cat", "<(a; b)", ">(c)", "x<(y)"],
    "private use and other characters": ["echo", "\ue000a\uf8ff", "a\u00a0b", "a\rb", "\udcff", "é"],
    "dollars": ["echo", "$", "a$", "$.", '"$"', "$'a\\'b'", '$"x"', '"$\'"', "b"],
    "backquotes": ["echo", "`a \\`b\\` 'c`", '"`a "b"`"', "c"],
    "continuation in a word": ["echo", "a\\\nb", "c"],
    "continuation before a hash": ["echo", "a\\\n#b"],
}


@pytest.mark.parametrize("expected", WORDS.values(), ids=WORDS)
def test_words(expected: list[str]) -> None:
    assert words(" ".join(expected)) == expected


def test_a_backslash_at_the_end_of_the_file_stays() -> None:
    found = command("echo a\\")
    assert isinstance(found, syntax.Simple)
    assert found.words[1].literal == "a\\"


ASSIGNMENTS = ["a[$i + 1]=x", "a=(1 'b c')", "b+=(x)", "c=", "d=$(x y)", "e[k]+=v", "f=a=b", "g='it s'"]


def test_assignments_end_where_bash_ends_them() -> None:
    text = " ".join(ASSIGNMENTS) + " cmd x=1"
    found = command(text)
    assert isinstance(found, syntax.Simple)
    assert [text[one.span.start : one.span.end] for one in found.assignments] == ASSIGNMENTS
    assert len(found.words) == 2


TESTS = {
    "[[ a < b ]]": ["a", "<", "b"],
    "[[ $x =~ ^(a|b c)$ ]]": ["$x", "=~", "^(a|b c)$"],
    "[[ $x =~ [[:space:]]*|x ]]": ["$x", "=~", "[[:space:]]*|x"],
    "[[ ! ( a&&b )||c ]]": ["!", "(", "a", "&&", "b", ")", "||", "c"],
    "[[ a == @(b|c d) ]]": ["a", "==", "@(b|c d)"],
    "[[ a && # it's\n b ]]": ["a", "&&", "b"],
    "[[ -f ]]x ]]": ["-f", "]]x"],
}


@pytest.mark.parametrize("text", TESTS)
def test_conditional_words(text: str) -> None:
    found = command(text)
    assert isinstance(found, syntax.Test)
    assert [text[word.span.start : word.span.end] for word in found.words] == TESTS[text]


REDIRECTS = {
    "a >|f": ("", ">|"),
    "a &>>f": ("", "&>>"),
    "a <>f": ("", "<>"),
    "a 2>&1": ("2", ">&"),
    "a {fd}>f": ("{fd}", ">"),
    "a <<<f": ("", "<<<"),
    "a 12<f": ("12", "<"),
    "a b2>f": ("", ">"),
    "a >& f": ("", ">&"),
    "2>f a": ("2", ">"),
    "{fd}<f": ("{fd}", "<"),
    "a <&-": ("", "<&"),
}


@pytest.mark.parametrize("text", REDIRECTS)
def test_redirections(text: str) -> None:
    found = command(text)
    assert isinstance(found, syntax.Simple)
    (redirect,) = found.redirects
    assert (redirect.descriptor, redirect.operator) == REDIRECTS[text]


def bodies(text: str) -> list[str]:
    """Give the bodies of all here-documents of the first command."""
    found = command(text)
    assert isinstance(found, syntax.Simple)
    documents = [redirect.document for redirect in found.redirects]
    return [text[one.span.start : one.span.end] for one in documents if one is not None]


def test_here_documents_end_where_bash_ends_them() -> None:
    assert bodies("cat <<EOF\nEOF \n EOF\nEOFX\nEOF\n") == ["EOF \n EOF\nEOFX\n"]
    assert bodies("cat <<EOF\na \\\nEOF\nb\nEOF\n") == ["a \\\nEOF\nb\n"]
    assert bodies("cat <<'EOF'\na \\\nEOF\n") == ["a \\\n"]
    assert bodies("cat <<EOF\na \\\\\nEOF\n") == ["a \\\\\n"]
    assert bodies("cat <<-EOF\n\ta\n\tEOF\n") == ["\ta\n"]
    assert bodies("cat <<A <<B\na\nA\nb\nB\n") == ["a\n", "b\n"]
    assert bodies("cat <<EOF\nnever closed\n") == ["never closed\n"]
    assert bodies("cat <<EOF") == [""]
    assert bodies("cat <<$'E F'\nx\nE F\n") == ["x\n"]


def test_a_substitution_may_close_behind_a_delimiter() -> None:
    text = "x=$(cat <<EOF\nbody\nEOF)\necho after\n"
    first, second = read_text(text).body
    assert text[first.span.start : first.span.end] == "x=$(cat <<EOF\nbody\nEOF)"
    assert isinstance(second.command, syntax.Simple)


def test_a_broken_expansion_in_a_here_document_is_text() -> None:
    assert bodies("cat <<EOF\n${x $(y `z\nEOF\n") == ["${x $(y `z\n"]


def test_time_and_coproc_before_a_compound_leave_it_as_it_is() -> None:
    same("{ a; }", "time { a; }", "time -p { a; }", "coproc { a; }", "coproc NAME { a; }")
    same("! a", "time ! a", "! ! ! a")
    same("[[ a ]]", "time [[ a ]]")
    assert words("time -p sleep 1") == ["time", "-p", "sleep", "1"]
    assert words("coproc cat") == ["coproc", "cat"]


def test_negation_reaches_over_a_whole_pipeline_of_any_commands() -> None:
    def negated(inner: Shape) -> Shape:
        return ("Pipeline", True, (), (inner,))

    for inner in ("{ a; }", "(a)", "[[ a ]]", "((1))", "if a; then b; fi", "a > f"):
        ((plain, _),) = shape(inner)
        assert shape("! " + inner) == ((negated(plain), False),)
    found = command("! a | b")
    assert isinstance(found, syntax.Pipeline) and found.negated and len(found.commands) == 2


def test_spacing_of_compounds_does_not_matter() -> None:
    same(
        "for x in a; do b; done",
        "for x in a\ndo b\ndone",
        "for x\nin a;do b;done",
        "for x in a # it's\ndo\nb;done",
    )
    same("for x; do b; done", "for x do b; done", "for x\ndo b; done")
    same("for ((;;)); do b; done", "for ((;;)) do b; done", "for((;;))do b; done", "for ((;;))\ndo b; done")
    same("select x in a; do b; done", "select x in a\ndo\nb\ndone")
    same(
        "case x in a) b;; esac",
        "case x in a)b;;esac",
        "case x in (a) b\n;;\nesac",
        "case x\nin\na)\nb;;\n\nesac",
    )
    same("case x in a) b;& c) d;;& esac", "case x in\na)b;&\nc)d;;&\nesac")
    same(
        "f() { a; }",
        "f () { a; }",
        "function f { a; }",
        "function f () { a; }",
        "f()\n{ a\n}",
        "function f # x\n{ a; }",
    )
    same("f() { a; } > b 2>&1", "function f { a; } > b 2>&1")
    same("((a; b) | c)", "( (a; b) | c)")
    same("((cd d && ls) 2>f | g)", "( (cd d && ls) 2>f | g)")


def test_a_line_behind_a_pipeline_is_a_statement_of_its_own() -> None:
    assert len(read_text("a | b | c\nd > e\n").body) == 2
    found = command("a <f | b | c && d || e")
    assert isinstance(found, syntax.AndOr)
    assert [type(one) for one in found.commands] == [syntax.Pipeline, syntax.Simple, syntax.Simple]


def test_an_error_costs_its_own_lines() -> None:
    read = read_text("a\nfor x in a; do case x in a) b;; esac; done\nfi\ncase x in a) b;; esac\nc\n")
    kinds = [type(statement.command) for statement in read.body]
    assert kinds == [syntax.Simple, syntax.For, syntax.Unparsed, syntax.Case, syntax.Simple]


def test_an_open_quote_costs_the_rest_and_says_where_it_opens() -> None:
    read = read_text("a\nb 'x\nc\n")
    assert [type(statement.command) for statement in read.body] == [syntax.Simple, syntax.Unparsed]
    assert read.unparsed[0].reason == "unterminated ' opened on line 2"
