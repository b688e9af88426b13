"""Checkpoints and proofs: salted leaves in a Merkle log, signed, and verified offline."""
