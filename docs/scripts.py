"""Bundle the scripts of the pages: `python -m docs.scripts`. Needs Node; see package.json."""

import subprocess
from pathlib import Path

from service.http.web.page_assets import (
    BUNDLES,
    BUNDLES_FOLDER,
    SCRIPTS_FOLDER,
    bundle_banner,
    sources_digest,
)

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Write the bundles."""
    subprocess.run(
        [
            ROOT / "node_modules" / ".bin" / "esbuild",
            *(SCRIPTS_FOLDER / f"{name}.js" for name in BUNDLES),
            f"--outdir={BUNDLES_FOLDER}",
            f"--banner:js={bundle_banner(sources_digest())}",
            *("--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none"),
            "--log-level=warning",
        ],
        check=True,
    )


if __name__ == "__main__":
    main()
