/** What the pages of a table share: what they know of it, the words, the line that says whether they are connected. */

import { Evening } from "./evening.js";
import { refusalTold } from "./told.js";
import { offerSharing } from "./share.js";

const danish = () => document.documentElement.lang.startsWith("da");

/** Opens the page: reads the table, follows it, and hands what is known to `draw`. */
export async function opened(draw) {
  const root = document.querySelector("[data-table]");
  const { default: words } = await import(danish() ? "./evening-da.js" : "./evening-en.js");
  const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const evening = new Evening({ table: root.dataset.table, rules: JSON.parse(root.dataset.rules), forgotten: words.forgotten });
  evening.addEventListener("link", () => (parts.connection.textContent = evening.linked ? "" : words.unlinked));
  try {
    await evening.begin();
  } catch (refused) {
    if (refused.status === undefined) throw refused;
    parts.connection.textContent = refusalTold(words, refused);
    return;
  }
  await firstEntries(evening);
  draw({ root, parts, evening, words, mayWrite: "mayWrite" in root.dataset });
  if (parts.share) offerSharing({ button: parts.share, table: evening.table, words });
  root.removeAttribute("data-waiting");
}

/** The stream tells the table's opening first; what is drawn needs it. */
function firstEntries(evening) {
  const known = () => evening.version() > 0;
  if (known()) return Promise.resolve();
  return new Promise((done) => {
    const look = () => {
      if (!known()) return;
      evening.removeEventListener("change", look);
      done();
    };
    evening.addEventListener("change", look);
  });
}
