"""Tamper evidence: salted leaves in a Merkle log, signed checkpoints, proofs that are verified offline."""
