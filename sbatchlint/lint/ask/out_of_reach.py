"""Services that a job calls although its compute nodes have no way to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.lint.job import Job
from sbatchlint.needs.need import Service, ServiceKind

if TYPE_CHECKING:
    from sbatchlint.cluster.site import Mirrors


def services_out_of_reach(job: Job) -> Iterator[Service]:
    """Yield the calls of outside services that no switch makes needless and no mirror of the profile serves.

    Nothing where the profile does not say that compute nodes have no way to the internet.
    """
    if job.cluster is None or job.cluster.compute_internet is not False:
        return
    for service in job.needs.services:
        needed = all(switch.is_set is False for switch in service.switches)
        if needed and service.place is not None and not _is_served(job.cluster.mirrors, service):
            yield service


def _is_served(mirrors: Mirrors, service: Service) -> bool:
    if not service.host and mirrors.hosts:
        return True  # it may be one of them
    reached = any(
        service.host == name or (name.startswith(".") and service.host.endswith(name))
        for name in mirrors.host_names
    )
    if service.kind is ServiceKind.MODEL_HUB:
        return reached or mirrors.huggingface is not None
    if service.kind is ServiceKind.REGISTRY:
        return reached or mirrors.docker is not None
    if service.kind is ServiceKind.PACKAGE_INDEX:
        return reached or mirrors.pypi is not None or mirrors.conda is not None
    return reached


__all__ = ["services_out_of_reach"]
