/** How the table is seen: by whom, from which side, and with what was known only later. */

import { el } from "../core/dom.js";
import { knownLater } from "./later.js";
import { SEATS } from "./tracks.js";

const YEAR = 31_536_000;

/** Keeps on the device that something is left off, or forgets it; in a file it holds while that is open. */
function keepOff(name, off) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `spadille-${name}=${off ? "off" : ""}; Path=/; SameSite=Lax; Max-Age=${off ? YEAR : 0}${secure}`;
}

/**
 * What a reader chooses. `seen` is {viewer, later, bottom, unshaded, unmoved}, `choose(seen)` is called with what is chosen anew; `later` is
 * null, or what names the cards that were known only later; `unshaded` tells that what may not be played lies as the rest, `unmoved`
 * that cards do not move on their way. `players` are those of the deal; `viewers` tells whether it can be seen by somebody in particular.
 */
export async function waysToSee({ players, words, viewers, seen, choose }) {
  const danish = document.documentElement.lang.startsWith("da");
  const { default: said } = await import(danish ? "../messages/seeing-da.js" : "../messages/seeing-en.js");
  const named = (seat) => `${players?.[seat] ?? words.seat(seat)} (${words.seat(seat)})`;
  const change = (more) => choose(Object.assign(seen, more));
  const leave = (name, member, off) => {
    keepOff(name, off);
    change({ [member]: off });
  };
  const by = el("select", { name: "viewer", on: { change: (event) => change({ viewer: event.target.value }) } },
    ...[["all", said.all], ...SEATS.map((seat) => [seat, named(seat)]), ["public", said.onlooker]].map(([value, text]) => el("option", { value, text, selected: value === seen.viewer })),
  );
  const later = el("input", { type: "checkbox", name: "later", class: "check", checked: Boolean(seen.later), on: { change: (event) => change({ later: event.target.checked ? knownLater : null }) } });
  const shade = el("input", { type: "checkbox", name: "shade", class: "check", checked: !seen.unshaded, on: { change: (event) => leave("shade", "unshaded", !event.target.checked) } });
  const motion = el("input", { type: "checkbox", name: "motion", class: "check", checked: !seen.unmoved, on: { change: (event) => leave("motion", "unmoved", !event.target.checked) } });
  const turn = el("button", { type: "button", class: "worded", "data-act": "turn", text: said.turn, on: { click: () => change({ bottom: SEATS[(SEATS.indexOf(seen.bottom) + 1) % 3] }) } });
  return [
    viewers ? el("p", {}, el("label", {}, el("span", { text: said.by }), by)) : null,
    el("p", {}, el("label", { class: "is-check" }, later, el("span", { text: said.later }))),
    el("p", {}, el("label", { class: "is-check" }, shade, el("span", { text: said.shade }))),
    el("p", {}, el("label", { class: "is-check" }, motion, el("span", { text: said.motion }))),
    el("p", {}, turn),
  ].filter(Boolean);
}
