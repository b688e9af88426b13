// @ts-check
/** Links the first mention of a term in each part of a page, a panel or a report, to its meaning in the glossary. */

import words from "../messages/glossary.js";
import { whenPageReady } from "./page-ready.js";

/** Where no link belongs, or one is already. */
const UNLINKED =
  ".tools, .printed-notes, dialog, a, button, summary, h1, h2, h3, thead, pre, code, svg, label, [aria-live], [aria-hidden], .visually-hidden";
/** What a term may have at its end, in English and Danish. */
const ENDINGS = "(?:s|n|ns|en|ens|et|ets|er|ers|eren|erens|erne|ernes|ne|nes)?";

/** @param {Element} part @param {{ id: string, pattern: RegExp }[]} terms @param {string} url */
function linkTerms(part, terms, url) {
  for (const { id, pattern } of terms) {
    if (part.querySelector(`a.term[data-term="${id}"]`)) continue;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      const found = pattern.exec(node.data);
      if (!found || node.parentElement?.closest(UNLINKED)) continue;
      const link = document.createElement("a");
      Object.assign(link, { className: "term", href: `${url}#${id}`, textContent: found[0] }).dataset.term = id;
      const rest = node.splitText(found.index);
      rest.data = rest.data.slice(found[0].length);
      rest.before(link);
      break;
    }
  }
}

/** A term in any case, alone or with an ending. @param {string} word */
function termPattern(word) {
  return new RegExp(`(?<!\\p{L})${word.replace(/(s|er)$/, "")}${ENDINGS}(?!\\p{L})`, "iu");
}

/** @param {HTMLElement} main */
async function start(main) {
  const terms = Object.entries(words).map(([id, word]) => ({ id, pattern: termPattern(word) }));
  const linkAll = () => {
    for (const part of main.querySelectorAll(".panel, .report, .rules-section"))
      linkTerms(part, terms, main.dataset.glossary ?? "");
    observer.takeRecords();
  };
  const observer = new MutationObserver(linkAll);
  await whenPageReady();
  observer.observe(main, { childList: true, subtree: true });
  linkAll();
}

start(/** @type {HTMLElement} */ (document.querySelector("main[data-glossary]")));
