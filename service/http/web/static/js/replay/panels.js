// @ts-check
/** The panels that show the course of a deal: bidding, exchange, tricks, and the hands in words. */

import words from "../messages/replayer.js";
import { html, useMemo, useState } from "../vendor/preact.js";
import { buildCardTracks, handCards, SEATS } from "./card-tracks.js";
import { HandsText } from "./hands-text.js";
import { CardOrX, Cards, LeadMark, Panel } from "./markup.js";
import { trickCounts } from "./score-panel.js";
import { stepAt } from "./steps.js";

// Glossary links are put into the texts of panels: what has another text at another step has a key of its own.

/** @import { Seat, State, Step, Trick } from "./types.d.ts" */
/** @typedef {{ steps: Step[], index: number, goto: (index: number) => void }} PanelProps */

/** The state at the end: a panel stands in the same order at every step. @param {Step[]} steps */
const lastState = (steps) => /** @type {Step} */ (steps.at(-1)).frame.state;

/** The bidding in the words that fell. @param {PanelProps} props */
export function AuctionPanel({ steps, index }) {
  const { state } = steps[index].frame;
  const calls = (lastState(steps).calls ?? []).filter((call) => stepAt(steps, call.seq) <= index);
  const contract = formatContract(state);
  if (!calls.length && !contract) return null;
  return html`<${Panel} name="auction" title=${words.auction}>
    <ol class="lines">
      ${calls.map(
        (call) => html`<li key=${call.seq} aria-current=${stepAt(steps, call.seq) === index ? "step" : null}>
        <span class="who">${words.player(state, call.seat)}</span><span><${Call} call=${call} /></span>
      </li>`,
      )}
    </ol>
    <p class="auction-outcome" key=${contract}>${contract}</p>
  <//>`;
}

/** What is played, and by whom; "" if nobody plays. @param {State} state */
export function formatContract(state) {
  if (!state.declarer || !state.contract) return "";
  const event = { seat: state.declarer, contract: state.contract, trump: state.trump };
  return words.upper(words.sentence("contract_named", { state, event }));
}

/** A call in the words that fell, or else in its own. @param {{ call: State["calls"][number] }} props */
export function Call({ call }) {
  const name = words.bid(call.bid);
  if (!call.said) return name;
  const isSame = call.said.toLowerCase().includes(name.toLowerCase());
  return html`<i>${call.said}</i>${!isSame && html`<span class="muted"> ${name}</span>`}`;
}

/** What was sold and bought. @param {PanelProps} props */
export function ExchangePanel({ steps, index }) {
  const exchanges = steps.slice(0, index + 1).filter(isExchange);
  if (!exchanges.length) return null;
  const rows = exchanges.map((step) => html`<${ExchangeRow} key=${step.frame.seq} step=${step} />`);
  return html`<${Panel} name="exchange" title=${words.exchange}><ol class="lines">${rows}</ol><//>`;
}

/** @param {Step} step */
export const isExchange = ({ kind }) => kind === "cards_discarded" || kind === "cards_drawn";

/** What is discarded or drawn at a step, as a line. @param {{ step: Step, children?: unknown }} props */
export function ExchangeRow({ step: { kind, frame }, children }) {
  const { event, state } = frame;
  const isDiscard = kind === "cards_discarded";
  const count = event.cards.length;
  return html`<li>
    <span class="who">${isDiscard ? words.player(state, event.seat) : ""}</span>
    <span class="exchange-count">${isDiscard ? words.sold(count) : words.bought(count)}</span>
    <span><${Cards} cards=${event.cards.filter((card) => card[0] !== "?")} />${children}</span>
  </li>`;
}

/** The tricks as on a score sheet: nine ruled lines that fill as the cards fall. @param {PanelProps} props */
export function TricksPanel({ steps, index, goto }) {
  const { tricks } = lastState(steps);
  const { state, score } = steps[index].frame;
  if (!tricks?.length || stepAt(steps, tricks[0].seqs[0]) > index) return null;
  const playedOn = tricks.filter((trick) => trick.played_on).map(({ number }) => number);
  const won = trickCounts(state, score);
  const rows = Array.from(
    { length: Math.max(9, tricks.length) },
    (_, place) =>
      html`<${TrickRow} key=${place} number=${place + 1} trick=${tricks[place]} steps=${steps} index=${index} goto=${goto} />`,
  );
  return html`<${Panel} name="tricks" title=${words.play}>
    <table class="sheet">
      <thead><tr><td></td>${SEATS.map((seat) => html`<th scope="col">${words.player(state, seat)}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
      <tfoot><tr><td></td>${SEATS.map((seat) => html`<td>${won[seat] ?? 0}</td>`)}</tr></tfoot>
    </table>
    ${playedOn.length > 0 && html`<p>${words.playedOn(playedOn)}</p>`}
    <p class="muted sheet-key">${words.playKey}</p>
  <//>`;
}

/** @param {PanelProps & { number: number, trick?: Trick }} props */
function TrickRow({ number, trick, steps, index, goto }) {
  const ends = (trick?.seqs ?? []).map((seq) => stepAt(steps, seq));
  const end = Math.max(...ends);
  const cells = SEATS.map((seat) => {
    const place = trick?.seats.indexOf(/** @type {Seat} */ (seat)) ?? -1;
    if (!trick || place < 0 || ends[place] > index) return html`<td></td>`;
    const names = [trick.winner === seat && index >= end && "is-winner", ends[place] === index && "is-now"];
    return html`<td class=${names.filter(Boolean).join(" ")}>
      <span class="played">
        ${place === 0 && html`<${LeadMark} />`}
        <${CardOrX} card=${trick.cards[place]} />
      </span>
    </td>`;
  });
  const label = { type: "button", class: "plain-button", "aria-label": words.trickNumber(number) };
  return html`<tr>
    <th scope="row">${trick ? html`<button ...${label} onClick=${() => goto(end)}>${number}</button>` : html`<span>${number}</span>`}</th>
    ${cells}
  </tr>`;
}

/** Every hand, the talon and what may happen next, in words: for those who do not see the drawing. @param {PanelProps & { later: Function | null }} props */
export function HandsPanel({ steps, index, later }) {
  const [isOpen, setOpen] = useState(false);
  const tracks = useMemo(() => {
    const states = steps.map((step) => step.frame.state);
    const known = isOpen ? buildCardTracks(states) : [];
    return later && isOpen ? later(known, states) : known;
  }, [steps, later, isOpen]);
  const isEmpty = SEATS.every((seat) => !handCards(steps[index].frame.state, seat).length);
  return html`<section class=${`panel hands${isEmpty ? " is-empty" : ""}`}>
    <details onToggle=${(/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}>
      <summary><h2>${words.hands}</h2></summary>
      <dl key=${steps[index].frame.seq}>${isOpen && html`<${HandsText} frame=${steps[index].frame} slots=${tracks[index]} />`}</dl>
    </details>
  </section>`;
}
