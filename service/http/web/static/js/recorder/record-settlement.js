/** What a deal pays, and why, as soon as that is decided; with what ends the record. */

import { el } from "../core/dom.js";
import { decided } from "../replay/score.js";

/** The settlement of a deal, or nothing while it is open; `next` begins the next deal (null: nobody may), `close` ends the record. */
export function settlement(record, { words, mayWrite, next, close }) {
  const { legal, score, state } = record.now;
  if (!score.decided && legal) return [];
  const why = score.decided ? decided(score, state, words) : [el("p", { class: "ask", text: words.record.undecided })];
  const stops = legal?.optional && legal.action === "play" ? [el("p", { text: words.record.mayStop(words.player(state, legal.seat)) })] : [];
  const heading = el("h3", { text: legal ? words.record.decided : words.score });
  return [el("section", { class: `settlement score${legal ? " is-early" : ""}` }, heading, ...stops, ...why, ...endings(record, { words, mayWrite, next, close }))];
}

function endings(record, { words, mayWrite, next, close }) {
  const onward = next ? [el("button", { type: "button", class: "confirm", "data-act": "next", text: words.record.next, on: { click: next } })] : [];
  if (record.closed) return [el("p", { class: "closed-told", text: words.record.closed }), ...onward];
  if (!mayWrite) return [];
  const press = el("button", { type: "button", class: next ? "worded" : "confirm", "data-act": "close", text: words.record.close, on: { click: close } });
  return [...onward, el("p", { class: "closing" }, press, " ", el("span", { class: "quiet", text: words.record.closeTells }))];
}
