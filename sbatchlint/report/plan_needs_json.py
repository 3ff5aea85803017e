"""What a job needs from outside, for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbatchlint.needs.need import NeededPath, Needs, Service
from sbatchlint.source import Span

Object = dict[str, Any]


def needs_object(
    needs: Needs,
    text: Callable[[str], str],
    place: Callable[[Span | None], Object | None],
    is_there: Callable[[NeededPath], bool | None],
) -> Object:
    """Return the object; *text* hides secrets, *place* gives line and column."""

    def service(one: Service) -> Object:
        return {
            "kind": one.kind.value,
            "host": text(one.host) or None,
            "by": text(one.by),
            "certainty": one.certainty.name.lower(),
            "conditional": one.conditional,
            "per_task": one.step is not None,
            "independent": one.independent,
            "switches": [
                {
                    "name": each.name,
                    "value": each.value or None,
                    "set": each.is_set,
                    "place": place(each.place),
                }
                for each in one.switches
            ],
            "place": place(one.place),
        }

    return {
        "credentials": [
            {
                "name": text(one.name),
                "how": [how.value for how in one.how],
                "certainty": one.certainty.name.lower(),
                "place": place(one.place),
            }
            for one in needs.credentials
        ],
        "services": [service(one) for one in needs.services],
        "images": [
            {
                "kind": one.kind.value,
                "name": text(one.name),
                "runtime": one.runtime,
                "certainty": one.certainty.name.lower(),
                "place": place(one.place),
            }
            for one in needs.images
        ],
        "paths": [
            {
                "kind": one.kind.value,
                "path": text(one.path.shown),
                "side": one.side.value,
                "host": None if one.host is None else text(one.host.shown),
                "certainty": one.path.certainty.name.lower(),
                "must": one.must,
                "exists": is_there(one),
                "place": place(one.place),
            }
            for one in needs.paths
        ],
    }


__all__ = ["needs_object"]
