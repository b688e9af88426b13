"""Bundle the scripts of the pages: `python -m docs.scripts`. Needs Node; see package.json.

Preact, its signals and htm are copied into ``static/js/vendor`` as one module.
"""

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
LIBRARIES = """export * from "preact";
export * from "preact/hooks";
export * from "@preact/signals";
import { h } from "preact";
import htm from "htm";
export const html = htm.bind(h);
"""


def main() -> None:
    """Write the libraries and the bundles."""
    bundle(f"--outfile={SCRIPTS_FOLDER / 'vendor' / 'preact.js'}", text=LIBRARIES)
    bundle(
        *(str(SCRIPTS_FOLDER / f"{name}.js") for name in BUNDLES),
        f"--outdir={BUNDLES_FOLDER}",
        f"--banner:js={bundle_banner(sources_digest())}",
    )


def bundle(*arguments: str, text: str | None = None) -> None:
    """Run esbuild, on entry modules or on the text of one."""
    options = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none")
    esbuild = str(ROOT / "node_modules" / ".bin" / "esbuild")
    command = [esbuild, *arguments, *options, "--log-level=warning"]
    subprocess.run(command, input=text, text=True, check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
