/** How the table is seen: by whom, from which side, and with what was known only later. */

import { el } from "../core/dom.js";
import { revealLaterKnownCards } from "./later-known-cards.js";
import { SEATS } from "./card-tracks.js";
import optionWords from "../messages/view-options.js";

const COOKIE_MAX_AGE_SECONDS = 31_536_000;

/** Keeps on the device that something is left off, or forgets it; in a file it holds while that is open. */
function saveSwitchedOff(name, isOff) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `spadille-${name}=${isOff ? "off" : ""}; Path=/; SameSite=Lax; Max-Age=${isOff ? COOKIE_MAX_AGE_SECONDS : 0}${secure}`;
}

/**
 * The view options. `view` is {viewer, later, bottom, unshaded, unmoved}, `onChange(view)` is called with each new choice; `later` is
 * null, or what names the cards that were known only later; `unshaded` turns off the shading of cards that may not be played,
 * `unmoved` the animation of cards. `players` are those of the deal; `canChooseViewer` says whether a viewer can be chosen.
 */
export function buildViewOptions({ players, words, canChooseViewer, view, onChange }) {
  const seatLabel = (seat) => `${players?.[seat] ?? words.seat(seat)} (${words.seat(seat)})`;
  const change = (changes) => onChange(Object.assign(view, changes));
  const leave = (name, member, isOff) => {
    saveSwitchedOff(name, isOff);
    change({ [member]: isOff });
  };
  const by = el("select", { name: "viewer", on: { change: (event) => change({ viewer: event.target.value }) } },
    ...[["all", optionWords.all], ...SEATS.map((seat) => [seat, seatLabel(seat)]), ["public", optionWords.onlooker]].map(([value, text]) => el("option", { value, text, selected: value === view.viewer })),
  );
  const later = el("input", { type: "checkbox", name: "later", class: "check", checked: Boolean(view.later), on: { change: (event) => change({ later: event.target.checked ? revealLaterKnownCards : null }) } });
  const shade = el("input", { type: "checkbox", name: "shade", class: "check", checked: !view.unshaded, on: { change: (event) => leave("shade", "unshaded", !event.target.checked) } });
  const motion = el("input", { type: "checkbox", name: "motion", class: "check", checked: !view.unmoved, on: { change: (event) => leave("motion", "unmoved", !event.target.checked) } });
  const turn = el("button", { type: "button", class: "button", "data-act": "turn", text: optionWords.turn, on: { click: () => change({ bottom: SEATS[(SEATS.indexOf(view.bottom) + 1) % 3] }) } });
  return [
    canChooseViewer ? el("p", {}, el("label", {}, el("span", { text: optionWords.by }), by)) : null,
    el("p", {}, el("label", { class: "is-check" }, later, el("span", { text: optionWords.later }))),
    el("p", {}, el("label", { class: "is-check" }, shade, el("span", { text: optionWords.shade }))),
    el("p", {}, el("label", { class: "is-check" }, motion, el("span", { text: optionWords.motion }))),
    el("p", {}, turn),
  ].filter(Boolean);
}
