"""The wire: schemas of events, states, reports and requests, logs and notation."""
