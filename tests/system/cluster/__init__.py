"""A cluster of PostgreSQL servers on one machine, of which one part after another fails."""
