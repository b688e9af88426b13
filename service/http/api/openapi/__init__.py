"""The API's contract."""
