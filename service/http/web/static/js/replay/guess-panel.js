// @ts-check
/** Guess the move: the reader plays a seat's cards before seeing what was played. */

import { HIDDEN_CARD } from "../core/cards.js";
import { t } from "../core/texts.js";
import words from "../messages/replayer.js";
import { html, useState } from "../vendor/preact.js";
import { SEATS } from "./card-tracks.js";
import { Card } from "./markup.js";
import { listLegalActions } from "./what-if-actions.js";

/** @import { DealView } from "./deal-view.js" */
/** @import { FieldEvent, Seat } from "./types.d.ts" */

/** @param {{ view: DealView }} props */
export function GuessPanel({ view }) {
  const { facts } = view;
  const { state } = view.steps.value[view.lastIndex].frame;
  const [seat, setSeat] = useState(state.declarer ?? "forehand");
  const [count, setCount] = useState({ right: 0, all: 0 });
  const [last, setLast] = useState(/** @type {{ guess: string, played: string } | null} */ (null));

  /** @param {Seat} chosen */
  const begin = (chosen) => {
    setSeat(chosen);
    setCount({ right: 0, all: 0 });
    setLast(null);
    // Only what this seat sees.
    view.setOptions(facts.can_choose_viewer ? { mode: "seat", viewer: chosen } : { mode: "then" });
    goToNext(chosen, 0);
  };
  /** Goes to the point before the next card of a seat. @type {(of: Seat, from: number) => void} */
  const goToNext = (of, from) => {
    const next = view.steps.value.findIndex(
      (step, at) => at > from && step.kind === "card_played" && step.frame.event.seat === of,
    );
    view.jumpTo(next < 0 ? view.lastIndex : next - 1);
  };
  const index = view.index.value;
  const played = view.steps.value[index + 1];
  const isHere = played?.kind === "card_played" && played.frame.event.seat === seat;
  const acts = isHere ? listLegalActions(view.step.frame) : [];
  const cards = acts.map(({ card }) => card ?? HIDDEN_CARD).filter((card) => card !== HIDDEN_CARD);
  /** @param {string} guess */
  const choose = (guess) => {
    const { card } = played.frame.event;
    setLast({ guess, played: card });
    setCount({ right: count.right + Number(guess === card), all: count.all + 1 });
    view.runMove("on");
  };
  const name = words.player(state, seat);
  return html`
    <p><label><span>${t("You play for")}</span>
      <select value=${seat} onChange=${(/** @type {FieldEvent} */ event) => begin(/** @type {Seat} */ (event.target.value))}>
        ${SEATS.map((one) => html`<option value=${one}>${words.player(state, one)}</option>`)}
      </select></label></p>
    <p role="status">
      ${last && html`${last.guess === last.played ? t("Right:") : t("Played was")} <${Card} card=${last.played} />. ${t("{right} of {all} guessed.", count)}`}
    </p>
    ${
      cards.length
        ? html`<p aria-hidden="true">${t("What does {name} play?", { name })}</p>
          <div class="what-if-cards" role="group" aria-label=${t("What does {name} play?", { name })}>
            ${cards.map((card, place) => html`<button type="button" key=${place} class="what-if-card" data-guess=${card} onClick=${() => choose(card)}><${Card} card=${card} /></button>`)}
          </div>`
        : html`<p><button type="button" class="button" data-act="next-guess" onClick=${() => (count.all ? goToNext(seat, index) : begin(seat))}>${t("To the next card to guess")}</button></p>`
    }`;
}
