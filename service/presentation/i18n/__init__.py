"""Messages and words in Danish and English."""
