"""Read models: what is folded from the records and stored, so that no caller has to wait for it."""
