// @ts-check
/** Who dealt, who sat where and who sat out in a deal: a list for each place. */

import { t } from "../core/texts.js";
import words from "../messages/evening.js";
import { html, render, useSignal } from "../vendor/preact.js";
import { buildSeating, chooseDealer, choosePlayer, listCandidates, readPlaces, SEATS } from "./seating-places.js";

/** @typedef {import("./seating-places.js").Seating} Seating */
/**
 * @typedef {object} SeatingProps
 * @property {Seating} seating - how the deal has it
 * @property {string[]} players - who may be chosen
 * @property {Seating[]} rounds - seatings from which the places follow when another dealer is chosen
 * @property {(player: string) => string} displayName
 * @property {(seating: Seating) => void} onChange
 */

/** @param {SeatingProps} props */
export function SeatingLists({ seating, players, rounds, displayName, onChange }) {
  const candidates = listCandidates(seating, players);
  const chosen = useSignal(readPlaces(seating, candidates));
  const { dealer, places } = chosen.value;
  const hadDealer = Boolean(seating.dealer);
  /** @param {import("./seating-places.js").Places} next */
  const change = (next) => {
    chosen.value = next;
    onChange(buildSeating(next));
  };
  /** @param {string} place @param {string} label @param {string} value @param {string | null} nobody @param {(player: string) => void} choose */
  const field = (place, label, value, nobody, choose) => html`
    <div class="reason pad-field">
      <label>
        ${label}
        <select data-place=${place} value=${value} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
          ${nobody !== null && html`<option value="">${nobody}</option>`}
          ${candidates.map((player) => html`<option value=${player}>${displayName(player)}</option>`)}
        </select>
      </label>
    </div>
  `;
  return html`
    <div class="seating-fields">
      ${field("dealer", t("Who dealt?"), dealer, hadDealer ? null : t("not said"), (player) => change(chooseDealer(chosen.value, player, rounds)))}
      ${places.map((player, index) =>
        field(
          SEATS[index] ?? "sitting_out",
          SEATS[index] ? words.upper(words.seat(SEATS[index])) : t("Sat out"),
          player,
          SEATS[index] ? null : t("Nobody"),
          (other) => change(choosePlayer(chosen.value, index, other, candidates)),
        ),
      )}
    </div>
  `;
}

/** The same for a page that is not built of components: `root` and its `value`. */
export class SeatingFields {
  /** @param {Omit<SeatingProps, "onChange"> & { words?: unknown }} options */
  constructor(options) {
    this.root = document.createElement("div");
    this.value = buildSeating(readPlaces(options.seating, listCandidates(options.seating, options.players)));
    const onChange = (/** @type {any} */ seating) => {
      this.value = seating;
    };
    // A component may be what makes it, and Preact draws one tree at a time.
    queueMicrotask(() => render(html`<${SeatingLists} ...${options} onChange=${onChange} />`, this.root));
  }
}
