from __future__ import annotations

import json
import re
from dataclasses import fields
from importlib.resources import files

import pytest

from sbatchlint.diagnose.signatures import Classifier, Kind, Signature, compiled, read_entry, signatures
from sbatchlint.lint.registry import Registry
from tests.packaging import PROJECT

KNOWN = signatures()
FROM_REPORTS = """
eaddrinuse rdzv-clients-timeout rdzv-connect rdzv-cannot-bind name-resolution nccl-unique-id
crash-on-rank0-hint nccl-watchdog nccl-watchdog-heartbeat nccl-remote-closed nccl-no-interface
nccl-p2p-ordinal duplicate-gpu invalid-device-ordinal no-cuda cuda-oom host-oom srun-oom time-limit
preempted requeued node-fail not-ending srun-exit step-wait childfailed elastic-root elastic-sigkill
bus-error no-space quota pyxis-import pyxis-start enroot-mount spank-cascade pyxis-mount-arg execve
cmd-not-found option-as-command override-as-command unbound conda-init module-not-found packed-nonetype
filelock stale-handle triton-race uv-race hf-401 hf-429 hf-offline no-network world-not-divisible
layers-not-divisible gbs-not-divisible sp-required cuda-max-conn lightning-gpus pmi step-busy step-mem
step-layout libgomp omp-default tokenizers-fork nccl-deprecated destroy-pg sigterm-agent chdir perm
too-many-files submit-invalid-directive submit-gpu submit-time
""".split()
"""Those drawn from public reports; codes of the first column of the survey."""


def entries() -> list[dict[str, object]]:
    text = files("sbatchlint.diagnose").joinpath("data/signatures.json").read_text("utf-8")
    found: list[dict[str, object]] = json.loads(text)["signatures"]
    return found


def test_every_signature_of_the_survey_is_there() -> None:
    assert len(FROM_REPORTS) == 74
    assert set(FROM_REPORTS) <= set(KNOWN)


def test_ids_are_used_once() -> None:
    ids = [entry["id"] for entry in entries()]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", str(one)) for one in ids)


@pytest.mark.parametrize("one", KNOWN.values(), ids=lambda one: one.id)
class TestEachEntry:
    def test_its_line_is_classified_as_it(self, one: Signature) -> None:
        found = Classifier().classify(one.positive.encode())
        assert [each.id for each in found] == [one.id]

    def test_a_line_that_looks_alike_is_not(self, one: Signature) -> None:
        assert not compiled(one.expression).search(one.negative.encode())
        assert one.id not in [each.id for each in Classifier().classify(one.negative.encode())]

    def test_whatever_else_matches_its_line_is_named(self, one: Signature) -> None:
        matching = {
            each.id for each in KNOWN.values() if compiled(each.expression).search(one.positive.encode())
        }
        assert matching - {one.id} <= set(one.over)

    def test_what_it_stands_over_exists(self, one: Signature) -> None:
        assert set(one.over) <= set(KNOWN) - {one.id}

    def test_it_never_looks_across_a_line_end(self, one: Signature) -> None:
        assert not re.search(r"\\[sWDn](?!\])", one.expression)
        assert all(r"\n" in inside for inside in re.findall(r"(?<!\\)\[\^([^]]*)\]", one.expression))
        assert "\n" not in one.positive + one.negative

    def test_its_rules_exist(self, one: Signature) -> None:
        assert set(one.rules) <= {rule.code for rule in Registry.load().rules}

    def test_its_texts_are_short_and_plain(self, one: Signature) -> None:
        for text in (one.title, one.cause, one.fix):
            assert text and len(text) < 170 and not text.endswith(".")
        assert len(one.title) < 70

    def test_its_source_is_an_address_or_well_known(self, one: Signature) -> None:
        assert one.source
        assert all(each == "well known" or each.startswith("https://") for each in one.source)

    def test_its_fields_make_sense(self, one: Signature) -> None:
        assert one.scope in ("rank", "node", "job")
        assert not one.umbrella or one.kind is Kind.ROOT
        assert not one.authority or one.kind is Kind.ROOT
        assert not one.in_warnings or one.kind is Kind.ROOT
        assert one.exit is None or -64 <= one.exit < 256


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError):
        read_entry({**entries()[0], "colour": "red"})


def test_the_page_explains_every_field() -> None:
    page = (PROJECT / "docs" / "diagnose.md").read_text("utf-8")
    for field in fields(Signature):
        assert f"`{field.name}`" in page, field.name


def test_an_expression_that_is_not_linear_is_refused() -> None:
    with pytest.raises(Exception, match=r"backreference|escape|invalid"):
        compiled(r"(a+)\1")
