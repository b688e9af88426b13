// @ts-check
/** What a deal pays, and why, as soon as that is decided; with what ends the record. */

import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { DecidedScore } from "../replay/score-panel.js";
import { html } from "../vendor/preact.js";

/** @import { RecorderSession } from "./session.js" */

/** The settlement of a deal, or nothing while it is open. @param {{ session: RecorderSession }} props */
export function Settlement({ session }) {
  const { legal, score, state } = session.record.current;
  if (!score.decided && legal) return null;
  return html`<section class="settlement score ${legal ? "is-early" : ""}">
    <h3>${legal ? t("Decided") : words.score}</h3>
    ${legal?.optional && legal.action === "play" && html`<p>${t("{name} may stop here.", { name: words.player(state, legal.seat) })}</p>`}
    ${score.decided ? html`<${DecidedScore} score=${score} state=${state} />` : html`<p class="ask">${t("It is not decided what is paid.")}</p>`}
    <${Closing} session=${session} />
  </section>`;
}

/** @param {{ session: RecorderSession }} props */
function Closing({ session }) {
  const mayOpen = "mayOpen" in session.root.dataset;
  const next =
    mayOpen &&
    html`<button type="button" class="confirm" data-act="next" onClick=${() => session.goToNextDeal()}>${t("Next deal")}</button>`;
  if (session.record.isClosed) return html`<p class="closed-note">${t("The deal is closed.")}</p>${next}`;
  if (!session.mayWrite) return null;
  const close = html`<button type="button" class=${mayOpen ? "button" : "confirm"} data-act="close" onClick=${() => session.closeDeal()}>${t("Close the deal")}</button>`;
  return html`${next}<p class="closing">${close} <span class="muted">${t("Then everybody who may see the deal sees all cards.")}</span></p>`;
}
