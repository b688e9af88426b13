/** How a finding is said. */

import { textWithCards } from "./cards.js";
import { el } from "./dom.js";

/**
 * A finding in words: how grave it is and, where the engine's sentence is not in the page's language, of what kind;
 * then that sentence, and the section of the rules.
 */
export function findingWords(finding, words) {
  const severity = words.severity[finding.severity] ?? finding.severity;
  const fault = words.fault(finding.code);
  const head = el("b", { text: fault ? `${severity}: ${fault}. ` : `${severity}. ` });
  const rule = finding.rule ? [" ", el("i", { class: "quiet", text: `${words.rule(finding.rule)}.` })] : [];
  return [head, ...textWithCards(finding.message, words, fault ? "en" : null), ...rule];
}
