"""The doors: web application, event stores, pages and command line."""
