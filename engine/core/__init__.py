"""Cards, events, logs and messages: what all of the engine is made of."""
