"""Options that a script keeps in an array, with a word among them that the script does not tell."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import Layer, LayerKind, LaunchPlan
from tests.launch.agreement import plan_of
