/** What breaks the rules or contradicts itself: in the margin of the step it speaks of, and in a list. */

import { listKnownCards } from "../core/cards.js";
import { el, buildPanel } from "../core/dom.js";
import { buildFindingText } from "./finding-text.js";
import { stepAt } from "./steps.js";

const MARKED_SEVERITIES = new Set(["impossible", "error", "warning"]);

/** Every finding, wherever in the deal the reader stands. See panels.js for what a panel is. */
export function findingsPanel({ steps, findings, words, goto }) {
  if (!findings.length) return null;
  const items = findings.map((finding) => buildFindingItem(finding, { steps, words, goto }));
  const section = buildPanel(words.findings, "findings", el("ul", {}, ...items.map(({ item }) => item)));
  const show = (index) => {
    for (const { at, item } of items) {
      if (at === index) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
  };
  return { section, show };
}

function buildFindingItem(finding, { steps, words, goto }) {
  const at = finding.seq === null ? -1 : stepAt(steps, finding.seq);
  const proof = finding.severity === "info" ? [] : (finding.evidence ?? []);
  const proofSeqs = proof.filter((seq) => stepAt(steps, seq) !== at).slice(0, 3);
  const link = (seq) => {
    const index = stepAt(steps, seq);
    const { trick } = steps[index];
    const text = trick ? words.trickNumber(trick).toLowerCase() : words.entry(seq);
    return el("button", { type: "button", class: "plain-button inline-link", text, on: { click: () => goto(index) } });
  };
  const links = el(
    "span",
    { class: "finding-links" },
    finding.seq === null ? null : link(finding.seq),
    ...(proofSeqs.length ? [el("span", { class: "muted", text: words.shownBy }), ...proofSeqs.map(link)] : []),
  );
  return { at, item: el("li", { class: "finding" }, el("p", {}, ...buildFindingText(finding, words)), links) };
}

/** The seqs of the played cards that are under question. */
export function questionedSeqs(findings) {
  return new Set(findings.filter((one) => MARKED_SEVERITIES.has(one.severity)).map((one) => String(one.seq)));
}

/** The cards under question at a step that states them, such as a hand: those that its findings name. */
export function questionedCards(step) {
  if (step.kind === "card_played") return new Set();
  const markedFindings = step.findings.filter((one) => MARKED_SEVERITIES.has(one.severity));
  return new Set(markedFindings.flatMap((finding) => listKnownCards(finding.message)));
}
