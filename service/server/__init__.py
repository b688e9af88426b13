"""The WSGI server: listen, run, receive requests, open the browser."""
