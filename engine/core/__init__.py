"""Cards, events, logs and messages: the basic types of the engine."""
