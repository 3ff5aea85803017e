"""All scenes: each module below adds its own to :data:`SCENES` when it is imported."""

from tests.hostile import (
    places_in_names,
    places_in_plugins,
    places_in_scripts,
    places_in_settings,
    places_outside,
)
from tests.hostile.places import SCENES

MODULES = (places_in_names, places_in_plugins, places_in_scripts, places_in_settings, places_outside)

__all__ = ["MODULES", "SCENES"]
