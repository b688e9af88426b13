// @ts-check
/** What breaks the rules or contradicts itself: in the margin of the step it speaks of, and in a list. */

import { listKnownCards } from "../core/cards.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { FindingText } from "./finding-text.js";
import { Panel } from "./markup.js";
import { stepAt } from "./steps.js";

/** @import { Finding, Seq, Step } from "./types.d.ts" */

const MARKED_SEVERITIES = new Set(["impossible", "error", "warning"]);

/**
 * Every finding, wherever in the deal the reader stands.
 * @param {{ findings: Finding[], steps: Step[], index: number, goto: (index: number) => void }} props
 */
export function FindingsPanel({ findings, steps, index, goto }) {
  if (!findings.length) return null;
  /** @param {Seq} seq */
  const link = (seq) => {
    const at = stepAt(steps, seq);
    const { trick } = steps[at];
    const text = trick ? words.trickNumber(trick).toLowerCase() : words.entry(seq);
    return html`<button type="button" class="plain-button inline-link" onClick=${() => goto(at)}>${text}</button>`;
  };
  const items = findings.map((finding) => {
    const at = finding.seq === null ? -1 : stepAt(steps, finding.seq);
    const proof = finding.severity === "info" ? [] : (finding.evidence ?? []);
    const proofSeqs = proof.filter((seq) => stepAt(steps, seq) !== at).slice(0, 3);
    return html`<li class="finding" key=${`${finding.seq} ${finding.message}`} aria-current=${at === index ? "step" : null}>
      <p><${FindingText} finding=${finding} /></p>
      <span class="finding-links">
        ${finding.seq !== null && link(finding.seq)}
        ${proofSeqs.length > 0 && html`<span class="muted">${words.shownBy}</span>`}${proofSeqs.map(link)}
      </span>
    </li>`;
  });
  return html`<${Panel} name="findings" title=${words.findings}><ul>${items}</ul><//>`;
}

/** The seqs of the played cards that are under question. @param {Finding[]} findings */
export function questionedSeqs(findings) {
  return new Set(findings.filter((one) => MARKED_SEVERITIES.has(one.severity)).map((one) => String(one.seq)));
}

/** The cards under question at a step that states them, such as a hand: those that its findings name. @param {Step} step */
export function questionedCards(step) {
  if (step.kind === "card_played") return new Set();
  const markedFindings = step.findings.filter((one) => MARKED_SEVERITIES.has(one.severity));
  return new Set(markedFindings.flatMap((finding) => listKnownCards(finding.message)));
}
