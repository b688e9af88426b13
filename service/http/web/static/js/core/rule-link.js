// @ts-check
/** A section of the rules as a link to its page. */

import { html } from "../vendor/preact.js";

/** Plain text on a page that has no rules to link to. @param {{ rule: string, name: string }} props */
export function RuleLink({ rule, name }) {
  const page = document.querySelector("main")?.dataset.rulesPage;
  return page ? html`<a href=${`${page}#${rule.replace(/[^\p{L}\p{N}_]+/gu, "-")}`}>${name}</a>` : name;
}
