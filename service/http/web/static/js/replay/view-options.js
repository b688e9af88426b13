// @ts-check
/** How the table is seen: with which cards, by whom, and from which side. */

import { t, tc } from "../core/texts.js";
import words from "../messages/replayer.js";
import { html } from "../vendor/preact.js";
import { SEATS } from "./card-tracks.js";

/** @import { FieldEvent } from "./types.d.ts" */
/** @import { DealView, ViewOptions } from "./deal-view.js" */

const COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Keeps on the device that something is left off, or forgets it. @type {(name: string, isOff: boolean) => void} */
function saveSwitchedOff(name, isOff) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has a cookie store
  document.cookie = `spadille-${name}=${isOff ? "off" : ""}; Path=/; SameSite=Lax; Max-Age=${isOff ? COOKIE_MAX_AGE_SECONDS : 0}${secure}`;
}

/** @param {{ view: DealView }} props */
export function ViewPanel({ view }) {
  const { bottom, unshaded, unmoved } = view.options.value;
  const turn = () => view.setOptions({ bottom: SEATS[(SEATS.indexOf(bottom) + 1) % 3] });
  /** @type {(label: string, name: string, field: "unshaded" | "unmoved", isOff: boolean) => unknown} */
  const check = (label, name, field, isOff) => {
    const change = (/** @type {FieldEvent} */ event) => {
      const isNowOff = !event.target.checked;
      saveSwitchedOff(name, isNowOff);
      view.setOptions({ [field]: isNowOff });
    };
    return html`<p><label class="is-check"><input type="checkbox" name=${name} class="check" checked=${!isOff} onChange=${change} /><span>${label}</span></label></p>`;
  };
  return html`
    ${check(t("Shade cards that may not be played"), "shade", "unshaded", unshaded)}
    ${check(t("Move the cards"), "motion", "unmoved", unmoved)}
    <p><button type="button" class="button" data-act="turn" onClick=${turn}>${t("Turn the table")}</button>
      ${" "}<button type="button" class="button" data-act="keys" onClick=${() => (view.areKeysShown.value = true)}>${t("Keys")}</button></p>`;
}

/** Which cards lie open: all, those that were known at each point, or those that a seat saw. @param {{ view: DealView }} props */
export function CardSwitch({ view }) {
  const { mode, viewer } = view.options.value;
  const { players } = view.document.value;
  /** @type {[ViewOptions["mode"], string][]} */
  const modes = [
    ["open", tc("cards", "Open")],
    ["then", t("As seen then")],
  ];
  if (view.facts.can_choose_viewer) modes.push(["seat", t("By seat")]);
  const choose = (/** @type {FieldEvent} */ event) => view.setOptions({ viewer: event.target.value });
  const viewers = [
    ...SEATS.map((seat) => [seat, `${players?.[seat] ?? words.seat(seat)} (${words.seat(seat)})`]),
    ["public", t("an onlooker")],
  ];
  return html`<fieldset class="card-switch">
    <legend class="visually-hidden">${t("The cards")}</legend>
    ${modes.map(
      ([name, label]) => html`<label key=${name}>
      <input type="radio" name="cards" value=${name} checked=${mode === name} onChange=${() => view.setOptions({ mode: name })} /><span>${label}</span>
    </label>`,
    )}
    ${
      mode === "seat" &&
      html`<select name="viewer" aria-label=${t("Seen by")} value=${viewer} onChange=${choose}>
      ${viewers.map(([value, label]) => html`<option value=${value}>${label}</option>`)}
    </select>`
    }
  </fieldset>`;
}
