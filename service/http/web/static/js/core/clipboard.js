// @ts-check
/** Copying a text out of a page: onto the clipboard, or by hand where the browser does not let a page. */

/** Puts a text onto the clipboard; false where that is not allowed here. @param {string} text */
export async function copyToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
