"""What may take how long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 30.0
"""Of the processor: a machine may be busy, and what waits for ever is ended by whoever runs the tests."""


@contextmanager
def in_time() -> Iterator[None]:
    """Fail where the inside takes longer than :data:`SECONDS`."""
    start = time.process_time()
    yield
    assert time.process_time() - start < SECONDS
