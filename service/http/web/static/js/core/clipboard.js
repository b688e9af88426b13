/** Copying a text out of a page: onto the clipboard, or by hand where the browser does not let a page. */

import { el } from "./dom.js";

/** Puts a text onto the clipboard; false where that is not allowed here. */
export async function copyToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A field that shows a text to be copied by hand; `label` says so. It is selected once it stands. */
export function buildManualCopyField(text, label) {
  const field = el("textarea", { readonly: true, rows: "4", on: { focus: () => field.select() } });
  field.value = text;
  setTimeout(() => field.focus());
  return el("label", { class: "to-copy" }, el("span", { text: label }), field);
}
