"""The catalogues of messages, in each language."""
