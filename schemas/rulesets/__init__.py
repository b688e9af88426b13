"""Rulesets as data: read, check, publish."""
