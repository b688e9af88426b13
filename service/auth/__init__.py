"""Identity without an identity provider: tokens, what they grant, and who may see and do what."""
