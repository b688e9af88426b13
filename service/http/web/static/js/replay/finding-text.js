/** The text of a finding. */

import { buildTextWithCards } from "../core/cards.js";
import { el } from "../core/dom.js";

/** A finding in words: how grave it is, the service's sentence, which is in the page's language, and the section of the rules. */
export function buildFindingText(finding, words) {
  const severity = words.severity[finding.severity] ?? finding.severity;
  const rule = finding.rule ? [" ", el("i", { class: "muted", text: `${words.rule(finding.rule)}.` })] : [];
  return [el("b", { text: `${severity}. ` }), ...buildTextWithCards(finding.message, words), ...rule];
}
