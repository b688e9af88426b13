"""``python -m tests.properties.fuzz both --seconds 600``: both readers against inputs that atheris makes up.

What breaks a law (``tests.properties.fuzz.laws``) is printed with its trace, and the input is left in a file.
"""

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.properties.fuzz.laws import READERS

MEMORY: Final = 512
"""So many MiB a run may take, atheris and all that it has found among them."""
TIMEOUT_SECONDS: Final = 60
"""So many seconds an input may take, watched and counted as it is."""
STRETCHED: Final = 200
"""One input of so many is stretched, to see how time grows with it."""


def main() -> int:
    """Tries some files, or whatever atheris makes up."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.properties.fuzz", description=__doc__.splitlines()[0]
    )
    parser.add_argument("reader", choices=READERS, help="which reader is tried")
    parser.add_argument("--seconds", type=int, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=0, help="of the chance; 0 is another one each time")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="a folder for what fails")
    parser.add_argument("files", nargs="*", type=Path, help="only try these, one after the other")
    asked = parser.parse_args()
    if asked.files:
        from tests.properties.fuzz import laws

        for file in asked.files:
            laws.hold(file.read_bytes(), READERS[asked.reader])
        return 0
    try:
        import atheris
    except ImportError:
        print("Atheris is not here; install it (pip install atheris; Linux only).", file=sys.stderr)
        return 2
    _run(atheris, asked)
    return 0


def _run(atheris: Any, asked: argparse.Namespace) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in ("schemas", "tests")]:
        del sys.modules[name]  # they come again, watched
    with atheris.instrument_imports(include=["schemas"]):
        from tests.properties.fuzz import inputs, laws
    readers = laws.READERS[asked.reader]
    tried = 0

    def try_one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        laws.hold(data, readers)
        if tried % STRETCHED == 0:
            make = inputs.stretched(data, random.Random(tried))
            for reader in readers:
                laws.grows_evenly(make, 1 << 14, reader, laws.seconds)

    def change(data: bytes, largest: int, seed: int) -> bytes:
        return inputs.spoilt(data, random.Random(seed), asked.reader, largest)

    asked.found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(inputs.seeds(asked.reader)):
            Path(corpus, str(number)).write_bytes(seed)
        options = [
            f"-max_total_time={asked.seconds}", f"-timeout={TIMEOUT_SECONDS}", f"-rss_limit_mb={MEMORY}",
            f"-max_len={inputs.LARGEST}", f"-artifact_prefix={asked.found}{os.sep}", f"-seed={asked.seed}",
            "-print_final_stats=1", "-reload=0",
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, corpus], try_one, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
