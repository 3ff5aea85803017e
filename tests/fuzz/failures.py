"""What failed in a run of the fuzzer: the shortest input for each place in the code."""

from __future__ import annotations

import time
import traceback
from hashlib import sha256
from pathlib import Path

from tests.fuzz.limits import LIMIT, limited
from tests.fuzz.table import Target

_OURS = ("sbatchlint", "rules", "bashlex")


class Failures:
    """Counts inputs, and keeps those that fail by the place where they fail."""

    def __init__(self, name: str, folder: Path) -> None:
        """*name* is the target's; *folder* is made when something is to be kept."""
        self.name = name
        self.inputs = 0
        self.slowest = 0.0
        """Seconds of processor time."""
        self._found: dict[str, int] = {}
        self._folder = folder
        self._sizes: dict[str, int] = {}
        self._end = 0.0

    def begin(self, seconds: float) -> None:
        """Start the clock."""
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self._end

    @property
    def status(self) -> int:
        """The exit status of the run."""
        return 1 if self._found else 0

    def watching(self, run: Target, limit: float = LIMIT) -> Target:
        """Return *run* as a function that never raises: what fails, or takes over *limit*, is noted."""

        def one(data: bytes) -> None:
            self.inputs += 1
            begin = time.process_time()
            try:
                with limited(limit):
                    run(data)
            except Exception as error:  # noted, and the run goes on
                self._note(data, error)
            took = time.process_time() - begin
            if took > self.slowest:
                self.slowest = took
                if took > 1:
                    self._keep("slowest", data, f"{took:.1f} s of processor time")

        return one

    def _note(self, data: bytes, error: Exception) -> None:
        place = _place(error)
        self._found[place] = self._found.get(place, 0) + 1
        if self._sizes.get(place, len(data) + 1) > len(data):
            self._sizes[place] = len(data)
            trace = "".join(traceback.format_exception(error))
            self._keep(sha256(place.encode()).hexdigest()[:8], data, f"{place}\n{trace}")

    def _keep(self, what: str, data: bytes, text: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        stem = self._folder / f"{self.name}-{what}"
        stem.with_suffix(".input").write_bytes(data)
        stem.with_suffix(".txt").write_text(f"{text}\n", "utf-8", "backslashreplace")

    def summary(self) -> str:
        """Return what to say at the end."""
        head = f"{self.name}: {self.inputs} inputs, {len(self._found)} failures"
        head += f", the slowest {self.slowest:.1f} s"
        return "\n".join([head, *(f"  {count} x {place}" for place, count in self._found.items())])


def _place(error: Exception) -> str:
    """Return where *error* comes from: its type and the innermost line of ours.

    The traceback of a rule that broke is a text in the message of an AssertionError.
    """
    text = str(error)
    if isinstance(error, AssertionError) and "Traceback" in text:
        lines = [line.strip() for line in text.splitlines() if line.lstrip().startswith("File ")]
        return f"{text.splitlines()[-1][:60]} at {(lines or [''])[-1][-110:]}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if any(f"/{part}/" in frame.filename for part in _OURS)] or frames
    return f"{type(error).__name__} at {ours[-1].filename}:{ours[-1].lineno}"
