"""Bash arithmetic over integers, as far as the operands are known (bash(1), ARITHMETIC EVALUATION)."""

from __future__ import annotations

from collections.abc import Callable

from sbatchlint.digits import whole_number
from sbatchlint.regex import regex

Lookup = Callable[[str], "int | None"]
"""Gives a variable's value, 0 for one that is not set, None for one that is not known."""
Assign = Callable[[str, "int | None"], None]

_TOKEN = regex(
    r"\s*(?:(0[xX][0-9a-fA-F]+|[0-9]+#[0-9A-Za-z@_]+|[0-9]+)|([A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?)"
    r"|(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&^|]=|[-+*/%<>!~&^|?:=(),]))"
)
_BINARY: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>=")


class NotArithmetic(ValueError):
    """The expression is not arithmetic that this module understands."""


def evaluate(text: str, lookup: Lookup, assign: Assign | None = None) -> int | None:
    """Compute *text*.

    Gives None where an operand is not known.

    Raises ZeroDivisionError where bash divides by zero for sure, NotArithmetic where the text is no
    arithmetic that this module understands.
    """
    parser = _Parser(text, lookup, assign)
    try:
        result = parser.comma()
        parser.expect_end()
    except OverflowError:
        return None
    except RecursionError as error:
        raise NotArithmetic(text) from error
    return result


def _wrap(number: int) -> int:
    """Reduce to 64 bits with sign, as bash computes."""
    return (number + 2**63) % 2**64 - 2**63


class _Parser:
    def __init__(self, text: str, lookup: Lookup, assign: Assign | None) -> None:
        self._lookup = lookup
        self._assign = assign
        self._tokens: list[str] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                raise NotArithmetic(text)
            self._tokens.append(match.group(1) or match.group(2) or match.group(3))
            at = match.end()
        self._at = 0
        self._skipped: list[bool | None] = []
        """For each operand being read that may not count: True where it does not, None if not known."""

    def _peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index] if index < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def expect_end(self) -> None:
        """Raise if tokens are left."""
        if self._at < len(self._tokens):
            raise NotArithmetic(self._peek())

    def comma(self) -> int | None:
        """The whole grammar: expressions separated by commas."""
        if not self._tokens:
            return 0
        result = self._assignment()
        while self._peek() == ",":
            self._take()
            result = self._assignment()
        return result

    def _assignment(self) -> int | None:
        name = self._peek()
        if _is_name(name) and self._peek(1) in _ASSIGNING:
            self._take()
            operator = self._take()
            value = self._assignment()
            if operator != "=":
                value = _apply(operator[:-1], self._lookup(name), value)
            self._store(name, value)
            return value
        return self._ternary()

    def _store(self, name: str, value: int | None) -> None:
        if self._assign is not None and True not in self._skipped:
            self._assign(name, None if None in self._skipped else value)

    def _aside(self, skipped: bool | None, read: Callable[[], int | None]) -> int | None:
        """Read an operand that bash does not evaluate where *skipped* is True."""
        if skipped is False:
            return read()
        self._skipped.append(skipped)
        try:
            return read()
        except ZeroDivisionError:
            if skipped is None:
                return None
            raise NotArithmetic("/") from None
        finally:
            self._skipped.pop()

    def _ternary(self) -> int | None:
        condition = self._binary(0)
        if self._peek() != "?":
            return condition
        self._take()
        then = self._aside(None if condition is None else condition == 0, self._assignment)
        if self._take() != ":":
            raise NotArithmetic("?")
        otherwise = self._aside(None if condition is None else condition != 0, self._ternary)
        if condition is None:
            return then if then == otherwise else None
        return then if condition else otherwise

    def _binary(self, level: int) -> int | None:
        if level == len(_BINARY):
            return self._power()
        left = self._binary(level + 1)
        while self._peek() in _BINARY[level]:
            operator = self._take()
            skipped: bool | None = False
            if operator in ("&&", "||"):
                skipped = None if left is None else (left != 0) == (operator == "||")
            left = _apply(operator, left, self._aside(skipped, lambda: self._binary(level + 1)))
        return left

    def _power(self) -> int | None:
        base = self._unary()
        if self._peek() == "**":
            self._take()
            exponent = self._power()
            if base is None or exponent is None or not 0 <= exponent <= 4096:
                return None
            return _wrap(pow(base, exponent, 2**64))
        return base

    def _unary(self) -> int | None:
        token = self._peek()
        if token in ("++", "--") and _is_name(self._peek(1)):
            self._take()
            name = self._take()
            value = _apply(token[0], self._lookup(name), 1)
            self._store(name, value)
            return value
        if token in ("+", "-", "!", "~"):
            self._take()
            value = self._unary()
            if value is None:
                return None
            return _wrap({"+": value, "-": -value, "!": int(not value), "~": ~value}[token])
        return self._primary()

    def _primary(self) -> int | None:
        token = self._take()
        if token == "(":
            value = self.comma()
            if self._take() != ")":
                raise NotArithmetic("(")
            return value
        if token[:1].isdigit():
            return _number(token)
        if not _is_name(token):
            raise NotArithmetic(token)
        value = self._lookup(token)
        if self._peek() in ("++", "--"):
            self._store(token, _apply(self._take()[0], value, 1))
        return value


def _is_name(token: str) -> bool:
    return bool(token) and (token[0].isalpha() or token[0] == "_")


def _number(token: str) -> int:
    """A number that is written out; beyond 64 bits it is cut as bash's C cuts it."""
    base, digits = 10, token
    if "#" in token:
        written, _, digits = token.partition("#")
        base = whole_number(written) or 0
        if not 2 <= base <= len(_DIGITS):  # beyond 36 the cases of letters differ
            raise NotArithmetic(token)
    elif token[:2] in ("0x", "0X"):
        base, digits = 16, token[2:]
    elif token[0] == "0":
        base = 8
    value = 0
    for digit in digits.lower():
        place = _DIGITS.find(digit)
        if not 0 <= place < base:
            raise NotArithmetic(token)
        value = _wrap(value * base + place)
    return value


def quotient(left: int, right: int) -> int:
    """Divide and drop what is behind the point, as C does; Python would round down."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if operator == "&&" and (left == 0 or right == 0):
        return 0
    if operator == "||" and (left or right):
        return 1
    if left is None or right is None:
        return None
    if operator in ("/", "%"):
        whole = quotient(left, right)
        return _wrap(whole) if operator == "/" else left - whole * right
    if operator in ("<<", ">>") and not 0 <= right < 64:
        return None
    return _wrap(_OPERATIONS[operator](left, right))


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
