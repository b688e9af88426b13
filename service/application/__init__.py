"""Use cases: what a caller may read (queries) and write (commands)."""
