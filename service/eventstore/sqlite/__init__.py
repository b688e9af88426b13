"""The event store in a SQLite file."""
