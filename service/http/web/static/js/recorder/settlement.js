/** What a deal pays, and why, as soon as that is decided; with what ends the record. */

import { el } from "../core/dom.js";
import { buildDecidedScore } from "../replay/score-panel.js";

/** The settlement of a deal, or nothing while it is open; `onNext` begins the next deal (null: nobody may), `onClose` ends the record. */
export function buildSettlement(record, { words, mayWrite, onNext, onClose }) {
  const { legal, score, state } = record.current;
  if (!score.decided && legal) return [];
  const scoreContent = score.decided ? buildDecidedScore(score, state, words) : [el("p", { class: "ask", text: words.record.undecided })];
  const stopNote = legal?.optional && legal.action === "play" ? [el("p", { text: words.record.mayStop(words.player(state, legal.seat)) })] : [];
  const heading = el("h3", { text: legal ? words.record.decided : words.score });
  return [el("section", { class: `settlement score${legal ? " is-early" : ""}` }, heading, ...stopNote, ...scoreContent, ...buildClosing(record, { words, mayWrite, onNext, onClose }))];
}

function buildClosing(record, { words, mayWrite, onNext, onClose }) {
  const nextButton = onNext ? [el("button", { type: "button", class: "confirm", "data-act": "next", text: words.record.next, on: { click: onNext } })] : [];
  if (record.isClosed) return [el("p", { class: "closed-note", text: words.record.closed }), ...nextButton];
  if (!mayWrite) return [];
  const closeButton = el("button", { type: "button", class: onNext ? "button" : "confirm", "data-act": "close", text: words.record.close, on: { click: onClose } });
  return [...nextButton, el("p", { class: "closing" }, closeButton, " ", el("span", { class: "muted", text: words.record.closeTells }))];
}
