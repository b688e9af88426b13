"""The service: web application, event stores, pages and command line."""
