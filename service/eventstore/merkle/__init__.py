"""Merkle tree hashes over all events (RFC 9162)."""
