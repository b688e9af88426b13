"""Best play: the value of every legal card, by exact search of open hands or over samples of hidden ones."""
