"""Settings, URLs, logging and what must not be logged."""
