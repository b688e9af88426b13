"""Many clients at once, online and coming back from offline, against a plain model of the service."""
