"""What is made of the records and kept beside them, so that nobody who asks has to wait for it."""
