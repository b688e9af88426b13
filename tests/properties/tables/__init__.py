"""The report of a table: evenings of real play with errors planted in them, each of which it has to name."""
