// @ts-check
/** The text of a finding. */

import { RuleLink } from "../core/rule-link.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { TextWithCards } from "./markup.js";

/** @import { Finding } from "./types.d.ts" */

/** How grave it is, the service's sentence, and the section of the rules. @param {{ finding: Finding }} props */
export const FindingText = ({ finding }) => html`
  <b>${words.severity[finding.severity] ?? finding.severity}. </b><${TextWithCards} text=${finding.message} />
  ${finding.rule && html` <i class="muted"><${RuleLink} rule=${finding.rule} name=${words.rule(finding.rule)} />.</i>`}`;
