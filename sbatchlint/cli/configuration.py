"""What holds for each file, as the commands ask for it; a mistake is told on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sbatchlint.cli.console import Console, style_for

if TYPE_CHECKING:
    from sbatchlint.config.account import Account
    from sbatchlint.config.file_settings import FileSettings
    from sbatchlint.config.resolve import Resolver
    from sbatchlint.config.sheets import Given, Stack
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.lint.rule import Rule
    from sbatchlint.toml.read import TomlError

T = TypeVar("T")


class Configuration:
    """What holds for each file; a mistake is told once, and the files that it concerns are passed over."""

    def __init__(
        self,
        resolver: Resolver,
        console: Console,
        colour: str = "auto",
        arguments: tuple[str, ...] | None = None,
        told: set[str] | None = None,
    ) -> None:
        """*arguments* are what the script is given on its own command line; *told* is said already."""
        from sbatchlint.config.scope import Scope

        self._resolver = resolver
        self._scope = Scope(resolver)
        self._console = console
        self._colour = colour
        self._arguments = arguments
        self._told: set[str] = set() if told is None else told
        self._remarked: set[Stack] = set()
        self._ready: dict[int, tuple[FileSettings, FileSettings]] = {}
        self.home = os.getcwd()
        """The folder whose configuration holds for the run as a whole."""
        self.wrong_use = False
        """Whether the command line says something that can't be."""

    def run_wide(self, folder: str) -> Stack | None:
        """Return what is said in *folder*."""
        return self._or_tell(lambda: self._resolver.stack(folder))

    def value(self, key: str) -> Any:
        """Return the value of *key* that holds for the run as a whole; None where nothing is said.

        A mistake in that folder's file concerns the scripts for which it holds: the run goes on without it.
        """
        from sbatchlint.config.sheets import value_of

        stack = self.run_wide(self.home)
        return None if stack is None else value_of((*stack.files, stack.top), key)

    def baseline(self, path: str) -> str | None:
        """Return the path of the baseline that the files name for the file at *path*."""
        from sbatchlint.config.files import inside, shown_path

        given = self._baseline(path)
        return None if given is None else shown_path(inside(given.folder, given.value))

    def complain_of_baseline(self, path: str) -> Callable[[str, str], None]:
        """Return what tells of the baseline for the file at *path* what is wrong and what to do about it.

        It is told at the line that names the baseline.
        """

        def complain(message: str, advice: str) -> None:
            given = self._baseline(path)
            assert given is not None, "no file names one"
            self._tell(given.error(f"baseline: {given.value!r}: {message}", advice))

        return complain

    def _baseline(self, path: str) -> Given | None:
        from sbatchlint.config.sheets import closest

        sheets = self._or_tell(lambda: self._resolver.sheets(os.path.abspath(path)))
        return closest(sheets or (), "baseline")

    def files(self) -> tuple[str, ...]:
        """Return the paths of the files that hold for the run as a whole, the baseline among them."""
        stack = self.run_wide(self.home)
        baseline = None if stack is None else self.baseline(os.path.join(self.home, "job.sh"))
        read = () if stack is None else tuple(layer.path for layer in stack.layers)
        return (*read, *filter(None, [self._resolver.closest(self.home), baseline]))

    def brought(self) -> tuple[tuple[str, ...], tuple[type[Rule], ...]] | None:
        """Return the plugins and the policies of the run as a whole."""
        return self._or_tell(lambda: self._resolver.brought(self.home))

    def account(self, path: str) -> Account | None:
        """Return an account of what holds for *path*, and of where it was said."""
        from sbatchlint.config.account import account_of

        return self._or_tell(lambda: account_of(path, self._resolver))

    def settings(self, path: str) -> FileSettings | None:
        """Return what holds for the file at *path*; the same object for files of which the same holds."""
        found = self._or_tell(lambda: self._resolver.settings(os.path.abspath(path)))
        if found is None:
            return None
        self._remark_weakened(os.path.dirname(os.path.abspath(path)))
        if id(found) not in self._ready:
            options = replace(found.options, arguments=self._arguments)
            self._ready[id(found)] = (found, replace(found, options=options))
        return self._ready[id(found)][1]

    def options(self, path: str) -> LintOptions | None:
        """Return what is assumed of the submission of the script at *path*."""
        found = self._or_tell(lambda: self._resolver.options(os.path.abspath(path)))
        return None if found is None else replace(found, arguments=self._arguments)

    def follows(self, path: str) -> bool:
        """Tell whether the files that the script at *path* sources may be read."""
        from sbatchlint.config.sheets import value_of

        sheets = self._or_tell(lambda: self._resolver.sheets(os.path.abspath(path)))
        return bool(value_of(sheets or (), "follow", True))

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether *path*, found in a folder, is left out."""
        return self._asked(True, lambda: self._scope.excludes(os.path.abspath(path), is_folder=is_folder))

    def excludes_named(self, path: str, *, is_folder: bool = False, force: bool = False) -> bool:
        """Tell whether *path*, which was named, is left out all the same; *force* says that it may be."""
        absolute = os.path.abspath(path)
        scope = self._scope
        return self._asked(
            True, lambda: (force or scope.forces(absolute)) and scope.excludes_anywhere(absolute, is_folder)
        )

    def includes(self, path: str) -> bool | None:
        """Tell whether *path* is among the files to look at; None where its name says nothing of it."""
        return self._or_tell(lambda: self._scope.includes(os.path.abspath(path)))

    def respects_gitignore(self, folder: str) -> bool:
        """Tell whether what git ignores in *folder* is left out."""
        return self._asked(True, lambda: self._scope.respects_gitignore(os.path.abspath(folder)))

    def wants_markdown(self, path: str) -> bool:
        """Tell whether the shell blocks of the Markdown file *path* are checked."""
        return self._asked(False, lambda: self._scope.wants_markdown(os.path.abspath(path)))

    def _asked(self, otherwise: bool, ask: Callable[[], bool]) -> bool:
        answer = self._or_tell(ask)
        return otherwise if answer is None else answer

    def _or_tell(self, make: Callable[[], T]) -> T | None:
        from sbatchlint.config.errors import ConfigError
        from sbatchlint.toml.read import TomlError

        try:
            return make()
        except (ConfigError, TomlError) as error:
            self._tell(error)
            return None

    def _tell(self, error: Exception) -> None:
        """Tell of *error*, but of each mistake once: files that are extended are wrong for several."""
        from sbatchlint.config.errors import ConfigError
        from sbatchlint.toml.read import TomlError

        if isinstance(error, ConfigError):
            self.wrong_use = self.wrong_use or error.subject == "command line"
            if self._is_new(str(error)):
                self._console.complain(error.subject, error.message)
        elif isinstance(error, TomlError):
            new = tuple(one for one in error.mistakes if self._is_new(f"{error.source.path} {one}"))
            if new:
                self._tell_mistakes(TomlError(error.source, new))

    def _is_new(self, what: str) -> bool:
        new = what not in self._told
        self._told.add(what)
        return new

    def _tell_mistakes(self, error: TomlError) -> None:
        from sbatchlint.report.mistakes import mistakes_text, without_secrets

        error = without_secrets(error)
        text = mistakes_text(error, style_for(sys.stderr, self._colour))
        places = [error.source.position(one.span.start).line for one in error.mistakes]
        self._console.fail(
            text,
            *(
                (f"{error.source.path}:{line}", one.message)
                for line, one in zip(places, error.mistakes, strict=True)
            ),
        )

    def _remark_weakened(self, folder: str) -> None:
        """Say which policies of the site the project's own files switch off or make milder."""
        stack = self._resolver.stack(folder)
        if stack in self._remarked:
            return
        self._remarked.add(stack)
        for name, given in self._resolver.chooser(folder).weakened(stack):
            self._console.remark(given.where, f"{given.path[0]} weakens {name}, a policy of the site")
