"""A fuzzer of both readers of logs, the notation's and that of JSON Lines.

``python -m tests.properties.fuzz both --seconds 600`` runs it with atheris, which looks for inputs that take
new ways through the readers. Atheris is no dependency of anything: it comes as a wheel for some Pythons on
Linux only, so whoever wants it installs it beside the rest (``pip install atheris``). Without it pytest tries
a few hundred of the same inputs by chance (``test_readers.py``).
"""
