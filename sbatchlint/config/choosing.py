"""Which rules look at a file, and how much what they find counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sbatchlint.config.errors import ConfigError
from sbatchlint.config.globs import Globs
from sbatchlint.config.sheets import Given, Sheet, Stack, each, elements, table
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.registry import Registry, RuleLoadError, RuleSet
from sbatchlint.lint.selection import SelectionError, choose
from sbatchlint.records import dataclass

_CHOOSING = ("select", "extend-select", "ignore", "extend-ignore")


@dataclass(frozen=True, slots=True)
class Choice:
    """The rules of a file by their codes."""

    codes: frozenset[str]
    severities: tuple[tuple[str, Severity], ...] = ()
    asked_for: frozenset[str] = frozenset()
    """Rules that were named one by one: of these everything is told."""


class Chooser:
    """Chooses among the rules of *registry*; *trusted* are the codes of the site's own policies.

    These a repository can switch off or make milder only by naming each of them, which is told.
    """

    def __init__(self, registry: Registry, trusted: Iterable[str] = ()) -> None:
        self._registry = registry
        self._trusted = frozenset(trusted)
        self._matches: dict[str, dict[str, int]] = {}
        self._globs: dict[tuple[str, str], Globs] = {}

    def choose(self, sheets: Sequence[Sheet], ignored: frozenset[str] = frozenset()) -> Choice:
        """Return the choice for a file of which *sheets* speak, the last of them the command line.

        *ignored* is what :meth:`ignored_for` says of it: it holds whatever else is chosen.
        """
        *files, top = sheets
        chosen = self._after(frozenset(rule.code for rule in self._registry.rules), files)
        chosen |= self._trusted - self._named(elements(files, "ignore"), elements(files, "extend-ignore"))
        chosen = self._after(chosen, [top]) - ignored
        severities = self._severities(files)
        weighty = {code for code, level in severities.items() if level is not Severity.INFO}
        named = self._named(elements(sheets, "select"), elements(sheets, "extend-select"))
        named |= weighty & self._named(_keys(files, "severity"))
        return Choice(chosen, tuple(sorted(severities.items(), key=_first)), named & chosen)

    def make(self, choice: Choice) -> RuleSet:
        """Return the rules of *choice*, ready to run.  Raises ConfigError where one can't be made."""
        try:
            rules = self._registry.select(sorted(choice.codes))
        except RuleLoadError as error:
            raise ConfigError("rules", str(error)) from None
        return replace(rules, severities=dict(choice.severities))

    def ignored_for(self, sheets: Sequence[Sheet], path: str) -> frozenset[str]:
        """Return what ``per-file-ignores`` leaves out for *path*, absolute."""
        ignored: set[str] = set()
        for glob, given in table(sheets, "per-file-ignores").items():
            key = (glob, given.folder)
            if key not in self._globs:
                self._globs[key] = Globs((glob,), given.folder)
            if self._globs[key].match(path):
                for selector in given.value:
                    ignored |= self._touched(selector, given.sheet)
        return frozenset(ignored)

    def weakened(self, stack: Stack) -> Iterator[tuple[str, Given]]:
        """Yield each trusted rule that a file which is not the site's switches off or makes milder."""
        sheets = [sheet for sheet in stack.all if not sheet.from_site]
        for key in ("ignore", "extend-ignore"):
            for given in elements(sheets, key):
                yield from ((code, given) for code in self._exactly(given.value))
        for sheet in sheets:
            for given in table((sheet,), "per-file-ignores").values():
                for number, selector in enumerate(given.value):
                    yield from ((code, given.part(number)) for code in self._exactly(selector))
            for selector, given in table((sheet,), "severity").items():
                for code in self._exactly(selector):
                    rule = self._registry.find(code)
                    if rule is not None and Severity(given.value).rank > rule.severity.rank:
                        yield code, given

    def errors(self, stack: Stack) -> Iterator[Exception]:
        """Yield what is wrong with the selectors of the files and of the command line."""
        for key in _CHOOSING:
            for given in elements((*stack.all, stack.top), key):
                yield from self._unknown(given, given.value)
        for sheet in stack.files:
            for given in table((sheet,), "per-file-ignores").values():
                for number, selector in enumerate(given.value):
                    yield from self._unknown(given.part(number), selector)
            for selector, given in table((sheet,), "severity").items():
                yield from self._unknown(given, selector, at_key=True)

    def _unknown(self, given: Given, selector: str, *, at_key: bool = False) -> Iterator[Exception]:
        try:
            self._match(selector)
        except SelectionError as error:
            if given.sheet.layer is None:
                yield ConfigError("command line", str(error))
                return
            near = error.suggestion
            advice = f"did you mean {near!r}?" if near else "give a code, a prefix, a name or a family"
            yield given.error(f"{given.path[0]}: {selector!r} stands for no rule", advice, at_key=at_key)

    def _match(self, selector: str) -> dict[str, int]:
        """Return the codes of *selector* with how specific it is for each.  Raises SelectionError."""
        if selector not in self._matches:
            self._matches[selector] = choose(self._registry.rules, [selector])
        return self._matches[selector]

    def _best(self, selectors: Iterable[str]) -> dict[str, int]:
        best: dict[str, int] = {}
        for selector in selectors:
            for code, weight in self._match(selector).items():
                best[code] = max(weight, best.get(code, 0))
        return best

    def _after(self, chosen: frozenset[str], sheets: Sequence[Sheet]) -> frozenset[str]:
        """Return what is chosen after *sheets*: ``select`` starts anew, the others add and take away."""
        for sheet in sheets:
            select = sheet.values.get("select")
            wanted = self._best([*(select or ()), *sheet.values.get("extend-select", ())])
            unwanted = self._best([*sheet.values.get("ignore", ()), *sheet.values.get("extend-ignore", ())])
            if select is not None:
                chosen = frozenset()
            added = {code for code, weight in wanted.items() if weight > unwanted.get(code, -1)}
            chosen = (chosen - {code for code in unwanted if code not in added}) | added
        return chosen

    def _touched(self, selector: str, sheet: Sheet) -> set[str]:
        """Return the codes of *selector* that *sheet* may speak of by it."""
        codes = set(self._match(selector))
        return codes if sheet.from_site else codes - (self._trusted - self._exactly(selector))

    def _severities(self, sheets: Sequence[Sheet]) -> dict[str, Severity]:
        """Return what findings count as, by code: the upper sheet decides, in one the closer selector."""
        found: dict[str, Severity] = {}
        for given in each(sheets, "severity"):
            best: dict[str, int] = {}
            for selector, level in given.value.items():
                touched = self._touched(selector, given.sheet)
                for code, weight in self._match(selector).items():
                    if code in touched and weight >= best.get(code, -1):
                        best[code] = weight
                        found[code] = Severity(level)
        return found

    def _named(self, *givens: Iterable[Given]) -> frozenset[str]:
        """Return the codes of the rules that *givens* name one by one."""
        return frozenset(code for some in givens for given in some for code in self._of(given.value))

    def _of(self, selector: str) -> tuple[str, ...]:
        rule = self._registry.find(selector)
        return () if rule is None else (rule.code,)

    def _exactly(self, selector: str) -> frozenset[str]:
        """Return the trusted code that *selector* is the name of."""
        return self._trusted & set(self._of(selector))


def _keys(sheets: Sequence[Sheet], key: str) -> Iterator[Given]:
    """Yield the keys of the tables called *key*, as if they were its values."""
    for given in each(sheets, key):
        yield from (Given(name, given.sheet, (key, name)) for name in given.value)


def _first(pair: tuple[str, Severity]) -> str:
    return pair[0]
