"""The API and the web pages over HTTP."""
