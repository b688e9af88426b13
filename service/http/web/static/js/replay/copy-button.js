// @ts-check
/** A button that copies a text, or shows it for copying by hand where the browser does not let a page copy. */

import { ApiError } from "../core/api.js";
import { copyToClipboard } from "../core/clipboard.js";
import { t } from "../core/texts.js";
import { html, useState } from "../vendor/preact.js";

/**
 * @param {{ act: string, label: string, getText: () => string | Promise<string>, say: (text: string) => void, copied?: string }} props
 *   `say` tells what came of it
 */
export function CopyButton({ act, label, getText, say, copied = t("Copied.") }) {
  const [text, setText] = useState("");
  const copy = async () => {
    say("");
    setText("");
    try {
      const found = await getText();
      if (await copyToClipboard(found)) say(copied);
      else setText(found);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof TypeError)) throw error;
      say(t("That did not work. Try again."));
    }
  };
  return html`
    <button type="button" class="button" data-act=${act} onClick=${copy}>${label}</button>
    ${
      text &&
      html`<label class="to-copy">
      <span>${t("Copy this:")}</span>
      <textarea readonly rows="4" value=${text} ref=${(/** @type {HTMLTextAreaElement | null} */ field) => field?.select()} />
    </label>`
    }`;
}
