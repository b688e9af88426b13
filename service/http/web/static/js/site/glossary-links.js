/** Links the first mention of a term in each part of a page, a panel or a report, to its meaning in the glossary. */

import { el } from "../core/dom.js";
import { whenPageReady } from "./page-ready.js";
import words from "../messages/glossary.js";

/** Where no link belongs, or one is already. */
const UNLINKED = ".tools, .printed-notes, dialog, a, button, summary, h1, h2, h3, thead, pre, code, svg, label, [aria-live], [aria-hidden], .visually-hidden";
/** What a term may have at its end, in English and Danish. */
const ENDINGS = "(?:s|n|ns|en|ens|et|ets|er|ers|eren|erens|erne|ernes|ne|nes)?";

function linkTerms(part, terms, url) {
  for (const { id, pattern } of terms) {
    if (part.querySelector(`a.term[data-term="${id}"]`)) continue;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const found = pattern.exec(node.data);
      if (!found || node.parentElement.closest(UNLINKED)) continue;
      const link = el("a", { class: "term", "data-term": id, href: `${url}#${id}`, text: found[0] });
      const rest = node.splitText(found.index);
      rest.data = rest.data.slice(found[0].length);
      rest.before(link);
      break;
    }
  }
}

/** A term in any case, alone or with an ending. */
function termPattern(word) {
  return new RegExp(`(?<!\\p{L})${word.replace(/(s|er)$/, "")}${ENDINGS}(?!\\p{L})`, "iu");
}

async function start(main) {
  const terms = Object.entries(words).map(([id, word]) => ({ id, pattern: termPattern(word) }));
  const linkAll = () => {
    for (const part of main.querySelectorAll(".panel, .report, .rules-section")) linkTerms(part, terms, main.dataset.glossary);
    observer.takeRecords();
  };
  const observer = new MutationObserver(linkAll);
  await whenPageReady();
  observer.observe(main, { childList: true, subtree: true });
  linkAll();
}

start(document.querySelector("main[data-glossary]"));
