"""The proofs that `tests/js/proof.test.js` reads: Python verifies them too."""

from pathlib import Path

import pytest

from service.transparency.checkpoint_file import parse_checkpoint_file
from service.transparency.proof_files import parse_inclusion_proof
from service.transparency.proof_verification import parse_export_lines, verify_export
from service.transparency.signed_notes import parse_verifier

PROOFS = Path(__file__).parent / "proofs"


@pytest.mark.parametrize(("name", "proven", "hidden"), [("evening.jsonl", 11, 0), ("hidden.jsonl", 5, 1)])
def test_a_kept_proof_is_still_verified(name: str, proven: int, hidden: int) -> None:
    kept = parse_checkpoint_file((PROOFS / "kept.txt").read_text("utf-8"))
    assert kept.find_unsigned([parse_verifier((PROOFS / "key.txt").read_text("utf-8").strip())]) == []
    proof = parse_inclusion_proof((PROOFS / f"{name}.proof").read_bytes())
    found = verify_export(parse_export_lines((PROOFS / name).read_bytes()), proof, kept)
    assert (found.faults, found.proven_count, found.hidden_count) == ((), proven, hidden)
