"""A shell's variables as they are looked up and given values."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.launch.session import Place
from sbatchlint.launch.state import State, Variable
from sbatchlint.launch.values import Unknown, Value, text_value, unknown
from sbatchlint.source import Span

_ALWAYS_SET = frozenset(
    ("HOME", "USER", "PWD", "PATH", "SHELL", "LOGNAME", "HOSTNAME", "OLDPWD", "UID", "EUID")
)
Found = tuple["Value | None", "bool | None"]
"""A value, and whether it is set: None where the environment decides."""


class Memory:
    """What one shell process remembers, and what its surroundings set."""

    def __init__(self, state: State, place: Place) -> None:
        self.state = state
        self.place = place
        self.weak = 0
        """Above 0 while a branch is followed whose choice rests on a default."""

    # --- parameters --------------------------------------------------------------------------------

    def lookup(self, name: str, span: Span | None) -> Found:
        """A parameter's value, and whether it is set: None where the environment decides."""
        variable = self.state.variables.get(name)
        if variable is not None:
            value = variable.value
            if variable.items is not None:
                value = variable.items[0][1] if variable.items else None
            if value is None:
                return None, False
            return value, None if variable.maybe_unset and value.text is None else True
        if not name.isidentifier():
            return self._special(name, span)
        found = self.place.lookup(name, span)
        if found is not None:
            return found
        return Value((Unknown(f"${name}", span),)), True if name in _ALWAYS_SET else None

    def _special(self, name: str, span: Span | None) -> Found:
        arguments = self.state.arguments
        if name == "#" and arguments is not None:
            return text_value(str(len(arguments)), span), True
        if name.isdigit() and name != "0":
            if arguments is None:
                return Value((Unknown(f"${name}", span),)), None
            index = int(name) - 1
            return (arguments[index], True) if index < len(arguments) else (None, False)
        return Value((Unknown(f"${name}", span),)), True

    def elements(self, name: str | None) -> list[tuple[str, Value]] | None:
        """An array's elements by key (the arguments where *name* is None); None where not known."""
        if name is None:
            arguments = self.state.arguments
            return None if arguments is None else [(str(i), v) for i, v in enumerate(arguments, 1)]
        variable = self.state.variables.get(name)
        if variable is None:
            return None
        if variable.items is not None:
            return list(variable.items)
        return [("0", variable.value)] if variable.value is not None else []

    def element(self, name: str, key: str | None, span: Span | None) -> Found:
        """One element of an array, and whether it is set."""
        elements = self.elements(name)
        if elements is None or key is None:
            return Value((Unknown(f"${{{name}[...]}}", span),)), None
        if key.startswith("-") and elements:
            last = int(elements[-1][0]) if elements[-1][0].isdigit() else 0
            key = str(last + 1 + int(key))
        found = dict(elements).get(key)
        return (None, False) if found is None else (found, True)

    # --- giving values -----------------------------------------------------------------------------

    def assign(self, name: str, value: Value, span: Span | None, *, export: bool = False) -> None:
        """Give a variable its value."""
        self.state.set(name, self.weakened(value), span=span, export=export)

    def weakened(self, value: Value) -> Value:
        """The value as it is remembered here: assumed where the way here is."""
        return value.assumed() if self.weak else value

    def note_present(self, name: str) -> None:
        """Take for granted that *name* is set from here on, though not to what."""
        before = self.state.variables.get(name)
        if before is None:
            self.state.variables[name] = Variable(unknown(f"${name}"), exported=True)
        else:
            self.state.variables[name] = replace(before, maybe_unset=False)

    def note_filled(self, name: str) -> None:
        """Take for granted that a variable which the script leaves empty will be filled in."""
        if name.isidentifier():
            self.state.set(name, unknown(f"${name}"))
